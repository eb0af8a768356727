import type { Ms } from '../../../base/time.ts'
import type { Asset, TokenAmount } from '../../../base/money/asset.ts'

/** What a person would do by accepting: each is something that the holder of a token can do without any proposal. */
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
  /** Agreeing to the envelope of an intent of the treasury, as it was when it was proposed. */
  | { readonly kind: 'approval'; readonly intent: string; readonly envelope: string }
  /** A payout to a listed payee. */
  | {
      readonly kind: 'payout'
      readonly payee: string
      readonly asset: Exclude<Asset, 'USDT.bnb'>
      /** Base units. */
      readonly amount: TokenAmount
    }

/** A difference that a person is shown: a setting by its path, or a term of what is proposed. */
export type ProposedDifference = { readonly what: string; readonly from: string; readonly to: string }

export type Proposal = {
  readonly id: string
  readonly action: ProposedAction
  /** What accepting would change. */
  readonly differences: readonly ProposedDifference[]
  /** What the proposer says would come of it: claims, in the proposer's words. */
  readonly claim: string
  /** Who asked: the token's name, and what its bearer called itself. */
  readonly who: string
  /** The name of the token that proposes, of which few may wait; absent in journals of before. */
  readonly token?: string
  readonly why: string
  readonly at: Ms
  readonly expiresAt: Ms
  /** `accepted` = a person accepted it, and how that went is not recorded yet. */
  stage: 'open' | 'accepted' | 'done' | 'failed' | 'rejected' | 'expired'
  settledBy: string | null
  settledAt: Ms | null
  /** How carrying it out went, or why it was rejected. */
  outcome: string | null
}

/** Oldest first: all that are open, and the latest of the others. */
export type ProposalState = { readonly all: readonly Proposal[] }

/** So many wait for people at a time: more would not be read. */
export const MOST_OPEN = 10
/** Of one token: no reader fills the box for a day. */
export const MOST_OPEN_OF_TOKEN = 3
/** Settled ones that are remembered beside the journal, which has all. */
export const MOST_SETTLED = 30
/** Of one proposal as the journal has it. */
export const MOST_PROPOSAL_BYTES = 8_192
/** A proposal of yesterday rests on figures of yesterday. */
export const EXPIRES_AFTER_MS: Ms = 24 * 3_600_000

/** Returns whether so many proposals of a token wait that it may leave no more. */
export function isBoxFull(state: ProposalState | undefined, token: string): boolean {
  return openProposals(state).filter((one) => one.token === token).length >= MOST_OPEN_OF_TOKEN
}

export function openProposals(state: ProposalState | undefined): readonly Proposal[] {
  return state === undefined ? [] : state.all.filter(({ stage }) => stage === 'open')
}
