import type { Ms } from '../base/time.ts'

/** Where the shell's time comes from. It never goes backwards, even when somebody sets the machine's clock. */
export type Clock = { readonly now: () => Ms }

export function systemClock(): Clock {
  let last = 0
  return {
    now() {
      last = Math.max(last, Date.now())
      return last
    },
  }
}
