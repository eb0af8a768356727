import type { Ms } from '../../base/time.ts'
import type { IntentStage } from './intent.ts'
import type { TreasuryAsset } from './place.ts'

/** What the treasury did or noticed, for the log, metrics, notifications and tables. Every amount in base units. */
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
      readonly code: string
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

/** Accounts of the desk's books. `transit:<intent>` and `claim:<intent>` are assets; costs and external are the other side. */
export type TreasuryPosting = {
  readonly account: string
  readonly asset: TreasuryAsset
  readonly amount: bigint
}
