import {
  addReading,
  addUpdate,
  type GapSettings,
  type GapState,
  startGapFilter,
} from '../../core/models/fair-value/gap-filter.ts'
import type { FeedJudgement } from '../../core/models/fair-value/feed-judge.ts'
import { type Rate, rateToNumber } from '../../base/money/rate.ts'
import type { TapeSource } from '../../store/tape/model/batch.ts'
import type { ReferenceRow } from '../../store/tape/model/row.ts'
import { walkBatch } from '../calibration/walk-batch.ts'
import type { Ms } from '../../base/time.ts'

/** A reference source of a tape; null = no update of the mid followed its readings. */
export type TapeFeed = { readonly name: string; readonly judgement: FeedJudgement | null }

/** Judges the reference sources of a tape by the later updates of its mid, at most ten of them, in the order of their readings. */
export async function judgeTapeFeeds(source: TapeSource, given: GapSettings): Promise<readonly TapeFeed[]> {
  const settings = { ...given, judgesFeeds: true }
  const seen: { filter: GapState | null; mid: Rate | null } = { filter: null, mid: null }
  const rate = (t: Ms, mid: Rate) => {
    if (mid === seen.mid) return
    seen.mid = mid
    if (seen.filter === null) seen.filter = startGapFilter(settings, rateToNumber(mid), t)
    else addUpdate(seen.filter, settings, t, rateToNumber(mid))
  }
  const reference = ({ t, source: name, mid }: ReferenceRow) => {
    if (seen.filter !== null) addReading(seen.filter, settings, { name, t, tzsPerUsd: rateToNumber(mid) })
  }
  const ignore = () => undefined
  const rest = { at: ignore, competition: ignore, balances: ignore, quote: ignore, fill: ignore }
  for await (const batch of source.batches()) walkBatch(batch, { ...rest, rate, reference })
  return (seen.filter?.readings ?? []).map(({ name, judgement = null }) => ({ name, judgement }))
}
