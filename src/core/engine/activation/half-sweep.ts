import type { Ms } from '../../../base/time.ts'
import { position } from '../../ledger/book/book.ts'
import { ASSETS } from '../../../base/money/asset.ts'
import type { ActivationEvent } from '../model/event.ts'
import { NOTHING_TO_SWEEP, type VenueFailure } from '../model/venue-answer.ts'
import { foreignWriteOf } from '../../risk/latch.ts'
import type { EngineState } from '../model/state.ts'
import { SWEEP_MS } from '../model/activation-state.ts'
import { movePosition } from '../accounting/transfers.ts'
import { isWalletStrange } from '../safeguards/foreign-writes.ts'
import type { Transition } from '../transition.ts'

/**
 * An activation of ours had no clear answer and may have swept a part. Until a repeated call ends, tokens that left the wallet
 * count as in the pool. Journals from before `drainMs` were decided without this.
 */
export function recordUnclearSweep({ activation, config }: EngineState): void {
  if (config.quote.drainMs !== null) activation.unclearSweep = true
}

const CONFLICT = 409

/** Records a failed activation. Without a clear answer, or while another one is in flight, it may still take effect. */
export function recordFailedSweep(
  state: EngineState,
  { code, outcome, status }: VenueFailure,
  now: Ms,
): void {
  if (outcome === 'unknown') recordUnclearSweep(state)
  if (outcome === 'unknown' || status === CONFLICT) state.activation.enteringUntil = now + SWEEP_MS
  if (code === NOTHING_TO_SWEEP) state.activation.emptySweep = { isHeld: isAnythingHeld(state) }
}

/** Ends a sweep after its answer: the balances show what was swept or returned. */
export function endSweep(transition: Transition, { isActive, partial }: ActivationEvent): void {
  const { activation } = transition.state
  if (partial) return
  // The account stayed inactive, so no change of it has moved the ledger.
  if (activation.emptySweep?.isHeld && !isActive) {
    movePosition(transition, { to: 'wallet', assets: null })
    transition.expedite('balances')
  }
  activation.unclearSweep = false
  activation.emptySweep = null
}

/**
 * Returns the next step after the venue found nothing to sweep.
 * - `done`: the position is active, and everything that the ledger holds is in the pool.
 * - `leave`: the account is inactive and its tokens are not in the wallet: a deactivation returns them from the pool.
 * - `wait`: the position holds nothing, or an operator has to decide about a foreign write.
 * - `enter`: there was no such refusal, or tokens have arrived since.
 */
export function afterEmptySweep(transition: Transition): 'done' | 'leave' | 'wait' | 'enter' {
  const { state } = transition
  const { activation, latch } = state
  const { emptySweep } = activation
  if (emptySweep === null) return 'enter'
  if (activation.isActive === true) {
    activation.again = false
    activation.emptySweep = null
    movePosition(transition, { to: 'pool', assets: null })
    return 'done'
  }
  if (!emptySweep.isHeld) {
    if (!isAnythingHeld(state)) return 'wait'
    activation.emptySweep = null
    return 'enter'
  }
  const isForPerson = latch.halted !== null || foreignWriteOf(latch) !== null || isWalletStrange(state)
  return isForPerson || state.reconciliation.foreign !== null ? 'wait' : 'leave'
}

function isAnythingHeld({ book }: EngineState): boolean {
  const held = position(book)
  return ASSETS.some((asset) => held[asset] > 0n)
}
