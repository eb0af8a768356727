import type { Ms } from '../../../base/time.ts'

/** That a strategy quoted by something that stood in for what it would go by: a default, a closed form. */
export type FallbackShare = {
  /** Of the time from the first answer on. */
  readonly share: number
  readonly firstAt: Ms
  /** The sentence of the strategy when it did so first. */
  readonly why: string
}

/** How long the answers that counted were a fallback. Decisions are no measure of it: those that bring nothing are left out. */
export class FallbackTime {
  #first: Pick<FallbackShare, 'firstAt' | 'why'> | null = null
  #began: Ms | null = null
  #since: Ms | null = null
  #fallenMs: Ms = 0

  /** An answer that stands from `t` on; `why` undefined = it is no fallback. */
  note(t: Ms, why: string | undefined): void {
    this.#began ??= t
    if (this.#since !== null) this.#fallenMs += t - this.#since
    this.#since = why === undefined ? null : t
    if (why !== undefined) this.#first ??= { firstAt: t, why }
  }

  /** Up to `end`; null = it never did. */
  result(end: Ms): FallbackShare | null {
    if (this.#first === null || this.#began === null) return null
    const fallen = this.#fallenMs + (this.#since === null ? 0 : end - this.#since)
    // A run of one moment is the moment of its first answer.
    return { ...this.#first, share: end > this.#began ? fallen / (end - this.#began) : 1 }
  }
}

/** What a reader of the result must know: the strategy was not run as its header describes it. */
export function fallbackText({ share, firstAt, why }: FallbackShare): string {
  const since = new Date(firstAt).toISOString()
  return `the strategy fell back ${(100 * share).toFixed(1)} % of the time, first at ${since}: ${why}`
}
