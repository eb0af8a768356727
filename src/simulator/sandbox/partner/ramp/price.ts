import { toBook, TOKEN_UNIT, type TokenAmount, toTokens } from '../../../../base/money/asset.ts'
import { BPS } from '../../../../base/money/bps.ts'
import { dollarsForShillings, shillingsForDollars } from '../../../../base/money/payout.ts'
import { RATE_ONE, type Rate } from '../../../../base/money/rate.ts'
import { divide, type Rounding } from '../../../../base/money/rounding.ts'

/** 10^18: one shilling in base units of the token. */
const SHILLING = 10n ** 18n

/** What the ramp would do, exactly. Dollars in base units of USDC, shillings whole. */
export type RampPrice = {
  /** Debited from the float, or sent to the address. */
  readonly usdc: bigint
  /** Off: the net to the recipient. On: what the payer's phone is charged. */
  readonly tzs: bigint
  readonly feeTzs: bigint
  /** TZS per USDC after the ramp's margin, before its fee. */
  readonly rate: Rate
}

/** The rates of the desk: below mid for who brings dollars, above it for who brings shillings. */
export function rampRate(mid: Rate, direction: 'onramp' | 'offramp', marginBps: number): Rate {
  const factor = direction === 'offramp' ? BPS - BigInt(marginBps) : BPS + BigInt(marginBps)
  return divide(mid * factor, BPS, direction === 'offramp' ? 'down' : 'up')
}

/** Dollars for an exact net amount of shillings: the debit rounds up, so the ramp never pays the difference. */
export function priceOfframpFor(tzs: bigint, feeTzs: bigint, rate: Rate): RampPrice {
  const usdc = dollarsFor(tzs + feeTzs, rate, 'up')
  return { usdc, tzs, feeTzs, rate }
}

/** Net shillings for exact dollars; `feeOf` is the fee of a net amount. Null where the fee leaves nothing. */
export function priceOfframpOf(usdc: bigint, feeOf: (tzs: bigint) => bigint, rate: Rate): RampPrice | null {
  const gross = divide(shillingsForDollars(toBook(usdc, 'USDC'), rate, 0, 'down'), SHILLING, 'down')
  // Fees rise with the amount, so the largest net amount that still fits is found by halving.
  let [fits, tooMuch] = [0n, gross + 1n]
  while (tooMuch - fits > 1n) {
    const middle = (fits + tooMuch) / 2n
    if (middle + feeOf(middle) <= gross) fits = middle
    else tooMuch = middle
  }
  return fits === 0n ? null : { usdc, tzs: fits, feeTzs: feeOf(fits), rate }
}

/** Dollars for shillings that a phone pays, of which the ramp keeps its fee. Null where nothing is left. */
export function priceOnramp(tzs: bigint, feeTzs: bigint, rate: Rate): RampPrice | null {
  if (tzs <= feeTzs) return null
  const usdc = dollarsFor(tzs - feeTzs, rate, 'down')
  return usdc === 0n ? null : { usdc, tzs, feeTzs, rate }
}

function dollarsFor(tzs: bigint, rate: Rate, rounding: Rounding): TokenAmount {
  return toTokens(dollarsForShillings(tzs * SHILLING, rate, 0, 'divide', TOKEN_UNIT.USDC, rounding), 'USDC')
}

/** The rate as the quote shows it: a JSON number with what decimals it has, for display only. */
export function shownRate(rate: Rate): number {
  return Number(divide(rate * 10_000n, RATE_ONE, 'down')) / 10_000
}
