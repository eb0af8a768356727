import type { CompletenessState } from './completeness.ts'
import type { Instruction } from './instruction.ts'
import { sayVerdict } from './say-verdict.ts'

/** So many balances in a row that prove nothing are as good as none. */
const MOST_IN_A_ROW = 5

/** Balances were answered and cannot be held against the ledger; when that goes on, the books are not proven. */
export function noteIncomparable(state: CompletenessState, why: string): Instruction[] {
  const out: Instruction[] = []
  state.incomparable = (state.incomparable ?? 0) + 1
  if (state.opened && state.incomparable >= MOST_IN_A_ROW) {
    sayVerdict(state, out, 'gap', `balances cannot be compared with the ledger: ${why}`, state.unexplained)
  }
  return out
}
