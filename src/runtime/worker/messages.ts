import type { AcceptedTexts } from '../../config/load/parse-config.ts'
import type { Changes } from '../../config/reload/changes.ts'
import type { ParametersAnswer, PreviewAnswer } from '../../console/api/answers.ts'
import type { Look, LookSince } from '../../console/position-port.ts'
import type { OperatorCommand } from '../../engine/model/event.ts'
import type { Notice } from '../../notify/notice.ts'
import type { Suspension } from '../../store/store.ts'
import type { MetricFamily } from '../../telemetry/metrics/exposition.ts'
import type { NumberedAnswer } from '../../threads/calls.ts'
import type { PositionSummary } from '../../view/position-summary.ts'
import type { PositionView, Readiness } from '../../view/position-view.ts'

/** What a position's worker starts with. No secret: the worker reads them itself. */
export type WorkerInit = {
  readonly configFile: string
  /** What is otherwise than in the file. */
  readonly changes?: Changes
  /** What operators set on top of that. */
  readonly set?: Changes
  /** In a fleet what its files held when they were accepted: a restart does not depend on what they are by then. */
  readonly texts?: AcceptedTexts
  readonly version: string
  /** See `watchHeartbeat`. */
  readonly heartbeat: SharedArrayBuffer
  /** Set when the worker before this one had to be killed inside its strategy. */
  readonly suspension: Suspension | null
}

/** A call of the main thread to a position. */
export type PositionCall =
  | { readonly method: 'view' | 'summaries' | 'metrics' | 'ready' | 'parameters' }
  | { readonly method: 'look'; readonly since: LookSince }
  | {
      readonly method: 'reload'
      readonly request?: ReloadRequest
      /** In a fleet what the main thread read, tried and accepted; else the files are read and tried here. */
      readonly accepted?: AcceptedTexts
    }
  | { readonly method: 'preview'; readonly changes: Changes }
  | {
      readonly method: 'command'
      readonly command: OperatorCommand
      readonly who: string
      readonly why: string
    }
  | { readonly method: 'shutdown'; readonly withinMs: number }

/** What each call is answered with. */
export type PositionAnswers = {
  readonly view: PositionView
  /** Of every position of the worker. */
  readonly summaries: readonly PositionSummary[]
  readonly metrics: readonly MetricFamily[]
  readonly ready: Readiness
  readonly parameters: ParametersAnswer
  readonly look: Look
  readonly reload: CommandAnswer
  readonly preview: PreviewAnswer
  readonly command: CommandAnswer
  /** A line about what the venue confirmed. */
  readonly shutdown: string
}

/** What to read again, who wants it and why. */
export type ReloadRequest = {
  readonly who: string
  readonly why: string
  /** Set on top of the file and of what was set before. */
  readonly changes: Changes
  /** Forgets what operators set before. */
  readonly fromFile: boolean
}

export type CommandAnswer = { readonly accepted: boolean; readonly answer: string }

export type WorkerMessage =
  | NumberedAnswer<PositionAnswers[PositionCall['method']]>
  /** The position runs: its store is recovered and its first event is processed. */
  | { readonly type: 'running' }
  /** What operators have set by now: a worker after this one starts with it. */
  | { readonly type: 'set'; readonly set: Changes }
  /** Something that people may have to be notified of. */
  | { readonly type: 'notice'; readonly notice: Notice }
  /** The position cannot go on, and starting it again would not help. */
  | { readonly type: 'fatal'; readonly exitCode: number; readonly message: string }
