import { err, ok, type Result } from '../result.ts'
import { fieldsOf } from '../record.ts'
import type { Ms } from '../time.ts'

const MAX_WORDS_LENGTH = 200

/** Returns a text from outside on one short line without control characters. */
export function oneLine(text: string): string {
  const line = text
    .slice(0, 4 * MAX_WORDS_LENGTH)
    .replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .trim()
  return line.length > MAX_WORDS_LENGTH ? `${line.slice(0, MAX_WORDS_LENGTH)}...` : line
}

/** HTML pages are cut to this length before their words are extracted. */
const MOST_PAGE_LENGTH = 8_000

/** Returns the first words of a body on one line, without tags if it is a page; empty if it has no words. */
function firstWords(body: string): string {
  if (!isPage(body)) return oneLine(body)
  const page = body.slice(0, MOST_PAGE_LENGTH)
  return oneLine(page.replaceAll(/<(script|style)\b[^]*?(?:<\/\1>|$)/gi, ' ').replaceAll(/<[^>]*>?/g, ' '))
}

function isPage(text: string): boolean {
  return text.trimStart().startsWith('<')
}

/** Describes a body with its first words: `an HTML page: 404: not found`. */
export function describeBody(what: string, body: string): string {
  const words = firstWords(body)
  return words === '' ? what : oneLine(`${what}: ${words}`)
}

/** No documented answer nests deeper than 4; the limit protects recursive readers from exhausting the stack. */
const MAX_DEPTH = 64

/** How numbers are parsed. `exact`: a number that a double cannot hold becomes its text. */
type NumbersAs = 'double' | 'exact'

/** Returns the parsed JSON of a body, or a short description of what it is instead. An object is returned unchanged. */
export function parseBody(body: unknown, numbers: NumbersAs = 'double'): Result<unknown, string> {
  if (typeof body !== 'string') return ok(body)
  const text = body.trimStart()
  if (text === '') return err('an empty body')
  if (text.startsWith('<')) return err('an HTML page')
  if (isTooDeep(text)) return err('JSON nested too deep')
  try {
    return ok(numbers === 'exact' ? parseExactly(text, keepSource) : JSON.parse(text))
  } catch {
    // The parser's message could quote the body.
    return err('not JSON')
  }
}

type Reviver = (key: string, value: unknown, context: { readonly source?: string }) => unknown
/** TypeScript's type omits the third argument, which holds the number's source text. */
const parseExactly = JSON.parse as (text: string, reviver: Reviver) => unknown

function keepSource(_key: string, value: unknown, { source }: { readonly source?: string }): unknown {
  return typeof value === 'number' && source !== undefined && String(value) !== source ? source : value
}

function isTooDeep(text: string): boolean {
  let depth = 0
  let inString = false
  for (let index = 0; index < text.length; index++) {
    const character = text.charCodeAt(index)
    if (inString) {
      if (character === 92) index += 1
      else if (character === 34) inString = false
    } else if (character === 34) inString = true
    else if (character === 91 || character === 123) {
      depth += 1
      if (depth > MAX_DEPTH) return true
    } else if (character === 93 || character === 125) depth -= 1
  }
  return false
}

/** Parses JSON with exact numbers; a repeated field is an error. */
export function parseUnique(text: string): Result<unknown, string> {
  const parsed = parseBody(text, 'exact')
  const repeated = parsed.ok ? repeatedField(text) : null
  return repeated === null ? parsed : err(`JSON with two fields ${oneLine(repeated)}`)
}

/** Returns the first field that an object in this valid JSON text repeats, or null. */
export function repeatedField(text: string): string | null {
  const open: (Set<string> | null)[] = []
  for (let index = 0; index < text.length; index++) {
    const character = text[index]
    if (character === '{') open.push(new Set())
    else if (character === '[') open.push(null)
    else if (character === '}' || character === ']') open.pop()
    if (character !== '"') continue
    const end = endOfString(text, index)
    const names = open.at(-1) ?? null
    if (names !== null && isNameBefore(text, end)) {
      const name = JSON.parse(text.slice(index, end)) as string
      if (names.has(name)) return name
      names.add(name)
    }
    index = end - 1
  }
  return null
}

/** Returns the index after the closing quote of the string that begins at `start`. */
function endOfString(text: string, start: number): number {
  let index = start + 1
  while (index < text.length && text[index] !== '"') index += text[index] === '\\' ? 2 : 1
  return index + 1
}

function isNameBefore(text: string, end: number): boolean {
  let index = end
  while (/\s/.test(text[index] ?? '')) index += 1
  return text[index] === ':'
}

/** The problems that a schema reports for a body, such as zod's error. */
type SchemaProblem = {
  readonly issues: readonly { readonly path: readonly PropertyKey[]; readonly message: string }[]
}

/** Returns the first invalid field of a body in one line. */
export function problemOf(error: SchemaProblem): string {
  const [issue] = error.issues
  const at = issue?.path.map(String).join('.') ?? ''
  const more = error.issues.length > 1 ? ` (and ${error.issues.length - 1} more)` : ''
  return `${at === '' ? 'the body' : at}: ${issue?.message ?? 'not as the contract says'}${more}`
}

const ISO_8601 = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})$/

/**
 * Returns the time of an ISO 8601 timestamp with a zone, or null. A date without a zone would depend on the local
 * clock, and a bare number on a guessed unit.
 */
export function momentOf(value: unknown): Ms | null {
  if (typeof value !== 'string' || value.length > 40 || !ISO_8601.test(value)) return null
  const at = Date.parse(value)
  return Number.isFinite(at) ? at : null
}

const CODE = /^[A-Za-z][A-Za-z0-9]*(?:_[A-Za-z0-9]+)*$/
const MAX_CODE_LENGTH = 64

/**
 * The form of a refusal. `code`: JSON with a code; `sentence`: JSON without a code; `text`: not JSON; null: an HTML
 * page, an empty body or truncated JSON.
 */
export type RefusalForm = 'code' | 'sentence' | 'text' | null

/** The content of a refusal. */
export type BodyRefusal = {
  readonly code: string | null
  readonly words: string
  readonly fields: Readonly<Record<string, unknown>>
  readonly form: RefusalForm
}

/** Parses `{ code, error }`, `{ error: "<sentence>" }`, `{ error: code, message }`, a bare sentence, or a page. */
export function readRefusal(body: unknown): BodyRefusal {
  const parsed = parseBody(body)
  if (!parsed.ok) {
    const text = typeof body === 'string' ? body : ''
    const isText = text.trim() !== '' && !isPage(text)
    const form = isText && !/^\s*[[{"]/.test(text) ? 'text' : null
    return {
      code: null,
      words: isText ? oneLine(text) : describeBody(parsed.error, text),
      fields: {},
      form,
    }
  }
  if (typeof parsed.value === 'string')
    return { code: null, words: oneLine(parsed.value), fields: {}, form: 'text' }
  const fields = fieldsOf(parsed.value)
  const nested = fieldsOf(fields['error'])
  const code = codeOf(fields['code']) ?? codeOf(nested['code']) ?? codeOf(fields['error'])
  const sentences = [fields['error'], fields['message'], nested['message'], fields['orderStatus']]
  const words = sentences.filter(
    (sentence): sentence is string => typeof sentence === 'string' && sentence !== code,
  )
  const form = code !== null ? 'code' : words.length > 0 ? 'sentence' : null
  // JSON with neither a code nor a sentence is quoted.
  const isSilent = form === null && parsed.value !== undefined && parsed.value !== null
  return {
    code,
    words: oneLine(isSilent ? (JSON.stringify(parsed.value) ?? '') : words.join(', ')),
    fields,
    form,
  }
}

function codeOf(value: unknown): string | null {
  return typeof value === 'string' && value.length <= MAX_CODE_LENGTH && CODE.test(value) ? value : null
}
