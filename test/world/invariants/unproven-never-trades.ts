import { MINUTE_MS, SECOND_MS, type Ms } from '../../../src/base/time.ts'
import { violated, type Invariant, type Step } from '../step.ts'

/** So much of the time between two answers counts as answered; the rest was silence. */
const MOST_ANSWERED_MS = 15 * SECOND_MS
const LEAST_ALLOWED_MS = 90 * SECOND_MS
const GRACES_ALLOWED = 3
/** The answers that decide come in pairs: a reading, and the fills poll that judges it. */
const SLACK_MS = MINUTE_MS

/**
 * No state ACTIVE while the books are unreconciled for longer than the grace allows: from the first reading
 * that was not proven on, by a clock that passes while the venue answers and no move of ours is under way,
 * whatever became of the single readings.
 */
export function unprovenNeverTrades(): Invariant {
  let unprovenMs: Ms | null = null
  let answeredAt: Ms | null = null
  return {
    check(step) {
      const { event, state } = step
      const isReset =
        state.reconciliation.state === 'reconciled' || event.type === 'started' || event.type === 'operator'
      if (isReset) unprovenMs = null
      // A shorter grace binds from the next pair of answers on: until they come no one has judged by it.
      if (event.type === 'reloaded' && unprovenMs !== null) unprovenMs = 0
      const isAnswer = event.type === 'balances' || event.type === 'fills'
      if (!isAnswer) return
      const elapsed = Math.min(state.now - (answeredAt ?? state.now), MOST_ANSWERED_MS)
      answeredAt = state.now
      if (isReset || isMoving(step)) return
      const isReading = event.type === 'balances' && state.reconciliation.snapshot?.t === state.now
      if (unprovenMs !== null) unprovenMs += elapsed
      else if (isReading && state.reconciliation.opened) unprovenMs = 0
      const allowed =
        Math.max(LEAST_ALLOWED_MS, GRACES_ALLOWED * state.config.risk.unexplainedGraceMs) + SLACK_MS
      if (unprovenMs === null || unprovenMs <= allowed || state.decision?.tradingState !== 'ACTIVE') return
      violated(
        `ACTIVE after ${unprovenMs} ms of answers that do not prove the books: ${state.reconciliation.why}`,
      )
    },
    rewind() {
      unprovenMs = null
      answeredAt = null
    },
  }
}

function isMoving({ state: { activation, requests } }: Step): boolean {
  if (activation.inFlight !== null || (activation.isActive === null && activation.failures > 0)) return true
  return Object.values(requests).some(({ what }) => what === 'withdraw')
}
