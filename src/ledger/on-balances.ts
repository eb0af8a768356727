import type { Ms } from '../base/time.ts'
import { ASSETS, type Amounts } from '../money/asset.ts'
import type { BookState, Where } from './book.ts'
import type { Instruction } from './instruction.ts'
import type { CompletenessState } from './completeness.ts'
import { noteAnswered } from './pending-readings.ts'
import { noteIncomparable } from './note-incomparable.ts'

/** A balances answer. */
export type BalancesRead = {
  readonly t: Ms
  readonly sentAt: Ms
  readonly amounts: Readonly<Partial<Amounts>>
  readonly source: Where | null
  readonly isActive: boolean | null
  /** An activation or a withdrawal is in flight. */
  readonly busy: boolean
  /** The book's accounts now. */
  readonly accounts: BookState['accounts']
}

/**
 * The pool stands alone; what of it is in the wallet after a partial deactivation is out of sight. An
 * inactive position is all in the wallet, also what a fill that was reported late left on the pool.
 */
export function ledgerAt(where: Where, accounts: BookState['accounts']): Amounts {
  const ledger = { ...accounts[where] }
  if (where === 'wallet') for (const asset of ASSETS) ledger[asset] += accounts.pool[asset]
  return ledger
}

/** Balances were answered: they are kept until the next fills poll can tell what they must equal. */
export function onBalances(state: CompletenessState, read: BalancesRead): Instruction[] {
  const believed = read.isActive === null ? null : read.isActive ? 'pool' : 'wallet'
  const where = read.source ?? believed
  noteAnswered(state, read.t, read.busy)
  if (read.busy || read.sentAt < state.voidBefore) return []
  if (where === null || (believed !== null && where !== believed)) {
    const why = 'whether the position is active is not clear'
    return [...noteIncomparable(state, why), { do: 'ask', what: 'account', why }]
  }
  if (!state.polls.some((poll) => poll.t <= read.sentAt)) {
    return [{ do: 'ask', what: 'fills', why: 'balances mean nothing without a fills poll before them' }]
  }
  state.reading = { sentAt: read.sentAt, t: read.t, amounts: read.amounts, where }
  const isEqual = ASSETS.every((asset) => {
    const said = read.amounts[asset]
    return said === undefined || said === ledgerAt(where, read.accounts)[asset]
  })
  return state.opened && state.state === 'complete' && isEqual
    ? []
    : [{ do: 'ask', what: 'fills', why: 'a fills poll after the balances shows what they must equal' }]
}
