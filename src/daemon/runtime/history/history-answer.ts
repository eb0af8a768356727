import { MINUTE_MS, type Ms } from '../../../base/time.ts'
import type { HistoryAnswer } from '../../console/answers.ts'
import { noticeOf } from './recent-notices.ts'
import type { HistoryQuery } from '../../console/position-port.ts'
import type { NoticeRecord } from '../../../store/history/notice-reader.ts'
import type { HistoryReader } from '../../../store/history/open-history.ts'
import type { SampleRow } from '../../../store/tables/samples.ts'
import { readObservation } from '../../../core/engine/upcast/written.ts'

/** Samples are a minute apart; over a longer gap no samples were taken, so the values are unknown. */
const SAMPLE_LASTS_MS = 3 * MINUTE_MS
const MAX_MARKS = 300

/** A minute is sampled at its first event, usually within this time. */
const SAMPLED_WITHIN_MS = 10_000

/** Returns chart values over a range, each at the time of its sample. A value that still holds at the end of the range is repeated there. */
export function historyAnswer(
  reader: Pick<HistoryReader, 'samplesAt' | 'countFills' | 'marks'>,
  { from, to, points }: HistoryQuery,
): HistoryAnswer {
  // Whole minutes, so that every step is as far from its sample; one point is at the end of the range.
  const stepMs = MINUTE_MS * Math.max(1, Math.ceil((to - from) / Math.max(1, points - 2) / MINUTE_MS))
  const moments = momentsOf(from, to, stepMs)
  const rows = reader.samplesAt(moments, Math.max(stepMs, SAMPLE_LASTS_MS))
  const column = (name: keyof SampleRow) => rows.map((row) => row?.[name] ?? null)
  const fills = { bid: moments.map(() => 0), ask: moments.map(() => 0) }
  const end = moments[0] ?? to
  for (const { step, side, count } of reader.countFills({ from, to, end, stepMs })) fills[side][step] = count
  return {
    from,
    to,
    stepMs,
    t: timesOf(moments, rows, from),
    mid: column('mid'),
    fairValue: column('fairValue'),
    bidBps: column('bidBps'),
    askBps: column('askBps'),
    bestBidBps: column('bestBidBps'),
    bestAskBps: column('bestAskBps'),
    ntzs: column('ntzs'),
    usd: column('usd'),
    usdShare: rows.map(shareOf),
    pnl: {
      spreadCapture: column('spreadCapture'),
      staleMid: column('staleMid'),
      inventory: column('inventory'),
      costs: column('costs'),
      unreconciled: column('unreconciled'),
      totalUsd: column('totalUsd'),
    },
    fills,
    marks: marksOf(reader.marks(from, to, MAX_MARKS)),
  }
}

function momentsOf(from: Ms, to: Ms, stepMs: Ms): Ms[] {
  const last = Math.floor((to - SAMPLED_WITHIN_MS) / MINUTE_MS) * MINUTE_MS + SAMPLED_WITHIN_MS
  const count = Math.max(0, Math.floor((last - from) / stepMs) + 1)
  const even = Array.from({ length: count }, (_, index) => last - (count - 1 - index) * stepMs)
  return last === to && count > 0 ? even : [...even, to]
}

/** Returns the time of each sample; for a missing or a repeated sample, the moment for which it was looked up. */
function timesOf(moments: readonly Ms[], rows: readonly (SampleRow | null)[], from: Ms): Ms[] {
  let before = -1
  return moments.map((moment, index) => {
    const own = Math.max(from, rows[index]?.t ?? moment)
    before = own > before ? own : moment
    return before
  })
}

function shareOf(row: SampleRow | null): number | null {
  if (row === null || row.mid === null || row.usd === null || row.ntzs === null) return null
  const dollars = row.usd * row.mid
  const total = dollars + row.ntzs
  return total > 0 ? dollars / total : null
}

/** A reload by an operator appears once, as the operator's; a reload of a file appears as the strategy it loaded. */
function marksOf(records: readonly NoticeRecord[]): HistoryAnswer['marks'] {
  const byHand = new Set(records.filter(({ type }) => type === 'operator').map(({ seq }) => seq))
  return records.flatMap((record): HistoryAnswer['marks'] => {
    const { seq, t, type, body } = record
    if (type === 'strategyLoaded' && byHand.has(seq)) return []
    const observation = readObservation(body)
    const text = noticeOf(observation)?.text ?? ''
    if (observation.type === 'alert') return [{ t, kind: 'alert', text }]
    if (observation.type !== 'tradingStateChanged') return [{ t, kind: 'reload', text }]
    return [{ t, kind: observation.to === 'HALTED' ? 'halt' : 'resume', text }]
  })
}
