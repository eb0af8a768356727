import type { VenueModel } from '../../../src/simulator/sandbox/model.ts'
import { sameSpread } from '../../../src/core/quoting/quote-state.ts'
import { violated, type Invariant } from '../step.ts'
import type { VenueWatch } from '../venue-watch.ts'

/**
 * The quote that the core has as confirmed is the live quote, unless the venue's spread was
 * changed after that confirmation; and such a change is noticed within two read-backs where it can be seen.
 */
export function knownIsTrue(model: VenueModel, watch: VenueWatch): Invariant {
  let version: number | null = null
  let seq = 0
  return {
    check(step) {
      const { event, state, now } = step
      if (state.config.mode === 'dry-run') return
      if (event.type === 'quoteSet') {
        version = watch.confirmed.get(event.request) ?? null
        watch.confirmed.delete(event.request)
        seq = step.seq
      }
      const { status, confirmed } = state.quoting
      if (event.type === 'started' && status === 'confirmed')
        violated('a process that has just begun knows the quote without having asked')
      if (status !== 'confirmed') return
      if (confirmed === null) violated('the quote is known and was never confirmed')
      const { ours } = model.state
      if (version === watch.version) {
        if (!sameSpread(confirmed, ours)) {
          violated(
            `confirmed ${confirmed.bidBps}/${confirmed.askBps}, the venue quotes ${ours.bidBps}/${ours.askBps}`,
          )
        }
        return
      }
      // An exiting daemon that keeps everything asks nothing more.
      if (state.exiting || state.authFailure !== null) return
      const visible =
        (confirmed.quoteBid && confirmed.bidBps !== ours.bidBps) ||
        (confirmed.quoteAsk && confirmed.askBps !== ours.askBps)
      if (!visible) return
      const calmSince = Math.max(watch.changedAt, watch.troubleAt, model.state.outageUntil)
      const patience = 3 * state.config.pacing.quoteCheckIntervalMs + 20 * 60_000
      if (now - calmSince > patience)
        violated(`the venue has quoted ${ours.bidBps}/${ours.askBps} for long and no one has noticed`)
    },
    rewind(durable) {
      if (seq > durable) version = null
    },
  }
}
