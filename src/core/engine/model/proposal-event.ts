import type { Proposal } from './proposal-state.ts'
import type { TimedEvent } from './venue-answer.ts'

/** Something that waits for a person, or a person's word on it. Nothing is decided from it. */
export type ProposalEvent = TimedEvent<'proposal'> & {
  readonly who: string
  readonly why: string
  readonly order: ProposalOrder
}

export type ProposalOrder =
  | ({ readonly name: 'add' } & Pick<Proposal, 'id' | 'action' | 'differences' | 'claim' | 'token'>)
  | { readonly name: 'accept'; readonly id: string }
  | { readonly name: 'reject'; readonly id: string }
  /** How the command went that the acceptance stands for. */
  | { readonly name: 'close'; readonly id: string; readonly isDone: boolean; readonly outcome: string }
