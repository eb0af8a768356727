import { z } from 'zod'
import type { VenueSettings } from '../settings.ts'
import type { VenueRequest } from '../venue-call.ts'

/** The struct of the order and its signature, as signed. Source: rfq notes, 0x v4 RfqOrder. */
export type SignedRfqOrder = {
  readonly order: {
    readonly makerToken: string
    readonly takerToken: string
    readonly makerAmount: bigint
    readonly takerAmount: bigint
    readonly maker: string
    readonly taker: string
    readonly txOrigin: string
    readonly pool: string
    /** Seconds since the Unix epoch. */
    readonly expiry: bigint
    readonly salt: bigint
  }
  readonly signature: {
    readonly signatureType: number
    readonly v: number
    readonly r: string
    readonly s: string
  }
}

/** POST /rfq/orders: integers as decimal text. Path and shape are not in the contract. */
export function rfqOrderRequest(settings: VenueSettings, { order, signature }: SignedRfqOrder): VenueRequest {
  const { makerAmount, takerAmount, expiry, salt, ...rest } = order
  return {
    route: 'POST /rfq/orders',
    method: 'POST',
    path: `${settings.prefix}${settings.rfqOrderPath}`,
    query: {},
    body: {
      order: {
        ...rest,
        makerAmount: makerAmount.toString(),
        takerAmount: takerAmount.toString(),
        expiry: expiry.toString(),
        salt: salt.toString(),
      },
      signature,
    },
  }
}

export const rfqOrderBody = z.looseObject({
  orderHash: z.unknown().optional(),
  orderStatus: z.unknown().optional(),
})
