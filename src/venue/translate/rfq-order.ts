import { err, ok, type Result } from '../../base/result.ts'
import type { RfqOrderAnswer } from '../answer.ts'
import { rfqOrderBody } from '../route/rfq-order.ts'
import { problemOf } from './problem.ts'

const MAX_TEXT = 200

/**
 * What a refusal of an order means where the body names no code. Of the contract's two 409, one says how the order
 * ended in `orderStatus`; the other one is for a position that is not in self-custody.
 */
export function codeOfOrderRefusal(
  status: number,
  { orderStatus }: Readonly<Record<string, unknown>>,
): string | null {
  if (status === 409) return typeof orderStatus === 'string' ? 'ORDER_NOT_FILLABLE' : 'NOT_SELF_CUSTODY'
  return status === 400 ? 'BAD_ORDER' : null
}

/** The answer to an order: its shape is not in the contract, so only its hash and status are looked for. */
export function translateRfqOrder(body: unknown): Result<RfqOrderAnswer, string> {
  const parsed = rfqOrderBody.safeParse(body)
  if (!parsed.success) return err(problemOf(parsed.error))
  const { orderHash, orderStatus } = parsed.data
  return ok({
    type: 'rfqOrder',
    orderHash: textOf(orderHash),
    orderStatus: textOf(orderStatus),
  })
}

/** A hash has 66 characters and a status fewer: anything longer is neither. */
function textOf(value: unknown): string | null {
  return typeof value === 'string' && value.length <= MAX_TEXT ? value : null
}
