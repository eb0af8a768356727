import type { Ms } from '../base/time.ts'
import type { Finding } from './finding.ts'

/**
 * What outlives the condition: why trading is halted, and the operator's pause. Part of the snapshot, so
 * a restart comes back halted; only an operator's `resume` lifts it.
 */
export type Latch = {
  halted: { readonly rule: Finding['rule']; readonly why: string; readonly since: Ms } | null
  paused: { readonly why: string; readonly since: Ms } | null
  /** Something was written with our key that we did not write; null or absent = nothing. */
  foreign?: { readonly what: ForeignWrite; readonly why: string; readonly since: Ms } | null
}

/** What somebody else can do to the position with its key, or the venue by itself. */
export type ForeignWrite = 'deactivation' | 'spread' | 'custody' | 'transfer'

export function openLatch(): Latch {
  return { halted: null, paused: null }
}
