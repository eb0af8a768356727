import { invariant } from '../../base/result.ts'
import { BPS } from '../../base/money/bps.ts'
import { divide } from '../../base/money/rounding.ts'
import { TOKEN_UNIT } from '../../base/money/asset.ts'
import { RATE_ONE, type Rate } from '../../base/money/rate.ts'
import type { TreasuryAsset } from '../model/place.ts'

/** One shilling in base units. */
export const SHILLING = 10n ** 18n

/** The one door from statistics back to money: base units, rounded up, and nothing below zero. */
export function toUnits(value: number): bigint {
  invariant(Number.isFinite(value), 'a statistic that becomes money is a finite number')
  return value <= 0 ? 0n : BigInt(Math.ceil(value))
}

/** The value of an amount at the mid in base units of NTZS; null = a dollar and no mid. */
export function inShillings(amount: bigint, asset: TreasuryAsset, mid: Rate | null): bigint | null {
  if (asset === 'NTZS') return amount
  return mid === null ? null : (amount * TOKEN_UNIT[asset] * mid) / RATE_ONE
}

/** Base units of `asset` for a value in base units of NTZS; null = a dollar and no mid. */
export function ofShillings(value: bigint, asset: TreasuryAsset, mid: Rate | null): bigint | null {
  if (asset === 'NTZS') return value
  return mid === null ? null : (value * RATE_ONE) / (mid * TOKEN_UNIT[asset])
}

/** So many basis points of an amount, rounded up; the finest part is a hundredth of one. */
export function bpsOfAmount(amount: bigint, bps: number): bigint {
  return divide(amount * toUnits(bps * 100), BPS * 100n, 'up')
}

/** Whole shillings for NTZS, rounded down: what a rail cannot carry stays where it is. Dollars have no such limit. */
export function wholeUnits(amount: bigint, asset: TreasuryAsset): bigint {
  return asset === 'NTZS' ? amount - (amount % SHILLING) : amount
}
