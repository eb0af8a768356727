import type { AcceptedTexts } from '../../config/load/parse-config.ts'
import type { Changes } from '../../config/load/changes.ts'
import type { ParametersAnswer, PreviewAnswer } from '../../console/answers.ts'
import type {
  OperatorAnswer,
  PositionNews,
  LookSince,
  ProposalAnswer,
  ProposalAsk,
  ProposedBy,
} from '../../console/position-port.ts'
import type { OperatorCommand } from '../../../core/engine/model/event.ts'
import type { Proposal } from '../../../core/engine/model/proposal-state.ts'
import type { Notice } from '../../notify/notice.ts'
import type { Suspension } from '../../../store/store.ts'
import type { TreasuryOrder } from '../../../treasury/model/event.ts'
import type { TreasuryReading } from '../../view/treasury-reading.ts'
import type { MetricFamily } from '../../telemetry/metrics/exposition.ts'
import type { SavedStop } from '../position/saved-stops.ts'
import type { LeaseNews } from '../lease/shared-lease.ts'
import type { NumberedAnswer, NumberedCall } from '../../../base/threads/calls.ts'
import type { PositionSummary } from '../../view/position-summary.ts'
import type { Ms } from '../../../base/time.ts'
import type { PositionView, Readiness } from '../../view/position-view.ts'

/** The input of a new worker; its positions follow. */
export type WorkerInit = {
  readonly version: string
  /** See `watchHeartbeat`. */
  readonly heartbeat: SharedArrayBuffer
  /** Whether its positions may read or sign for a chain: the chain code cannot be loaded after a strategy was. */
  readonly withChain: boolean
}

/** The input of a position in a worker. It has no secrets: the worker reads them itself. */
export type PositionInit = {
  readonly configFile: string
  /** Overrides of the file. */
  readonly changes?: Changes
  /** In a fleet: the texts of its files when they were accepted, so that a restart does not depend on later changes. */
  readonly texts?: AcceptedTexts
  /** Set after an earlier worker had to be terminated inside the strategy. */
  readonly suspension: Suspension | null
  /** Stops that were sent but not answered before it started. */
  readonly stops?: readonly SavedStop[]
  /** See `daemon/runtime/lease/shared-lease.ts`; absent = no guard. */
  readonly lease?: SharedArrayBuffer
}

/** Messages to a worker. The slot identifies a position in both threads. */
export type ToWorker =
  | { readonly type: 'start'; readonly slot: number; readonly init: PositionInit }
  /** Ends the position immediately; sends and answers nothing. */
  | { readonly type: 'drop'; readonly slot: number }
  | NumberedCall<WorkerCall>

/** A call to one position of a worker, or with slot null to all running positions. */
export type WorkerCall =
  | { readonly slot: number; readonly call: PositionCall }
  | { readonly slot: null; readonly call: ThreadCall }

/** A call that all positions of a worker answer in one result. */
export type ThreadCall = { readonly method: 'summaries' | 'metrics' }

export type ThreadAnswers = {
  readonly summaries: readonly PositionSummary[]
  readonly metrics: readonly MetricFamily[]
}

/** Null = the position does not run. */
export type WorkerAnswer = PositionAnswers[PositionMethod] | ThreadAnswers[ThreadCall['method']] | null

/** `types` exists only for the type checker; it has no value at run time. */
type Method<Input, Answer> = {
  /** How long the main thread waits for the answer. */
  readonly timeoutMs: Ms
  readonly types?: { readonly input: Input; readonly answer: Answer }
}

function method<Input, Answer>(timeoutMs: Ms = 2_000): Method<Input, Answer> {
  return { timeoutMs }
}

/** HTTP answers a stop within four seconds: the worker waits this long for the venue, and the main thread slightly longer. */
export const CONFIRM_MS: Ms = 2_500

type NoInput = unknown
type ByWhom = { readonly who: string; readonly why: string }

/**
 * The calls from the main thread to a position: input, answer, and how long the main thread waits. Messages and client are derived from it;
 * the worker has one function for each (`answer-calls.ts`).
 */
export const POSITION_METHODS = {
  view: method<NoInput, PositionView>(),
  metrics: method<NoInput, readonly MetricFamily[]>(),
  ready: method<NoInput, Readiness>(),
  /** Returns the number of the last event of its loop that is on disk. */
  beat: method<NoInput, number>(),
  look: method<{ readonly since: LookSince }, PositionNews>(),
  /**
   * Reloads the configuration. `accepted`: in a fleet, the texts that the main thread read, tried and accepted; without it the position
   * reads and tries the files.
   */
  reload: method<{ readonly request?: ReloadRequest; readonly accepted?: AcceptedTexts }, OperatorAnswer>(
    10_000,
  ),
  parameters: method<NoInput, ParametersAnswer>(10_000),
  /** The preview has its own shorter time limit. */
  preview: method<{ readonly changes: Changes }, PreviewAnswer | 'busy'>(18_000),
  /**
   * Answered once the command is on disk; null = the position ended before a stop was. `confirmWithinMs`: how long a stop waits for the
   * venue; absent = it does not wait.
   */
  command: method<
    ByWhom & { readonly command: OperatorCommand; readonly key?: string; readonly confirmWithinMs?: Ms },
    OperatorAnswer | null
  >(2_900),
  lease: method<{ readonly news: LeaseNews }, null>(),
  /** Returns null if the position has no treasury. */
  treasuryView: method<NoInput, TreasuryReading | null>(),
  /** `by` is the token that sent the order, `who` the person. */
  treasuryOrder: method<
    { readonly order: TreasuryOrder; readonly by: string; readonly who: string },
    OperatorAnswer
  >(5_000),
  proposals: method<NoInput, readonly Proposal[]>(),
  propose: method<ProposedBy & { readonly asked: ProposalAsk }, OperatorAnswer>(18_000),
  answerProposal: method<ByWhom & { readonly order: ProposalAnswer }, OperatorAnswer>(),
  /** Returns a line with what the venue confirmed. The caller sets the time limit. */
  shutdown: method<{ readonly withinMs: Ms }, string>(),
} as const

export type PositionMethod = keyof typeof POSITION_METHODS
type Types<Name extends PositionMethod> = NonNullable<(typeof POSITION_METHODS)[Name]['types']>

/** The message of each method: its name and its input. */
export type PositionCalls = {
  readonly [Name in PositionMethod]: { readonly method: Name } & Types<Name>['input']
}
export type PositionCall = PositionCalls[PositionMethod]
export type PositionAnswers = { readonly [Name in PositionMethod]: Types<Name>['answer'] }

/** A standby position reloads its files. Settings from operators go to the daemon that trades. */
export function isForStandby(call: PositionCall): call is PositionCalls['reload'] {
  return call.method === 'reload' && call.request === undefined
}

/** A requested reload: who requests it, why, and which changes. `by` is the name of the token. */
export type ReloadRequest = ByWhom & {
  readonly by: string
  /** Applied on top of the file and earlier operator settings. */
  readonly changes: Changes
  /** Discards earlier operator settings. */
  readonly fromFile: boolean
}

/** Messages from a worker: an answer, a message of one of its positions, or the text of an error thrown by a timer. */
export type WorkerMessage =
  | { readonly type: 'fault'; readonly text: string }
  | NumberedAnswer<WorkerAnswer>
  | { readonly type: 'position'; readonly slot: number; readonly message: PositionMessage }

export type PositionMessage =
  /** The position runs: its store is recovered and its first event is processed. */
  | { readonly type: 'running' }
  /** Another daemon holds the position (`held` is a clause that names it), and this one waits to take over. */
  | { readonly type: 'standby'; readonly held: string }
  /** A notice for the operators. */
  | { readonly type: 'notice'; readonly notice: Notice }
  /** The position cannot continue, and a restart would not help. */
  | { readonly type: 'fatal'; readonly exitCode: number; readonly message: string }
  /** Its core or its start threw; the position was removed from the worker, which continues. */
  | {
      readonly type: 'crashed'
      readonly text: string
      /** Its strategy was lost in this event: the restarted position suspends the strategy right before it. */
      readonly suspension?: Suspension
    }
