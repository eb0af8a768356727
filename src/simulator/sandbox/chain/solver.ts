import {
  type Address,
  decodeErrorResult,
  decodeFunctionResult,
  encodeFunctionData,
  type Hex,
  isAddressEqual,
} from 'viem'
import type { Random } from '../../../base/random.ts'
import { err, ok, type Result } from '../../../base/result.ts'
import { ORDER_STATUSES, type OrderStatus } from '../../../core/rfq/rfq-order.ts'
import { happens } from '../market/fill-rows.ts'
import { TOKENS } from '../market/tokens.ts'
import { count, type TakenOrder, type VenueState } from '../state.ts'
import { EXCHANGE_ADDRESS } from './addresses.ts'
import { EXCHANGE, lookAtOrders, type OrderLook, type SignedOrderShape } from './order-states.ts'
import { type ChainRpc, RevertedError, SimulatedRpcFailure, sendAs } from './rpc.ts'

/** The number of best orders considered for one fill. */
const BEST_FEW = 40

/**
 * Makes one fill by the solver: a random side, and on it the best order that can be filled, completely or in part.
 * Returns whether a fill was made. `random` decides the side and whether to fill; the chain decides what can be
 * filled. Rejects if the chain does not answer.
 */
export async function solverWish(
  venue: VenueState,
  rpc: ChainRpc,
  random: Random,
  chainNow: number,
): Promise<boolean> {
  const { policy, chance, parts, lateMs } = venue.options.solver
  const wantsShillings = random() < 0.5
  if (policy === 'never' || !happens(chance, random)) return false
  const orders = [...venue.orders.values()]
    .filter(({ order, expiry }) => {
      const leftMs = expiry - chainNow
      return paysShillings(order) === wantsShillings && leftMs > 0 && (policy !== 'late' || leftMs <= lateMs)
    })
    .toSorted((a, b) => byPrice(a, b))
    .slice(0, BEST_FEW)
  const looks = orders.length === 0 ? [] : await lookAtOrders(rpc, orders)
  const amounts = looks.map((look, index) => canTake((orders[index] as TakenOrder).order, look))
  const index = amounts.findIndex((amount) => amount > 0n)
  const chosen = orders[index]
  const most = amounts[index]
  if (chosen === undefined || most === undefined) {
    count(venue, 'solver: found nothing')
    return false
  }
  const part = (chosen.order.takerAmount + BigInt(parts) - 1n) / BigInt(parts)
  const amount = part < most ? part : most
  const done = await fillOrder(rpc, chosen, amount, venue.options.rfq.solverWallet as Address)
  count(venue, done.ok ? 'solver: filled' : `solver: ${done.error.error}`)
  return done.ok
}

/**
 * If the maker's balance or allowance is the limit, the exchange rounds the fillable amount up, and filling exactly
 * that amount would need a fraction of a unit more.
 */
function canTake({ takerAmount }: TakenOrder['order'], { status, fillable, takerFilled }: OrderLook): bigint {
  if (status !== 'FILLABLE') return 0n
  return fillable < takerAmount - takerFilled ? fillable - 1n : fillable
}

function paysShillings({ makerToken }: TakenOrder['order']): boolean {
  return isAddressEqual(makerToken, TOKENS.NTZS.address)
}

/** A larger amount of the maker's token per unit of ours is better; both dollars have equal decimals. */
function byPrice({ order: a }: TakenOrder, { order: b }: TakenOrder): number {
  const left = a.makerAmount * b.takerAmount
  const right = b.makerAmount * a.takerAmount
  return left === right ? 0 : left > right ? -1 : 1
}

export type OrderFilled = {
  readonly txHash: Hex
  readonly takerAmount: bigint
  readonly makerAmount: bigint
}
/** The reason of the exchange or a token for refusing: the error's name (rfq.md lists the rich ones), or `Reverted`. */
export type FillRefusal = { readonly error: string; readonly orderStatus: OrderStatus | null }

/** Fills up to this amount of an order from the taker's wallet and waits until it is mined. Rejects only if the chain does not answer. */
export async function fillOrder(
  rpc: ChainRpc,
  { order, signature }: SignedOrderShape,
  takerAmount: bigint,
  from: Address,
): Promise<Result<OrderFilled, FillRefusal>> {
  const call = { abi: EXCHANGE, functionName: 'fillRfqOrder' } as const
  const data = encodeFunctionData({ ...call, args: [order, signature, takerAmount] })
  const transaction = { from, to: EXCHANGE_ADDRESS, data }
  try {
    const answer = (await rpc('eth_call', [transaction, 'latest'])) as Hex
    const [taken, given] = decodeFunctionResult({ ...call, data: answer })
    const { transactionHash } = await sendAs(rpc, transaction)
    return ok({ txHash: transactionHash, takerAmount: taken, makerAmount: given })
  } catch (error) {
    if (error instanceof SimulatedRpcFailure) return err(refusalOf(error.data))
    // Between the look-up and the block the order was cancelled or filled, or its tokens were moved.
    if (error instanceof RevertedError) return err(refusalOf(null))
    throw error
  }
}

function refusalOf(data: Hex | null): FillRefusal {
  if (data === null || data === '0x') return { error: 'Reverted', orderStatus: null }
  try {
    const { errorName, args } = decodeErrorResult({ abi: EXCHANGE, data })
    const orderStatus = errorName === 'OrderNotFillableError' ? (ORDER_STATUSES[args[1]] ?? null) : null
    return { error: errorName, orderStatus }
  } catch {
    // The exchange's ABI does not have this error, so it is a token's.
    return { error: 'Reverted', orderStatus: null }
  }
}
