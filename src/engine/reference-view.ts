import type { Ms } from '../base/time.ts'
import { referenceDeviationBps } from '../market/fair-value.ts'
import { feedOf } from '../market/feeds.ts'
import { formatRate } from '../money/rate.ts'
import type { EngineState } from './engine-state.ts'
import { feedsOf } from './handle-reference.ts'
import type { FeedView, ReferenceView } from './position-view.ts'

/** What other sources than the venue say of the rate, and how far the venue is from them. */
export function referenceView(state: EngineState, now: Ms): ReferenceView {
  const { market, config } = state
  const estimate = market.estimate ?? null
  return {
    standsAlone: estimate === null,
    mid: estimate === null ? null : formatRate(estimate.mid),
    errorBps: estimate?.errorBps ?? null,
    deviationBps: referenceDeviationBps(market),
    limitBps: config.risk.maxReferenceDeviationBps ?? null,
    feeds: feedsOf(config).flatMap(({ name, weight }): FeedView[] => {
      const feed = feedOf(market.feeds, name)
      if (feed === null) return []
      const { status, mid, readAt, datedAt, problem } = feed
      const ageMs = readAt === null ? null : now - readAt
      const shown = mid === null ? null : formatRate(mid)
      return [{ name, status, mid: shown, ageMs, datedAt, weight, problem: problem?.text ?? null }]
    }),
  }
}
