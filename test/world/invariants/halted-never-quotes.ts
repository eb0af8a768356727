import { MINUTE_MS, type Ms } from '../../../src/base/time.ts'
import type { VenueModel } from '../../../src/simulator/sandbox/model.ts'
import { violated, type Invariant } from '../step.ts'
import type { VenueWatch } from '../venue-watch.ts'

/** Long enough for retries with back-off through any fault but an outage, and for one read-back. */
const SETTLED_AFTER_MS = 40 * MINUTE_MS

/**
 * While trading is halted only the safe quote is sent and nothing goes to market; and a while after the last
 * thing that could disturb it, the venue holds the safe quote or the position is inactive.
 */
export function haltedNeverQuotes(model: VenueModel, watch: VenueWatch): Invariant {
  let haltedSince: Ms | null = null
  return {
    check({ audit, state, now }) {
      if (state.latch.halted === null) {
        haltedSince = null
        return
      }
      haltedSince ??= now
      const { decision } = state
      if (decision !== null && decision.at === state.now && decision.tradingState !== 'HALTED')
        violated(`halted, and the decision says ${decision.tradingState}`)
      const { safeBps, onExit } = state.config.quote
      for (const effect of audit.effects) {
        if (effect.type === 'activate' && effect.isActive) violated('a halted position was activated')
        if (effect.type !== 'setQuote') continue
        const { bidBps, askBps } = effect.spread
        if (bidBps !== safeBps || askBps !== safeBps)
          violated(`halted, and a PATCH of ${bidBps}/${askBps} bps was sent`)
      }
      // A dry run sends nothing; a refused key cannot; a daemon that is leaving may have been told to keep.
      if (state.config.mode === 'dry-run' || state.authFailure !== null) return
      if (state.exiting && onExit === 'keep') return
      const calmSince = Math.max(haltedSince, watch.troubleAt, model.state.outageUntil)
      if (now - calmSince < SETTLED_AFTER_MS) return
      const { ours } = model.state
      const isSafe =
        (!ours.quoteBid || ours.bidBps === safeBps) && (!ours.quoteAsk || ours.askBps === safeBps)
      if (ours.isActive && !isSafe)
        violated(`halted for long, and the venue still quotes ${ours.bidBps}/${ours.askBps} bps`)
    },
    rewind() {
      haltedSince = null
    },
  }
}
