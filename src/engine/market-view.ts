import type { Ms } from '../base/time.ts'
import { fairValue, referenceDeviationBps } from '../market/fair-value.ts'
import { feedOf } from '../market/feeds.ts'
import { midAge } from '../market/mid-age.ts'
import { formatRate, type Rate } from '../money/rate.ts'
import type { EngineState } from './model/state.ts'
import { feedsOf } from './market/on-reference.ts'
import type { FeedView, PositionView, ReferenceView } from './position-view.ts'

/** What a dollar is worth: by the venue, and by whoever else is heard. */
export function marketView(
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
