import { HOUR_MS, type Ms } from '../base/time.ts'
import { clusteredRatio, type Cluster, type ClusteredRatio } from '../models/intervals.ts'
import type { RateUpdate } from '../models/rate-volatility.ts'
import { rateToNumber, type Rate } from '../money/rate.ts'
import { type TapeFill, type ReferenceRow, sideOfSwap } from '../tape/model/row.ts'
import { tokensOf } from './sizes.ts'
import { createTimedMarkouts } from '../models/markouts.ts'

/** What the mid did after our fills. */
export type MeasuredMarkout = {
  readonly horizon: string
  readonly fills: number
  readonly ratio: ClusteredRatio
}

export type MarkWatch = {
  readonly rate: (t: Ms, mid: Rate) => void
  readonly reference: (row: ReferenceRow) => void
  readonly fill: (row: TapeFill) => void
  readonly end: (t: Ms) => void
  readonly prints: readonly RateUpdate[]
  /** Whose references the markouts by time use, null = none were there; and whose they pass over, by name. */
  readonly sources: () => { readonly used: string | null; readonly others: readonly string[] }
  /** Horizons with no fills are absent. */
  readonly markouts: () => readonly MeasuredMarkout[]
  /** Against the mid at the fill, bps; null without fills. */
  readonly edge: () => ClusteredRatio | null
}

/** Fills before the same print share its move: their sums, so that memory grows with prints and not with fills. */
type FillsOfPrint = { dollars: number; shillings: number; fills: number }

const IN_PRINTS = [
  ['next print', 1],
  ['+1 print', 2],
  ['+2 prints', 3],
  ['+5 prints', 6],
] as const
const IN_TIME = [
  ['1 h', HOUR_MS],
  ['4 h', 4 * HOUR_MS],
] as const

/**
 * Markouts m(h) = 1e4 (dN + dU M(t+h)) / (|dU| M(t)), negative where takers knew more. In prints, M(t+h) is
 * a rate that the venue published after the fill; in time, a reference feed. Never the mid of the fill
 * itself, which would only give the spread back. Source: quant.md section 3.
 */
export function watchMarks(protocolFeeBps: number, fairValue: string | null): MarkWatch {
  const prints: RateUpdate[] = []
  const between: FillsOfPrint[] = []
  let source = fairValue
  let isSeen = false
  const others = new Set<string>()
  let mid: Rate = 0n
  const timed = IN_TIME.map(([horizon, ms]) => ({ horizon, markouts: createTimedMarkouts(ms) }))

  return {
    prints,
    rate(t, now) {
      if (now === mid) return
      mid = now
      prints.push({ t, mid: rateToNumber(now) })
      between.push({ dollars: 0, shillings: 0, fills: 0 })
    },
    reference({ t, source: from, mid: fair }) {
      source ??= from
      if (from !== source) return void others.add(from)
      isSeen = true
      for (const { markouts } of timed) markouts.reference(t, rateToNumber(fair))
    },
    fill(row) {
      const trade = tradeOf(row, protocolFeeBps)
      const print = prints.at(-1)
      const sums = between.at(-1)
      if (trade === null || print === undefined || sums === undefined) return
      sums.dollars += trade.dollars / Math.abs(trade.dollars) / print.mid
      sums.shillings += trade.shillings / Math.abs(trade.dollars) / print.mid
      sums.fills += 1
      for (const { markouts } of timed) markouts.add({ t: row.t, print: prints.length - 1, ...trade })
    },
    end(t) {
      for (const { markouts } of timed) markouts.reach(t)
    },
    sources: () => ({ used: isSeen ? source : null, others: [...others].sort() }),
    markouts: () =>
      [
        ...IN_PRINTS.map(([horizon, ahead]) => measured(horizon, clustersAhead(prints, between, ahead))),
        ...timed.map(({ horizon, markouts }) => measured(horizon, markouts.clusters())),
      ].filter((each) => each !== null),
    edge: () => clusteredRatio(clustersAhead(prints, between, 0)),
  }
}

function clustersAhead(
  prints: readonly RateUpdate[],
  between: readonly FillsOfPrint[],
  ahead: number,
): readonly Cluster[] {
  return between.slice(0, Math.max(0, prints.length - ahead)).map(({ dollars, shillings, fills }, i) => ({
    sum: 1e4 * (shillings + dollars * prints[i + ahead]!.mid),
    weight: fills,
  }))
}

function measured(horizon: string, clusters: readonly Cluster[]): MeasuredMarkout | null {
  const ratio = clusteredRatio(clusters)
  const fills = clusters.reduce((sum, { weight }) => sum + weight, 0)
  return ratio === null ? null : { horizon, fills, ratio }
}

/** What a fill changed in our hands, the protocol fee paid; null where it is not dollars against shillings. */
export function tradeOf(
  { from, to, amountIn, amountOut, protocolFee }: TapeFill,
  protocolFeeBps: number,
): { readonly dollars: number; readonly shillings: number } | null {
  const swap = sideOfSwap(from, to)
  if (swap === null || amountIn <= 0n || amountOut <= 0n) return null
  const net = tokensOf(amountOut, to)
  const fee = protocolFee === null ? net / (1 - protocolFeeBps / 1e4) - net : tokensOf(protocolFee, to)
  const paid = -(net + fee)
  const got = tokensOf(amountIn, from)
  return swap.side === 'ask' ? { dollars: got, shillings: paid } : { dollars: paid, shillings: got }
}
