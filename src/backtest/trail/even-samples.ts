import type { Ms } from '../../base/time.ts'

/** A value looked at in even steps of time. */
export type EvenSamples = {
  /** The value was this up to, not including, `t`. */
  readonly until: (t: Ms, value: number) => void
  readonly values: () => Float64Array
  readonly stepMs: () => Ms
}

const CAPACITY = 4096

/** Begins with `stepMs` at `from`; when `capacity` is reached every other sample goes and the step doubles. */
export function createEvenSamples(from: Ms, stepMs: Ms, capacity = CAPACITY): EvenSamples {
  const samples = new Float64Array(capacity)
  let length = 0
  let step = stepMs
  let nextAt = from
  return {
    until(t, value) {
      while (nextAt < t) {
        if (length === capacity) {
          length = capacity / 2
          for (let i = 0; i < length; i++) samples[i] = samples[2 * i]!
          step *= 2
          // The last sample that went was one old step ago; the last that stays, two.
          nextAt = from + length * step
          continue
        }
        samples[length] = value
        length += 1
        nextAt += step
      }
    },
    values: () => samples.slice(0, length),
    stepMs: () => step,
  }
}
