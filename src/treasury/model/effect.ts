import type { Ms } from '../../base/time.ts'
import type { TreasuryAsset } from './place.ts'

/** A leg of an intent. */
export type LegPlace = { readonly intent: string; readonly leg: number }

/** A request to the shell, performed once its event is durable. Its outcome returns as an event. */
export type TreasuryEffect =
  /** Read every balance and the state of every open resource. Answered by `holdingsSeen` and `resourceSeen`. */
  | { readonly type: 'look' }
  /** Ask the policy for a plan over `planInput`. Answered by `planned`; no answer = nothing to do. */
  | { readonly type: 'plan' }
  /** Look up the registered name of the account that a leg pays, once. Always answered by `payeeNamed`. */
  | ({ readonly type: 'namePayee' } & LegPlace)
  /** Ask the venue for the price of a leg. Answered by `quoteSeen` or `quoteFailed`. */
  | ({ readonly type: 'quote' } & LegPlace)
  /** Draw a key, build the exact body. Answered by `attemptPrepared` or `prepareFailed`. */
  | ({ readonly type: 'prepare' } & LegPlace)
  /**
   * Send an attempt once, with the bytes and the key of the journal, unless the treasury was stopped meanwhile.
   * Answered by `legAnswered`, `legRefused`, `legSilent` (sent: no, if it was stopped).
   */
  | ({ readonly type: 'transmit'; readonly n: number } & LegPlace)
  /** Read the resource of a leg. Answered by `resourceSeen`. */
  | ({ readonly type: 'read' } & LegPlace)
  /** Search for a silent attempt with every finder, without sending it. Answered by `findingSeen`. */
  | ({ readonly type: 'find'; readonly n: number } & LegPlace)
  /** Give the position an order, like an operator. Answered by `legAnswered`, `legRefused`, `legSilent`. */
  | ({ readonly type: 'position'; readonly order: PositionOrder; readonly n: number } & LegPlace)
  | { readonly type: 'readSupply' }
  | { readonly type: 'reconcile' }
  /** Send a `tick` at this time at the latest. */
  | { readonly type: 'wake'; readonly at: Ms }

export type PositionOrder =
  | { readonly name: 'activate' }
  | { readonly name: 'deactivate' }
  | {
      readonly name: 'withdraw'
      readonly asset: TreasuryAsset
      readonly amount: bigint
      /** Orders with the same key are one withdrawal. */
      readonly key: string
      /** Who approved the envelope, which replaces the withdrawal's second approval and cool-off. */
      readonly approvedBy: readonly string[]
    }
