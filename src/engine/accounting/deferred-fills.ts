import { SECOND_MS } from '../../base/time.ts'
import type { PostedFill } from '../../ledger/fills/fees.ts'
import type { Fill } from '../../ledger/fills/fill.ts'
import { classifyFill, rememberFill } from '../../ledger/fills/dedupe.ts'
import { bookFill } from './on-fills.ts'
import type { Transition } from '../transition.ts'

/** A fill of an order is on the chain for this long before a venue's row of it is taken for something else. */
const CHAIN_PATIENCE_MS = 30 * SECOND_MS

/**
 * Whether a venue lists fills of orders among those of the pool is not in its contract, and no unit may
 * be counted twice. In self-custody, and after it while an order is owed, a new row therefore waits until the
 * chain has told, unless the venue says that the capital is in its pool; one whose transaction was booked from
 * the chain is dropped. Returns the rows to be taken now.
 */
export function deferFills({ state, now }: Transition, rows: readonly Fill[]): readonly Fill[] {
  const { completeness, rfq, orders, activation, config } = state
  const isPooled = activation.isActive === true
  const waits = config.rfq !== null || (Object.keys(rfq.owed).length > 0 && !isPooled)
  const hadOrders = orders.heldRows.length > 0 || rfq.bookedTransactions.length > 0
  if (!(waits || hadOrders) || !completeness.opened) return rows
  // With pooled capital nobody reads the chain: what waited for it waits in vain.
  const back = waits ? [] : orders.heldRows.splice(0).map(({ fill }) => fill)
  const taken: Fill[] = []
  for (const fill of [...back, ...rows]) {
    if (classifyFill(completeness.memory, fill) !== 'new') taken.push(fill)
    else if (isBooked(rfq.bookedTransactions, fill)) rememberFill(completeness.memory, fill)
    // After a restart nobody knows yet where the capital is.
    else if (!waits || isPooled) taken.push(fill)
    else orders.heldRows.push({ fill, seenAt: now })
  }
  return taken
}

/** Drops held rows that the chain has booked, and books those that it does not know after half a minute; returns these. */
export function releaseDeferredFills(transition: Transition): PostedFill[] {
  const { state } = transition
  const posted: PostedFill[] = []
  const { rfq, orders, completeness } = state
  const seenUpTo = rfq.chain?.head.t ?? 0
  orders.heldRows = orders.heldRows.filter(({ fill, seenAt }) => {
    const isOrders = isBooked(rfq.bookedTransactions, fill)
    if (!isOrders && seenUpTo < Math.max(seenAt, fill.createdAt ?? 0) + CHAIN_PATIENCE_MS) return true
    if (classifyFill(completeness.memory, fill) !== 'new') return false
    rememberFill(completeness.memory, fill)
    if (isOrders) return false
    posted.push(bookFill(transition, fill))
    transition.requestDecision('fill')
    return false
  })
  return posted
}

function isBooked(transactions: readonly string[], { txHash }: Fill): boolean {
  return txHash !== null && transactions.includes(txHash.toLowerCase())
}
