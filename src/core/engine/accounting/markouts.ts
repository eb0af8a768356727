import type { Ms } from '../../../base/time.ts'
import type { Fill } from '../../ledger/fills/fill.ts'
import { fairValue } from '../../market/fair-value.ts'
import { clusteredMean } from '../../models/intervals.ts'
import { fairValueOf } from '../../market/pair-mids.ts'
import { isStable, OWNED_TOKENS, pairOf, type RoutedStable } from '../../../base/money/asset.ts'
import { type Rate, rateToNumber } from '../../../base/money/rate.ts'
import { SIDES, type Side } from '../../../base/money/side.ts'
import type { SideMarkouts } from '../../strategy/context.ts'
import type { EngineState } from '../model/state.ts'
import type { MarkoutState, OpenFills, SettledFills } from '../model/flow-state.ts'

/** Number of updates with fills that are kept for each side: six weeks of a mid that is published on working days. */
const REMEMBERED = 30

type Source = Pick<EngineState, 'flow' | 'market' | 'now'>

/**
 * Counts a booked fill towards the markouts of its side: 1e4 (dN + dU M') / (|dU| M), where M is the fair value at the fill,
 * M' the fair value after the next update of the mid, and dN is net of the fee that we pay. A fill that arrives after that
 * update is valued at once. Source: quant.md section 3.
 */
export function countMarkout(state: Source, fill: Fill, debit: bigint): void {
  const { flow, market, now } = state
  const stable = pairOf(fill)
  const fair = fairValueOf(market, stable, now)
  if (fair === null || isStable(fill.inAsset) === isStable(fill.outAsset)) return
  const markouts =
    fair === fairValue(market)
      ? (flow.markouts ??= noMarkouts())
      : ((flow.pairMarkouts ??= {})[stable] ??= noMarkouts())
  const tzsPerUsd = rateToNumber(fair)
  const { dollars, shillings } = changesOf(fill, debit)
  const { updatedAt, dueAt, open, settled } = markouts
  const isLate = fill.createdAt !== null && updatedAt !== null && fill.createdAt < updatedAt
  if (isLate && dueAt === null) {
    const sum = (1e4 * (shillings + dollars * tzsPerUsd)) / tzsPerUsd
    remember(settled[fill.side], { updatedAt, fills: 1, usd: Math.abs(dollars), sum, edge: sum })
    return
  }
  const waiting = open[fill.side]
  waiting.fills += 1
  waiting.usd += Math.abs(dollars)
  waiting.shillingsAtFill += shillings / tzsPerUsd
  waiting.dollarsAtFill += dollars / tzsPerUsd
  waiting.edge += (1e4 * (shillings + dollars * tzsPerUsd)) / tzsPerUsd
}

/**
 * Records a new mid, published at `publishedAt`, for the pair `stable`, or if null for the pair that quotes are derived from.
 * Open fills are settled once all rows of this moment are known.
 */
export function recordRateUpdate(
  { flow, now }: Source,
  publishedAt: Ms | null,
  stable: RoutedStable | null = null,
): void {
  const markouts = stable === null ? flow.markouts : flow.pairMarkouts?.[stable]
  if (markouts === undefined) return
  markouts.updatedAt = publishedAt ?? now
  if (hasOpenFills(markouts)) markouts.dueAt ??= now
}

/** Settles the markouts that were due before this event, at the present fair value. Called before an event changes the state. */
export function settleMarkouts({ flow, market, now }: Source): void {
  settle(flow.markouts, market, now, null)
  if (flow.pairMarkouts === undefined) return
  for (const stable of OWNED_TOKENS) settle(flow.pairMarkouts[stable], market, now, stable)
}

function settle(
  markouts: MarkoutState | undefined,
  market: Source['market'],
  now: Ms,
  stable: RoutedStable | null,
): void {
  if (markouts === undefined || markouts.dueAt === null || now <= markouts.dueAt) return
  const fair = stable === null ? fairValue(market) : fairValueOf(market, stable, now)
  if (fair !== null) settleAt(markouts, markouts.dueAt, fair)
}

/** Values the open fills, which were due at `dueAt`, at this fair value. */
export function settleAt(markouts: MarkoutState, dueAt: Ms, fair: Rate): void {
  const tzsPerUsd = rateToNumber(fair)
  const updatedAt = markouts.updatedAt ?? dueAt
  for (const side of SIDES) {
    const { fills, usd, shillingsAtFill, dollarsAtFill, edge } = markouts.open[side]
    if (fills === 0) continue
    const sum = 1e4 * (shillingsAtFill + dollarsAtFill * tzsPerUsd)
    remember(markouts.settled[side], { updatedAt, fills, usd, sum, edge })
    markouts.open[side] = noFills()
  }
  markouts.dueAt = null
}

/** Returns whether fills wait for the next update of the mid. */
export function hasOpenFills({ open }: MarkoutState): boolean {
  return open.bid.fills + open.ask.fills > 0
}

/** Returns the markouts that a strategy sees; null = the fills of this side do not span two updates of the mid. */
export function markoutsOn({ markouts, pairMarkouts }: EngineState['flow'], side: Side): SideMarkouts | null {
  if (markouts === undefined && pairMarkouts === undefined) return null
  const all = [markouts, ...(pairMarkouts === undefined ? [] : Object.values(pairMarkouts))]
  const settled = all.flatMap((one) => one?.settled[side] ?? [])
  const mean = clusteredMean(settled.map(({ sum, usd }) => ({ sum, weight: usd })))
  if (mean?.se == null) return null
  let [fills, usd, edge] = [0, 0, 0]
  for (const update of settled) {
    fills += update.fills
    usd += update.usd
    edge += update.edge
  }
  return { fills, meanBps: mean.value, impactBps: edge / usd - mean.value, errorBps: mean.se }
}

/** Fills before the same update share its move, so they form one entry, late fills included. */
function remember(settled: SettledFills[], one: SettledFills): void {
  const last = settled.at(-1)
  if (last?.updatedAt === one.updatedAt)
    settled[settled.length - 1] = {
      updatedAt: one.updatedAt,
      fills: last.fills + one.fills,
      usd: last.usd + one.usd,
      sum: last.sum + one.sum,
      edge: last.edge + one.edge,
    }
  else settled.push(one)
  if (settled.length > REMEMBERED) settled.shift()
}

/** Returns the change of our dollars and shillings by a fill, as float64. */
function changesOf({ inAsset, amountIn, amountOut }: Fill, debit: bigint) {
  const out = amountOut + debit
  if (isStable(inAsset)) return { dollars: Number(amountIn) / 1e18, shillings: -Number(out) / 1e18 }
  return { dollars: -Number(out) / 1e18, shillings: Number(amountIn) / 1e18 }
}

function noMarkouts(): MarkoutState {
  return {
    open: { bid: noFills(), ask: noFills() },
    settled: { bid: [], ask: [] },
    updatedAt: null,
    dueAt: null,
  }
}

function noFills(): OpenFills {
  return { fills: 0, usd: 0, shillingsAtFill: 0, dollarsAtFill: 0, edge: 0 }
}
