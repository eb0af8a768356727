import type { Ms } from '../../base/time.ts'
import type { IntentStage } from './intent.ts'
import type { TreasuryAsset } from './place.ts'

/** An action or observation of the treasury, for the log, metrics, notifications and tables. Amounts in base units. */
export type TreasuryObservation = { readonly t: Ms } & (
  | {
      readonly type: 'intentMoved'
      readonly intent: string
      readonly leg: number | null
      readonly from: IntentStage
      readonly to: IntentStage
      readonly why: string
    }
  /** Double entry between places and transit: sums to zero per token. */
  | {
      readonly type: 'booked'
      readonly intent: string
      readonly reason: string
      readonly postings: readonly TreasuryPosting[]
    }
  | {
      readonly type: 'treasuryAlert'
      readonly code: TreasuryAlertCode
      readonly message: string
      readonly intent: string | null
    }
  | {
      readonly type: 'answered'
      readonly order: string
      readonly accepted: boolean
      readonly answer: string
      readonly by: string
    }
)

/**
 * The treasury's alerts for a person: an intent waits for approval or funds; has a step whose call cannot be built; was
 * stopped, resumed or confirmed; is late; ended without moving, came back, or came back after it had arrived; is a
 * claim, or a resolved one; waits for the venue's review or operator; a route pauses; a step of the plan was refused;
 * the books and the balances differ; the supply fell or its backing is in doubt; less than most of the position could
 * be withdrawn; a rail is unreadable; balances need confirmation; the bank calendar ends; no route can refill a token;
 * a target does not last until a refill arrives; a payee is new or has another account; it may be paid from now on; its
 * account is registered under another name; one key was answered with two payments.
 */
export const TREASURY_ALERT_CODES = [
  'treasury-approval-waiting',
  'treasury-stopped',
  'treasury-resumed',
  'treasury-unconfirmed',
  'treasury-payment-expected',
  'treasury-funds-missing',
  'treasury-step-unbuildable',
  'treasury-intent-late',
  'treasury-intent-failed',
  'treasury-intent-reversed',
  'treasury-claim-open',
  'treasury-claim-resolved',
  'treasury-venue-review',
  'treasury-rail-rested',
  'treasury-rail-unreadable',
  'treasury-step-refused',
  'treasury-books-differ',
  'treasury-supply-fell',
  'treasury-supply-alarm',
  'treasury-exit-short',
  'treasury-calendar-ends',
  'treasury-no-route',
  'treasury-target-low',
  'treasury-new-payee',
  'treasury-payee-admitted',
  'treasury-payee-renamed',
  'treasury-key-ignored',
] as const
export type TreasuryAlertCode = (typeof TREASURY_ALERT_CODES)[number]

/** Accounts of the desk's books. `transit:<intent>` and `claim:<intent>` are assets; costs and external are the other side. */
export type TreasuryPosting = {
  readonly account: string
  readonly asset: TreasuryAsset
  readonly amount: bigint
}
