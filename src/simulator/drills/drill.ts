import type { Ms } from '../../base/time.ts'
import type { AdvisedSetting, Advice } from './model/advice.ts'
import type { DrilledPosition } from './model/drilled-position.ts'
import type { Failure } from './model/judge-night.ts'
import type { Stage, StageOptions } from './stage/stage.ts'

/** The state of a night in progress. */
export type Course = {
  readonly stage: Stage
  /** Since the event. */
  readonly sinceMs: Ms
  /** The dollars of one taker. */
  readonly takerUsd: number
}

/** One bad night: the event, the trading meanwhile, and the condition under which the position is safe again. */
export type Drill = {
  /** The event, as the table shows it. */
  readonly what: string
  /** The condition of safety, as the report shows it. */
  readonly safeMeans: string
  /** Why the desk cannot have this night; null = it can. */
  readonly whyUnplayable: (position: DrilledPosition) => string | null
  readonly stage?: Pick<StageOptions, 'hasSmallDisk' | 'hasHangingRails'>
  /**
   * Duration of the fault, or of the observation needed to judge the night. The desk's time limit until the position
   * is safe starts at its end. Absent = the fault is over at once.
   */
  readonly faultMs?: (position: DrilledPosition) => Ms
  /** True if someone must be notified; a harmless night may pass unnoticed. */
  readonly mustBeNoticed: boolean
  /** Codes of alerts and rules that report this night; absent or null = every notice does. */
  readonly noticedBy?: (position: DrilledPosition) => readonly string[] | null
  /** Preparations before the event. */
  readonly prepare?: (stage: Stage) => Promise<void>
  readonly disrupt: (course: Course) => Promise<void>
  /** Takers, the passing of time and repairs by others, about once a second after the event. */
  readonly eachSecond: (course: Course) => Promise<void>
  readonly isSafe: (course: Course) => Promise<boolean>
  /**
   * Whether a quote that must go is down, if the safe state leaves it live: the night costs until then. Absent = it costs until it is safe.
   */
  readonly isDown?: (course: Course) => Promise<boolean>
  /** The settings that would have helped; they depend on the kind of failure. */
  readonly advise: (position: DrilledPosition, failure: Failure) => Advice
}

type DrillStatus = 'passed' | 'failed' | 'not-applicable'

export type DrillResult = {
  readonly name: string
  readonly what: string
  readonly safeMeans: string
  readonly status: DrillStatus
  /** Why it failed or does not apply; null = it passed. */
  readonly why: string | null
  /** From the event to the first log line that names it; null = it was not noticed, or did not happen. */
  readonly noticeMs: Ms | null
  /** Time from the event until the position was safe; null = not within the limit. */
  readonly safeMs: Ms | null
  /** The part of that time that is the fault itself. */
  readonly faultMs: Ms
  /**
   * Loss by trades and leaks until the position was safe and every quote that had to go was down, at the market's own
   * rate; negative = a gain.
   */
  readonly costUsd: number | null
  /** The first line of the log about it. */
  readonly noticed: string | null
  readonly told: readonly { readonly afterMs: Ms; readonly severity: string; readonly what: string }[]
  /** The remedy; null if the night passed. */
  readonly advice: string | null
  /** The settings of the advice; empty = no setting helps. */
  readonly settings: readonly AdvisedSetting[]
}
