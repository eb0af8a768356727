import type { Difference } from '../../../base/money/difference.ts'
import { type Location, poolAmounts, walletAmounts } from '../../ledger/book/book.ts'
import { postAdjustment, postSweep, postTransfer } from '../../ledger/book/post-transfer.ts'
import {
  discardSnapshots,
  restartAfterBooking,
  restartAfterSweep,
} from '../../ledger/reconciliation/status.ts'
import {
  endDeactivation,
  forgetReturned,
  recordReturnedAmounts,
  openUnstated,
} from '../../ledger/reconciliation/deactivation.ts'
import {
  ASSETS,
  bookAmounts,
  formatTokens,
  toBook,
  type Asset,
  type TokenAmount,
  type TokenAmounts,
} from '../../../base/money/asset.ts'
import { fairValue } from '../../market/fair-value.ts'
import type { WithdrawnEvent } from '../model/event.ts'
import type { Transition } from '../transition.ts'
import { recordTopUp } from '../model/withdrawal-state.ts'
import { applyActions, emitEntry } from './reconcile.ts'

/** Books a withdrawal that the venue confirmed. */
export function handleWithdrawn(transition: Transition, event: WithdrawnEvent): void {
  const text = `withdrawn, ${event.txHash ?? 'no transaction named'}`
  bookTransfer(transition, 'withdrawal', event, text)
  const what = `${formatTokens(event.amount, event.asset)} ${event.asset}`
  transition.emit({
    type: 'withdrawn',
    t: transition.now,
    text: `${what}: ${text}`,
    txHash: event.txHash,
  })
}

/**
 * Books the treasury's transfer into the wallet as a deposit, so that it is neither a gain nor an unreconciled difference. The
 * next activation sweeps the wallet. False = it was booked before.
 */
export function bookTopUp(transition: Transition, topUp: Transfer & { readonly key: string }): boolean {
  const { key } = topUp
  if (!recordTopUp(transition.state.withdrawals, key)) return false
  bookTransfer(transition, 'deposit', topUp, `topped up by the treasury, ${key}`)
  return true
}

type Transfer = { readonly asset: Asset; readonly amount: TokenAmount }

/** Books tokens that entered or left the wallet, and compares the balances again. */
function bookTransfer(
  transition: Transition,
  kind: 'deposit' | 'withdrawal',
  { asset, amount }: Transfer,
  reason: string,
): void {
  const { state, now } = transition
  const { book, market, reconciliation } = state
  const inBook = toBook(amount, asset)
  emitEntry(transition, postTransfer(book, now, kind, asset, inBook, 'wallet', reason, fairValue(market)))
  forgetReturned(reconciliation)
  discardSnapshots(reconciliation, now)
  transition.expedite('balances')
}

/** Books a move of the position between wallet and pool; `assets` null = all of them. */
export function movePosition(
  transition: Transition,
  move: { to: Location; assets: readonly Asset[] | null },
): void {
  const { state, now } = transition
  if (move.to === 'pool') endDeactivation(state.reconciliation)
  const from = move.to === 'pool' ? 'wallet' : 'pool'
  const held = from === 'pool' ? poolAmounts(state.book) : walletAmounts(state.book)
  const moving = ASSETS.filter((asset) => held[asset] !== 0n && (move.assets?.includes(asset) ?? true))
  if (moving.length > 0) {
    const reason = move.to === 'pool' ? 'activation swept the wallet' : 'deactivation returned the tokens'
    emitEntry(transition, postSweep(state.book, now, from, moving, reason))
  }
  restartAfterSweep(state.reconciliation, now, move.assets !== null, move.to === 'wallet')
}

/** Records the amounts that a deactivation returned according to its answer. Called before the ledger's tokens move. */
export function recordReturned({ state }: Transition, amounts: Readonly<Partial<TokenAmounts>>): void {
  recordReturnedAmounts(state.reconciliation, bookAmounts(amounts), walletAmounts(state.book))
}

/** Opens tokens that a sweep names and no balances have stated, so that a fill before the next balances finds them. */
export function openSwept(transition: Transition, amounts: Readonly<Partial<TokenAmounts>>): void {
  const { reconciliation } = transition.state
  const action = openUnstated(reconciliation, bookAmounts(amounts))
  if (action !== null) applyActions(transition, [action])
}

/** Books a difference per asset under the kind that the operator chose. */
export function bookUnreconciled(
  transition: Transition,
  as: 'adjustment' | 'deposit' | 'withdrawal',
  difference: Difference,
  by: string,
): void {
  const { state, now } = transition
  const { book, market, reconciliation } = state
  // The location in the ledger, even while it is unknown whether the position is active (a start, a time-out).
  const where: Location = state.activation.held ?? 'wallet'
  const fair = fairValue(market)
  for (const asset of ASSETS) {
    const amount = difference[asset] ?? 0n
    if (amount === 0n) continue
    const entry =
      as === 'adjustment'
        ? postAdjustment(book, now, asset, amount, where, by, fair)
        : postTransfer(book, now, as, asset, as === 'deposit' ? amount : -amount, where, by, fair)
    emitEntry(transition, entry)
  }
  applyActions(transition, restartAfterBooking(reconciliation, now, `booked as ${as} by ${by}`))
}
