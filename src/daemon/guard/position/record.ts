import type { Ms } from '../../../base/time.ts'
import type { Side } from '../../../base/money/side.ts'
import type { SafeWrite } from './ladder.ts'

/** The state that outlives the guard's process. Times of firings are on the wall clock. */
export type Kept = {
  /** Of the last lease that was granted. It never goes back. */
  fence: number
  /** Who holds that lease; null = no one: it was given up, drained, or the guard acts. */
  holder: string | null
  /** When the guard fired, by the wall clock, within the last hour. */
  firings: Ms[]
  /** Why a person has to release the position; null = no one has to. */
  latched: string | null
  /** The guard acts since then, by the wall clock; null = it does not. */
  guardingSince: Ms | null
  /** What the lease has named last: the side that adds inventory. */
  worse: Side | null
  /** The guard has taken the position out of the market since it fired. */
  isOut: boolean
  /** `mizani guard release` was given since then. */
  isReleased: boolean
  /** The writes of the guard since its last grant, oldest first, for the journal of the next holder. */
  written: readonly WrittenRecord[]
}

/** `at`: when it left, by the wall clock. */
export type WrittenRecord = { readonly at: Ms; readonly what: SafeWrite | 'deactivation' }

/** The most writes that are handed over: only the latest may still take effect. */
const MOST_WRITTEN = 50

/** Of a guard that does not act, or has just begun to. */
export const HAND_IS_OFF = { isOut: false, isReleased: false } as const

export function emptyRecord(): Kept {
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

/** A write of the guard leaves now. */
export function keepWritten(kept: Kept, written: WrittenRecord): void {
  kept.written = [...kept.written.slice(1 - MOST_WRITTEN), written]
}
