import { SECOND_MS } from '../../../base/time.ts'
import type { Fill } from '../../ledger/fills/fill.ts'
import { classifyFill, rememberFill } from '../../ledger/fills/dedupe.ts'
import type { Transition } from '../transition.ts'
import { releaseRows, holdRow } from '../model/order-state.ts'

/** A row of the venue counts as a fill of the pool if the chain has not shown it as a fill of an order within this time. */
const CHAIN_TIMEOUT_MS = 30 * SECOND_MS

/**
 * Returns the rows of GET /fills to book now. The contract does not define whether a venue lists fills of orders together with
 * fills of the pool, and no unit may be booked twice. So in self-custody, and afterwards while an order is outstanding, a new
 * row waits for the chain unless the venue reports that the capital is in its pool. A row whose transaction was already booked
 * from the chain is dropped.
 */
export function deferFills({ state, now }: Transition, rows: readonly Fill[]): readonly Fill[] {
  const { reconciliation, rfq, orders, activation, config } = state
  const isPooled = activation.isActive === true
  const waits = config.rfq !== null || (Object.keys(rfq.openOrders).length > 0 && !isPooled)
  const hadOrders = orders.heldRows.length > 0 || rfq.bookedTransactions.length > 0
  if (!(waits || hadOrders) || !reconciliation.opened) return rows
  // With pooled capital the chain is not read: the rows that waited for it are booked now.
  const back = waits ? [] : releaseRows(orders, () => true)
  const taken: Fill[] = []
  for (const fill of [...back, ...rows]) {
    if (classifyFill(reconciliation.memory, fill) !== 'new') taken.push(fill)
    else if (isBooked(rfq.bookedTransactions, fill)) rememberFill(reconciliation.memory, fill)
    // After a restart it is not known yet where the capital is.
    else if (!waits || isPooled) taken.push(fill)
    else holdRow(orders, fill, now)
  }
  return taken
}

/** Drops rows that were booked from the chain. Returns the rows that the chain does not show after half a minute. */
export function releaseDeferredFills({ state }: Transition): Fill[] {
  const { rfq, orders, reconciliation } = state
  const seenUpTo = rfq.chain?.head.t ?? 0
  const released = releaseRows(
    orders,
    ({ fill, seenAt }) =>
      isBooked(rfq.bookedTransactions, fill) ||
      seenUpTo >= Math.max(seenAt, fill.createdAt ?? 0) + CHAIN_TIMEOUT_MS,
  )
  return released.filter((fill) => {
    if (classifyFill(reconciliation.memory, fill) !== 'new') return false
    rememberFill(reconciliation.memory, fill)
    return !isBooked(rfq.bookedTransactions, fill)
  })
}

function isBooked(transactions: readonly string[], { txHash }: Fill): boolean {
  return txHash !== null && transactions.includes(txHash.toLowerCase())
}
