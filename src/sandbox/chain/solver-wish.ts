import { isAddressEqual, type Address } from 'viem'
import type { Random } from '../../base/random.ts'
import { happens } from '../fill-rows.ts'
import { TOKENS } from '../tokens.ts'
import { count, type TakenOrder, type VenueState } from '../venue-state.ts'
import type { ChainRpc } from './chain-rpc.ts'
import { fillOrder } from './fill-order.ts'
import { lookAtOrders, type OrderLook } from './look-at-orders.ts'

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
