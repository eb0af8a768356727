import type { Random } from '../../base/random.ts'
import { quantile } from '../../core/models/sample-statistics.ts'
import { type TapeFill, sideOfSwap } from '../../store/tape/model/row.ts'
import { segmentKeys } from '../../core/models/flow/taker-segments.ts'
import { BOOK_DECIMALS, type Asset, type BookAmount } from '../../base/money/asset.ts'

const KEPT = 10_000
const BOOK_UNIT = 10 ** BOOK_DECIMALS
const SHARES = Array.from({ length: 19 }, (_, i) => (i + 1) / 20)

/** Fill sizes in dollars: the first ten thousand, then a uniform sample of that size. Source: Vitter 1985, algorithm R. */
export function sampleSizes(random: Random) {
  const kept: number[] = []
  let seen = 0
  return {
    fill(fill: TapeFill): void {
      const usd = usdOf(fill)
      if (usd === null) return
      const place = seen < KEPT ? seen : Math.floor(random() * (seen + 1))
      if (place < KEPT) kept[place] = usd
      seen += 1
    },
    /** Quantiles 0.05, 0.1 ... 0.95, ascending; empty without fills. */
    quantiles(): readonly number[] {
      const sorted = Float64Array.from(kept).sort()
      return sorted.length === 0 ? [] : SHARES.map((share) => quantile(sorted, share))
    },
  }
}

/** Returns null for a fill of dollars against dollars. */
function usdOf({ from, to, amountIn, amountOut }: TapeFill): number | null {
  const swap = sideOfSwap(from, to)
  return swap === null ? null : tokensOf(swap.side === 'ask' ? amountIn : amountOut)
}

/** Returns the segments of a fill's taker and that of its size, as `segmentKeys` does. */
export function segmentsOfFill(fill: TapeFill): readonly string[] {
  const usd = usdOf(fill) ?? 0
  const size = usd < 100 ? 'below 100 USD' : usd < 1_000 ? '100 to 1,000 USD' : 'from 1,000 USD'
  return [...segmentKeys(fill.taker), `size ${size}`]
}

/** Returns a book amount in whole tokens, for statistics only, never for money. */
export function tokensOf(units: BookAmount): number {
  return Number(units) / BOOK_UNIT
}

/** Returns the value of `units` in dollars at `tzsPerUsd`. */
export function dollarsOf(units: bigint, asset: Asset, tzsPerUsd: number): number {
  const tokens = tokensOf(units)
  return asset === 'NTZS' ? tokens / tzsPerUsd : tokens
}
