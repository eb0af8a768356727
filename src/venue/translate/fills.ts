import { err, ok, type Result } from '../../base/result.ts'
import type { FillsAnswer, TranslatedRow } from '../answer.ts'
import { FILLS_WINDOW_ROWS } from '../fills-window.ts'
import { fillsBody } from '../route/fills.ts'
import type { TokenRegistry } from '../token-registry.ts'
import { translateFillRow } from './fill-row.ts'
import { problemOf } from './problem.ts'

export type FillsTranslator = {
  /** `text` is the body as received, where it came as text: rows keep their numbers' own digits. */
  translate(body: unknown, text: string | null): Result<FillsAnswer, string>
  /** The previous answer if this is the same body again; null if not. */
  recall(body: unknown): FillsAnswer | null
}

/**
 * GET /fills. Most polls bring what the poll before brought, so an equal body costs a comparison and an
 * equal row a look-up; rows that came as objects are known by identity, rows of a text by their text.
 */
export function createFillsTranslator(assetOf: TokenRegistry): FillsTranslator {
  let lastBody: unknown = null
  let lastAnswer: FillsAnswer | null = null
  let byText = new Map<string, TranslatedRow>()
  const byObject = new WeakMap<object, TranslatedRow>()

  function translateRow(row: unknown, exactRow: unknown): TranslatedRow {
    const isObject = typeof row === 'object' && row !== null
    const known = isObject ? byObject.get(row) : undefined
    if (known !== undefined) return known
    const raw = JSON.stringify(exactRow) ?? 'null'
    const translated = byText.get(raw) ?? translateFillRow(row, raw, assetOf)
    if (isObject) byObject.set(row, translated)
    return translated
  }

  return {
    recall: (body) => (lastAnswer !== null && body === lastBody ? lastAnswer : null),
    translate(body, text) {
      const parsed = fillsBody.safeParse(body)
      if (!parsed.success) return err(problemOf(parsed.error))
      const count = parsed.data.fills.length
      if (count > FILLS_WINDOW_ROWS)
        return err(`${count} fills, and the contract shows at most ${FILLS_WINDOW_ROWS}`)
      const exact = text !== null && parsed.data.fills.some(mayHoldNumbers) ? exactRows(text) : null
      const rows = parsed.data.fills.map((row, index) =>
        translateRow(row, exact === null ? row : exact[index]),
      )
      byText = new Map(rows.map((row) => [row.raw, row]))
      lastBody = text ?? body
      lastAnswer = { type: 'fills', rows }
      return ok(lastAnswer)
    },
  }
}

type JsonWithSource = {
  parse(text: string, revive: (key: string, value: unknown, context: { source?: string }) => unknown): unknown
  rawJSON(text: string): unknown
}

/** The contract's rows are text throughout, and reading a body a second time costs a millisecond. */
function mayHoldNumbers(row: unknown): boolean {
  if (typeof row !== 'object' || row === null) return true
  return Object.values(row).some(
    (value) => typeof value === 'number' || (typeof value === 'object' && value !== null),
  )
}

/** The rows with every number as it was written: 0.10 stays 0.10, and no digit is lost to a double. */
function exactRows(text: string): readonly unknown[] {
  const json = JSON as unknown as JsonWithSource
  const body = json.parse(text.trimStart(), (_key, value, { source }) =>
    typeof value === 'number' && source !== undefined ? json.rawJSON(source) : value,
  )
  return (body as { readonly fills: readonly unknown[] }).fills
}
