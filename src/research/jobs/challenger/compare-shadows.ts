import type { WholeDay } from '../../backtest/metrics/daily.ts'
import { err, ok, type Result } from '../../../base/result.ts'
import { pairedDifference } from '../../models/statistics/paired-difference.ts'
import type { LoadedStrategy } from '../../../core/strategy/define-strategy.ts'
import type { ComparedView } from '../../../daemon/view/challenger-view.ts'
import { runShadow, type ShadowMarket, type ShadowRun } from './run-shadow.ts'

export type ComparedShadows = {
  readonly compared: ComparedView
  /** When and why the challenger was suspended; null = never. */
  readonly suspension: ShadowRun['suspension']
}

/** Days in the list; the difference covers all days. */
const LISTED_DAYS = 60

/**
 * Runs champion and challenger over one recording, one after the other and with the same takers, and pairs their days, at most the last
 * 60. Equal inputs give equal results.
 */
export async function compareShadows(
  market: ShadowMarket,
  champion: LoadedStrategy,
  challenger: LoadedStrategy,
  challengerCore = market.core,
): Promise<Result<ComparedShadows, string>> {
  const ours = await runShadow(market, champion)
  if (!ours.ok) return ours
  if (ours.value.suspension !== null)
    return err(`the champion was suspended in the simulated venue: ${ours.value.suspension.why}`)
  const theirs = await runShadow({ ...market, core: challengerCore }, challenger)
  if (!theirs.ok) return theirs
  const { suspension } = theirs.value
  const days = pairDays(ours.value.days, theirs.value.days).filter(
    // After a suspension the safe quote is active, which is not the challenger's decision.
    ({ to }) => suspension === null || to <= suspension.since,
  )
  const { from, to } = ours.value
  return ok({
    suspension,
    compared: {
      from,
      to,
      champion: ours.value.shown,
      challenger: theirs.value.shown,
      difference: differenceOf(days),
      days: days.slice(-LISTED_DAYS),
      warnings: [
        ...ours.value.warnings.map((text) => `champion: ${text}`),
        ...theirs.value.warnings.map((text) => `challenger: ${text}`),
      ],
    },
  })
}

type Day = ComparedView['days'][number]

/** Both ran over one recording, so they have the same days. */
function pairDays(champion: readonly WholeDay[], challenger: readonly WholeDay[]): readonly Day[] {
  const theirs = new Map(challenger.map(({ to, lessHoldingUsd }) => [to, lessHoldingUsd]))
  return champion.flatMap(({ to, lessHoldingUsd }) => {
    const other = theirs.get(to)
    return other === undefined ? [] : [{ to, championUsd: lessHoldingUsd, challengerUsd: other }]
  })
}

/** Source: quant.md section 5, paired differences. */
function differenceOf(days: readonly Day[]): ComparedView['difference'] {
  if (days.length < 2) return null
  const { mean, se, p } = pairedDifference(
    days.map(({ challengerUsd }) => challengerUsd),
    days.map(({ championUsd }) => championUsd),
  )
  return { days: days.length, meanUsd: mean, seUsd: se, p }
}
