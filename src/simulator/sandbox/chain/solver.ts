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

/** No more orders are looked at for one wish. */
const BEST_FEW = 40

/**
 * One wish of the solver: a side at random, and on it the best order that can be filled, whole or a part.
 * True where a fill was made. Which side and whether at all follow from `random`; what can be filled, from
 * the chain. Rejects where the chain does not answer.
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
 * Where the maker's balance or allowance is the limit, the exchange rounds what is fillable up, and a fill
 * of just that would want a fraction of a unit more than there is.
 */
function canTake({ takerAmount }: TakenOrder['order'], { status, fillable, takerFilled }: OrderLook): bigint {
  if (status !== 'FILLABLE') return 0n
  return fillable < takerAmount - takerFilled ? fillable - 1n : fillable
}

function paysShillings({ makerToken }: TakenOrder['order']): boolean {
  return isAddressEqual(makerToken, TOKENS.NTZS.address)
}

/** More of the maker's token for a unit of ours is better; both dollars have equal decimals. */
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
/** Why the exchange or a token refused: the error's name (rfq.md lists the rich ones), or `Reverted`. */
export type FillRefusal = { readonly error: string; readonly orderStatus: OrderStatus | null }

/** Fills up to so much of an order from the taker's wallet, mined. Rejects only where the chain does not answer. */
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
    // An error that the exchange's ABI does not name: a token's own.
    return { error: 'Reverted', orderStatus: null }
  }
}
