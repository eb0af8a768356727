import { MINUTE_MS, SECOND_MS, type Ms } from '../../src/base/time.ts'
import type { HangWatch } from '../../src/base/threads/pool.ts'

/** A run over half an hour is a failure: days take seconds. */
const LEAST_LIMIT_MS: Ms = 30 * MINUTE_MS
/** Where even the others take minutes, the machine is slow, and none of them hangs yet. */
const TIMES_LONGEST = 20
const LOOK_EVERY_MS: Ms = 5 * SECOND_MS

/** How long a unit may be under way: half an hour, or many times as long as the longest one that has ended here. */
export class UnitLimit {
  readonly #leastMs: Ms
  readonly #lookEveryMs: Ms
  #longestMs: Ms = 0

  constructor({ leastMs = LEAST_LIMIT_MS, lookEveryMs = LOOK_EVERY_MS } = {}) {
    this.#leastMs = leastMs
    this.#lookEveryMs = lookEveryMs
  }

  get ms(): Ms {
    return Math.max(this.#leastMs, TIMES_LONGEST * this.#longestMs)
  }

  /** A unit has ended after so long. */
  ended(ms: Ms): void {
    this.#longestMs = Math.max(this.#longestMs, ms)
  }

  /** For a pool whose threads call `underWay`: a thread whose unit continues beyond the limit is ended. */
  readonly hangs: HangWatch = {
    bytes: Int32Array.BYTES_PER_ELEMENT,
    watch: (buffer, onHang) => {
      const units = new Int32Array(buffer)
      let [number, passedMs] = [0, 0]
      const timer = setInterval(() => {
        const now = Atomics.load(units, 0)
        const isSame = now !== 0 && now === number
        // A machine that was asleep in between has counted one look.
        passedMs = isSame ? passedMs + this.#lookEveryMs : 0
        number = now
        if (passedMs <= this.ms) return
        clearInterval(timer)
        onHang(`its unit is not done after ${Math.round(passedMs / SECOND_MS)} s`)
      }, this.#lookEveryMs)
      return () => clearInterval(timer)
    },
  }
}

/** In a thread: a unit is under way until the returned function is called. */
export function underWay(buffer: SharedArrayBuffer | null, number: number): () => void {
  if (buffer === null) return () => undefined
  const units = new Int32Array(buffer)
  Atomics.store(units, 0, number)
  return () => void Atomics.store(units, 0, 0)
}
