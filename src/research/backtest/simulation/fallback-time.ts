import type { Ms } from '../../../base/time.ts'

/** Time in which a default or a closed form replaced the strategy's own model. */
export type FallbackShare = {
  /** Share of the time since the first answer. */
  readonly share: number
  readonly firstAt: Ms
  /** The strategy's reason at the first fallback. */
  readonly why: string
}

/** Measures time in fallback rather than decisions, because a backtest skips decisions that change nothing. */
export class FallbackTime {
  #first: Pick<FallbackShare, 'firstAt' | 'why'> | null = null
  #began: Ms | null = null
  #since: Ms | null = null
  #fallenMs: Ms = 0

  /** The answer holds from `t` on; `why` undefined = no fallback. */
  note(t: Ms, why: string | undefined): void {
    this.#began ??= t
    if (this.#since !== null) this.#fallenMs += t - this.#since
    this.#since = why === undefined ? null : t
    if (why !== undefined) this.#first ??= { firstAt: t, why }
  }

  /** Returns the share up to `end`; null = it never fell back. */
  result(end: Ms): FallbackShare | null {
    if (this.#first === null || this.#began === null) return null
    const fallen = this.#fallenMs + (this.#since === null ? 0 : end - this.#since)
    // A run of one moment is the moment of its first answer.
    return { ...this.#first, share: end > this.#began ? fallen / (end - this.#began) : 1 }
  }
}

/** Returns the warning that the strategy did not quote by its own model. */
export function fallbackText({ share, firstAt, why }: FallbackShare): string {
  const since = new Date(firstAt).toISOString()
  return `the strategy fell back ${(100 * share).toFixed(1)} % of the time, first at ${since}: ${why}`
}
