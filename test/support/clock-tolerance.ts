import type { LeaseTerms } from '../../src/core/lease/terms.ts'

/** How far the rate of each clock may be off before two can write at once: (D - R) / (D + R), from `leastWaitMs`. */
export function clockTolerance({ deadlineMs, waitMs }: Pick<LeaseTerms, 'deadlineMs' | 'waitMs'>): number {
  return (waitMs - deadlineMs) / (waitMs + deadlineMs)
}
