import type { Ms } from '../../base/time.ts'
import type { PositionView } from '../../view/position-view.ts'
import { type Notice } from '../notice.ts'
import { SEVERITY_RANK } from '../../alerts/entry.ts'

/** What of a position a day is measured by; every amount an exact decimal text, all since the ledger began. */
export type SummaryFigures = {
  readonly tzs: Readonly<
    Record<'spreadCapture' | 'staleMid' | 'inventory' | 'costs' | 'unreconciled' | 'total', string>
  >
  readonly usd: Readonly<Record<'edge' | 'inventory' | 'costs' | 'unreconciled' | 'total', string>>
  readonly volumeUsd: string
  readonly bid: number
  readonly ask: number
}

/** What was counted since the last summary, and what a restart must remember. Plain data, kept in a file. */
export type DailySummary = {
  /** When the last summary was made, or the first look taken. */
  since: Ms
  /** The figures of that moment; null = not known yet. */
  before: SummaryFigures | null
  /** When a summary was told last; null = never yet. */
  summaryAt: Ms | null
  /** The last look at the position. */
  lookedAt: Ms
  /** How long a quote of ours stood. */
  quotedMs: Ms
  incidents: Record<string, { severity: Notice['severity']; count: number }>
  /** Since when trading has been halted, and how it was told. */
  halted: { readonly since: Ms; readonly text: string } | null
  /** When processes took the position over, the last ten. */
  starts: Ms[]
  /** False once a process has left it in good order. */
  isRunning: boolean
}

const MOST_CODES = 100

export function createDailySummary(now: Ms): DailySummary {
  return {
    since: now,
    before: null,
    summaryAt: null,
    lookedAt: now,
    quotedMs: 0,
    incidents: {},
    halted: null,
    starts: [],
    isRunning: false,
  }
}

/** Counts what went wrong; what lifts or reminds is no incident of its own. */
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

/** Null while the position cannot be valued. */
export function figuresOf({ pnl, fills }: PositionView): SummaryFigures | null {
  if (pnl === null) return null
  const { bid, ask, volumeUsd } = fills
  return { tzs: { ...pnl.tzs }, usd: { ...pnl.usd }, volumeUsd, bid, ask }
}
