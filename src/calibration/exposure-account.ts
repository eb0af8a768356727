import type { Ms } from '../base/time.ts'
import type { Barrier } from './standing-side.ts'

/** Where time and fills went that say nothing about takers, and what is not sure about the others. */
export type ExposureAccount = {
  /** Time with takers in reach, both sides added. */
  exposedMs: Ms
  /** Of that, with the other providers hidden behind ourselves. */
  hiddenMs: Ms
  /** Of that, with our quote limited to some pairs. */
  limitedMs: Ms
  /** Silence longer than a day, not counted. */
  silentMs: Ms
  quoteRows: number
  competitionRows: number
  /** Fills at a time when, as the tape has it, nobody could reach us; left out, by reason. */
  readonly unexpected: Record<Barrier, number>
  /** Fills that are not dollars against shillings. */
  strangeFills: number
}

export function emptyExposureAccount(): ExposureAccount {
  return {
    exposedMs: 0,
    hiddenMs: 0,
    limitedMs: 0,
    silentMs: 0,
    quoteRows: 0,
    competitionRows: 0,
    unexpected: { unknown: 0, off: 0, closed: 0, short: 0, beaten: 0, 'their turn': 0 },
    strangeFills: 0,
  }
}
