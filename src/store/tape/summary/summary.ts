import { DAY_MS, type Ms } from '../../../base/time.ts'
import { isStable } from '../../../base/money/asset.ts'
import { formatDecimalText } from '../../../base/money/decimal-text.ts'
import type { Rate } from '../../../base/money/rate.ts'
import { createGapWatch, type Gap } from '../folder/standing-rows.ts'
import type { RateColumns, TapeBatch } from '../model/batch.ts'
import type { TapeFill, RowKind } from '../model/row.ts'
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { readBytes, readFooter } from '../parquet/footer.ts'
import { isFileError } from '../model/problems.ts'

/** The contents of a tape. */
export type TapeSummary = {
  /** First and last time; null = no rows. */
  readonly from: Ms | null
  readonly to: Ms | null
  readonly rows: number
  readonly rowsByKind: Readonly<Record<RowKind, number>>
  /** UTC days with rows. */
  readonly days: number
  /** `ask`: takers paid dollars; `bid`: takers received dollars; `other`: dollars against dollars. */
  readonly fills: Readonly<Record<FillSide, SideSummary>>
  /** How often the venue published a new mid, including the first. */
  readonly prints: number
  readonly gaps: readonly Gap[]
}

type FillSide = 'ask' | 'bid' | 'other'

/** `dollars` is an exact decimal. */
type SideSummary = { readonly fills: number; readonly dollars: string }

const DOLLAR_DECIMALS = 18

/** Sums up batches as they come, in constant memory. */
export function createTapeSummary(): {
  readonly add: (batch: TapeBatch) => void
  readonly sum: () => TapeSummary
} {
  const rowsByKind = { rate: 0, reference: 0, competition: 0, balances: 0, quote: 0, fill: 0, decision: 0 }
  const fills = { ask: newSide(), bid: newSide(), other: newSide() }
  const days = new Set<number>()
  const gaps: Gap[] = []
  const watchGaps = createGapWatch((gap) => gaps.push(gap))
  const prints = createPrintCount()
  let from: Ms | null = null
  let to: Ms | null = null

  function seen(t: Ms): void {
    from = Math.min(from ?? t, t)
    to = Math.max(to ?? t, t)
    days.add(Math.floor(t / DAY_MS))
  }

  return {
    add(batch) {
      for (const { t } of [batch.rates, batch.competition])
        for (let i = 0; i < t.length; i++) seen(t[i] as number)
      const { references, balances, quotes, decisions } = batch
      for (const rows of [references, balances, quotes, batch.fills, decisions])
        for (const { t } of rows) seen(t)
      rowsByKind.rate += batch.rates.length
      rowsByKind.competition += batch.competition.length
      rowsByKind.reference += references.length
      rowsByKind.balances += balances.length
      rowsByKind.quote += quotes.length
      rowsByKind.fill += batch.fills.length
      rowsByKind.decision += decisions.length
      for (const fill of batch.fills) addFill(fills[sideOf(fill)], fill)
      watchGaps(batch.rates)
      prints.add(batch.rates)
    },
    sum: () => ({
      from,
      to,
      rows: Object.values(rowsByKind).reduce((sum, count) => sum + count, 0),
      rowsByKind: { ...rowsByKind },
      days: days.size,
      fills: { ask: sideText(fills.ask), bid: sideText(fills.bid), other: sideText(fills.other) },
      prints: prints.count(),
      gaps: [...gaps],
    }),
  }
}

type Side = { fills: number; dollars18: bigint }

function newSide(): Side {
  return { fills: 0, dollars18: 0n }
}

function sideOf({ from, to }: TapeFill): FillSide {
  if (isStable(from) && isStable(to)) return 'other'
  return isStable(from) ? 'ask' : 'bid'
}

function addFill(side: Side, { from, to, amountIn, amountOut }: TapeFill): void {
  side.fills++
  if (isStable(from)) side.dollars18 += amountIn
  else if (isStable(to)) side.dollars18 += amountOut
}

function sideText({ fills, dollars18 }: Side): SideSummary {
  return { fills, dollars: formatDecimalText(dollars18, DOLLAR_DECIMALS) }
}

function createPrintCount(): { readonly add: (rates: RateColumns) => void; readonly count: () => number } {
  let count = 0
  let last: Rate | undefined
  return {
    add({ mid, mids }) {
      let place = -1
      for (let i = 0; i < mid.length; i++) {
        if (mid[i] === place) continue
        place = mid[i] as number
        if (mids[place] === last) continue
        last = mids[place]
        count++
      }
    },
    count: () => count,
  }
}

/** The size of a tape, without reading it. */
export type TapeMeasure = {
  readonly files: number
  readonly bytes: number
  /** From the footers; for a long text estimated from its first lines. */
  readonly rows: number
  /** Whether every text was short enough to count. */
  readonly isCounted: boolean
}

const SAMPLE_BYTES = 1 << 16
const NOTHING: TapeMeasure = { files: 0, bytes: 0, rows: 0, isCounted: true }

/** Measures a file, or a folder with everything below it. Unreadable files count as empty. */
export function measureTape(path: string): TapeMeasure {
  try {
    const stats = statSync(path)
    if (!stats.isDirectory()) return measureFile(path, stats.size)
    return readdirSync(path)
      .map((name) => measureTape(join(path, name)))
      .reduce(add, NOTHING)
  } catch (error) {
    if (isFileError(error)) return NOTHING
    throw error
  }
}

function measureFile(file: string, bytes: number): TapeMeasure {
  if (file.endsWith('.jsonl') || file.endsWith('.csv'))
    return { files: 1, bytes, rows: linesOf(file, bytes), isCounted: bytes <= SAMPLE_BYTES }
  if (!file.endsWith('.parquet')) return NOTHING
  const footer = readFooter(file)
  return { files: 1, bytes, rows: footer.ok ? Number(footer.value.metadata.num_rows) : 0, isCounted: true }
}

function linesOf(file: string, bytes: number): number {
  const sample = readBytes(file, 0, Math.min(bytes, SAMPLE_BYTES)).toString('latin1')
  const lines = sample.split('\n').length - 1
  return sample.length === 0 ? 0 : Math.round((Math.max(1, lines) / sample.length) * bytes)
}

function add(a: TapeMeasure, b: TapeMeasure): TapeMeasure {
  return {
    files: a.files + b.files,
    bytes: a.bytes + b.bytes,
    rows: a.rows + b.rows,
    isCounted: a.isCounted && b.isCounted,
  }
}
