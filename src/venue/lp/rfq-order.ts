import { z } from 'zod'
import { problemOf } from '../../base/http/body.ts'
import { err, ok, type Result } from '../../base/result.ts'
import { hashText } from '../fields.ts'
import { type Endpoint, WRITE } from './endpoint.ts'

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

type RfqOrderAnswer = {
  readonly type: 'rfqOrder'
  readonly orderHash: string | null
  readonly orderStatus: string | null
}

/**
 * POST /rfq/orders: integers as decimal text. Path and shape are not in the contract. The same signed order has the
 * same hash, so a second copy of it is no second order and the request may be repeated.
 */
export const rfqOrder: Endpoint<[signed: SignedRfqOrder], RfqOrderAnswer> =
  ({ settings }) =>
  (signed) => ({
    ...WRITE,
    route: 'POST /rfq/orders',
    method: 'POST',
    path: `${settings.prefix}${settings.rfqOrderPath}`,
    body: orderBody(signed),
    translate,
    codeOfRefusal,
  })

function orderBody({ order, signature }: SignedRfqOrder): object {
  const { makerAmount, takerAmount, expiry, salt, ...rest } = order
  return {
    order: {
      ...rest,
      makerAmount: makerAmount.toString(),
      takerAmount: takerAmount.toString(),
      expiry: expiry.toString(),
      salt: salt.toString(),
    },
    signature,
  }
}

const rfqOrderBody = z.looseObject({
  orderHash: z.unknown().optional(),
  orderStatus: z.unknown().optional(),
})

/**
 * What a refusal of an order means where the body names no code. Of the contract's two 409, one says how the order
 * ended in `orderStatus`; the other one is for a position that is not in self-custody.
 */
function codeOfRefusal(status: number, { orderStatus }: Readonly<Record<string, unknown>>): string | null {
  if (status === 409) return typeof orderStatus === 'string' ? 'ORDER_NOT_FILLABLE' : 'NOT_SELF_CUSTODY'
  return status === 400 ? 'BAD_ORDER' : null
}

/** The answer to an order: its shape is not in the contract, so only its hash and status are looked for. */
function translate(body: unknown): Result<RfqOrderAnswer, string> {
  const parsed = rfqOrderBody.safeParse(body)
  if (!parsed.success) return err(problemOf(parsed.error))
  const { orderHash, orderStatus } = parsed.data
  return ok({
    type: 'rfqOrder',
    orderHash: hashText(orderHash),
    orderStatus: statusOf(orderStatus),
  })
}

/** A word of the exchange contract. */
function statusOf(value: unknown): string | null {
  return typeof value === 'string' && /^[A-Za-z_]{1,200}$/.test(value) ? value : null
}
