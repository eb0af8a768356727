import { z } from 'zod'
import { isRecord } from '../../../base/record.ts'
import { formatDecimalText } from '../../../base/money/decimal-text.ts'
import { DOLLAR_DECIMALS } from './figures.ts'

/** How a parameter is written on the command line; every other one is its text. */
export type ParamKind = 'shillings' | 'dollars' | 'flag' | 'count' | 'json'

/** Metadata of a parameter: its kind, and what it is in one phrase. */
type ParamMeta = { readonly kind?: ParamKind; readonly description: string }

function withMeta<Schema extends z.ZodType>(schema: Schema, meta: ParamMeta): Schema {
  return schema.meta(meta)
}

/** Parameters of endpoints: what they are is checked here, whether the venue takes them it decides itself. */
export const param = {
  text: (description: string) => withMeta(z.string().min(1).max(2_000), { description }),
  /** Goes into a path. */
  id: (description: string) =>
    withMeta(z.string().regex(/^[\w-]{1,200}$/, 'an id has letters, digits, - and _ only'), { description }),
  /** Whole shillings. */
  shillings: (description: string) => withMeta(z.bigint().positive(), { description, kind: 'shillings' }),
  /** Base units (6 decimals) of a dollar. */
  dollars: (description: string) => withMeta(z.bigint().positive(), { description, kind: 'dollars' }),
  flag: (description: string) => withMeta(z.boolean(), { description, kind: 'flag' }),
  count: (description: string) => withMeta(z.int().min(0), { description, kind: 'count' }),
  choice: <const Words extends readonly [string, ...string[]]>(words: Words, description: string) =>
    withMeta(z.enum(words), { description }),
  json: (description: string) => withMeta(z.record(z.string(), z.unknown()), { description, kind: 'json' }),
}

/** Who a call on the platform wallet is for; `reference` comes back in its events, so it is the intent's random id. */
export const endUser = z.strictObject({
  reference: param.text('who or what it is for; its events echo it'),
  name: param.text("the end user's name").optional(),
  phone: param.text("the end user's phone").optional(),
})

/** Exactly one of them pays. */
export const fundingSource = {
  userId: param.text("pays from this user's wallet").optional(),
  fromTreasury: param.flag('pays from the platform wallet').optional(),
  subWalletId: param.text('pays from this agent float').optional(),
}

/** A number with exactly these digits in a body, whatever a double would make of it. */
type Digits = { readonly rawJSON: string }

const { rawJSON } = JSON as unknown as { readonly rawJSON: (text: string) => Digits }

/** Base units of a dollar as the number with 6 decimals that bodies have. */
export function dollarNumber(units: bigint): Digits {
  return rawJSON(formatDecimalText(units, DOLLAR_DECIMALS))
}

/** The exact text of a body: bigints are whole numbers, absent fields stay absent. */
export function bodyText(fields: Readonly<Record<string, unknown>>): string {
  return JSON.stringify(fields, withDigits)
}

/** Fields as they stand in a query: numbers in plain digits. */
export function queryText(fields: Readonly<Record<string, unknown>>): string {
  const pairs = Object.entries(fields).flatMap(([name, value]) => {
    if (value === undefined || value === null) return []
    const raw = isRecord(value) ? value['rawJSON'] : value
    return [[name, typeof raw === 'string' ? raw : JSON.stringify(raw, withDigits)] as [string, string]]
  })
  return new URLSearchParams(pairs).toString()
}

function withDigits(_name: string, value: unknown): unknown {
  return typeof value === 'bigint' ? rawJSON(value.toString()) : value
}
