import { err, ok, type Result } from '../base/result.ts'
import { MINUTE_MS, type Ms } from '../base/time.ts'
import type { FillsEvent } from '../core/engine/model/event.ts'
import type { Fill, QuarantinedRow } from '../core/ledger/fills/fill.ts'
import { FILLS_WINDOW_ROWS, type FillsAnswer, type TranslatedRow } from './lp/fills.ts'

/**
 * New rows are journalled, and a venue that invents them must not fill the disk. A row of the contract has some
 * 500 characters, so this is 17 fills a second of one position for a whole minute.
 */
export const NEW_ROWS_BUDGET = { characters: 524_288, perMs: MINUTE_MS } as const
/** Each row costs this much beside its text. */
const ROW_OVERHEAD = 200

type FillsNews = Pick<FillsEvent, 'fills' | 'quarantined' | 'repeated' | 'windowFull'>

export type FillsWindow = {
  /**
   * What is new in this answer, received at `t`, against the one before. The first answer is new as a whole.
   * More new rows than any market brings are an error: then nothing of the answer counts, and rows that are
   * still there later are new then.
   */
  reduce(answer: FillsAnswer, t: Ms): Result<FillsNews, string>
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
  const spend = createBudget()
  return {
    reduce(answer, t) {
      const windowFull = answer.rows.length >= FILLS_WINDOW_ROWS
      if (answer === previous) return ok({ fills: [], quarantined: [], repeated: texts.size, windowFull })
      const rows = new Map(answer.rows.map((row) => [row.raw, row]))
      const isRepeated = ({ raw, id }: TranslatedRow) => texts.has(raw) || (id !== null && ids.has(id))
      const news = [...rows.values()].filter(({ raw }) => !texts.has(raw))
      if (
        !spend(
          news.reduce((sum, row) => sum + keptLength(row) + ROW_OVERHEAD, 0),
          t,
        )
      )
        return err(
          `${news.length} new rows, more than ${NEW_ROWS_BUDGET.characters} characters of them within a minute, which is no market's flow; none of them was taken`,
        )
      const repeated = [...rows.values()].filter(isRepeated).length
      previous = answer
      texts = new Set(rows.keys())
      ids = new Set(answer.rows.flatMap(({ id }) => (id === null ? [] : [id])))
      return ok({ fills: oldestFirst(news), quarantined: quarantinedOf(news), repeated, windowFull })
    },
  }
}

/** What was taken within the last minute, and whether so much more may be. */
function createBudget(): (characters: number, t: Ms) => boolean {
  let taken: { readonly t: Ms; readonly characters: number }[] = []
  return (characters, t) => {
    taken = taken.filter((one) => one.t > t - NEW_ROWS_BUDGET.perMs && one.t <= t)
    const sum = taken.reduce((total, one) => total + one.characters, characters)
    if (sum > NEW_ROWS_BUDGET.characters) return false
    if (characters > 0) taken.push({ t, characters })
    return true
  }
}

/** What the journal gets of a row's text. */
function keptLength(row: TranslatedRow): number {
  return 'fill' in row ? row.fill.raw.length : row.quarantined.raw.length
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
