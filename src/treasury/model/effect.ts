import type { Ms } from '../../base/time.ts'
import type { TreasuryAsset } from './place.ts'

/** A leg of an intent. */
export type LegPlace = { readonly intent: string; readonly leg: number }

/**
 * What the treasury wants done. An effect is performed only once the event that it came from is durable; its outcome
 * comes back as an event.
 */
export type TreasuryEffect =
  /** Read every balance and the state of every open resource. Answered by `holdingsSeen` and `resourceSeen`. */
  | { readonly type: 'look' }
  /** Ask the policy for a plan over `planInput`. Answered by `planned`; no answer = nothing to do. */
  | { readonly type: 'plan' }
  /** Look up who is registered for the account that a leg pays, once. Answered by `payeeNamed`, whatever comes of it. */
  | ({ readonly type: 'namePayee' } & LegPlace)
  /** Ask the venue for the price of a leg. Answered by `quoteSeen` or `quoteFailed`. */
  | ({ readonly type: 'quote' } & LegPlace)
  /** Draw a key, build the exact body. Answered by `attemptPrepared` or `prepareFailed`. */
  | ({ readonly type: 'prepare' } & LegPlace)
  /**
   * Put an attempt on the wire, once, unless the treasury was stopped meanwhile: the bytes and the key of the journal. Answered by `legAnswered`, `legRefused`,
   * `legSilent` (sent: no, where it was stopped).
   */
  | ({ readonly type: 'transmit'; readonly n: number } & LegPlace)
  /** Read the resource of a leg. Answered by `resourceSeen`. */
  | ({ readonly type: 'read' } & LegPlace)
  /** Look for a silent attempt by every finder that needs no sending: chain log, balances. Answered by `findingSeen`. */
  | ({ readonly type: 'find'; readonly n: number } & LegPlace)
  /** An order to the position, as an operator would give it. Answered by `legAnswered`, `legRefused`, `legSilent`. */
  | ({ readonly type: 'position'; readonly order: PositionOrder; readonly n: number } & LegPlace)
  | { readonly type: 'readSupply' }
  | { readonly type: 'reconcile' }
  /** Come back with a `tick` then at the latest. */
  | { readonly type: 'wake'; readonly at: Ms }

export type PositionOrder =
  | { readonly name: 'activate' }
  | { readonly name: 'deactivate' }
  | {
      readonly name: 'withdraw'
      readonly asset: TreasuryAsset
      readonly amount: bigint
      /** The same key is the same withdrawal, however often it is ordered. */
      readonly key: string
      /** Who approved the envelope: it counts as the second approval of the withdrawal and as its cool-off. */
      readonly approvedBy: readonly string[]
    }
