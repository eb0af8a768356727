import { z } from 'zod'
import { read } from '../../base/http/reply.ts'
import type { RfqOrderAnswer, SignedRfqOrder } from '../../core/engine/model/venue-answer.ts'
import { ok, type Result } from '../../base/result.ts'
import { hashText } from '../fields.ts'
import { endpoint } from './endpoint.ts'

/**
 * POST /rfq/orders: integers as decimal text. Path and shape are not in the contract. The same signed order has the
 * same hash, so a second copy of it is no second order and the request may be repeated.
 */
export const rfqOrder = endpoint('POST /rfq/orders', ({ settings }) => (signed: SignedRfqOrder) => ({
  paysOut: false,
  path: `${settings.prefix}${settings.rfqOrderPath}`,
  body: orderBody(signed),
  translate,
  codeOfRefusal,
}))

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
 * Returns the code of an order's refusal if the body has none. Of the contract's two 409 one states in `orderStatus`
 * how the order ended; the other is for a position that is not in self-custody.
 */
function codeOfRefusal(status: number, { orderStatus }: Readonly<Record<string, unknown>>): string | null {
  if (status === 409) return typeof orderStatus === 'string' ? 'ORDER_NOT_FILLABLE' : 'NOT_SELF_CUSTODY'
  return status === 400 ? 'BAD_ORDER' : null
}

/** The answer is not in the contract: only its hash and status, a word of the exchange, are read. */
const translate = read(rfqOrderBody, ({ orderHash, orderStatus }): Result<RfqOrderAnswer, string> => {
  const isWord = typeof orderStatus === 'string' && /^[A-Za-z_]{1,200}$/.test(orderStatus)
  return ok({
    type: 'rfqOrder',
    orderHash: hashText(orderHash),
    orderStatus: isWord ? orderStatus : null,
  })
})
