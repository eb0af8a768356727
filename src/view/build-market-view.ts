import type { Ms } from '../base/time.ts'
import type { EngineState } from '../engine/model/state.ts'
import { whyMissing } from '../engine/activation/reconcile-activation.ts'
import { fairValue, referenceDeviationBps } from '../market/fair-value.ts'
import { feedOf } from '../market/feeds.ts'
import { midAge } from '../market/market-state.ts'
import { formatRate, type Rate } from '../money/rate.ts'
import { feedsOf } from '../engine/market/on-reference.ts'
import type { FeedView, PositionView, ReferenceView } from './position-view.ts'

/** What a dollar is worth: by the venue, and by whoever else is heard. */
export function buildMarketView(
  state: EngineState,
  now: Ms,
): Pick<PositionView, 'mid' | 'midAgeMs' | 'quotable' | 'fairValue' | 'reference'> {
  const { market } = state
  return {
    mid: rateText(market.mid),
    midAgeMs: midAge(market, now),
    quotable: market.quotable,
    fairValue: rateText(fairValue(market)),
    reference: referenceView(state, now),
  }
}

/** What other sources than the venue say of the rate, and how far the venue is from them. */
function referenceView(state: EngineState, now: Ms): ReferenceView {
  const { market, config } = state
  const estimate = market.estimate ?? null
  return {
    standsAlone: estimate === null,
    mid: rateText(estimate?.mid ?? null),
    errorBps: estimate?.errorBps ?? null,
    deviationBps: referenceDeviationBps(market),
    limitBps: config.risk.maxReferenceDeviationBps ?? null,
    feeds: feedsOf(config).flatMap(({ name, weight }): FeedView[] => {
      const feed = feedOf(market.feeds, name)
      if (feed === null) return []
      const { status, mid, readAt, datedAt, problem } = feed
      const ageMs = readAt === null ? null : now - readAt
      return [{ name, status, mid: rateText(mid), ageMs, datedAt, weight, problem: problem?.text ?? null }]
    }),
  }
}

function rateText(rate: Rate | null): string | null {
  return rate === null ? null : formatRate(rate)
}

/** The same for people; null = the position is where it is wanted. */
export function missingView(state: EngineState): { readonly since: Ms; readonly why: string } | null {
  const { missing } = state.activation
  return missing ? { since: missing.since, why: whyMissing(state) } : null
}
