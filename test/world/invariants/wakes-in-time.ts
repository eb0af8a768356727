import { violated, type Invariant } from '../step.ts'

/** Nothing waits longer than this for its next look at the world. */
const LONGEST_MS = 30_000

/** The core wants to be woken later than now and soon, unless it was notified to leave everything as it is. */
export function wakesInTime(): Invariant {
  return {
    check({ audit, state }) {
      const leaves = state.exiting && state.config.quote.onExit === 'keep'
      if (leaves && audit.wakeAt === Infinity) return
      if (!(audit.wakeAt > state.now)) violated(`wakeAt ${audit.wakeAt} is not after ${state.now}`)
      if (audit.wakeAt - state.now > LONGEST_MS) violated(`the core sleeps ${audit.wakeAt - state.now} ms`)
    },
  }
}
