import type { Proposal } from './proposal-state.ts'
import type { TimedEvent } from './venue-answer.ts'

/** A new proposal, or an operator's decision on one. The core decides nothing from it. */
export type ProposalEvent = TimedEvent<'proposal'> & {
  readonly who: string
  readonly why: string
  readonly order: ProposalOrder
}

export type ProposalOrder =
  | ({ readonly name: 'add' } & Pick<Proposal, 'id' | 'action' | 'differences' | 'claim' | 'token'>)
  | { readonly name: 'accept'; readonly id: string }
  | { readonly name: 'reject'; readonly id: string }
  /** The outcome of the command that the acceptance ordered. */
  | { readonly name: 'close'; readonly id: string; readonly isDone: boolean; readonly outcome: string }
