import { z } from 'zod'
import { err, ok, type Result } from '../base/result.ts'
import { parseRate, type Rate } from '../base/money/rate.ts'
import { asFlag, asWhole } from './wire/fields.ts'

const DECIMAL = /^\d{1,15}(?:\.\d{1,18})?$/

/** A whole number, as a JSON number or as text. */
export function whole(least: number, most: number) {
  return z.preprocess(asWhole, z.int().min(least).max(most))
}

/** A ratio in bps, as a JSON number or as text; not money, so a double suffices. Null or absent = not stated. */
export const bpsFigure = z
  .preprocess(
    (value) => (typeof value === 'string' && DECIMAL.test(value) ? Number(value) : value),
    z.number().min(0).max(10_000).nullable(),
  )
  .optional()

/** Returns the digits of a figure, from text or a JSON number that `String` writes as it was sent; else null. */
export function digitsOf(value: unknown): string | null {
  if (typeof value === 'number') return String(value)
  return typeof value === 'string' ? value : null
}

/** Rejects a negative amount. */
export function notNegative<Units extends bigint>(
  text: string,
  amount: Result<Units, { readonly message: string }>,
): Result<Units, { readonly message: string }> {
  return amount.ok && amount.value < 0n ? err({ message: `${text} is below zero` }) : amount
}

/** Reads a mid; null = not stated, or an implausible figure. */
export function statedMid(value: unknown): Result<Rate | null, string> {
  if (value === undefined || value === null) return ok(null)
  const digits = digitsOf(value)
  if (digits === null) return err(`midRate: a ${typeof value}, not a number`)
  const rate = parseRate(digits)
  if (rate.ok || rate.error.kind === 'implausible') return ok(rate.ok ? rate.value : null)
  return err(`midRate: ${rate.error.message}`)
}

/** The form of addresses and hashes, which a number in a text does not have. */
const CHAIN_TEXT = /^0x\w{1,198}$/

/** The address of a wallet, for comparison and display. */
export const walletText = z.string().regex(CHAIN_TEXT, 'not an address')

/** Returns a transaction hash for people, or null; no answer is refused because of it. */
export function hashText(value: unknown): string | null {
  return typeof value === 'string' && CHAIN_TEXT.test(value) ? value : null
}

/** True, 1 or "true", or one of their opposites. */
export const statedFlag = z.preprocess(asFlag, z.boolean())
/** The same; null or absent = not stated. */
export const flag = z.preprocess(asFlag, z.boolean().nullable()).optional()
