import { z } from 'zod'
import { apiUrl } from '../../../base/http/api-address.ts'
import { ASSETS, type Asset } from '../../../base/money/asset.ts'
import { MAX_SPREAD_BPS, MIN_SPREAD_BPS } from '../../../base/money/bps.ts'
import { parseDecimalText } from '../../../base/money/decimal-text.ts'
import { parseRate, type Rate } from '../../../base/money/rate.ts'
import { SecretReference } from '../source/secret.ts'
import { keccak_256 } from '@noble/hashes/sha3'
import { bytesToHex } from '@noble/hashes/utils'
import type { Hex } from '../../../core/rfq/rfq-order.ts'

const OUT_OF_RANGE = `a spread outside ${MIN_SPREAD_BPS}..${MAX_SPREAD_BPS}; expected a whole number from ${MIN_SPREAD_BPS} to ${MAX_SPREAD_BPS}`

/** A whole number between two bounds, inclusive. */
export const whole = (min: number, max: number) => z.int().min(min).max(max)

/** A number between two bounds, inclusive. */
export const between = (min: number, max: number) => z.number().min(min).max(max)

/** A switch that is off by default. */
export const flag = (description: string) => z.boolean().default(false).describe(description)

/** A value that is null by default. */
export function orNull<Schema extends z.ZodType>(schema: Schema, description: string) {
  return z.nullable(schema).default(null).describe(description)
}

/**
 * How a field's text is read: a secret must be tagged, a possible secret is never repeated, and money keeps its exact
 * digits.
 */
export const fieldReading = z.registry<{ readonly as: 'secret' | 'possible secret' | 'money' }>()

/** The kinds of configuration values, by name. */
export const field = {
  /** A spread that the venue accepts. */
  spreadBps: z.int().min(MIN_SPREAD_BPS, OUT_OF_RANGE).max(MAX_SPREAD_BPS, OUT_OF_RANGE),
  /** A difference in basis points. */
  bps: z.number().min(0).max(10_000),
  durationMs: z
    .int()
    .min(0)
    .max(366 * 86_400_000),
  /** An interval for polling or waiting; 0 would be a busy loop. */
  intervalMs: z
    .int()
    .min(100)
    .max(366 * 86_400_000),
  count: z.int().min(1).max(1_000_000),
  share: z.number().min(0).max(1),
  text: z.string().trim().min(1).max(500),
  address: z
    .string()
    .regex(/^0x[0-9a-fA-F]{40}$/, 'not an EVM address; expected 0x and 40 hex digits in quotes'),
  url: apiUrl,
  secret: z
    .custom<SecretReference>((value) => value instanceof SecretReference, {
      error: ({ input }) =>
        input === undefined || input === null
          ? 'missing; !env NAME or !file PATH is needed here'
          : 'secret in plain text: use !env NAME or !file PATH',
    })
    .meta({ type: 'string', description: '!env NAME or !file PATH; never the secret itself' })
    .register(fieldReading, { as: 'secret' }),
  /** The URL of a PostgreSQL database, which must not contain a password in plain text. */
  database: z
    .custom<SecretReference | string>(
      (value) => value instanceof SecretReference || (typeof value === 'string' && isOpenDatabaseUrl(value)),
      {
        error: ({ input }) =>
          typeof input === 'string' && hasPassword(input)
            ? 'a password in plain text; put the whole URL behind !env NAME or !file PATH'
            : 'not the URL of a database; expected postgres://HOST/DATABASE, !env NAME or !file PATH',
      },
    )
    .meta({ type: 'string' })
    .register(fieldReading, { as: 'possible secret' }),
}

function isOpenDatabaseUrl(text: string): boolean {
  return /^postgres(?:ql)?:$/.test(URL.parse(text)?.protocol ?? '') && !hasPassword(text)
}

function hasPassword(text: string): boolean {
  const url = URL.parse(text)
  return url !== null && (url.password !== '' || url.searchParams.has('password'))
}

/** An amount as text or number, converted to an exact non-negative bigint with this many decimals. */
export function money(decimals: number) {
  return z
    .union([z.string(), z.number()], {
      error: 'not an amount; expected a decimal number such as 1500.25',
    })
    .transform((value, context): bigint => {
      const parsed = parseDecimalText(typeof value === 'number' ? String(value) : value, decimals)
      if (parsed.ok && parsed.value >= 0n) return parsed.value
      const why = parsed.ok ? 'an amount below zero' : parsed.error.message
      context.issues.push({
        code: 'custom',
        input: value,
        message: `${why}; expected a decimal number from 0 up, with at most ${decimals} decimals`,
      })
      return z.NEVER
    })
    .register(fieldReading, { as: 'money' })
}

/** TZS per USD as text or number, exactly. */
export function rate() {
  return z
    .union([z.string(), z.number()], { error: 'not a rate; expected TZS per USD such as 2612.5' })
    .transform((value, context): Rate => {
      const parsed = parseRate(value)
      if (parsed.ok) return parsed.value
      const message = `${parsed.error.message}; expected TZS per USD such as 2612.5`
      context.issues.push({ code: 'custom', input: value, message })
      return z.NEVER
    })
    .register(fieldReading, { as: 'money' })
}

/** A mapping from assets to the schema that `make` returns, all optional. */
export function perAsset<Schema extends z.ZodType>(make: (asset: Asset) => Schema) {
  const shape = Object.fromEntries(ASSETS.map((asset) => [asset, make(asset).optional()]))
  return z.strictObject(shape as { [asset in Asset]: z.ZodOptional<Schema> })
}

const ZERO = /^0x0{40}$/i

/**
 * An address as written, because money depends on it: forty hex digits, not zero, whose mixed case, if any, is the
 * correct checksum (EIP-55).
 */
export const writtenAddress = z
  .string()
  .regex(/^0x[0-9a-fA-F]{40}$/, 'not an EVM address; expected 0x and 40 hex digits in quotes')
  .refine((text) => !ZERO.test(text), 'the zero address; use the address of an account')
  .refine(
    (text) => isOneCase(text) || hasChecksum(text),
    'its checksum is wrong, so a digit may be; copy the address again, or write it in lower case',
  )

/** The same address in lower case. */
export const checkedAddress = writtenAddress.transform((text) => text.toLowerCase() as Hex)

/** Returns whether the case of the letters is the checksum of EIP-55. The `Address` of ox costs each thread 7 MiB more. */
function hasChecksum(text: string): boolean {
  const digits = text.slice(2).toLowerCase()
  const hash = bytesToHex(keccak_256(digits))
  const cased = Array.from(digits, (digit, at) =>
    Number.parseInt(hash[at]!, 16) > 7 ? digit.toUpperCase() : digit,
  )
  return cased.join('') === text.slice(2)
}

function isOneCase(text: string): boolean {
  const digits = text.slice(2)
  return digits === digits.toLowerCase() || digits === digits.toUpperCase()
}
