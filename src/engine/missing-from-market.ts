import { MINUTE_MS, type Ms } from '../base/time.ts'
import type { EngineState } from './engine-state.ts'
import type { Turn } from './turn.ts'

/** An activation takes seconds, a slow one less than this. */
const TOLD_AFTER_MS = MINUTE_MS

/**
 * Keeps since when the position is wanted in the market and is not: it trades nothing, however well the rest
 * stands. People are told after a minute. Returns when to come back.
 */
export function noteMissing(turn: Turn, wanted: boolean | null): Ms {
  const { state, now, observations } = turn
  const { activation } = state
  if (wanted !== true || activation.isActive === true) {
    activation.missing = null
    return Number.POSITIVE_INFINITY
  }
  const missing = (activation.missing ??= { since: now, isTold: false })
  if (missing.isTold) return Number.POSITIVE_INFINITY
  if (now < missing.since + TOLD_AFTER_MS) return missing.since + TOLD_AFTER_MS
  activation.missing = { ...missing, isTold: true }
  const message = `the position is not in the market for a minute although it is wanted there, and trades nothing: ${whyMissing(state)}`
  observations.push({ type: 'alert', t: now, severity: 'critical', code: 'not-active', message })
  return Number.POSITIVE_INFINITY
}

/** Why the position is not where it is wanted, the likeliest cause first. */
export function whyMissing({ activation, quoting, completeness }: EngineState): string {
  if (activation.problem) return activation.problem
  if (activation.isActive === null) return 'the venue has not said whether the position is active'
  if (quoting.belief !== 'known') return `the quote is ${quoting.belief}: ${quoting.why}`
  if (completeness.state !== 'complete') return `balances are not reconciled: ${completeness.why}`
  return 'the activation is under way'
}

/** The same for people; null = the position is where it is wanted. */
export function missingView(state: EngineState): { readonly since: Ms; readonly why: string } | null {
  const { missing } = state.activation
  return missing ? { since: missing.since, why: whyMissing(state) } : null
}
