import type { EngineState } from '../../../src/engine/engine-state.ts'
import { ASSETS } from '../../../src/money/asset.ts'
import type { VenueModel } from '../../../src/sandbox/venue-model.ts'
import { violated } from '../step.ts'

/**
 * After the quiet the ledger is the venue's own book to the last unit, or the core says out loud that it is
 * not: a gap, or halted. And the quote is known.
 */
export function checkEnd(state: EngineState, model: VenueModel): void {
  const { completeness, quoting, book, latch, authFailure, config } = state
  if (authFailure === null && config.mode === 'live' && quoting.belief !== 'known')
    violated(`after the quiet the quote is ${quoting.belief}: ${quoting.why}`)
  if (completeness.state === 'gap' || authFailure !== null) return
  if (completeness.state !== 'complete') {
    if (latch.halted !== null) return
    violated(`after the quiet the books are still ${completeness.state}: ${completeness.why}`)
  }
  const { ours } = model.state
  const where = ours.isActive ? 'pool' : 'wallet'
  const { pool, wallet } = book.accounts
  for (const asset of ASSETS) {
    if (completeness.mentioned[asset] !== true) continue
    const ledger = where === 'pool' ? pool[asset] : wallet[asset] + pool[asset]
    if (ledger !== ours[where][asset]) {
      violated(`in the end the ledger's ${where} has ${ledger} of ${asset}, the venue ${ours[where][asset]}`)
    }
  }
}
