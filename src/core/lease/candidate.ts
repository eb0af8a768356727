import type { Ms } from '../../base/time.ts'
import type { LeaseTerms } from './terms.ts'

/** A holder as a candidate sees it: its counter, and when that last changed on the candidate's own clock. */
export type Observed = {
  holder: string
  count: number
  changedAt: Ms
}

/** Starts to observe a holder whose counter this process has not seen: the wait begins now. */
export function observeLease(holder: string, now: Ms): Observed {
  return { holder, count: -Infinity, changedAt: now }
}

/**
 * Records a counter that arrived. Only a larger one proves that the loop runs: a repeated or delayed renewal, or one of a process
 * whose loop hangs, extends nothing. Returns whether it was larger.
 */
export function sawCount(observed: Observed, count: number, now: Ms): boolean {
  if (!(count > observed.count)) return false
  observed.count = count
  observed.changedAt = now
  return true
}

/** Restarts the wait, after a time in which the candidate did not run and could not receive. */
export function waitAgain(observed: Observed, now: Ms): void {
  observed.changedAt = now
}

/** Returns whether every write of the holder has ended. */
export function mayAct({ waitMs }: Pick<LeaseTerms, 'waitMs'>, { changedAt }: Observed, now: Ms): boolean {
  return now - changedAt >= waitMs
}

/** When the candidate may act at the earliest. */
export function actsFrom({ waitMs }: Pick<LeaseTerms, 'waitMs'>, { changedAt }: Observed): Ms {
  return changedAt + waitMs
}
