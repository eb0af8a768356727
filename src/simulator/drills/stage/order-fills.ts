import { z } from 'zod'
import { toBook } from '../../../base/money/asset.ts'
import { type Rate, RATE_ONE } from '../../../base/money/rate.ts'
import type { Side } from '../../../base/money/side.ts'
import type { RfqOrder } from '../../../core/rfq/rfq-order.ts'
import { CHAIN_TOKENS, type EtchedAsset } from '../../sandbox/chain/etch-contracts.ts'
import { lookAtOrders } from '../../sandbox/chain/order-states.ts'
import type { VenueModel } from '../../sandbox/model.ts'
import type { StartedChain } from '../../sandbox/chain/start-chain.ts'

/** The orders accepted by the venue, as those who fill orders see them. */
export type OrderFills = {
  /**
   * Fills the order, completely or for that many dollars. Returns the amount that reached the wallet; null = the exchange
   * rejected the fill.
   */
  readonly fill: (orderHash: string, usd?: number) => Promise<Received | null>
  /** Hashes of one side's orders that can be filled now, the best for takers first. */
  readonly fillable: (side: Side) => Promise<readonly string[]>
  /** Hashes of the orders that an informed taker can fill now at a gain, the best first. */
  readonly paying: () => Promise<readonly string[]>
}

/** The proceeds of a fill in the desk's wallet, base units. */
export type Received = { readonly asset: EtchedAsset; readonly amount: bigint }

/** A taker comes only for at least this gain. */
const LEAST_GAIN = 1e-4
const filledSchema = z.object({ filled: z.literal(true), takerAmount: z.string() })

/** `post` sends a request to the venue and returns the body of its answer; null = no answer. `truth` is the market's own rate. */
export type DrillVenue = {
  readonly post: (path: string, body: object) => Promise<string | null>
  readonly model: VenueModel
  readonly truth: () => Rate
}

export function orderFills(
  { rpc }: Pick<StartedChain, 'rpc'>,
  { post, model, truth }: DrillVenue,
): OrderFills {
  /** Returns the hashes of the orders that can be filled with the taker's gain on each, the best first. */
  async function gains(isMeant: (order: RfqOrder) => boolean) {
    const taken = [...model.state.orders.values()].filter(({ order }) => isMeant(order))
    const looks = await lookAtOrders(rpc, taken)
    return looks
      .flatMap(({ hash, status, fillable }, index) =>
        status === 'FILLABLE' && fillable > 0n ? [{ hash, gain: gainOf(taken[index]?.order, truth()) }] : [],
      )
      .toSorted((one, other) => other.gain - one.gain)
  }
  return {
    async fill(orderHash, usd) {
      const order = model.state.orders.get(orderHash)?.order
      const asset = order === undefined ? undefined : assetOf(order.takerToken)
      if (order === undefined || asset === undefined) return null
      const part = usd === undefined ? null : partOf(order, usd, truth())
      const wish = { orderHash, ...(part === null ? {} : { takerAmount: part.toString() }) }
      const answer = await post('/sandbox/chain/fill', wish)
      const filled = answer === null ? null : filledSchema.safeParse(JSON.parse(answer))
      return filled?.success === true ? { asset, amount: BigInt(filled.data.takerAmount) } : null
    },
    async fillable(side) {
      const all = await gains(({ makerToken }) => (assetOf(makerToken) === 'NTZS') === (side === 'ask'))
      return all.map(({ hash }) => hash)
    },
    async paying() {
      const all = await gains(() => true)
      return all.flatMap(({ hash, gain }) => (gain > LEAST_GAIN ? [hash] : []))
    },
  }
}

/** Returns the taker's relative gain on the order; negative without an order. */
function gainOf(order: RfqOrder | undefined, rate: Rate): number {
  if (order === undefined) return -1
  const given = worthOf(order.makerToken, order.makerAmount, rate)
  const paid = worthOf(order.takerToken, order.takerAmount, rate)
  return paid === 0n ? -1 : Number((given * 1_000_000n) / paid) / 1e6 - 1
}

/** USD with 18 decimals. */
function worthOf(token: string, amount: bigint, rate: Rate): bigint {
  const asset = assetOf(token)
  if (asset === undefined) return 0n
  return asset === 'NTZS' ? (amount * RATE_ONE) / rate : toBook(amount, asset)
}

function assetOf(token: string): EtchedAsset | undefined {
  return CHAIN_TOKENS.find(({ address }) => address.toLowerCase() === token.toLowerCase())?.asset
}

/** Returns the taker's payment for that many dollars of an order; null = the whole order. */
function partOf({ takerToken, takerAmount }: RfqOrder, usd: number, rate: Rate): bigint | null {
  const worth = worthOf(takerToken, takerAmount, rate)
  const wanted = BigInt(Math.round(usd * 1e6)) * 10n ** 12n
  return worth <= wanted || worth === 0n ? null : (takerAmount * wanted) / worth
}
