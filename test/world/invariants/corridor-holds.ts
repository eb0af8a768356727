import { MINUTE_MS } from '../../../src/base/time.ts'
import { isWithinBand } from '../../../src/base/money/rate.ts'
import type { VenueModel } from '../../../src/simulator/sandbox/model.ts'
import type { Liar } from '../liar.ts'
import { violated, type Invariant } from '../step.ts'
import type { VenueWatch } from '../venue-watch.ts'

/** Long enough for the next rate through lost answers and back-off, and for the safe quote after it. */
const SEEN_AFTER_MS = 60 * MINUTE_MS

/**
 * No unit is given away outside the corridor: a mid beyond it is never in force, nothing but the safe quote is
 * sent while the venue names one, and a while after it began to, nothing better stands.
 */
export function corridorHolds(model: VenueModel, watch: VenueWatch, liar: Liar): Invariant {
  return {
    check({ audit, state, now }) {
      const corridor = state.config.risk.priceCorridor
      if (corridor === null) return
      const { mid, refusal } = state.market
      if (mid !== null && !isWithinBand(corridor, mid))
        violated(`the mid ${mid} is in force outside the corridor`)
      const { safeBps, onExit } = state.config.quote
      if (refusal?.rule === 'price-corridor') {
        for (const effect of audit.effects) {
          if (effect.type === 'activate' && effect.isActive)
            violated('activated on a mid outside the corridor')
          if (effect.type !== 'setQuote') continue
          const { bidBps, askBps } = effect.spread
          if (bidBps !== safeBps || askBps !== safeBps)
            violated(`a mid outside the corridor, and a PATCH of ${bidBps}/${askBps} bps was sent`)
        }
      }
      const since = liar.absurdSince()
      if (since === null || state.config.mode === 'dry-run' || state.authFailure !== null) return
      if (state.exiting && onExit === 'keep') return
      const calmSince = Math.max(since, watch.troubleAt, watch.changedAt, model.state.outageUntil)
      if (now - calmSince < SEEN_AFTER_MS) return
      const { ours } = model.state
      const isSafe =
        (!ours.quoteBid || ours.bidBps === safeBps) && (!ours.quoteAsk || ours.askBps === safeBps)
      if (ours.isActive && !isSafe)
        violated(
          `the venue names an absurd mid for long, and quotes ${ours.bidBps}/${ours.askBps} bps for us`,
        )
    },
  }
}
