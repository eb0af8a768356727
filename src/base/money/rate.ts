import { BPS } from './bps.ts'
import { err, type Result } from '../result.ts'
import { formatDecimalText, parseDecimalText, type DecimalTextError } from './decimal-text.ts'

/**
 * TZS per 1 USD, scaled by 10^18. The venue sends it as a JSON number: the shortest decimal that reads
 * back as that number has at most 17 significant digits, so any rate from 10 TZS up fits exactly.
 */
export type Rate = bigint

export const RATE_DECIMALS = 18
export const RATE_ONE = 10n ** 18n
const BILLIONTH = 10n ** 9n
const EXACT = BigInt(Number.MAX_SAFE_INTEGER)

/** A figure outside these bounds is not a TZS/USD rate of this century. */
const MIN_PLAUSIBLE = 1n * RATE_ONE
const MAX_PLAUSIBLE = 1_000_000n * RATE_ONE

/** Why a figure is not a rate. */
type RateError = { readonly kind: DecimalTextError['kind'] | 'implausible'; readonly message: string }

/** Parses a rate from the venue's JSON number or a decimal string. Zero, negative numbers and NaN are errors. */
export function parseRate(value: number | string): Result<Rate, RateError> {
  const text = typeof value === 'number' ? String(value) : value
  const parsed = parseDecimalText(text, RATE_DECIMALS)
  if (!parsed.ok) return parsed
  if (parsed.value < MIN_PLAUSIBLE || parsed.value > MAX_PLAUSIBLE) {
    return err({ kind: 'implausible', message: `${text} is not between 1 and 1000000 TZS per USD` })
  }
  return parsed
}

export function formatRate(rate: Rate): string {
  return formatDecimalText(rate, RATE_DECIMALS)
}

/** Caches the two latest conversions, because many readers convert the same mid. */
const latest = { rate: 0n, value: 0, rateBefore: 0n, valueBefore: 0 }

/** Returns the nearest double: for statistics and quote maths only, never for money. */
export function rateToNumber(rate: Rate): number {
  if (rate === latest.rate) return latest.value
  if (rate === latest.rateBefore) return latest.valueBefore
  latest.rateBefore = latest.rate
  latest.valueBefore = latest.value
  latest.rate = rate
  latest.value = recalled(rate)
  return latest.value
}

/** Mids recur, so each is cached at its hash until another rate replaces it. */
const PLACE_BITS = 8
const rates = Array.from({ length: 1 << PLACE_BITS }, () => 0n)
const values = new Float64Array(1 << PLACE_BITS)

function recalled(rate: Rate): number {
  const place = Math.imul(Number(rate) / 1e14, 0x9e3779b1) >>> (32 - PLACE_BITS)
  if (rates[place] !== rate) {
    rates[place] = rate
    values[place] = nearestDouble(rate)
  }
  return values[place]!
}

function nearestDouble(rate: Rate): number {
  const billionths = rate / BILLIONTH
  // Published rates have few decimals: then both numbers are exact and the division rounds once.
  if (billionths * BILLIONTH === rate && billionths <= EXACT) return Number(billionths) / 1e9
  return nearestQuotient(rate)
}

/** 10^18 is 5^18 times a power of two, and division by a power of two is exact. */
const ODD_PART = 5n ** 18n
const SHIFT = 100n
const BACK = 2 ** -118

/**
 * Returns the nearest double of a rate with any number of decimals, without parsing text. The quotient has more than 55
 * bits and its last bit is sticky for the remainder, so the conversion rounds once, as for the exact value.
 */
function nearestQuotient(rate: Rate): number {
  if (rate < 0n) return -nearestQuotient(-rate)
  const shifted = rate << SHIFT
  const quotient = shifted / ODD_PART
  return Number(quotient * ODD_PART === shifted ? quotient : quotient | 1n) * BACK
}

/** Returns the signed distance from `from` to `to`, in bps of `from`, to a hundredth of a bp. */
export function rateStepBps(from: Rate, to: Rate): number {
  return Number(((to - from) * BPS * 100n) / from) / 100
}

/** The lowest and highest accepted rate, inclusive. */
export type RateBand = { readonly min: Rate; readonly max: Rate }

export function isWithinBand(band: RateBand, rate: Rate): boolean {
  return rate >= band.min && rate <= band.max
}

export function formatBand({ min, max }: RateBand): string {
  return `${formatRate(min)} to ${formatRate(max)}`
}
