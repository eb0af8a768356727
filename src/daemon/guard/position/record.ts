import type { Ms } from '../../../base/time.ts'
import type { Side } from '../../../base/money/side.ts'
import type { SafeWrite } from './ladder.ts'

/** The state that outlives the guard's process. Times of firings are on the wall clock. */
export type GuardRecord = {
  /** The number of the last lease granted. It never decreases. */
  fence: number
  /** The holder of that lease; null = it was given up or drained, or the guard acts. */
  holder: string | null
  /** When the guard fired within the last hour, wall clock. */
  firings: Ms[]
  /** Why an operator has to release the position; null = no release is needed. */
  latched: string | null
  /** Since when the guard acts, wall clock; null = it does not. */
  guardingSince: Ms | null
  /** The side that adds inventory, from the last renewal. */
  worse: Side | null
  /** The guard has deactivated the position since it fired. */
  isOut: boolean
  /** `mizani guard release` has run since it fired. */
  isReleased: boolean
  /** The guard's writes since its last grant, oldest first, for the next holder's journal. */
  written: readonly WrittenRecord[]
}

/** `at`: when it was sent, wall clock. */
export type WrittenRecord = { readonly at: Ms; readonly what: SafeWrite | 'deactivation' }

/** Maximum number of writes handed over: only the latest may still take effect. */
const MOST_WRITTEN = 50

/** The fields of a guard that does not act, or has only begun to. */
export const HAND_IS_OFF = { isOut: false, isReleased: false } as const

export function emptyRecord(): GuardRecord {
  return {
    fence: 0,
    holder: null,
    firings: [],
    latched: null,
    guardingSince: null,
    worse: null,
    ...HAND_IS_OFF,
    written: [],
  }
}

/** Records a write that the guard is sending. */
export function keepWritten(kept: GuardRecord, written: WrittenRecord): void {
  kept.written = [...kept.written.slice(1 - MOST_WRITTEN), written]
}
