import { err, type Result } from '../../../base/result.ts'
import type { Ms } from '../../../base/time.ts'
import type { VenueFailure } from '../../../core/engine/model/venue-answer.ts'
import type { ChainReading, SeenBlock } from '../../../core/rfq/chain-reading.ts'
import type { Hex, RfqOrder } from '../../../core/rfq/rfq-order.ts'
import { agreedReading } from './agreed-reading.ts'
import { createBlockAsker } from './block-asker.ts'
import type { ChainSettings } from '../chain.ts'
import type { EndpointPool } from '../rpc/endpoint-pool.ts'
import { createHeadPicker } from './heads.ts'
import { readBlock } from './read-block.ts'
import { rpcFailure, toChainFailure, type RpcFailure } from '../rpc/rpc-failure.ts'
import { hashTypedData } from 'viem'
import { exchangeTypedDomain, RFQ_ORDER_TYPES } from '../../../core/rfq/exchange-abi.ts'

type ChainReader = (
  orders: readonly RfqOrder[],
  fillsFrom: bigint | null,
) => Promise<Result<ChainReading, VenueFailure>>

const ROUTE = 'chain read'

/**
 * Creates a reader that reads at one block. Starts over once if a reorganisation removes the block, and continues with
 * the next endpoint if one fails half-way.
 */
export function createChainReader(pool: EndpointPool, settings: ChainSettings, now: () => Ms): ChainReader {
  const { quorum } = settings
  const pickHead = createHeadPicker(pool, settings, now)
  const hashOf = createOrderHasher(settings.chainId, settings.exchange)
  const parts = { settings, ask: createBlockAsker(), hashOf }

  async function readOnce(
    orders: readonly RfqOrder[],
    fillsFrom: bigint | null,
    after: SeenBlock | null,
  ): Promise<Result<ChainReading, RpcFailure>> {
    const picked = await pickHead()
    if (!picked.ok) return picked
    const { head, endpoints } = picked.value
    const question = { head, orders, fillsFrom, after }
    return agreedReading(endpoints, quorum, pool, (endpoint) => readBlock(endpoint, question, parts))
  }

  return async (orders, fillsFrom, after = null) => {
    const unfit = orders.find((order) => !isEncodable(order, hashOf))
    if (unfit !== undefined) return err(toChainFailure(ROUTE, badOrder(unfit)))
    let hasMoved = false
    for (let left = pool.size; ; left--) {
      const reading = await readOnce(orders, fillsFrom, after)
      if (reading.ok) return reading
      const isMove = reading.error.code === 'HEAD_MOVED'
      const isWorthMore = isMove ? !hasMoved : quorum === 1 && left > 1
      if (!isWorthMore) return err(toChainFailure(ROUTE, reading.error))
      hasMoved = hasMoved || isMove
    }
  }
}

/** viem throws for a field that does not fit its type. */
function isEncodable(order: RfqOrder, hashOf: (order: RfqOrder) => unknown): boolean {
  try {
    hashOf(order)
    return true
  } catch {
    return false
  }
}

function badOrder({ salt }: RfqOrder): RpcFailure {
  const words = `order ${salt} has a field that does not fit the exchange's struct`
  return rpcFailure('refused', words, { code: 'BAD_ORDER', retriable: false })
}

/** Every reading queries the open orders, and hashing one takes a quarter of a millisecond. */
const KEPT = 10_000

/**
 * Computes the result of the exchange's getRfqOrderHash, which an endpoint with another order, contract or chain cannot
 * return. Caches recent hashes.
 */
export function createOrderHasher(chainId: number, exchange: Hex): (order: RfqOrder) => Hex {
  const domain = exchangeTypedDomain(chainId, exchange)
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
