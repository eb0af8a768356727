import type { Ms } from '../../../../src/base/time.ts'
import type { Moment } from '../../../../src/core/lease/holder.ts'
import type { Timing } from '../../../../src/base/threads/timing.ts'
import type { Machine } from '../guard/machine.ts'

/** Time as one process has it: by the clock of its machine, and never after its end. */
export function timingOf(machine: Machine, onSettled: () => void): Timing {
  function after(ms: Ms, run: () => void): () => void {
    let isOff = false
    machine.later(ms, () => {
      if (isOff) return
      run()
      onSettled()
    })
    return () => void (isOff = true)
  }
  function every(ms: Ms, run: () => void): () => void {
    let isOff = false
    const next = (): void =>
      machine.later(ms, () => {
        if (isOff) return
        run()
        onSettled()
        next()
      })
    next()
    return () => void (isOff = true)
  }
  // The time of day comes in whole milliseconds.
  function moment(): Moment {
    const { steadyMs, wallMs } = machine.moment()
    return { steadyMs, wallMs: Math.floor(wallMs) }
  }
  return { moment, after, every }
}
