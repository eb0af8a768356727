import type { Ms } from '../../base/time.ts'
import type { AdvisedSetting, Advice } from './model/advice.ts'
import type { DrilledPosition } from './model/drilled-position.ts'
import type { Failure } from './model/verdict.ts'
import type { Stage, StageOptions } from './stage/stage.ts'

/** The state of a night while it is played. */
export type Course = {
  readonly stage: Stage
  /** Since it went wrong. */
  readonly sinceMs: Ms
  /** How many dollars one taker takes. */
  readonly takerUsd: number
}

/** One bad night: what goes wrong, what continues meanwhile, and when the position is safe again. */
export type Drill = {
  readonly name: string
  /** What happens, as the table shows it. */
  readonly what: string
  /** When the position counts as safe, as the report shows it. */
  readonly safeMeans: string
  /** Why the desk cannot have this night; null = it can. */
  readonly whyNot: (position: DrilledPosition) => string | null
  readonly stage?: Pick<StageOptions, 'hasSmallDisk' | 'hasHangingRails'>
  /**
   * How long the fault itself lasts, or has to be watched before anything can be judged: what the desk allows until it is safe
   * is counted from then. Absent = the fault is over at once.
   */
  readonly faultMs?: (position: DrilledPosition) => Ms
  /** Whether someone has to learn of it; a night that harms nothing may pass unnoticed. */
  readonly mustBeNoticed: boolean
  /** Codes of alerts and rules that name it; absent or null = whatever is out of order is of this night. */
  readonly noticedBy?: (position: DrilledPosition) => readonly string[] | null
  /** What has to be there before it can go wrong. */
  readonly prepare?: (stage: Stage) => Promise<void>
  readonly strike: (course: Course) => Promise<void>
  /** What continues after it, about once a second: takers, the passing of time, repairs by others. */
  readonly goOn: (course: Course) => Promise<void>
  readonly isSafe: (course: Course) => Promise<boolean>
  /** Where safe leaves a quote live: when it is down, until which the night costs. Absent = it costs until it is safe. */
  readonly isDown?: (course: Course) => Promise<boolean>
  /** Which settings would have helped: others where it was not safe in time than where it cost too much or no one noticed. */
  readonly advise: (position: DrilledPosition, failure: Failure) => Advice
}

type DrillStatus = 'passed' | 'failed' | 'not-applicable'

export type DrillResult = {
  readonly name: string
  readonly what: string
  readonly safeMeans: string
  readonly status: DrillStatus
  /** Why it failed or does not apply; null where it passed. */
  readonly why: string | null
  /** From the event to the first line of the log that names it; null = it was not noticed, or did not take place. */
  readonly noticeMs: Ms | null
  /** From the event until the position was safe; null = it was not within what is allowed. */
  readonly safeMs: Ms | null
  /** How much of that is the fault itself. */
  readonly faultMs: Ms
  /** Lost by trades and leaks until it was safe and no quote was live that it had to take down, at the market's own rate; below zero = earned. */
  readonly costUsd: number | null
  /** The first line of the log about it. */
  readonly noticed: string | null
  readonly told: readonly { readonly afterMs: Ms; readonly severity: string; readonly what: string }[]
  /** What would have helped; null where it passed. */
  readonly advice: string | null
  /** The settings of the advice; empty where no setting helps. */
  readonly settings: readonly AdvisedSetting[]
}
