import { err, ok, type Result } from '../base/result.ts'
import { MINUTE_MS, type Ms } from '../base/time.ts'
import type { FillsEvent } from '../core/engine/model/event.ts'
import type { FillsAnswer, TranslatedRow } from '../core/engine/model/venue-answer.ts'

/**
 * New rows are journalled, and invented ones must not fill the disk. A row of the contract has about 500
 * characters and costs `ROW_OVERHEAD` more, so the budget is 12 fills a second of one position for a whole minute.
 */
export const NEW_ROWS_BUDGET = { characters: 524_288, perMs: MINUTE_MS } as const
/** Cost of a row in addition to its text. */
const ROW_OVERHEAD = 200

type FillsNews = Pick<FillsEvent, 'fills' | 'quarantined' | 'repeated' | 'windowFull' | 'tokenForm'>

export type FillsWindow = {
  /**
   * Returns the new rows of an answer received at `t`, compared with the previous answer; all rows of the first answer are
   * new. Returns an error for more new rows than a market can produce: that answer is ignored, and its rows count as new
   * later.
   */
  reduce(answer: FillsAnswer, t: Ms): Result<FillsNews, string>
}

/**
 * Keeps the rows of the previous poll, so that an event carries new rows only. A row whose text changed is new again.
 * The ledger, not this window, decides whether a fill is booked.
 */
export function createFillsWindow(): FillsWindow {
  let previous: FillsAnswer | null = null
  let texts = new Set<string>()
  let ids = new Set<string>()
  const spend = createBudget()
  return {
    reduce(answer, t) {
      const { windowFull } = answer
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
          `${news.length} new rows, more than ${NEW_ROWS_BUDGET.characters} characters of them within a minute, which no real market produces; none of them was booked`,
        )
      const repeated = [...rows.values()].filter(isRepeated).length
      previous = answer
      texts = new Set(rows.keys())
      ids = new Set(answer.rows.flatMap(({ id }) => (id === null ? [] : [id])))
      const valid = oldestFirst(news)
      const tokenForm = valid.at(-1)?.tokenForm
      return ok({
        fills: valid.map(({ fill }) => fill),
        quarantined: news.flatMap((row) => ('quarantined' in row ? [row.quarantined] : [])),
        repeated,
        windowFull,
        ...(tokenForm === undefined ? {} : { tokenForm }),
      })
    },
  }
}

/**
 * Creates the budget of the last minute. The function that it returns takes characters from the budget at `t`; it takes none and
 * returns false if too few are left.
 */
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

/** Returns the length of the text that is journalled. */
function keptLength(row: TranslatedRow): number {
  return 'fill' in row ? row.fill.raw.length : row.quarantined.raw.length
}

type ValidRow = Extract<TranslatedRow, { readonly fill: unknown }>

/** Returns the valid rows by date; if a date is missing, in the reverse of the venue's order (newest first). */
function oldestFirst(rows: readonly TranslatedRow[]): readonly ValidRow[] {
  const valid = rows.filter((row) => 'fill' in row).toReversed()
  if (valid.some(({ fill }) => fill.createdAt === null)) return valid
  return valid.sort((a, b) => (a.fill.createdAt ?? 0) - (b.fill.createdAt ?? 0))
}
