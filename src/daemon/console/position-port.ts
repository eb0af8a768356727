import type { ProposedAction, Proposal, ProposalOrder } from '../../core/engine/model/proposal-state.ts'
import type { Result } from '../../base/result.ts'
import type { Ms } from '../../base/time.ts'
import type { TreasuryOrder } from '../../treasury/model/event.ts'
import type { PositionView } from '../view/position-view.ts'
import type { StopView } from '../view/stop-view.ts'
import type { TreasuryReading } from '../view/treasury-reading.ts'
import type { ConsoleCommand, ParameterChanges } from './commands/command-entry.ts'
import type {
  FillsPage,
  HistoryAnswer,
  NoticeRow,
  NoticesAnswer,
  OpenAlertRow,
  ParametersAnswer,
  PreviewAnswer,
} from './answers.ts'

/** The changes at a position since it was last read. */
export type PositionNews = {
  /** Null = nothing has happened since. */
  readonly view: PositionView | null
  /** After the given one, oldest first; none where none was given. */
  readonly notices: readonly NoticeRow[]
  /** The latest there is; null = none yet. */
  readonly lastNotice: string | null
}

/** The last event's number and the last notice's id that the reader has; null = none. */
export type LookSince = { readonly seq: number | null; readonly notice: string | null }

export type HistoryQuery = { readonly from: Ms; readonly to: Ms; readonly points: number }
export type FillsQuery = { readonly after: string | null; readonly limit: number }
export type NoticesQuery = {
  readonly after: string | null
  readonly limit: number
  /** Empty = all. */
  readonly kinds: readonly string[]
  readonly severities: readonly NoticeRow['severity'][]
  /** Part of the sentence, in any case; null = all. */
  readonly text: string | null
}

/** Why the store was not read: too many ask at once, it took too long, or it cannot be read. */
export type ReadFailure = { readonly kind: 'busy' | 'slow' | 'unreadable'; readonly message: string }

/** The position's past, read from its store beside the trading. */
export type PastPort = {
  readonly history: (query: HistoryQuery) => Promise<Result<HistoryAnswer, ReadFailure>>
  readonly fills: (query: FillsQuery) => Promise<Result<FillsPage, ReadFailure>>
  readonly notices: (query: NoticesQuery) => Promise<Result<NoticesAnswer, ReadFailure>>
}

/** The answer to an operator's command, for the command line and the console. */
export type OperatorAnswer = {
  readonly accepted: boolean
  /** What happens now, or why not and what to do, in a sentence. */
  readonly answer: string
  /** The exit code for a command line, where it is not 0 or 3. */
  readonly exitCode?: number
} & Partial<StopView>

/** What someone proposes; the position itself adds the envelope of an intent as it is then. */
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
 * A position as the console sees it: messages to its worker, never its memory. An answer that does not
 * come in time is null (or 'not ready'): one hung position must not hang the page of the others.
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
  /** A stop waits a moment for the venue. `key`: a resume or an activation is carried out once under it. */
  readonly command: (
    command: ConsoleCommand,
    who: string,
    why: string,
    key?: string,
  ) => Promise<OperatorAnswer>
  /** Null = it has none, or does not answer. */
  readonly treasury: () => Promise<TreasuryReading | null>
  /** An order to the treasury; `by` is the token, `who` the person. */
  readonly treasuryOrder: (order: TreasuryOrder, by: string, who: string) => Promise<OperatorAnswer>
  /** Critical alerts that are open, acknowledged ones included. */
  readonly alerts: () => readonly OpenAlertRow[]
  /** A line for each channel of notifications that has failed for an hour; absent = none is watched. */
  readonly failingChannels?: () => readonly string[]
  /** What was proposed, oldest first; null = no answer in time. */
  readonly proposals: () => Promise<readonly Proposal[] | null>
  /** Keeps a proposal under this id until a person accepts or rejects it; carries nothing out. */
  readonly propose: (asked: ProposalAsk, by: ProposedBy) => Promise<OperatorAnswer>
  /** Notes what a person did about a proposal; carries nothing out. */
  readonly answerProposal: (order: ProposalAnswer, who: string, why: string) => Promise<OperatorAnswer>
  readonly health: () => { readonly alive: boolean; readonly why: string | null }
}
