import type { Ms } from '../base/time.ts'
import { ASSETS, type Amounts } from '../money/asset.ts'
import type { CompletenessState } from './completeness.ts'
import type { CompletenessVerdict, Instruction } from './instruction.ts'

/** Changes the state and says so when that is news. */
export function sayVerdict(
  state: CompletenessState,
  out: Instruction[],
  to: CompletenessVerdict,
  why: string,
  unexplained: Partial<Amounts>,
): void {
  const news = state.state !== to || differs(state.unexplained, unexplained)
  state.state = to
  state.why = why
  state.unexplained = unexplained
  if (to === 'complete') noteProven(state)
  if (news) out.push({ do: 'say-state', state: to, why, unexplained })
}

/** From `t` on everything is compared afresh. */
export function forgetReadings(state: CompletenessState, t: Ms): void {
  state.reading = null
  state.voidBefore = t
  state.pending = []
  state.explainedInRow = 0
  state.suspects = []
  state.run = 0
  state.quiet = true
}

/** Nothing is unproven any more: by the balances, or because an operator took it upon himself. */
export function noteProven(state: CompletenessState): void {
  state.unprovenSince = null
  state.isOverdue = false
  state.foreign = null
}

function differs(a: Partial<Amounts>, b: Partial<Amounts>): boolean {
  return ASSETS.some((asset) => (a[asset] ?? 0n) !== (b[asset] ?? 0n))
}
