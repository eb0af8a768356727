import type { Ms } from '../../../base/time.ts'
import type { Asset, TokenAmount } from '../../../base/money/asset.ts'
import type { TimedEvent } from './venue-answer.ts'

/** The action that acceptance performs. A token holder can perform each of them without a proposal. */
export type ProposedAction =
  /** Parameters set on top of the file, by dotted path. */
  | { readonly kind: 'configuration'; readonly changes: Readonly<Record<string, unknown>> }
  | {
      readonly kind: 'withdrawal'
      readonly asset: Asset
      /** Base units. */
      readonly amount: TokenAmount
      readonly toAddress: string
    }
  /** Approval of a treasury intent's envelope, as it was when proposed. */
  | { readonly kind: 'approval'; readonly intent: string; readonly envelope: string }
  /** A payout to a listed payee. */
  | {
      readonly kind: 'payout'
      readonly payee: string
      readonly asset: Exclude<Asset, 'USDT.bnb'>
      /** Base units. */
      readonly amount: TokenAmount
    }

/** A change as shown to the operator: a setting by its path, or a term of the proposal. */
export type ProposedDifference = { readonly what: string; readonly from: string; readonly to: string }

export type Proposal = {
  readonly id: string
  readonly action: ProposedAction
  /** The changes that an acceptance would make. */
  readonly differences: readonly ProposedDifference[]
  /** The proposer's claims about the effect, in the proposer's words. */
  readonly claim: string
  /** The proposer: the name of the token, and the name that its bearer gave. */
  readonly who: string
  /** The name of the proposer's token, which limits its open proposals; absent in older journals. */
  readonly token?: string
  readonly why: string
  readonly at: Ms
  readonly expiresAt: Ms
  /** `accepted` = a person accepted it; the outcome is not recorded yet. */
  stage: 'open' | 'accepted' | 'done' | 'failed' | 'rejected' | 'expired'
  settledBy: string | null
  settledAt: Ms | null
  /** The outcome of the execution, or the reason for the rejection. */
  outcome: string | null
}

/** Oldest first: all that are open, and the latest of the others. */
export type ProposalState = { readonly all: readonly Proposal[] }

/** Maximum number of open proposals: people would not read more. */
export const MOST_OPEN = 10
/** Maximum number of open proposals per token, so that one token cannot block the others for a day. */
export const MOST_OPEN_OF_TOKEN = 3
/** Number of settled proposals in the state; the journal has all of them. */
export const MOST_SETTLED = 30
/** Maximum size of one proposal in the journal. */
export const MOST_PROPOSAL_BYTES = 8_192
/** A proposal a day old is based on outdated figures. */
export const EXPIRES_AFTER_MS: Ms = 24 * 3_600_000

/** Returns whether the token has reached its limit of open proposals. */
export function isBoxFull(state: ProposalState, token: string): boolean {
  return openProposals(state).filter((one) => one.token === token).length >= MOST_OPEN_OF_TOKEN
}

export function openProposals(state: ProposalState): readonly Proposal[] {
  return state.all.filter(({ stage }) => stage === 'open')
}

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
