import { MINUTE_MS, type Ms } from '../../src/base/time.ts'
import type { EngineState } from '../../src/core/engine/model/state.ts'
import type { Daemon } from './daemon.ts'
import { violated } from './step.ts'

/** Through back-off and the next pair of balances and fills, whatever the intervals of the polls. */
const LOOKS_AGAIN_MS: Ms = 15 * MINUTE_MS
/** A second break can only be one that the first one hid. */
const MOST_LOOKS = 4

/**
 * After the quiet a person resolves what the core could not: starts a process whose key was refused again, and has what no one can
 * explain booked. Then the books have to be proven. Returns how often someone had to.
 */
export function resolveBooks(daemon: Daemon, run: (ms: Ms) => void): number {
  for (let looks = 0; looks < MOST_LOOKS; looks++) {
    const state = stateOf(daemon)
    if (state.authFailure === null && state.reconciliation.state === 'reconciled') return looks
    if (state.authFailure !== null) {
      daemon.crash()
      daemon.start()
    } else daemon.command(resume(state), 'after the quiet')
    run(LOOKS_AGAIN_MS)
  }
  const { state, why } = stateOf(daemon).reconciliation
  if (state !== 'reconciled')
    violated(`a person has resolved ${MOST_LOOKS} times, and the books are ${state}: ${why}`)
  return MOST_LOOKS
}

function resume({ reconciliation, market }: EngineState) {
  const isUnexplained = Object.values(reconciliation.unreconciled).some((amount) => amount !== 0n)
  return {
    name: 'resume',
    ...(isUnexplained && { book: 'adjustment' as const }),
    ...(market.pending !== null && { acceptMid: market.pending.mid }),
  } as const
}

function stateOf(daemon: Daemon): EngineState {
  return daemon.state() ?? violated('the daemon is not there at the end')
}
