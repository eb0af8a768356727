import type { Ms } from '../base/time.ts'
import type { Amounts } from '../money/asset.ts'
import type { Where } from './book.ts'
import type { Instruction } from './instruction.ts'
import type { CompletenessState } from './completeness.ts'
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
}

/** Balances were answered: they are kept until the next fills poll can tell what they must equal. */
export function onBalances(state: CompletenessState, read: BalancesRead): Instruction[] {
  const believed = read.isActive === null ? null : read.isActive ? 'pool' : 'wallet'
  const where = read.source ?? believed
  if (read.busy || read.sentAt < state.voidBefore) return []
  if (where === null || (believed !== null && where !== believed)) {
    const why = 'whether the position is active is not clear'
    return [...noteIncomparable(state, why), { do: 'ask', what: 'account', why }]
  }
  if (!state.polls.some((poll) => poll.t <= read.sentAt)) {
    return [{ do: 'ask', what: 'fills', why: 'balances mean nothing without a fills poll before them' }]
  }
  state.reading = { sentAt: read.sentAt, t: read.t, amounts: read.amounts, where }
  return state.opened && state.state === 'complete'
    ? []
    : [{ do: 'ask', what: 'fills', why: 'a fills poll after the balances shows what they must equal' }]
}
