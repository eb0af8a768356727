import { deepFreeze } from '../../../base/frozen.ts'
import { DAY_MS, MINUTE_MS, type Ms } from '../../../base/time.ts'
import type { Tzs36, Usd54 } from '../../ledger/book/value.ts'
import type { FillPricing } from '../../ledger/fills/pricing.ts'
import { BPS } from '../../../base/money/bps.ts'
import { RATE_ONE } from '../../../base/money/rate.ts'
import type { Fill } from '../../ledger/fills/fill.ts'
import { isStable, type RoutedStable, type StableAsset } from '../../../base/money/asset.ts'
import { segmentOf } from '../../models/flow/taker-segments.ts'
import type { Side } from '../../../base/money/side.ts'
import type { RecentFill } from '../../strategy/context.ts'

/** A fill for display; its amounts become text only when it is shown. */
export type ShownFill = Pick<Fill, 'id' | 'side' | 'inAsset' | 'amountIn' | 'outAsset' | 'amountOut'> & {
  readonly at: Ms | null
  readonly seenAt: Ms
}

/** The figures at the start of a UTC day. */
type DayStart = { readonly day: number; readonly pnlUsd: Usd54; readonly fills: number }

/** Sums over the fills that wait for the next update of the mid, each divided by its own fair value. */
export type OpenFills = {
  fills: number
  usd: number
  shillingsAtFill: number
  dollarsAtFill: number
  /** Dollars times bps earned at the fair value of each fill. */
  edge: number
}

/** The fills before one update of the mid; `sum` is dollars times bps. Replaced, never changed. */
export type SettledFills = {
  /** When that mid was published, on the venue's clock if stated. */
  readonly updatedAt: Ms
  readonly fills: number
  readonly usd: number
  readonly sum: number
  readonly edge: number
}

/** Markouts at the next update of the mid. Plain data of constant size, in snapshots; no booking depends on it. */
export type MarkoutState = {
  open: Record<Side, OpenFills>
  /** Latest update last, at most thirty per side. */
  settled: Record<Side, SettledFills[]>
  /** When the mid in force was published; null = no update since the first fill. */
  updatedAt: Ms | null
  /** The time of an update whose rows may still be incomplete; null = no markouts are due. */
  dueAt: Ms | null
}

export type FlowState = {
  /** Most recent first: the last hundred, and all of the last minute. */
  recent: RecentFill[]
  /** For people, most recent first, at most 20. */
  last: ShownFill[]
  count: Record<Side, number>
  volumeUsd: Record<Side, bigint>
  /** Dollars at 18 decimals by five-minute bucket, oldest first, a day's worth. */
  buckets: { at: Ms; bid: bigint; ask: bigint }[]
  /** The sum of the buckets. */
  day: Record<Side, bigint>
  /** Fills that no formula explains yet, and when they were booked. */
  unexplained: readonly { readonly fill: Fill; readonly at: Ms }[]
  /** Total gains from takers' slippage, a part of the spread capture; absent = 0. */
  slippageTzs?: Tzs36
  /** Absent on the position's first day, and in an older snapshot until the next day begins. */
  today?: DayStart
  /** Absent before the first fill, and in an older snapshot. */
  markouts?: MarkoutState
  /** Markouts of fills whose pair has its own execution mid; absent until the first one. */
  pairMarkouts?: Partial<Record<RoutedStable, MarkoutState>>
}

const RECENT = 100
const SHOWN = 20
const BUCKET_MS = 5 * MINUTE_MS

export function createFlow(): FlowState {
  return {
    recent: [],
    last: [],
    count: { bid: 0, ask: 0 },
    volumeUsd: { bid: 0n, ask: 0n },
    buckets: [],
    day: { bid: 0n, ask: 0n },
    unexplained: [],
    today: undefined,
  }
}

/** Counts a posted fill and returns its dollars at 18 decimals. */
export function countFill(flow: FlowState, now: Ms, fill: Fill): bigint {
  const { side, inAsset, amountIn, outAsset, amountOut, taker } = fill
  const stable = isStable(inAsset) ? inAsset : (outAsset as StableAsset)
  const usd18 = isStable(inAsset) ? amountIn : amountOut
  const usd = Number(usd18) / 1e18
  const recent = { at: now, side, stable, usd }
  flow.recent.unshift(
    taker === undefined ? recent : { ...recent, taker: { ...taker, wallet: segmentOf(taker, 'wallet') } },
  )
  while (flow.recent.length > RECENT && isForgotten(flow.recent.at(-1), now)) flow.recent.pop()
  flow.count[side] += 1
  flow.volumeUsd[side] += usd18
  const at = Math.floor(now / BUCKET_MS) * BUCKET_MS
  let last = flow.buckets.at(-1)
  if (last === undefined || last.at < at) {
    last = { at, bid: 0n, ask: 0n }
    flow.buckets.push(last)
  }
  last[side] += usd18
  flow.day[side] += usd18
  return usd18
}

/** Counts our gain from the slippage of a fill, if its explanation names any. */
export function countSlippage(
  flow: FlowState,
  { outAsset }: Fill,
  { gross, mid, slippageBps }: Pick<FillPricing, 'gross' | 'mid' | 'slippageBps'>,
): void {
  if (slippageBps === null || mid === null) return
  const letGo = (gross * BigInt(slippageBps)) / BPS
  flow.slippageTzs = (flow.slippageTzs ?? 0n) + letGo * (outAsset === 'NTZS' ? RATE_ONE : mid)
}

/** Keeps a fill for display. */
export function showFill(flow: FlowState, now: Ms, fill: Fill): void {
  const { id, side, inAsset, amountIn, outAsset, amountOut, createdAt } = fill
  flow.last.unshift({ id, side, inAsset, amountIn, outAsset, amountOut, at: createdAt, seenAt: now })
  if (flow.last.length > SHOWN) flow.last.pop()
}

/** Returns a copy of the list of the latest fills for a strategy. The fills are the state's objects and are frozen. */
export function latestFills(flow: FlowState): RecentFill[] {
  const latest = flow.recent.slice(0, RECENT)
  for (const fill of latest) {
    // Newest first: everything after a frozen fill is frozen too.
    if (Object.isFrozen(fill)) break
    deepFreeze(fill)
  }
  return latest
}

export function fillsLastMinute(flow: FlowState, now: Ms): number {
  let count = 0
  for (const fill of flow.recent) {
    if (now - fill.at >= MINUTE_MS) break
    count += 1
  }
  return count
}

/** Dollars per side over a rolling day; the oldest five minutes count in full, which errs on the safe side. */
export function volumeLastDay(flow: FlowState, now: Ms): Readonly<Record<Side, bigint>> {
  const { buckets, day } = flow
  for (let oldest = buckets[0]; oldest !== undefined; oldest = buckets[0]) {
    if (oldest.at + BUCKET_MS + DAY_MS > now) break
    day.bid -= oldest.bid
    day.ask -= oldest.ask
    buckets.shift()
  }
  return day
}

/** Keeps all fills of the last minute, regardless of number, because a risk limit counts them. */
function isForgotten(oldest: RecentFill | undefined, now: Ms): boolean {
  return oldest === undefined || now - oldest.at >= MINUTE_MS
}
