import { DAY_MS, type Ms } from '../../../base/time.ts'
import { PNL_TERMS } from '../../../core/ledger/book/pnl.ts'
import type { HistoryReader } from '../../../store/history/open-history.ts'
import type { SampleRow } from '../../../store/tables/samples.ts'
import type { DaysAnswer } from '../../console/answers.ts'
import type { DaysQuery } from '../../console/position-port.ts'

type Totals = { readonly tzs: number | null; readonly usd: number | null }

/** A position earned nothing before its first sample. */
const NOTHING: Totals = { tzs: 0, usd: 0 }
const WHOLE = 1e18

/** Returns what each of the last UTC days earned and traded, and the sums of the period by pair and side. */
export function daysAnswer(
  reader: Pick<HistoryReader, 'samplesAt' | 'sumFills'>,
  { days: count }: DaysQuery,
  now: Ms,
): DaysAnswer {
  const today = Math.floor(now / DAY_MS) * DAY_MS
  const starts = Array.from({ length: count }, (_, index) => today - (count - 1 - index) * DAY_MS)
  const from = starts[0] ?? today
  // However old: while the daemon is down, the total stays as it was.
  const rows = reader.samplesAt([...starts, now], now)
  const sums = reader.sumFills(from, now)
  const days = starts.map((start, index) => {
    const end = rows[index + 1] ?? null
    const earned =
      end !== null && end.t > start ? difference(totalsOf(rows[index] ?? null), totalsOf(end)) : null
    const traded = sums.filter(({ day }) => day * DAY_MS === start)
    return {
      day: new Date(start).toISOString().slice(0, 10),
      pnlTzs: earned?.tzs ?? null,
      pnlUsd: earned?.usd ?? null,
      fills: traded.reduce((sum, { fills }) => sum + fills, 0),
      volumeUsd: traded.reduce((sum, { volumeUsd }) => sum + volumeUsd, 0),
    }
  })
  return { days, pairs: pairsOf(sums) }
}

function totalsOf(row: SampleRow | null): Totals {
  if (row === null) return NOTHING
  const terms = PNL_TERMS.map((term) => row[term])
  const isKnown = terms.every((term) => term !== null)
  return { tzs: isKnown ? terms.reduce((sum, term) => sum + term, 0) : null, usd: row.totalUsd }
}

function difference(before: Totals, after: Totals): Totals {
  const less = (a: number | null, b: number | null) => (a === null || b === null ? null : a - b)
  return { tzs: less(after.tzs, before.tzs), usd: less(after.usd, before.usd) }
}

function pairsOf(sums: ReturnType<HistoryReader['sumFills']>): DaysAnswer['pairs'] {
  const groups = Map.groupBy(sums, ({ side, inAsset, outAsset }) => `${side} ${inAsset} ${outAsset}`)
  return Array.from(groups.values(), (group) => {
    const total = (of: (sum: (typeof group)[number]) => number) =>
      group.reduce((sum, one) => sum + of(one), 0)
    const { side, inAsset, outAsset } = group[0]!
    return {
      side,
      inAsset,
      outAsset,
      fills: total(({ fills }) => fills),
      volumeUsd: total(({ volumeUsd }) => volumeUsd),
      fee: total(({ fee }) => fee) / WHOLE,
    }
  }).toSorted((a, b) => b.volumeUsd - a.volumeUsd)
}
