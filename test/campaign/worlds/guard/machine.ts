import type { Ms } from '../../../../src/base/time.ts'
import type { Moment } from '../../../../src/core/lease/holder.ts'
import type { Scheduler } from '../../../world/scheduler.ts'

/** Real time, which no one in the world can read, and what is going to happen in it. */
export type Reality = { readonly now: () => Ms; readonly scheduler: Scheduler }

/** A machine with a clock of its own rate, and one process on it that is killed, paused and started again. */
export class Machine {
  readonly name: string
  /** What its clocks count in one unit of real time. */
  readonly rate: number
  /** Grows with every process; 0 = none was started yet. */
  life = 0
  isAlive = false
  /** The time of day was set ahead by so much. */
  wallAheadMs: Ms = 0
  readonly #reality: Reality
  #pausedUntil: Ms = 0

  constructor(name: string, rate: number, reality: Reality) {
    this.name = name
    this.rate = rate
    this.#reality = reality
  }

  moment(): Moment {
    const steadyMs = this.#reality.now() * this.rate
    return { steadyMs, wallMs: steadyMs + this.wallAheadMs }
  }

  isRunning(): boolean {
    return this.isAlive && this.#reality.now() >= this.#pausedUntil
  }

  start(): void {
    this.life += 1
    this.isAlive = true
    this.#pausedUntil = 0
  }

  kill(): void {
    this.isAlive = false
  }

  /** SIGSTOP, and SIGCONT after so much real time. */
  pause(ms: Ms): void {
    this.#pausedUntil = this.#reality.now() + ms
  }

  /** Real time in which its clock counts so much. */
  realMs(ms: Ms): Ms {
    return ms / this.rate
  }

  /** Runs once its clock has counted so much: never where the process has ended, and after its pause where it is paused. */
  later(ms: Ms, run: () => void): void {
    const { life } = this
    this.#reality.scheduler.add(this.#reality.now() + this.realMs(ms), () => this.#runInLife(life, run))
  }

  /** Runs in this process, now or when its pause is over. */
  wake(life: number, run: () => void): void {
    this.#runInLife(life, run)
  }

  #runInLife(life: number, run: () => void): void {
    if (!this.isAlive || this.life !== life) return
    if (this.isRunning()) run()
    else this.#reality.scheduler.add(this.#pausedUntil, () => this.#runInLife(life, run))
  }
}
