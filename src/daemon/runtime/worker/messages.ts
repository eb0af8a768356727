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
export type WorkerAnswer =
  | PositionAnswers[PositionCall['method']]
  | ThreadAnswers[ThreadCall['method']]
  | null

/** A call of the main thread to a position. */
export type PositionCall =
  | { readonly method: 'view' | 'metrics' | 'ready' | 'parameters' | 'beat' }
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
      readonly key?: string
      /** How long the answer to a stop waits for the venue; absent = it does not. */
      readonly confirmWithinMs?: Ms
    }
  | { readonly method: 'lease'; readonly news: LeaseNews }
  | { readonly method: 'treasuryView' }
  | {
      readonly method: 'treasuryOrder'
      readonly order: TreasuryOrder
      /** The token that gives it, and who in person. */
      readonly by: string
      readonly who: string
    }
  | { readonly method: 'proposals' }
  | {
      readonly method: 'propose'
      readonly asked: ProposalAsk
      readonly id: string
      readonly who: string
      readonly why: string
    }
  | {
      readonly method: 'answerProposal'
      readonly order: ProposalAnswer
      readonly who: string
      readonly why: string
    }
  | { readonly method: 'shutdown'; readonly withinMs: number }

/** One that stands by reads its files again; what a person sets is for the daemon that trades. */
export function isForStandby(
  call: PositionCall,
): call is Extract<PositionCall, { readonly method: 'reload' }> {
  return call.method === 'reload' && call.request === undefined
}

/** What each call is answered with. */
export type PositionAnswers = {
  readonly view: PositionView
  readonly metrics: readonly MetricFamily[]
  readonly ready: Readiness
  readonly parameters: ParametersAnswer
  /** The last event of its loop that is on disk. */
  readonly beat: number
  readonly look: PositionNews
  readonly reload: CommandAnswer
  readonly preview: PreviewAnswer
  readonly command: CommandAnswer
  readonly lease: null
  /** Null = the position has no treasury. */
  readonly treasuryView: TreasuryReading | null
  readonly treasuryOrder: CommandAnswer
  readonly proposals: readonly Proposal[]
  readonly propose: CommandAnswer
  readonly answerProposal: CommandAnswer
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
