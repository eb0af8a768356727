import type { ChainFill, ChainReading, OrderReading } from './chain-reading.ts'
import type { OpenOrder } from './open-order.ts'
import type { RecentOrderFill, RfqState } from './state.ts'

/** How a promise ended. */
export type OrderEnd = 'filled' | 'cancelled' | 'expired'

/** What a reading says that was not known. */
export type ChainChanges = {
  /** To be booked, oldest first. */
  readonly fills: readonly NewFill[]
  /** Booked, and gone from the chain: a reorganisation took their block away. */
  readonly undone: readonly RecentOrderFill[]
  /** Over for good; they are owed no more. */
  readonly ended: readonly { readonly owed: OpenOrder; readonly how: OrderEnd }[]
  /** Orders whose filled amount is not the sum of their fills: somebody does not tell the truth. */
  readonly mismatched: readonly OpenOrder[]
}

/** `owed` null = an order that is not known. It may have ended for good in the same reading. */
export type NewFill = { readonly fill: ChainFill; readonly owed: OpenOrder | null }

/** A reading whose orders may come without their hash. */
export type RecordedReading = Omit<ChainReading, 'orders'> & { readonly orders: readonly RecordedOrder[] }

export type RecordedOrder = Omit<OrderReading, 'hash'> & { readonly hash: OrderReading['hash'] | null }

const NO_NEWS: ChainChanges = { fills: [], undone: [], ended: [], mismatched: [] }
const KEPT_TRANSACTIONS = 2_000

/**
 * Lets a reading change what is owed. The fills of blocks that are not final are compared as a whole, so
 * it does not matter which reading missed one or which block was replaced. An end counts once
 * `confirmations` blocks stand on it. A head behind the last one says nothing new.
 */
export function applyReading(
  state: RfqState,
  reading: RecordedReading,
  readAt: number,
  confirmations: number,
): ChainChanges {
  const { head } = reading
  if (state.chain !== null && head.number < state.chain.head.number) return NO_NEWS
  const isFirst = state.fillsFrom === null
  state.chain = {
    head,
    readAt,
    balances: reading.balances,
    allowances: reading.allowances,
    gasPriceWei: reading.gasPriceWei,
  }
  // What was filled up to the first reading is in the balances that the books open with.
  if (isFirst) {
    state.fillsFrom = head.number + 1n
    return NO_NEWS
  }
  if (reading.isReorganised === true) countAnew(state)
  const final = head.number - BigInt(confirmations)
  const { fresh, undone } = compareFills(state, reading)
  for (const { fill } of undone) addFilled(orderOfFill(state, fill), fill, -1n)
  const fills = fresh.map((fill): NewFill => ({ fill, owed: orderOfFill(state, fill) }))
  for (const { fill, owed } of fills) addFilled(owed, fill, 1n)
  const mismatched: OpenOrder[] = []
  const ended: { owed: OpenOrder; how: OrderEnd }[] = []
  for (const order of reading.orders) {
    const owed = state.owed[order.salt.toString()]
    if (owed === undefined) continue
    if (order.takerFilled !== owed.takerFilled) {
      mismatched.push(owed)
      continue
    }
    const how = endOf(owed, order, reading)
    noteEnd(owed, order, how, head.number)
    if (how === null || endedSince(owed, reading) > final) continue
    delete state.owed[order.salt.toString()]
    ended.push({ owed, how })
  }
  // A fill that only the states tell of may still turn up: an endpoint's logs can be behind its states.
  if (mismatched.length === 0) moveOn(state, final)
  return { fills, undone, ended, mismatched }
}

/** What ended an order may stand in a later block now than where it was seen first. */
function countAnew({ owed }: RfqState): void {
  for (const one of Object.values(owed)) one.endedAt = null
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
      // A reorganisation may have moved it to another block, which is the one that has to become final.
      kept.push({ ...recent, fill: { ...fill, block: again.block } })
      known.add(fill.key)
    } else if (fill.block < fillsFrom) kept.push(recent)
    else undone.push(recent)
  }
  state.recentFills = kept
  const from = state.fillsFrom ?? 0n
  return { fresh: fills.filter(({ key, block }) => block >= from && !known.has(key)), undone }
}

/** The same transaction can fill less where another one came before it after all. */
function isSameFill(a: ChainFill, b: ChainFill): boolean {
  return a.orderHash === b.orderHash && a.makerAmount === b.makerAmount && a.takerAmount === b.takerAmount
}

function addFilled(owed: OpenOrder | null, fill: ChainFill, sign: 1n | -1n): void {
  if (owed === null) return
  // Where it had ended before, the chain that said so is gone.
  owed.endedAt = null
  owed.makerFilled += sign * fill.makerAmount
  owed.takerFilled += sign * fill.takerAmount
}

/** Past its expiry by the chain's own time: a chain that stood still goes on with the time it had. */
function endOf({ order }: OpenOrder, { status }: RecordedOrder, { head }: RecordedReading): OrderEnd | null {
  if (status === 'FILLED') return 'filled'
  if (status === 'CANCELLED') return 'cancelled'
  return Number(order.expiry) * 1_000 <= head.t ? 'expired' : null
}

function noteEnd(owed: OpenOrder, order: RecordedOrder, how: OrderEnd | null, head: bigint): void {
  owed.hash = order.hash ?? owed.hash
  owed.status = order.status
  if (how === null) owed.endedAt = null
  else owed.endedAt ??= head
}

/** The block that has to be final before its end is: a reorganisation may have moved its last fill up. */
function endedSince({ endedAt, hash }: OpenOrder, { fills, head }: RecordedReading): bigint {
  const blocks = fills.filter(({ orderHash }) => orderHash === hash).map(({ block }) => block)
  return blocks.reduce((last, block) => (block > last ? block : last), endedAt ?? head.number)
}

/** Blocks up to here are final: their fills need not be compared again. */
function moveOn(state: RfqState, final: bigint): void {
  if (state.fillsFrom === null || final < state.fillsFrom) return
  state.fillsFrom = final + 1n
  state.recentFills = state.recentFills.filter(({ fill }) => fill.block > final)
}

/** The order that a fill belongs to; null = none that is owed. */
export function orderOfFill({ owed }: RfqState, { salt, orderHash }: ChainFill): OpenOrder | null {
  const bySalt = salt === null ? undefined : owed[salt.toString()]
  // It may have been placed after the reading was asked for.
  return bySalt ?? Object.values(owed).find(({ hash }) => hash === orderHash) ?? null
}

/** Remembers a fill as booked, at that mid. */
export function recordBookedFill(state: RfqState, recent: RecentOrderFill): void {
  state.recentFills.push(recent)
  state.bookedTransactions.push(recent.fill.txHash)
  if (state.bookedTransactions.length > KEPT_TRANSACTIONS) state.bookedTransactions.shift()
}
