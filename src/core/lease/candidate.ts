import type { Ms } from '../../base/time.ts'
import type { LeaseTerms } from './terms.ts'

/** What a candidate knows of a holder: its counter, and since when that has not changed, on the candidate's own clock. */
export type Observed = {
  holder: string
  count: number
  changedAt: Ms
}

/** A holder whose counter was never seen by this process: the wait begins now. */
export function observeLease(holder: string, now: Ms): Observed {
  return { holder, count: -Infinity, changedAt: now }
}

/**
 * Takes a counter that arrived. Only one that has grown vouches for its loop: a renewal that was repeated, delayed or sent
 * by a process whose loop hangs extends nothing. Returns whether it did.
 */
export function sawCount(observed: Observed, count: number, now: Ms): boolean {
  if (!(count > observed.count)) return false
  observed.count = count
  observed.changedAt = now
  return true
}

/** A candidate that did not run could not receive: its wait begins again. */
export function waitAgain(observed: Observed, now: Ms): void {
  observed.changedAt = now
}

/** Whether every write of the holder has ended. */
export function mayAct({ waitMs }: Pick<LeaseTerms, 'waitMs'>, { changedAt }: Observed, now: Ms): boolean {
  return now - changedAt >= waitMs
}

/** When the candidate may act at the earliest. */
export function actsFrom({ waitMs }: Pick<LeaseTerms, 'waitMs'>, { changedAt }: Observed): Ms {
  return changedAt + waitMs
}
