import { invariant } from '../../base/result.ts'
import { BPS } from '../../base/money/bps.ts'
import { divide } from '../../base/money/rounding.ts'
import { TOKEN_UNIT } from '../../base/money/asset.ts'
import { RATE_ONE, type Rate } from '../../base/money/rate.ts'
import type { TreasuryAsset } from '../model/place.ts'

/** One shilling in base units. */
export const SHILLING = 10n ** 18n

/** Converts a statistic to money: base units, rounded up, at least 0. Throws InvariantError unless it is finite. */
export function toUnits(value: number): bigint {
  invariant(Number.isFinite(value), 'a statistic that becomes money is a finite number')
  return value <= 0 ? 0n : BigInt(Math.ceil(value))
}

/** Returns an amount's value at the mid in base units of NTZS; null = a dollar without a mid. */
export function inShillings(amount: bigint, asset: TreasuryAsset, mid: Rate | null): bigint | null {
  if (asset === 'NTZS') return amount
  return mid === null ? null : (amount * TOKEN_UNIT[asset] * mid) / RATE_ONE
}

/** Returns the base units of `asset` for a value in base units of NTZS; null = a dollar without a mid. */
export function ofShillings(value: bigint, asset: TreasuryAsset, mid: Rate | null): bigint | null {
  if (asset === 'NTZS') return value
  return mid === null ? null : (value * RATE_ONE) / (mid * TOKEN_UNIT[asset])
}

/** Returns basis points of an amount, rounded up; `bps` has a resolution of 0.01. */
export function bpsOfAmount(amount: bigint, bps: number): bigint {
  return divide(amount * toUnits(bps * 100), BPS * 100n, 'up')
}

/** Rounds NTZS down to whole shillings, the unit of the rails; dollars stay as they are. */
export function wholeUnits(amount: bigint, asset: TreasuryAsset): bigint {
  return asset === 'NTZS' ? amount - (amount % SHILLING) : amount
}
