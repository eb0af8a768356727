import type { Fill, QuarantinedRow } from '../ledger/fill.ts'
import type { FillsEvent } from '../engine/event.ts'
import type { FillsAnswer, TranslatedRow } from './answer.ts'

/** The most rows GET /fills shows; with so many, older ones may be hidden. Source: contract, limits. */
export const FILLS_WINDOW_ROWS = 100

export type FillsWindow = {
  /** What is new in this answer against the one before. The first answer is new as a whole. */
  reduce(answer: FillsAnswer): Pick<FillsEvent, 'fills' | 'quarantined' | 'repeated' | 'windowFull'>
}

/**
 * Keeps the rows of the previous poll of this process, so that an event carries news only. A row is known
 * by its text: one whose text changed is news again, and the ledger says what that means. Nothing here
 * decides whether a fill is booked.
 */
export function createFillsWindow(): FillsWindow {
  let previous: FillsAnswer | null = null
  let texts = new Set<string>()
  let ids = new Set<string>()
  return {
    reduce(answer) {
      const windowFull = answer.rows.length >= FILLS_WINDOW_ROWS
      if (answer === previous) return { fills: [], quarantined: [], repeated: texts.size, windowFull }
      const rows = new Map(answer.rows.map((row) => [row.raw, row]))
      const isRepeated = ({ raw, id }: TranslatedRow) => texts.has(raw) || (id !== null && ids.has(id))
      const news = [...rows.values()].filter(({ raw }) => !texts.has(raw))
      const repeated = [...rows.values()].filter(isRepeated).length
      previous = answer
      texts = new Set(rows.keys())
      ids = new Set(answer.rows.flatMap(({ id }) => (id === null ? [] : [id])))
      return { fills: oldestFirst(news), quarantined: quarantinedOf(news), repeated, windowFull }
    },
  }
}

/** By their dates; where a date is missing, the venue's own order (newest first) turned round. */
function oldestFirst(rows: readonly TranslatedRow[]): readonly Fill[] {
  const fills = rows.flatMap((row) => ('fill' in row ? [row.fill] : [])).toReversed()
  if (fills.some(({ createdAt }) => createdAt === null)) return fills
  return fills.sort((a, b) => (a.createdAt ?? 0) - (b.createdAt ?? 0))
}

function quarantinedOf(rows: readonly TranslatedRow[]): readonly QuarantinedRow[] {
  return rows.flatMap((row) => ('quarantined' in row ? [row.quarantined] : []))
}
