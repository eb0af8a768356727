import { err, ok, type Result } from '../../base/result.ts'
import type { Ms } from '../../base/time.ts'
import { parseRate } from '../../base/money/rate.ts'
import type { FeedFigure } from './feed.ts'

/** The paths of the rate and its date in a JSON document; `timePath` null = it has no date. */
type FigurePlaces = { readonly path: string; readonly timePath: string | null }

const MOST_SHOWN = 40
/** ISO 8601 with a zone, or a day alone, which is midnight UTC; or the date of an HTTP header. */
const ISO = /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d))?$/
const HEADER_DATE = /^[A-Z][a-z]{2}, \d{1,2} [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d (?:GMT|[+-]0000)$/
/** Seconds until the year 2286; more digits are milliseconds. */
const SECONDS_BELOW = 10_000_000_000

/** Returns the rate and its date from a JSON text. */
export function figureInJson(text: string, { path, timePath }: FigurePlaces): Result<FeedFigure, string> {
  let document: unknown
  try {
    document = JSON.parse(text)
  } catch {
    return err('it is not JSON')
  }
  const shown = valueAt(document, path)
  if (shown === undefined) return err(`there is nothing at ${path}`)
  if (timePath === null) return figureOf(shown, null, path)
  const date = valueAt(document, timePath)
  return date === undefined ? err(`there is nothing at ${timePath}`) : figureOf(shown, date, path)
}

/** Returns a rate and a date from their text; `date` null = the source has none. `place` describes the location. */
export function figureOf(shown: unknown, date: unknown, place: string): Result<FeedFigure, string> {
  const isFigure = typeof shown === 'number' || typeof shown === 'string'
  const rate = isFigure ? parseRate(typeof shown === 'string' ? shown.trim() : shown) : null
  if (rate === null || !rate.ok) return err(`${place} holds ${excerpt(shown)}, which is not a rate`)
  if (date === null) return ok({ mid: rate.value, datedAt: null })
  const datedAt = parseDate(date)
  if (datedAt === null)
    return err(`its date is ${excerpt(date)}; expected ISO 8601 with a time zone, or seconds since 1970`)
  return ok({ mid: rate.value, datedAt })
}

/** Returns the value at a path like `rates.TZS` or `data[0].mid`. Follows only own properties, so no path leaves the document. */
function valueAt(document: unknown, path: string): unknown {
  let value = document
  for (const step of path.replaceAll(/\[(\d+)\]/g, '.$1').split('.')) {
    if (step === '' && value === document) continue
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined
    value = (value as Readonly<Record<string, unknown>>)[step]
  }
  return value
}

/** Null if there is no date, or if it has no time zone. */
function parseDate(value: unknown): Ms | null {
  if (typeof value === 'number') return fromNumber(value)
  if (typeof value !== 'string') return null
  const text = value.trim()
  if (/^\d{9,13}(?:\.\d+)?$/.test(text)) return fromNumber(Number(text))
  if (!ISO.test(text) && !HEADER_DATE.test(text)) return null
  const parsed = Date.parse(text.replace(/^(\d{4}-\d\d-\d\d) /, '$1T'))
  return Number.isNaN(parsed) ? null : parsed
}

function fromNumber(value: number): Ms | null {
  if (!Number.isFinite(value) || value <= 0) return null
  return Math.round(value < SECONDS_BELOW ? value * 1_000 : value)
}

/** Returns the beginning of an external value, quoted and without control characters. */
function excerpt(value: unknown): string {
  const text = typeof value === 'string' ? JSON.stringify(value.slice(0, MOST_SHOWN)) : kindOf(value)
  return text.replaceAll(/[^\x20-\x7e]/g, '?')
}

function kindOf(value: unknown): string {
  if (typeof value === 'number' || typeof value === 'boolean' || value === null) return String(value)
  return Array.isArray(value) ? 'a list' : 'an object'
}
