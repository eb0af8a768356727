import type { ReportData } from '../report-data.ts'

/** More markers than this overlap on any screen. */
const MAX_MARKERS = 20_000

type Fills = ReportData['fills']

/** First grid: a few cells per pixel across, so that zooming in shows more fills. */
const FINEST = { columns: 8_000, rows: 250 }
const COARSER = 0.8

/**
 * Returns the indices of the fills to draw, ascending. Of fills that would overlap (same side, recorded or synthetic, same
 * cell of a grid over time and price) it keeps the largest. The grid is as fine as `most` markers allow. Fills without a
 * price are not drawn.
 */
export function thinFills(fills: Fills, most: number = MAX_MARKERS): Uint32Array {
  let kept = drawable(fills)
  const ranges = { t: rangeOf(fills.t), price: rangeOf(fills.price) }
  for (let scale = 1; kept.length > most; scale *= COARSER) {
    const columns = Math.max(1, Math.floor(FINEST.columns * scale))
    const rows = Math.max(1, Math.floor(FINEST.rows * scale))
    kept = largestPerCell(fills, partsOf(ranges.t, columns), partsOf(ranges.price, rows), rows)
    if (columns === 1 && rows === 1) break
  }
  return kept
}

function drawable({ t, price }: Fills): Uint32Array {
  const rows = new Uint32Array(t.length)
  let count = 0
  for (let i = 0; i < t.length; i++) if (Number.isFinite(price[i])) rows[count++] = i
  return rows.subarray(0, count)
}

/** Fills arrive in time order, so one column of the grid at a time suffices. */
function largestPerCell(fills: Fills, across: PartOf, up: PartOf, rows: number): Uint32Array {
  const largest = new Int32Array(rows * 4).fill(-1)
  const kept: number[] = []
  let touched: number[] = []
  let column = 0
  const closeColumn = () => {
    for (const cell of touched) {
      kept.push(largest[cell] ?? 0)
      largest[cell] = -1
    }
    touched = []
  }
  for (let i = 0; i < fills.t.length; i++) {
    const price = fills.price[i] ?? NaN
    if (!Number.isFinite(price)) continue
    const at = across(fills.t[i] ?? 0)
    if (at !== column) closeColumn()
    column = at
    const kind = (fills.bid[i] === 1 ? 2 : 0) + (fills.synthetic[i] === 1 ? 1 : 0)
    const cell = up(price) * 4 + kind
    const before = largest[cell] ?? -1
    if (before < 0) touched.push(cell)
    if (before < 0 || (fills.usd[i] ?? 0) > (fills.usd[before] ?? 0)) largest[cell] = i
  }
  closeColumn()
  return Uint32Array.from(kept).sort()
}

type Range = { readonly low: number; readonly high: number }
type PartOf = (value: number) => number

function rangeOf(values: Float64Array): Range {
  let low = Infinity
  let high = -Infinity
  for (const value of values) {
    if (!Number.isFinite(value)) continue
    if (value < low) low = value
    if (value > high) high = value
  }
  return { low, high }
}

/** Returns a function that maps a value to one of `parts` equal parts of the range. */
function partsOf({ low, high }: Range, parts: number): PartOf {
  const perUnit = high > low ? parts / (high - low) : 0
  return (value) => Math.min(parts - 1, Math.floor((value - low) * perUnit))
}
