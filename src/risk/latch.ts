import type { Ms } from '../base/time.ts'
import type { Finding } from './finding.ts'

/**
 * What outlives the condition: why trading is halted, and the operator's pause. Part of the snapshot, so
 * a restart comes back halted; only an operator's `resume` lifts it.
 */
export type Latch = {
  halted: { readonly rule: Finding['rule']; readonly why: string; readonly since: Ms } | null
  paused: { readonly why: string; readonly since: Ms } | null
}

export function openLatch(): Latch {
  return { halted: null, paused: null }
}
