import { toBook, TOKEN_UNIT, type TokenAmount, toTokens } from '../../../../base/money/asset.ts'
import { BPS } from '../../../../base/money/bps.ts'
import { dollarsForShillings, shillingsForDollars } from '../../../../base/money/payout.ts'
import { RATE_ONE, type Rate } from '../../../../base/money/rate.ts'
import { divide, type Rounding } from '../../../../base/money/rounding.ts'

/** 10^18: one shilling in base units of the token. */
const SHILLING = 10n ** 18n

/** The ramp's exact terms. Dollars in base units of USDC, whole shillings. */
export type RampPrice = {
  /** Debited from the float, or sent to the address. */
  readonly usdc: bigint
  /** Off: the recipient's net amount. On: the charge to the payer's phone. */
  readonly tzs: bigint
  readonly feeTzs: bigint
  /** TZS per USDC after the ramp's margin, before its fee. */
  readonly rate: Rate
}

/** Returns the desk's rates: below mid for takers who bring dollars, above it for takers who bring shillings. */
export function rampRate(mid: Rate, direction: 'onramp' | 'offramp', marginBps: number): Rate {
  const factor = direction === 'offramp' ? BPS - BigInt(marginBps) : BPS + BigInt(marginBps)
  return divide(mid * factor, BPS, direction === 'offramp' ? 'down' : 'up')
}

/** Dollars for an exact net amount of shillings: the debit rounds up, so the ramp never pays the difference. */
export function priceOfframpFor(tzs: bigint, feeTzs: bigint, rate: Rate): RampPrice {
  const usdc = dollarsFor(tzs + feeTzs, rate, 'up')
  return { usdc, tzs, feeTzs, rate }
}

/** Returns net shillings for exact dollars; `feeOf` is the fee of a net amount. Null if the fee leaves nothing. */
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

/** Returns dollars for shillings paid by phone, after the ramp's fee. Null if nothing is left. */
export function priceOnramp(tzs: bigint, feeTzs: bigint, rate: Rate): RampPrice | null {
  if (tzs <= feeTzs) return null
  const usdc = dollarsFor(tzs - feeTzs, rate, 'down')
  return usdc === 0n ? null : { usdc, tzs, feeTzs, rate }
}

function dollarsFor(tzs: bigint, rate: Rate, rounding: Rounding): TokenAmount {
  return toTokens(dollarsForShillings(tzs * SHILLING, rate, 0, 'divide', TOKEN_UNIT.USDC, rounding), 'USDC')
}

/** Returns the rate as the quote shows it: a JSON number with all its decimals, for display only. */
export function shownRate(rate: Rate): number {
  return Number(divide(rate * 10_000n, RATE_ONE, 'down')) / 10_000
}
