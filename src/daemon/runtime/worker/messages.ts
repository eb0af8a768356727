import type { AcceptedTexts } from '../../config/load/parse-config.ts'
import type { Changes } from '../../config/load/changes.ts'
import type { ParametersAnswer, PreviewAnswer } from '../../console/answers.ts'
import type {
  CommandAnswer,
  PositionNews,
  LookSince,
  ProposalAnswer,
  ProposalAsk,
} from '../../console/position-port.ts'
import type { OperatorCommand } from '../../../core/engine/model/event.ts'
import type { Proposal } from '../../../core/engine/model/proposal-state.ts'
import type { Notice } from '../../notify/notice.ts'
import type { Suspension } from '../../../store/store.ts'
import type { TreasuryOrder } from '../../../treasury/model/event.ts'
import type { TreasuryReading } from '../../view/treasury-reading.ts'
import type { MetricFamily } from '../../telemetry/metrics/exposition.ts'
import type { KeptStop } from '../position/kept-stops.ts'
import type { LeaseNews } from '../lease/shared-lease.ts'
import type { NumberedAnswer, NumberedCall } from '../../../base/threads/calls.ts'
import type { PositionSummary } from '../../view/position-summary.ts'
import type { Ms } from '../../../base/time.ts'
import type { PositionView, Readiness } from '../../view/position-view.ts'

/** What a worker starts with. Its positions come afterwards. */
export type WorkerInit = {
  readonly version: string
  /** See `watchHeartbeat`. */
  readonly heartbeat: SharedArrayBuffer
  /** Whether its positions may read or sign for a chain: that code cannot be loaded once a strategy was. */
  readonly withChain: boolean
}

/** What a position in a worker starts with. No secret: the worker reads them itself. */
export type PositionInit = {
  readonly configFile: string
  /** Overrides of the file. */
  readonly changes?: Changes
  /** In a fleet what its files held when they were accepted: a restart does not depend on what they are by then. */
  readonly texts?: AcceptedTexts
  /** Set when a worker before this one had to be ended inside the strategy. */
  readonly suspension: Suspension | null
  /** Stops that were given and not answered when it started. */
  readonly stops?: readonly KeptStop[]
  /** See `daemon/runtime/lease/shared-lease.ts`; absent where no guard is looked for. */
  readonly lease?: SharedArrayBuffer
}

/** By its slot both threads know a position of a worker. */
export type ToWorker =
  | { readonly type: 'start'; readonly slot: number; readonly init: PositionInit }
  /** Ends the position at once, whatever it is doing; nothing is sent and nothing answered. */
  | { readonly type: 'drop'; readonly slot: number }
  | NumberedCall<WorkerCall>

/** A call to one position of a worker, or with slot null to all that run there. */
export type WorkerCall =
  | { readonly slot: number; readonly call: PositionCall }
  | { readonly slot: null; readonly call: ThreadCall }

/** A call that all positions of a worker answer together. */
export type ThreadCall = { readonly method: 'summaries' | 'metrics' }

export type ThreadAnswers = {
  readonly summaries: readonly PositionSummary[]
  readonly metrics: readonly MetricFamily[]
}

/** Null where the position does not run. */
export type WorkerAnswer = PositionAnswers[PositionMethod] | ThreadAnswers[ThreadCall['method']] | null

/** `types` is for the type checker: no value has it. */
type Method<Input, Answer> = {
  /** How long the main thread waits for the answer. */
  readonly timeoutMs: Ms
  readonly types?: { readonly input: Input; readonly answer: Answer }
}

function method<Input, Answer>(timeoutMs: Ms = 2_000): Method<Input, Answer> {
  return { timeoutMs }
}

/** HTTP answers a stop within four seconds: the worker waits this long for the venue, and the main thread a little longer. */
export const CONFIRM_MS: Ms = 2_500

type NoInput = unknown
type ByWhom = { readonly who: string; readonly why: string }

/**
 * Every call of the main thread to a position: what it takes, what it answers and how long the main thread waits. The
 * messages and the client are derived from it, and the worker has one function for each (`position-services.ts`).
 */
export const POSITION_METHODS = {
  view: method<NoInput, PositionView>(),
  metrics: method<NoInput, readonly MetricFamily[]>(),
  ready: method<NoInput, Readiness>(),
  /** Returns the number of the last event of its loop that is on disk. */
  beat: method<NoInput, number>(),
  look: method<{ readonly since: LookSince }, PositionNews>(),
  /**
   * Reads the configuration again. `accepted`: in a fleet what the main thread read, tried and accepted; without it the
   * position reads and tries the files.
   */
  reload: method<{ readonly request?: ReloadRequest; readonly accepted?: AcceptedTexts }, CommandAnswer>(
    10_000,
  ),
  parameters: method<NoInput, ParametersAnswer>(10_000),
  /** Has a limit of its own, within this one. */
  preview: method<{ readonly changes: Changes }, PreviewAnswer>(18_000),
  /** Answered once it is on disk. `confirmWithinMs`: how long a stop waits for the venue; absent = it does not wait. */
  command: method<
    ByWhom & { readonly command: OperatorCommand; readonly key?: string; readonly confirmWithinMs?: Ms },
    CommandAnswer
  >(2_900),
  lease: method<{ readonly news: LeaseNews }, null>(),
  /** Returns null where the position has no treasury. */
  treasuryView: method<NoInput, TreasuryReading | null>(),
  /** `by` is the token that gives the order, `who` the person. */
  treasuryOrder: method<
    { readonly order: TreasuryOrder; readonly by: string; readonly who: string },
    CommandAnswer
  >(5_000),
  proposals: method<NoInput, readonly Proposal[]>(),
  propose: method<ByWhom & { readonly asked: ProposalAsk; readonly id: string }, CommandAnswer>(18_000),
  answerProposal: method<ByWhom & { readonly order: ProposalAnswer }, CommandAnswer>(),
  /** Returns a line about what the venue confirmed. The caller sets the time limit. */
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

/** A position that stands by reads its files again. What a person sets is for the daemon that trades. */
export function isForStandby(call: PositionCall): call is PositionCalls['reload'] {
  return call.method === 'reload' && call.request === undefined
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

/** From a worker: an answer, something of one of its positions, or what a timer of it threw, as text. */
export type WorkerMessage =
  | { readonly type: 'fault'; readonly text: string }
  | NumberedAnswer<WorkerAnswer>
  | { readonly type: 'position'; readonly slot: number; readonly message: PositionMessage }

export type PositionMessage =
  /** The position runs: its store is recovered and its first event is processed. */
  | { readonly type: 'running' }
  /** Another daemon holds the position (`held`, a clause), and this one waits to take it over. */
  | { readonly type: 'standby'; readonly held: string }
  /** Something that people may have to be notified of. */
  | { readonly type: 'notice'; readonly notice: Notice }
  /** The position cannot go on, and starting it again would not help. */
  | { readonly type: 'fatal'; readonly exitCode: number; readonly message: string }
  /** Its core or its start threw; the position is out of the worker, which continues. */
  | {
      readonly type: 'crashed'
      readonly text: string
      /** Its strategy was lost in an event: it comes back without asking it there. */
      readonly suspension?: Suspension
    }
