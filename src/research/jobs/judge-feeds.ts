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
  let filter: GapState | null = null
  let last: Rate | null = null
  const visitor = {
    at: ignore,
    rate(t: Ms, mid: Rate): void {
      if (mid === last) return
      last = mid
      if (filter === null) filter = startGapFilter(settings, rateToNumber(mid), t)
      else addUpdate(filter, settings, t, rateToNumber(mid))
    },
    reference({ t, source: name, mid }: ReferenceRow): void {
      if (filter !== null) addReading(filter, settings, { name, t, tzsPerUsd: rateToNumber(mid) })
    },
    competition: ignore,
    balances: ignore,
    quote: ignore,
    fill: ignore,
  }
  for await (const batch of source.batches()) walkBatch(batch, visitor)
  return readingsOf(filter).map(({ name, judgement = null }) => ({ name, judgement }))
}

function readingsOf(filter: GapState | null): GapState['readings'] {
  return filter?.readings ?? []
}

function ignore(): void {
  // The judgement reads the mid and the references only.
}
