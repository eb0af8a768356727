import type { EngineState } from '../../../src/core/engine/model/state.ts'
import { ASSETS, toBook } from '../../../src/base/money/asset.ts'
import { maySend } from '../../../src/core/pacing/budget.ts'
import type { VenueModel } from '../../../src/simulator/sandbox/model.ts'

import { violated } from '../step.ts'

/** After the quiet, and what a person had to resolve, the ledger is the venue's own book to the last unit, and the quote is known. */
export function checkEnd(state: EngineState, model: VenueModel): void {
  const { reconciliation, quoting, book, authFailure, config } = state
  expectInMarket(state, model)
  if (authFailure === null && config.mode === 'live' && quoting.status !== 'confirmed')
    violated(`after the quiet the quote is ${quoting.status}: ${quoting.why}`)
  if (reconciliation.state !== 'reconciled')
    violated(`after the quiet the books are still ${reconciliation.state}: ${reconciliation.why}`)
  const { ours } = model.state
  const where = ours.isActive ? 'pool' : 'wallet'
  const { pool, wallet } = book.accounts
  for (const asset of ASSETS) {
    if (reconciliation.mentioned[asset] !== true) continue
    const ledger = where === 'pool' ? pool[asset] : wallet[asset] + pool[asset]
    const held = toBook(ours[where][asset], asset)
    if (ledger !== held)
      violated(`in the end the ledger's ${where} has ${ledger} of ${asset}, the venue ${held}`)
  }
}

/** Nothing is in the way: then the position is in the market and what was decided stands there. */
function expectInMarket(state: EngineState, model: VenueModel): void {
  const { config, latch, activation, decision, approvedTarget, reconciliation } = state
  if (config.mode === 'dry-run' || latch.halted !== null || reconciliation.state !== 'reconciled') return
  if (config.activation === 'manual' && activation.wanted !== true) return
  if (activation.wanted === false || approvedTarget === null || approvedTarget.kind === 'deactivate') return
  if (decision?.findings.some(({ effect }) => effect === 'safe') !== false) return
  const { ours } = model.state
  // Where the last rule let go with the last event, the quote is on its way, and the position enters after it.
  const isOnItsWay = state.quoting.inFlight !== null && state.decision?.at === state.now
  if (!ours.isActive && isOnItsWay) return
  if (!ours.isActive) violated('nothing is in the way, and the position is not in the market')
  // What was decided within the interval between two requotes has to wait for its end.
  const { lastSentAt } = state.quoting
  if (lastSentAt !== null && state.now < lastSentAt + config.quote.minRequoteIntervalMs) return
  // Nor may it be sent while the minute's requests are used up.
  if (!maySend(state.pacing, config.pacing, state.now, 'quote')) return
  const slack = Math.max(1, config.quote.requoteThresholdBps)
  // A dither's period may end with the day, to the millisecond: then what it asked for is on its way.
  const held = state.quoting.inFlight?.spread ?? ours
  for (const [side, wanted, on, bps] of [
    ['bid', approvedTarget.bidBps, held.quoteBid, held.bidBps],
    ['ask', approvedTarget.askBps, held.quoteAsk, held.askBps],
  ] as const) {
    if ((wanted !== null) !== on) violated(`the ${side} is ${on ? 'on' : 'off'}, which no one has decided`)
    if (wanted !== null && Math.abs(wanted - bps) > slack)
      violated(`${wanted} bps were decided for the ${side}, ${bps} stand`)
  }
}
