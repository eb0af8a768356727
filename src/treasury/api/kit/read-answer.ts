import { z } from 'zod'
import { isRecord } from '../../../base/record.ts'
import { err, ok, type Result } from '../../../base/result.ts'
import type { Ms } from '../../../base/time.ts'
import { momentOf, oneLine } from '../../../base/http/body.ts'
import { type Aliases, withDocumentedNames } from '../../../base/http/documented-names.ts'
import { read, type ReplyFacts, type Translate } from '../../../base/http/reply.ts'
import { parseDecimalText } from '../../../base/money/decimal-text.ts'
import { divide, type Rounding } from '../../../base/money/rounding.ts'
import type { Other } from '../outcome.ts'

/** Reads fields by their documented names or their aliases. Errors if a name and its alias disagree. */
export function aliased<Output, Input>(aliases: Aliases, schema: z.ZodType<Output, Input>) {
  return z.preprocess((body, context) => {
    const named = isRecord(body) ? withDocumentedNames(body, aliases) : ok(body)
    if (named.ok) return named.value
    context.issues.push({ code: 'custom', input: body, message: named.error })
    return body
  }, schema)
}

/** Reads a body that the contract does not define: an object unchanged, a list under `items`. */
export const readFields: Translate<Readonly<Record<string, unknown>>> = (body) => {
  if (isRecord(body)) return ok(body)
  return Array.isArray(body) ? ok({ items: body }) : err('the body: neither an object nor a list')
}

/** An id from the venue, short and without control characters, because it is shown and put into paths. */
export const id = z
  .string()
  .min(1)
  .max(200)
  .regex(/^[^\p{Cc}\p{Zl}\p{Zp}]+$/u, 'has control characters')

/** Reads a word of a list or its alias. An unknown word becomes `other(word)`, which ends nothing. */
export function oneOf<const Words extends readonly string[]>(
  words: Words,
  renamed: Readonly<Partial<Record<string, Words[number]>>> = {},
) {
  return z.string().transform((word): Words[number] | Other => {
    const known = Object.hasOwn(renamed, word) ? renamed[word] : undefined
    return known ?? (words.includes(word) ? word : `other(${oneLine(word)})`)
  })
}

/**
 * Reads an optional field: null if it is absent, null or unreadable, because an answer to a money request must keep its
 * id whatever else is wrong with it.
 */
export function maybe<Output, Input>(schema: z.ZodType<Output, Input>) {
  return schema
    .nullish()
    .catch(null)
    .transform((value): Output | null => value ?? null)
}

export const words = maybe(z.string().max(2_000))
export const moment = z.unknown().optional().transform(momentOf)

/** Reads a quote. `expiresAt` becomes a time on our clock, at most `validityMs` away. */
export function readExpiringQuote<Body extends { readonly expiresAt: Ms | null }>(
  schema: z.ZodType<Body>,
  validityMs: Ms,
): Translate<Omit<Body, 'expiresAt'> & { readonly expiresAt: Ms }> {
  type Quote = Omit<Body, 'expiresAt'> & { readonly expiresAt: Ms }
  return read(schema, (body, facts: ReplyFacts): Result<Quote, string> => {
    return ok({ ...body, expiresAt: expiryOf(body.expiresAt, validityMs, facts) })
  })
}

/**
 * Returns when a quote expires on our clock: the time that remained on the venue's clock when it answered, at most the
 * contract's validity. `statedAt` null = the contract's validity.
 */
function expiryOf(statedAt: Ms | null, validityMs: Ms, { receivedAt, venueTime }: ReplyFacts): Ms {
  if (statedAt === null) return receivedAt + validityMs
  // A Date header has whole seconds, so the venue's clock may be up to one second ahead.
  const remaining = statedAt - (venueTime === null ? receivedAt : venueTime + 1_000)
  return receivedAt + Math.min(Math.max(0, remaining), validityMs)
}

/** One shilling outside the chain is 10^18 base units of its token. */
export const UNITS_PER_SHILLING = 10n ** 18n
/** Decimals of the venue's dollars on the rail. */
export const DOLLAR_DECIMALS = 6
const TOKEN_DECIMALS = 18

/** A text, or a JSON number's source text, possibly with an exponent. */
const FIGURE = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d{1,3}))?$/
const MAX_LENGTH = 100

/** Returns the digits of a figure without its exponent; null = not a number. */
function plainDecimal(text: string): string | null {
  const match = text.length > MAX_LENGTH ? null : FIGURE.exec(text)
  if (match === null) return null
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = match
  const shift = Number(exponent)
  if (Math.abs(shift) > MAX_LENGTH) return null
  const digits = `${whole}${fraction}`
  const point = whole.length + shift
  const padded = point <= 0 ? `${'0'.repeat(1 - point)}${digits}` : digits.padEnd(point, '0')
  const at = Math.max(point, 1)
  return padded.length === at ? `${sign}${padded}` : `${sign}${padded.slice(0, at)}.${padded.slice(at)}`
}

/** Returns a figure in units of 10^-decimals; null = unreadable. More digits are allowed only with a `rounding`. */
export function readFigure(value: unknown, decimals: number, rounding?: Rounding): bigint | null {
  const isFigure = typeof value === 'string' || (typeof value === 'number' && Number.isFinite(value))
  const text = isFigure ? plainDecimal(String(value)) : null
  if (text === null) return null
  if (rounding === undefined) {
    const exact = parseDecimalText(text, decimals)
    return exact.ok ? exact.value : null
  }
  const [, fraction = ''] = text.split('.')
  const fine = parseDecimalText(text, Math.max(decimals, fraction.length))
  if (!fine.ok) return null
  return divide(fine.value, 10n ** BigInt(Math.max(0, fraction.length - decimals)), rounding)
}

const written = z.union([z.number(), z.string()])

function figure(decimals: number, rounding?: Rounding) {
  return written.transform((value, context) => {
    const units = readFigure(value, decimals, rounding)
    if (units !== null) return units
    context.issues.push({
      code: 'custom',
      input: value,
      message: `not an amount with up to ${decimals} decimals`,
    })
    return z.NEVER
  })
}

/** Whole shillings: an integer, exactly. */
export const shillings = figure(0)
/** Base units of a dollar (6 decimals), exactly. */
export const dollars = figure(DOLLAR_DECIMALS)
/** A computed dollar amount in base units: further digits are truncated. */
export const dollarsDown = figure(DOLLAR_DECIMALS, 'down')
/** A computed shilling token amount in base units: digits beyond 18 are truncated. */
export const tokensDown = figure(TOKEN_DECIMALS, 'down')

/** A ratio, a rate or bps: for statistics and display, never booked. */
export const ratio = written.transform((value, context) => {
  const number = typeof value === 'number' ? value : plainDecimal(value) === null ? Number.NaN : Number(value)
  if (Number.isFinite(number)) return number
  context.issues.push({ code: 'custom', input: value, message: 'no number' })
  return z.NEVER
})
