import type { Ms } from '../../base/time.ts'
import { clusteredRatio, type Cluster, type ClusteredRatio } from '../../core/models/intervals.ts'
import type { RateUpdate } from '../models/rate-volatility.ts'
import { rateToNumber, type Rate } from '../../base/money/rate.ts'
import { type TapeFill, type ReferenceRow, sideOfSwap } from '../../store/tape/model/row.ts'
import { segmentsOfFill, tokensOf } from './sizes.ts'
import {
  DEFAULT_HORIZONS,
  durationName,
  inOrder,
  type MarkoutHorizons,
  updatesName,
} from '../../core/models/markouts/horizons.ts'
import { overlappingRatio } from '../models/markouts/overlapping-ratio.ts'
import { createTimedMarkouts } from '../models/markouts/timed-markouts.ts'

/** Move of the mid after our fills. */
type MeasuredMarkout = {
  readonly horizon: string
  readonly fills: number
  readonly ratio: ClusteredRatio
}

export type MarkWatch = ReturnType<typeof watchMarks>

/** Sums of the fills before one print, which share its move, so that memory grows with prints rather than fills. */
type FillsOfPrint = { dollars: number; shillings: number; fills: number }

/** Fills of the takers of one segment, in all and by the number of the print before them. */
type FillsOfSegment = { fills: number; usd: number; readonly between: Map<number, FillsOfPrint> }

/**
 * Markouts m(h) = 1e4 (dN + dU M(t+h)) / (|dU| M(t)), negative if takers were informed. In prints, M(t+h) is a rate
 * that the venue published after the fill; in time, a reference feed. Never the mid of the fill itself, which would
 * only return the spread. Source: quant.md section 3.
 */
export function watchMarks(
  protocolFeeBps: number,
  fairValue: string | null,
  { afterMs, afterUpdates }: MarkoutHorizons = DEFAULT_HORIZONS,
) {
  const prints: RateUpdate[] = []
  const between: FillsOfPrint[] = []
  const segments = watchSegments(prints)
  let source = fairValue
  let isSeen = false
  const others = new Set<string>()
  let mid: Rate = 0n
  const timed = inOrder(afterMs).map((ms) => ({
    horizon: durationName(ms),
    markouts: createTimedMarkouts(ms),
  }))

  return {
    prints,
    segments,
    rate(t: Ms, now: Rate): void {
      if (now === mid) return
      mid = now
      prints.push({ t, mid: rateToNumber(now) })
      between.push(noFills())
      for (const { markouts } of timed) markouts.print()
    },
    reference({ t, source: from, mid: fair }: ReferenceRow): void {
      source ??= from
      if (from !== source) return void others.add(from)
      isSeen = true
      for (const { markouts } of timed) markouts.reference(t, rateToNumber(fair))
    },
    fill(row: TapeFill): void {
      const trade = tradeOf(row, protocolFeeBps)
      const print = prints.at(-1)
      const sums = between.at(-1)
      if (trade === null || print === undefined || sums === undefined) return
      addFill(sums, trade, print.mid)
      segments.fill(row, trade)
      for (const { markouts } of timed) markouts.add({ t: row.t, print: prints.length - 1, ...trade })
    },
    end(t: Ms): void {
      for (const { markouts } of timed) markouts.reach(t)
    },
    /** The source that markouts by time use (null = no reference), and the names of the ignored sources. */
    sources: () => ({ used: isSeen ? source : null, others: [...others].sort() }),
    /** Horizons with no fills are absent. */
    markouts: (): readonly MeasuredMarkout[] =>
      [
        ...inOrder([0, ...afterUpdates]).map((later) =>
          measured(updatesName(later), termsAhead(prints, between, later + 1)),
        ),
        ...timed.map(({ horizon, markouts }) => measured(horizon, markouts.terms())),
      ].filter((each) => each !== null),
    /** Against the mid at the fill, bps; null without fills. */
    edge: (): ClusteredRatio | null => clusteredRatio(between.map((fills, i) => earnedAt(prints[i]!, fills))),
  }
}

/** The fills of each segment of takers. */
function watchSegments(prints: readonly RateUpdate[]) {
  const found = new Map<string, FillsOfSegment>()
  return {
    found: found as ReadonlyMap<string, Readonly<FillsOfSegment>>,
    fill(row: TapeFill, trade: Trade): void {
      const print = prints.length - 1
      for (const key of segmentsOfFill(row)) {
        const of: FillsOfSegment = found.get(key) ?? { fills: 0, usd: 0, between: new Map() }
        const sums = of.between.get(print) ?? noFills()
        addFill(sums, trade, prints[print]!.mid)
        of.fills += 1
        of.usd += Math.abs(trade.dollars)
        of.between.set(print, sums)
        found.set(key, of)
      }
    },
    /** Returns the markout at the next print for segments of one kind; null without fills before a print. */
    markoutOf(keys: ReadonlySet<string>): MeasuredMarkout | null {
      const own = prints.map(noFills)
      for (const key of keys) {
        for (const [print, more] of found.get(key)?.between ?? [])
          for (const part of ['dollars', 'shillings', 'fills'] as const) own[print]![part] += more[part]
      }
      return measured(updatesName(0), termsAhead(prints, own, 1))
    },
  }
}

const noFills = (): FillsOfPrint => ({ dollars: 0, shillings: 0, fills: 0 })

/** Adds a fill per dollar traded, at the mid of the fill. */
function addFill(sums: FillsOfPrint, { dollars, shillings }: Trade, mid: number): void {
  sums.dollars += dollars / Math.abs(dollars) / mid
  sums.shillings += shillings / Math.abs(dollars) / mid
  sums.fills += 1
}

/** Valued at the mid of the fill, so later moves do not count. */
function earnedAt({ mid }: RateUpdate, { dollars, shillings, fills }: FillsOfPrint): Cluster {
  return { sum: 1e4 * (shillings + dollars * mid), weight: fills }
}

/**
 * Returns one term per rate update: the immediate edge of the fills after it, and the effect of the move to the next update
 * on the fills of the last `ahead` updates. Omits fills with fewer than `ahead` later updates.
 */
function termsAhead(
  prints: readonly RateUpdate[],
  between: readonly FillsOfPrint[],
  ahead: number,
): readonly Cluster[] {
  const whole = Math.max(0, prints.length - ahead)
  return prints.slice(1).map((after, i) => {
    const before = prints[i]!
    const own = i < whole ? earnedAt(before, between[i]!) : { sum: 0, weight: 0 }
    const waiting = between
      .slice(Math.max(0, i - ahead + 1), Math.min(i + 1, whole))
      .reduce((sum, each) => sum + each.dollars, 0)
    return { ...own, sum: own.sum + 1e4 * waiting * (after.mid - before.mid) }
  })
}

function measured(horizon: string, terms: readonly Cluster[]): MeasuredMarkout | null {
  const ratio = overlappingRatio(terms)
  const fills = terms.reduce((sum, { weight }) => sum + weight, 0)
  return ratio === null ? null : { horizon, fills, ratio }
}

type Trade = { readonly dollars: number; readonly shillings: number }

/** Returns the tokens gained or lost by a fill, after the protocol fee; null unless it swaps dollars and shillings. */
export function tradeOf(
  { from, to, amountIn, amountOut, protocolFee }: TapeFill,
  protocolFeeBps: number,
): Trade | null {
  const swap = sideOfSwap(from, to)
  if (swap === null || amountIn <= 0n || amountOut <= 0n) return null
  const net = tokensOf(amountOut)
  const fee = protocolFee === null ? net / (1 - protocolFeeBps / 1e4) - net : tokensOf(protocolFee)
  const paid = -(net + fee)
  const got = tokensOf(amountIn)
  return swap.side === 'ask' ? { dollars: got, shillings: paid } : { dollars: paid, shillings: got }
}
