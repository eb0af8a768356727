import { z } from 'zod'
import { asset, decimal, side } from '../view/fields.ts'
import { positionSummary } from '../view/position-summary.ts'
import { viewSchema } from '../view/position-view.ts'
import { proposalSchema } from '../view/proposal-view.ts'
import { treasuryViewSchema } from '../view/treasury-view.ts'

/** Rows without a view schema: fills and the event log. */
const ROWS = z.object({
  amountIn: decimal,
  amountOut: decimal,
  inAsset: asset,
  outAsset: asset,
  side,
  severity: z.enum(['info', 'warning', 'critical']),
})

/** The texts of a field that are the program's own: words of a closed list, numbers, or none. */
type OwnTexts = { readonly words: Set<string>; isFigure: boolean; isText: boolean }
const OWN = new Map<string, OwnTexts>()
for (const schema of [viewSchema, treasuryViewSchema, proposalSchema, positionSummary, ROWS])
  learn(schema, null, new Set())

/** Reads from a schema what each field may hold. A field that may hold free text anywhere never counts as a number. */
function learn(schema: z.core.$ZodType, field: string | null, seen: Set<unknown>): void {
  const own = OWN.get(field ?? '') ?? { words: new Set(), isFigure: false, isText: false }
  if (field !== null) OWN.set(field, own)
  if (schema === decimal) own.isFigure = true
  else if (schema instanceof z.ZodEnum) for (const word of schema.options) own.words.add(String(word))
  else if (schema instanceof z.ZodLiteral) for (const word of schema.values) own.words.add(String(word))
  else if (schema instanceof z.ZodObject) {
    if (seen.has(schema)) return
    seen.add(schema)
    for (const [name, below] of Object.entries(schema.shape)) learn(below as z.core.$ZodType, name, seen)
  } else {
    const { innerType, element, options, valueType } = schema._zod.def as Inner
    const parts = [innerType, element, valueType, ...(options ?? [])].filter((part) => part !== undefined)
    for (const part of parts) learn(part, field, seen)
    if (parts.length === 0 && schema instanceof z.ZodString) own.isText = true
  }
}

type Inner = z.core.$ZodTypeDef & {
  readonly innerType?: z.core.$ZodType
  readonly element?: z.core.$ZodType
  readonly valueType?: z.core.$ZodType
  readonly options?: readonly z.core.$ZodType[]
}

const FIGURE = /^-?\d{1,80}(?:\.\d{1,80})?$/
/** A field name: a short word with dots and dashes. */
const NAME = /^[A-Za-z][A-Za-z0-9]{0,31}(?:[-_.][A-Za-z0-9]{1,31}){0,3}$/

function isOwn(field: string | null, text: string): boolean {
  const own = OWN.get(field ?? '')
  return own !== undefined && (own.words.has(text) || (own.isFigure && !own.isText && FIGURE.test(text)))
}

/** Keeps each text short enough for a person to read. */
const MOST_CHARACTERS = 2_000

/** Control characters, invisible characters and those that reverse the reading direction: they could hide text in text. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu

/** Returns the text for display: bounded, and without invisible characters. */
export function shownText(text: string): string {
  const seen = text.replaceAll(/[\n\t]/g, ' ').replaceAll(UNSEEN, '\uFFFD')
  if (seen.length <= MOST_CHARACTERS) return seen
  return `${seen.slice(0, MOST_CHARACTERS)}… (${seen.length - MOST_CHARACTERS} more characters)`
}

/**
 * Returns the same data with every text marked as `{ "untrusted": "..." }`, unless its field proves that it is the
 * program's own: a number, or a word of the field's closed list. Hashes, ids, names, errors and sentences are always
 * marked. Writes bigint as decimal text.
 */
export function markOutside(value: unknown): unknown {
  return marked(value, null)
}

function marked(value: unknown, field: string | null): unknown {
  switch (typeof value) {
    case 'string':
      return isOwn(field, value) ? value : { untrusted: shownText(value) }
    case 'bigint':
      return value.toString()
    case 'object':
      if (value === null) return null
      if (Array.isArray(value)) return value.map((one: unknown) => marked(one, field))
      return markedFields(value as Readonly<Record<string, unknown>>)
    case 'number':
    case 'boolean':
      return value
    case 'undefined':
    case 'function':
    case 'symbol':
      return null
  }
}

/** A field name that is not a plain word also came from outside. */
function markedFields(fields: Readonly<Record<string, unknown>>): object {
  const own: [string, unknown][] = []
  const others: object[] = []
  for (const [name, value] of Object.entries(fields)) {
    const below = marked(value, name)
    if (NAME.test(name) && name !== 'untrusted') own.push([name, below])
    else others.push({ name: { untrusted: shownText(name) }, value: below })
  }
  return Object.fromEntries(others.length === 0 ? own : [...own, ['otherFields', others]])
}
