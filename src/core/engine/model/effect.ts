import type { Asset, RoutedStable, TokenAmount } from '../../../base/money/asset.ts'
import type { Side } from '../../../base/money/side.ts'
import type { SeenBlock } from '../../rfq/chain-reading.ts'
import type { OrderCancel, RfqOrder } from '../../rfq/rfq-order.ts'
import type { Reservation } from '../../rfq/open-order.ts'
import type { QuotedSpread } from '../../quoting/quote-state.ts'

/** The complete quote as the venue holds it. */
export type Spread = QuotedSpread

/** A request of the core. `id` is unique for the life of the position and names the request in its answer. */
export type Effect = VenueEffect | OrderEffect

/** A request to the venue in the core's terms, which each venue translates to its own API. */
export type VenueEffect =
  | { readonly type: 'readAccount'; readonly id: number }
  | { readonly type: 'readRate'; readonly id: number }
  | { readonly type: 'readBalances'; readonly id: number }
  | { readonly type: 'readFills'; readonly id: number }
  | { readonly type: 'readQuote'; readonly id: number; readonly side: Side }
  /**
   * Reads the best quote at the venue for a probe of that size. Does not count against the key's budget. `stable` absent =
   * USDC.
   */
  | {
      readonly type: 'readBestQuote'
      readonly id: number
      readonly side: Side
      readonly probe: TokenAmount
      readonly stable?: RoutedStable
    }
  | { readonly type: 'setQuote'; readonly id: number; readonly spread: Spread }
  | { readonly type: 'activate'; readonly id: number; readonly isActive: boolean }
  | {
      readonly type: 'withdraw'
      readonly id: number
      readonly asset: Asset
      readonly amount: TokenAmount
      readonly toAddress: string
    }
  /** The parties that signed orders must name. */
  | { readonly type: 'readSolver'; readonly id: number }

/** A request about signed orders, which also involves the key and the chain. */
export type OrderEffect =
  /**
   * Reads one block: these orders, fills since that block (null = from the head), and whether the block of the last reading is
   * still in the chain (null = no last reading).
   */
  | {
      readonly type: 'readChain'
      readonly id: number
      readonly orders: readonly RfqOrder[]
      readonly fillsFrom: bigint | null
      readonly after: SeenBlock | null
    }
  /** Returns as an event, so that the journal records the decision itself and not only its inputs. */
  | { readonly type: 'reserveOrder'; readonly id: number; readonly reservation: Reservation }
  /** Signs the order and submits it. Its reservation is on disk, and it is outstanding from then on. */
  | { readonly type: 'placeOrder'; readonly id: number; readonly order: RfqOrder }
  /** Performs nothing. Returns as an event, so that the journal records that the order was never signed. */
  | { readonly type: 'withholdOrder'; readonly id: number; readonly salt: bigint; readonly why: string }
  | { readonly type: 'cancelOrders'; readonly id: number; readonly cancel: OrderCancel }

const ORDER_EFFECTS: readonly Effect['type'][] = [
  'readChain',
  'reserveOrder',
  'placeOrder',
  'withholdOrder',
  'cancelOrders',
]

export function isOrderEffect(effect: Effect): effect is OrderEffect {
  return ORDER_EFFECTS.includes(effect.type)
}
