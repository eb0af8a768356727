import { hashTypedData } from 'viem'
import type { Hex, RfqOrder } from '../rfq/rfq-order.ts'

const TYPES = {
  RfqOrder: [
    { name: 'makerToken', type: 'address' },
    { name: 'takerToken', type: 'address' },
    { name: 'makerAmount', type: 'uint128' },
    { name: 'takerAmount', type: 'uint128' },
    { name: 'maker', type: 'address' },
    { name: 'taker', type: 'address' },
    { name: 'txOrigin', type: 'address' },
    { name: 'pool', type: 'bytes32' },
    { name: 'expiry', type: 'uint64' },
    { name: 'salt', type: 'uint256' },
  ],
} as const

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
    const hash = hashTypedData({ domain, types: TYPES, primaryType: 'RfqOrder', message: order })
    if (kept.size >= KEPT) kept.clear()
    kept.set(order.salt, { order, hash })
    return hash
  }
}

function isSame(a: RfqOrder, b: RfqOrder): boolean {
  return a === b || TYPES.RfqOrder.every(({ name }) => a[name] === b[name])
}
