import { carryOut } from '../ledger/carry-out.ts'
import type { LedgerEntry } from '../ledger/entry.ts'
import type { Instruction } from '../ledger/instruction.ts'
import { fairValue } from '../market/fair-value.ts'
import { expedite } from '../pacing/reschedule.ts'
import { requestDecision, type Transition } from './transition.ts'

/** Carries out what completeness asks for. */
export function followInstructions(turn: Transition, instructions: readonly Instruction[]): void {
  const { state, now } = turn
  for (const instruction of instructions) {
    const entry = carryOut(state.book, now, instruction, fairValue(state.market))
    if (entry !== null) sayEntry(turn, entry)
    if (instruction.do === 'ask') expedite(state.pacing, instruction.what)
    if (instruction.do === 'open') requestDecision(turn, 'balances')
    if (instruction.do === 'book') settleWithdrawal(turn, instruction)
    if (instruction.do === 'say-fee-model') {
      turn.observations.push({
        type: 'feeModelChanged',
        t: now,
        model: instruction.model,
        why: instruction.why,
      })
      const message = instruction.why
      turn.observations.push({ type: 'alert', t: now, severity: 'warning', code: 'fee-changed', message })
    }
    if (instruction.do === 'correct-chain') {
      const { reason: message } = instruction
      turn.observations.push({ type: 'alert', t: now, severity: 'warning', code: 'chain-decided', message })
      requestDecision(turn, 'balances')
    }
    if (instruction.do === 'report-foreign-loss') {
      const { message } = instruction
      turn.observations.push({ type: 'alert', t: now, severity: 'critical', code: 'foreign-hand', message })
      requestDecision(turn, 'balances')
    }
    if (instruction.do === 'say-state') {
      const { state: verdict, why, unexplained } = instruction
      state.completenessSince = now
      // A gap ends when the books are proven complete, not while they are being looked at again.
      if (verdict === 'gap') state.gapSince ??= now
      if (verdict === 'complete') state.gapSince = null
      turn.observations.push({ type: 'completenessChanged', t: now, state: verdict, why, unexplained })
      requestDecision(turn, 'balances')
    }
  }
}

/** The balances told that a withdrawal without an answer did go out. */
function settleWithdrawal(turn: Transition, booked: Extract<Instruction, { do: 'book' }>): void {
  if (booked.kind !== 'withdrawal') return
  const { unknown, requests } = turn.state.withdrawals
  const at = unknown.findIndex(({ asset, amount }) => asset === booked.asset && amount === booked.amount)
  if (at < 0) return
  unknown.splice(at, 1)
  const request = requests.find(
    ({ stage, asset, amount }) => stage === 'unknown' && asset === booked.asset && amount === booked.amount,
  )
  if (request !== undefined) request.stage = 'done'
}

export function sayEntry(turn: Transition, entry: LedgerEntry): void {
  turn.observations.push({ type: 'entryPosted', entry })
}
