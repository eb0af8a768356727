import { decodeFunctionResult, encodeFunctionData, parseAbi } from 'viem'
import { err, ok, type Result } from '../../../base/result.ts'
import type { OrderReading } from '../../../core/rfq/chain-reading.ts'
import { EXCHANGE_ABI } from '../../../core/rfq/exchange-abi.ts'
import { ORDER_STATUSES, type Hex, type RfqOrder } from '../../../core/rfq/rfq-order.ts'
import type { BlockAsker } from './block-asker.ts'
import type { ChainHead } from './heads.ts'
import { decoded, hexOf } from '../rpc/decode.ts'
import { rpcFailure, type RpcFailure } from '../rpc/rpc-failure.ts'
import type { RpcEndpoint } from '../rpc/rpc-endpoint.ts'

type OrderStatesParts = {
  readonly ask: BlockAsker
  readonly endpoint: RpcEndpoint
  readonly head: ChainHead
  readonly exchange: Hex
  readonly hashOf: (order: RfqOrder) => Hex
}

const ABI = parseAbi(EXCHANGE_ABI)
/**
 * A well-formed signature of an unknown key: r is the x of secp256k1's generator. The contract's batch call swallows
 * every revert, even for an illegal signature, and returns INVALID for a good order. It recovers some address from this
 * one, so that only isSignatureValid, which is not read, is meaningless.
 */
const PLACEHOLDER_SIGNATURE = {
  signatureType: 2,
  v: 27,
  r: '0x79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798',
  s: `0x${'1'.padStart(64, '0')}`,
} as const
const NO_HASH = `0x${'0'.repeat(64)}`

/**
 * Returns the states of orders at a block, in their order. Uses one call, which is halved if it is too large for a
 * node. Fails with CHAIN_MISMATCH if the exchange's hash of an order differs from ours.
 */
export async function readOrderStates(
  orders: readonly RfqOrder[],
  parts: OrderStatesParts,
): Promise<Result<readonly OrderReading[], RpcFailure>> {
  if (orders.length === 0) return ok([])
  const { ask, endpoint, head, exchange } = parts
  const data = encodeFunctionData({
    abi: ABI,
    functionName: 'batchGetRfqOrderRelevantStates',
    args: [orders, orders.map(() => PLACEHOLDER_SIGNATURE)],
  })
  const call = { to: exchange, data }
  const answer = await ask(endpoint, head, (tag) => [{ method: 'eth_call', params: [call, tag] }])
  if (!answer.ok) {
    const isTooMuch = answer.error.kind === 'refused' || answer.error.code === 'TOO_LARGE'
    return isTooMuch && orders.length > 1 ? inHalves(orders, parts) : answer
  }
  const [reply] = answer.value
  if (reply === undefined || !reply.ok) {
    if (orders.length > 1) return inHalves(orders, parts)
    const why = reply === undefined ? 'no answer' : `${reply.error.message} (${reply.error.code})`
    return err(rpcFailure('refused', `${endpoint.label}: the exchange cannot be read: ${why}`))
  }
  const states = decoded(endpoint, () => ok(statesOf(orders, hexOf(reply.value, 'the states of orders'))))
  if (!states.ok) return states
  // Without enough gas for all orders the contract returns zeros for the rest.
  if (orders.length > 1 && states.value.some(({ hash }) => hash === NO_HASH)) return inHalves(orders, parts)
  return checked(orders, states.value, parts)
}

async function inHalves(
  orders: readonly RfqOrder[],
  parts: OrderStatesParts,
): Promise<Result<readonly OrderReading[], RpcFailure>> {
  const middle = Math.ceil(orders.length / 2)
  const first = await readOrderStates(orders.slice(0, middle), parts)
  if (!first.ok) return first
  const second = await readOrderStates(orders.slice(middle), parts)
  return second.ok ? ok([...first.value, ...second.value]) : second
}

function statesOf(orders: readonly RfqOrder[], data: Hex): readonly OrderReading[] {
  const [infos] = decodeFunctionResult({ abi: ABI, functionName: 'batchGetRfqOrderRelevantStates', data })
  return orders.map(({ salt }, index) => {
    const info = infos[index]
    const status = ORDER_STATUSES[info?.status ?? -1]
    if (info === undefined || infos.length !== orders.length || status === undefined) {
      throw new RangeError('a state is missing or unknown')
    }
    return { salt, hash: info.orderHash, status, takerFilled: info.takerTokenFilledAmount }
  })
}

function checked(
  orders: readonly RfqOrder[],
  states: readonly OrderReading[],
  { endpoint, hashOf }: OrderStatesParts,
): Result<readonly OrderReading[], RpcFailure> {
  for (const [index, order] of orders.entries()) {
    const ours = hashOf(order)
    const theirs = states[index]?.hash
    if (ours === theirs) continue
    const words = `${endpoint.label}: the exchange computes hash ${theirs} for order ${order.salt}, here it is ${ours}`
    return err(rpcFailure('malformed', words, { code: 'CHAIN_MISMATCH', retriable: false }))
  }
  return ok(states)
}
