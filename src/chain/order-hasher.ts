import { hashTypedData } from 'viem'
import type { Hex, RfqOrder } from '../rfq/rfq-order.ts'
import { RFQ_ORDER_TYPES } from '../rfq/exchange-abi.ts'

/** Orders are asked about at every reading and hashing one takes a quarter of a millisecond. */
const KEPT = 10_000

/**
 * What the exchange's getRfqOrderHash must give for an order, worked out here: an endpoint that speaks of
 * another order, another contract or another chain cannot name it. Remembers what it hashed lately.
 */
export function createOrderHasher(chainId: number, exchange: Hex): (order: RfqOrder) => Hex {
  const domain = { name: 'ZeroEx', version: '1.0.0', chainId, verifyingContract: exchange }
  const kept = new Map<bigint, { readonly order: RfqOrder; readonly hash: Hex }>()
  return (order) => {
    const known = kept.get(order.salt)
    if (known !== undefined && isSame(known.order, order)) return known.hash
    const hash = hashTypedData({ domain, types: RFQ_ORDER_TYPES, primaryType: 'RfqOrder', message: order })
    if (kept.size >= KEPT) kept.clear()
    kept.set(order.salt, { order, hash })
    return hash
  }
}

function isSame(a: RfqOrder, b: RfqOrder): boolean {
  return a === b || RFQ_ORDER_TYPES.RfqOrder.every(({ name }) => a[name] === b[name])
}
