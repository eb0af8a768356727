import { z } from 'zod'
import { err, ok, type Result } from '../base/result.ts'
import { parseRate, type Rate } from '../base/money/rate.ts'
import { asFlag, asWhole } from './wire/fields.ts'

const DECIMAL = /^\d{1,15}(?:\.\d{1,18})?$/

/** A whole number, as a JSON number or as text. */
export function whole(least: number, most: number) {
  return z.preprocess(asWhole, z.int().min(least).max(most))
}

/** A ratio in bps, as a JSON number or as text: no money, so that a double holds it. Null or absent = not stated. */
export const bpsFigure = z
  .preprocess(
    (value) => (typeof value === 'string' && DECIMAL.test(value) ? Number(value) : value),
    z.number().min(0).max(10_000).nullable(),
  )
  .optional()

/** A figure by its digits: a JSON number that `String` writes as it was sent, or text. Null = it is neither. */
export function digitsOf(value: unknown): string | null {
  if (typeof value === 'number') return String(value)
  return typeof value === 'string' ? value : null
}

/** The amount that was read, which no answer states below zero. */
export function notNegative<Units extends bigint>(
  text: string,
  amount: Result<Units, { readonly message: string }>,
): Result<Units, { readonly message: string }> {
  return amount.ok && amount.value < 0n ? err({ message: `${text} is below zero` }) : amount
}

/** A mid. Null = not stated, or a figure that can be read and is no rate. */
export function statedMid(value: unknown): Result<Rate | null, string> {
  if (value === undefined || value === null) return ok(null)
  const digits = digitsOf(value)
  if (digits === null) return err(`midRate: a ${typeof value}, not a number`)
  const rate = parseRate(digits)
  if (rate.ok || rate.error.kind === 'implausible') return ok(rate.ok ? rate.value : null)
  return err(`midRate: ${rate.error.message}`)
}

/** The form of addresses and hashes. A number too large for a double is a text here, and neither of them. */
const CHAIN_TEXT = /^0x\w{1,198}$/

/** The address of a wallet, as far as it is compared and shown. */
export const walletText = z.string().regex(CHAIN_TEXT, 'not an address')

/** A hash of the chain, or null: it is for people, and no answer is refused for it. */
export function hashText(value: unknown): string | null {
  return typeof value === 'string' && CHAIN_TEXT.test(value) ? value : null
}

/** True, 1 or "true", or one of their opposites. */
export const statedFlag = z.preprocess(asFlag, z.boolean())
/** The same; null or absent = not stated, which is neither of the two. */
export const flag = z.preprocess(asFlag, z.boolean().nullable()).optional()
