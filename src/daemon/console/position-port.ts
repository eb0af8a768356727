import type { Asset } from '../../base/money/asset.ts'
import type { Side } from '../../base/money/side.ts'
import type { ProposedAction, Proposal, ProposalOrder } from '../../core/engine/model/proposal-state.ts'
import type { Result } from '../../base/result.ts'
import type { Ms } from '../../base/time.ts'
import type { TreasuryOrder } from '../../treasury/model/event.ts'
import type { PositionView } from '../view/position-view.ts'
import type { StopView } from '../view/stop-view.ts'
import type { TreasuryReading } from '../view/treasury-reading.ts'
import type { ConsoleCommand, ParameterChanges } from './commands/command-entry.ts'
import type {
  DaysAnswer,
  FillsPage,
  HistoryAnswer,
  NoticeRow,
  NoticesAnswer,
  OpenAlertRow,
  ParametersAnswer,
  PreviewAnswer,
  ResearchRun,
} from './answers.ts'

/** The changes at a position since it was last read. */
export type PositionNews = {
  /** Null = nothing has happened since. */
  readonly view: PositionView | null
  /** The notices after the given one, oldest first; empty if none was given. */
  readonly notices: readonly NoticeRow[]
  /** The id of the latest notice; null = none yet. */
  readonly lastNotice: string | null
}

/** The last event's number and the last notice's id that the reader has; null = none. */
export type LookSince = { readonly seq: number | null; readonly notice: string | null }

export type HistoryQuery = { readonly from: Ms; readonly to: Ms; readonly points: number }
export type FillsQuery = {
  readonly after: string | null
  readonly limit: number
  /** Default: both. */
  readonly side?: Side | undefined
  /** Only fills that moved this token; default: all. */
  readonly asset?: Asset | undefined
}
export type DaysQuery = { readonly days: number }
export type NoticesQuery = {
  readonly after: string | null
  readonly limit: number
  /** Empty = all. */
  readonly kinds: readonly string[]
  readonly severities: readonly NoticeRow['severity'][]
  /** Part of the sentence, in any case; null = all. */
  readonly text: string | null
}

/** Why the store was not read: too many concurrent reads, a timeout, or an unreadable store. */
export type ReadFailure = { readonly kind: 'busy' | 'slow' | 'unreadable'; readonly message: string }

/** Reads the position's past from its store, without involving the trading loop. */
export type PastPort = {
  readonly history: (query: HistoryQuery) => Promise<Result<HistoryAnswer, ReadFailure>>
  readonly days: (query: DaysQuery) => Promise<Result<DaysAnswer, ReadFailure>>
  readonly fills: (query: FillsQuery) => Promise<Result<FillsPage, ReadFailure>>
  readonly notices: (query: NoticesQuery) => Promise<Result<NoticesAnswer, ReadFailure>>
}

/** The answer to an operator's command, for the command line and the console. */
export type OperatorAnswer = {
  readonly accepted: boolean
  /** A sentence: what happens now, or why nothing happens and what to do. */
  readonly answer: string
  /** The exit code for a command line, if it is neither 0 nor 3. */
  readonly exitCode?: number
} & Partial<StopView>

/** A proposal as it was sent; the position adds the current envelope of an intent. */
export type ProposalAsk = {
  readonly action:
    | Exclude<ProposedAction, { readonly kind: 'approval' }>
    | { readonly kind: 'approval'; readonly intent: string }
  /** The effect that the proposer expects. */
  readonly claim: string
}
/** The id of a proposal, and who proposes it: `token` is the name of the token, `who` also has the name that its bearer gave. */
export type ProposedBy = {
  readonly id: string
  readonly token: string
  readonly who: string
  readonly why: string
}
export type ProposalAnswer = Exclude<ProposalOrder, { readonly name: 'add' }>

/**
 * The console's access to a position, by messages to its worker. A call that is not answered in time resolves with null
 * (or 'not ready'), so that one hung position does not block the page of the others.
 */
export type PositionPort = {
  readonly name: string
  readonly view: () => Promise<PositionView | null>
  readonly look: (since: LookSince) => Promise<PositionNews | null>
  readonly past: PastPort
  readonly parameters: () => Promise<ParametersAnswer | null>
  /** Changes nothing. */
  readonly preview: (changes: ParameterChanges) => Promise<PreviewAnswer | 'busy' | null>
  readonly ready: () => Promise<{ readonly ready: boolean; readonly why: readonly string[] }>
  /** A stop waits briefly for the venue. `key`: the Idempotency-Key under which a resume or an activation is executed once. */
  readonly command: (
    command: ConsoleCommand,
    who: string,
    why: string,
    key?: string,
  ) => Promise<OperatorAnswer>
  /** Resolves with null if the position has no treasury or does not answer. */
  readonly treasury: () => Promise<TreasuryReading | null>
  /** An order to the treasury; `by` is the token, `who` the person. */
  readonly treasuryOrder: (order: TreasuryOrder, by: string, who: string) => Promise<OperatorAnswer>
  /** Returns the open critical alerts, including acknowledged ones. */
  readonly alerts: () => readonly OpenAlertRow[]
  /** Returns a line for each notification channel that has failed for an hour; absent = no channel is watched. */
  readonly failingChannels?: () => readonly string[]
  /** Resolves with the proposals, oldest first; null = no answer in time. */
  readonly proposals: () => Promise<readonly Proposal[] | null>
  /** Stores a proposal under this id until a person accepts or rejects it; executes nothing. */
  readonly propose: (asked: ProposalAsk, by: ProposedBy) => Promise<OperatorAnswer>
  /** Records a person's answer to a proposal; executes nothing. */
  readonly answerProposal: (order: ProposalAnswer, who: string, why: string) => Promise<OperatorAnswer>
  readonly health: () => { readonly alive: boolean; readonly why: string | null }
}

export type ResearchOrder = Pick<ResearchRun, 'position' | 'kind' | 'tape' | 'fills' | 'changes' | 'who'> & {
  /** What operators have changed since the file was read. */
  readonly inForce: ResearchRun['changes']
}

export type ResearchRefusal = {
  /** Another run is under way. */
  readonly isBusy: boolean
  readonly message: string
}

/** Backtests and what-ifs of the process's positions, one at a time. */
export type ResearchPort = {
  /** When the process started: earlier runs are forgotten. */
  readonly since: Ms
  /** Returns the tapes that the position's configuration lists. */
  readonly tapes: (position: string) => readonly string[]
  /** The latest runs, newest first. */
  readonly runs: () => readonly ResearchRun[]
  readonly start: (order: ResearchOrder) => Result<ResearchRun, ResearchRefusal>
  /** Returns false if no such run is under way. */
  readonly cancel: (id: string, who: string) => boolean
  /** Resolves with the report of a finished run, or with null. */
  readonly report: (id: string) => Promise<string | null>
  /** Cancels the run that is under way. */
  readonly close: () => void
}
