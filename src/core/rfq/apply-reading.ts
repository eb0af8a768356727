import { bookAmounts } from '../../base/money/asset.ts'
import type { ChainFill, ChainReading, OrderReading } from './chain-reading.ts'
import type { OpenOrder } from './open-order.ts'
import type { RecentOrderFill, RfqState } from './state.ts'

/** How an open order ended. */
export type OrderEnd = 'filled' | 'cancelled' | 'expired'

/** The changes in a reading. */
export type ChainChanges = {
  /** Fills to book, oldest first. */
  readonly fills: readonly NewFill[]
  /** Booked fills whose block a reorganisation removed from the chain. */
  readonly undone: readonly RecentOrderFill[]
  /** Orders whose end is final; they are no longer open. */
  readonly ended: readonly { readonly open: OpenOrder; readonly how: OrderEnd }[]
  /** Orders whose filled amount differs from the sum of their fills: the endpoint contradicts itself. */
  readonly mismatched: readonly OpenOrder[]
}

/** `open` null = a fill of an unknown order. The same reading may end the order. */
export type NewFill = { readonly fill: ChainFill; readonly open: OpenOrder | null }

/** A reading as stored in the journal, where orders may lack their hash. */
export type RecordedReading = Omit<ChainReading, 'orders'> & { readonly orders: readonly RecordedOrder[] }

type RecordedOrder = Omit<OrderReading, 'hash'> & { readonly hash: OrderReading['hash'] | null }

const NO_CHANGES: ChainChanges = { fills: [], undone: [], ended: [], mismatched: [] }

/**
 * Updates the open orders from a reading. The fills in blocks that are not final are compared as a whole, so it does not matter
 * which reading missed one or which block was replaced. An end is final once `confirmations` blocks follow it. A head behind
 * the last one changes nothing.
 */
export function applyReading(
  state: RfqState,
  reading: RecordedReading,
  readAt: number,
  confirmations: number,
): ChainChanges {
  const { head } = reading
  if (state.chain !== null && head.number < state.chain.head.number) return NO_CHANGES
  const isFirst = state.fillsFrom === null
  state.chain = {
    head,
    readAt,
    balances: bookAmounts(reading.balances),
    allowances: bookAmounts(reading.allowances),
    gasPriceWei: reading.gasPriceWei,
  }
  // Fills up to the first reading are in the balances that the books open with.
  if (isFirst) {
    state.fillsFrom = head.number + 1n
    return NO_CHANGES
  }
  if (reading.isReorganised === true) forgetEnds(state)
  const final = head.number - BigInt(confirmations)
  const { fresh, undone } = compareFills(state, reading)
  for (const { fill } of undone) addFilled(orderOfFill(state, fill), fill, -1n)
  const fills = fresh.map((fill): NewFill => ({ fill, open: orderOfFill(state, fill) }))
  for (const { fill, open } of fills) addFilled(open, fill, 1n)
  const mismatched: OpenOrder[] = []
  const ended: { open: OpenOrder; how: OrderEnd }[] = []
  for (const order of reading.orders) {
    const open = state.openOrders[order.salt.toString()]
    if (open === undefined) continue
    if (order.takerFilled !== open.takerFilled) {
      mismatched.push(open)
      continue
    }
    const how = endOf(open, order, reading)
    recordEnd(open, order, how, head.number)
    if (how === null || endedSince(open, reading) > final) continue
    delete state.openOrders[order.salt.toString()]
    if (how !== 'filled') state.counts[how] += 1
    ended.push({ open, how })
  }
  // A fill that only the order states show may still appear: an endpoint's logs can lag behind its states.
  if (mismatched.length === 0) finalise(state, final)
  return { fills, undone, ended, mismatched }
}

/** After a reorganisation the end of an order may be in a later block than before. */
function forgetEnds({ openOrders }: RfqState): void {
  for (const open of Object.values(openOrders)) open.endedAt = null
}

function compareFills(
  state: RfqState,
  { fills, fillsFrom }: RecordedReading,
): { readonly fresh: readonly ChainFill[]; readonly undone: readonly RecentOrderFill[] } {
  const read = new Map(fills.map((fill) => [fill.key, fill]))
  const undone: RecentOrderFill[] = []
  const kept: RecentOrderFill[] = []
  const known = new Set<string>()
  for (const recent of state.recentFills) {
    const { fill } = recent
    const again = read.get(fill.key)
    if (again !== undefined && isSameFill(again, fill)) {
      // A reorganisation may have moved it to another block, which now has to become final.
      kept.push({ ...recent, fill: { ...fill, block: again.block } })
      known.add(fill.key)
    } else if (fill.block < fillsFrom) kept.push(recent)
    else undone.push(recent)
  }
  state.recentFills = kept
  const from = state.fillsFrom ?? 0n
  return { fresh: fills.filter(({ key, block }) => block >= from && !known.has(key)), undone }
}

/** After a reorganisation the same transaction can fill less, because a different one preceded it. */
function isSameFill(a: ChainFill, b: ChainFill): boolean {
  return a.orderHash === b.orderHash && a.makerAmount === b.makerAmount && a.takerAmount === b.takerAmount
}

function addFilled(open: OpenOrder | null, fill: ChainFill, sign: 1n | -1n): void {
  if (open === null) return
  // An end recorded before this fill belongs to a chain that a reorganisation replaced.
  open.endedAt = null
  open.makerFilled += sign * fill.makerAmount
  open.takerFilled += sign * fill.takerAmount
}

/** An order expires by the chain's own time: a chain that stalled continues from its last time. */
function endOf({ order }: OpenOrder, { status }: RecordedOrder, { head }: RecordedReading): OrderEnd | null {
  if (status === 'FILLED') return 'filled'
  if (status === 'CANCELLED') return 'cancelled'
  return Number(order.expiry) * 1_000 <= head.t ? 'expired' : null
}

function recordEnd(open: OpenOrder, order: RecordedOrder, how: OrderEnd | null, head: bigint): void {
  open.hash = order.hash ?? open.hash
  open.status = order.status
  if (how === null) open.endedAt = null
  else open.endedAt ??= head
}

/** The block that has to be final before the end is final: a reorganisation may have moved the last fill up. */
function endedSince({ endedAt, hash }: OpenOrder, { fills, head }: RecordedReading): bigint {
  const blocks = fills.filter(({ orderHash }) => orderHash === hash).map(({ block }) => block)
  return blocks.reduce((last, block) => (block > last ? block : last), endedAt ?? head.number)
}

/** Blocks up to `final` are final: their fills are not compared again. */
function finalise(state: RfqState, final: bigint): void {
  if (state.fillsFrom === null || final < state.fillsFrom) return
  state.fillsFrom = final + 1n
  state.recentFills = state.recentFills.filter(({ fill }) => fill.block > final)
}

/** Returns the open order that a fill belongs to, or null. */
export function orderOfFill({ openOrders }: RfqState, { salt, orderHash }: ChainFill): OpenOrder | null {
  const bySalt = salt === null ? undefined : openOrders[salt.toString()]
  // It may have been placed after the reading was requested.
  return bySalt ?? Object.values(openOrders).find(({ hash }) => hash === orderHash) ?? null
}
