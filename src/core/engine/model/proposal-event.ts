import type { Ms } from '../../../base/time.ts'
import type { ProposedAction, ProposedDifference } from './proposal-state.ts'

/** Something that waits for a person, or a person's word on it. Nothing is decided from it. */
export type ProposalEvent = {
  readonly type: 'proposal'
  readonly t: Ms
  readonly who: string
  readonly why: string
  readonly order: ProposalOrder
}

export type ProposalOrder =
  | {
      readonly name: 'add'
      readonly id: string
      readonly action: ProposedAction
      readonly differences: readonly ProposedDifference[]
      /** What the proposer says would come of it. */
      readonly claim: string
      /** The name of the token that proposes, of which few may wait; absent in journals of before. */
      readonly token?: string
    }
  | { readonly name: 'accept'; readonly id: string }
  | { readonly name: 'reject'; readonly id: string }
  /** How the command went that the acceptance stands for. */
  | { readonly name: 'close'; readonly id: string; readonly isDone: boolean; readonly outcome: string }
