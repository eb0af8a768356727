import { z } from 'zod'
import type { Ms } from '../../../base/time.ts'
import type { Shown } from '../../view/fields.ts'
import { TZS_TERMS, USD_TERMS } from '../../view/ledger-view.ts'
import type { PositionView } from '../../view/position-view.ts'
import { notifyFile, type NotifyFile } from '../kept-file.ts'
import { type Notice } from '../notice.ts'
import { SEVERITY_RANK } from '../../../core/alerts/entry.ts'

const decimal = z.string().regex(/^-?\d{1,60}(\.\d{1,60})?$/)
const count = z.int().min(0)
const moment = z.number().min(0)

/** 0.1.0 wrote two terms of the PnL under other names. */
const RENAMED: Readonly<Record<string, string>> = {
  postedSpread: 'spreadCapture',
  unexplained: 'unreconciled',
}

function withNewNames(written: unknown): unknown {
  if (typeof written !== 'object' || written === null) return written
  return Object.fromEntries(Object.entries(written).map(([name, value]) => [RENAMED[name] ?? name, value]))
}

function terms<Term extends string>(names: readonly Term[]) {
  const shape = Object.fromEntries(names.map((name) => [name, decimal])) as Record<Term, typeof decimal>
  return z.preprocess(withNewNames, z.object(shape))
}

/** The figures by which a day is measured; exact decimal text, cumulative since the ledger began. */
const figures = z.object({
  tzs: terms(TZS_TERMS),
  usd: terms(USD_TERMS),
  volumeUsd: decimal,
  bid: count,
  ask: count,
})
export type SummaryFigures = Shown<z.infer<typeof figures>>

/** The counts since the last summary, and the state that survives a restart. Plain data in a file. */
const summarySchema = z.object({
  /** The time of the last summary, or of the first look. */
  since: moment,
  /** The figures at that time; null = not known yet. */
  before: figures.nullable(),
  /** The cost of the treasury's moves until then, TZS; null = unknown. Files of 0.2.0 and earlier lack it. */
  treasuryCosts: decimal.nullable().default(null),
  /** When the last summary was sent; null = never. */
  summaryAt: moment.nullable(),
  /** When a summary last included the scorecard; null = never. Files of 0.2.0 and earlier lack it. */
  scorecardAt: moment.nullable().default(null),
  /** The last look at the position. */
  lookedAt: moment,
  /** How long the position has quoted. */
  quotedMs: moment,
  incidents: z.record(
    z.string().max(100),
    z.object({ severity: z.enum(['info', 'warning', 'critical']), count }),
  ),
  /** Since when trading has been halted, and how it was notified. */
  halted: z.object({ since: moment, text: z.string() }).nullable(),
  /** The last ten starts of a process with this position. */
  starts: z.array(moment).max(100),
  /** False after a clean shutdown of the process. */
  isRunning: z.boolean(),
  /** Since when each channel has been failing. Files of 0.3.0 and earlier lack it. */
  failing: z.record(z.string().max(100), moment).default({}),
})
export type DailySummary = z.infer<typeof summarySchema>

const MOST_CODES = 100

export function createDailySummary(now: Ms): DailySummary {
  return {
    since: now,
    before: null,
    treasuryCosts: null,
    summaryAt: null,
    scorecardAt: null,
    lookedAt: now,
    quotedMs: 0,
    incidents: {},
    halted: null,
    starts: [],
    isRunning: false,
    failing: {},
  }
}

/** Counts incidents; ends and reminders are not incidents. */
export function countIncident(book: DailySummary, { kind, code, severity }: Notice): void {
  if (kind !== 'raised' || severity === 'info') return
  const before = Object.hasOwn(book.incidents, code) ? book.incidents[code] : undefined
  if (before === undefined && Object.keys(book.incidents).length >= MOST_CODES) return
  const gravest =
    before !== undefined && SEVERITY_RANK[before.severity] > SEVERITY_RANK[severity]
      ? before.severity
      : severity
  book.incidents[code] = { severity: gravest, count: (before?.count ?? 0) + 1 }
}

/** Whether takers can trade with us, as far as we know. */
export function isQuoting({ quote, isActive, rfq }: PositionView): boolean {
  if (rfq !== null) return rfq.orders.length > 0
  return (
    isActive === true && quote.status === 'confirmed' && (quote.quoteBid === true || quote.quoteAsk === true)
  )
}

/** Returns null while the position cannot be valued. */
export function figuresOf({ pnl, fills }: PositionView): SummaryFigures | null {
  if (pnl === null) return null
  const { bid, ask, volumeUsd } = fills
  return { tzs: { ...pnl.tzs }, usd: { ...pnl.usd }, volumeUsd, bid, ask }
}

/** Opens the counts that the previous process left. */
export function summaryFile(path: string): NotifyFile<DailySummary> {
  return notifyFile(path, parseSummary, createDailySummary)
}

function parseSummary(written: unknown, now: Ms): DailySummary | null {
  const parsed = summarySchema.safeParse(written)
  return parsed.success && parsed.data.since <= now ? parsed.data : null
}
