import {
  type ApartPair,
  apartPairs,
  hasApartPair,
  pairsToReport,
  refusedPair,
  reportedPairs,
} from '../../market/pair-mids.ts'
import type { RoutedStable } from '../../../base/money/asset.ts'
import { formatRate } from '../../../base/money/rate.ts'
import { isPublicPoll, isPublicRateFailing } from '../../pacing/state.ts'
import { quoteStableOf } from '../model/config.ts'
import type { RequestFailedEvent } from '../model/event.ts'
import type { EngineState } from '../model/state.ts'
import { isPoll } from '../requests/requests.ts'
import type { Transition } from '../transition.ts'

/** The pairs that were reported, and whether a rule about them is breached. */
type PairStatus = { readonly reported: readonly RoutedStable[]; readonly binds: boolean }

/** Most markets have one mid: then nothing is computed. */
const NO_PAIRS: PairStatus = { reported: [], binds: false }

export function pairStatus({ market, config }: EngineState): PairStatus {
  if (!hasApartPair(market)) return NO_PAIRS
  const primary = quoteStableOf(config)
  const limit = config.risk.maxReferenceDeviationBps ?? Infinity
  const isTooFar = apartPairs(market, primary).some(({ bps }) => Math.abs(bps) > limit)
  return { reported: reportedPairs(market, primary), binds: isTooFar || refusedPair(market) !== null }
}

/** After an answer with a mid: notifies operators once when a pair stays apart, and once when it agrees again. */
export function reportPairs(transition: Transition, before: PairStatus): void {
  const { state, alert, inform } = transition
  if (before === NO_PAIRS && !hasApartPair(state.market)) return
  const primary = quoteStableOf(state.config)
  for (const pair of pairsToReport(state.market, primary)) alert('execution-mid', apartText(pair))
  const after = pairStatus(state)
  if (after === before) return
  if (before.reported.length > 0 && after.reported.length === 0)
    inform('execution-mid', "the public rate's mids agree with the published rate again, or are not stated")
  if (after.binds !== before.binds) transition.requestDecision('rate')
}

/** A poll of the public rate failed: notifies operators once if it had named mids before. */
export function reportPublicRateFailure(
  { state, alert, request }: Transition,
  { failure: { message } }: RequestFailedEvent,
): void {
  if (request === undefined || !isPoll(request) || !isPublicPoll(request.what)) return
  const { market, config, pacing } = state
  const isNews = market.publicMid !== null && market.isPublicFailing !== true && isPublicRateFailing(pacing)
  if (!isNews || !config.strictReadings) return
  market.isPublicFailing = true
  alert('public-rate', `the public rate fails on both sides; latest error: ${message}`)
}

export function reportPublicRateRecovery({ state, inform }: Transition): void {
  if (state.market.isPublicFailing !== true) return
  state.market.isPublicFailing = undefined
  inform('public-rate', 'the public rate answers again')
}

function apartText({ stable, mid, rate, bps }: ApartPair): string {
  return `fills of ${stable} execute at the public rate's mid of ${formatRate(mid)}, ${bps.toFixed(1)} bps from the published rate (${formatRate(rate)}); quotes and books of ${stable} use the public rate's mid`
}
