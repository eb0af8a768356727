import type { Result } from '../base/result.ts'
import { DECIMALS, type Asset } from './asset.ts'
import { formatDecimalText, parseDecimalText, type DecimalTextError } from './decimal-text.ts'

/** A decimal string of the venue to base units of the asset. Exact or an error. */
export function parseAmount(text: string, asset: Asset): Result<bigint, DecimalTextError> {
  return parseDecimalText(text, DECIMALS[asset])
}

/** Base units to the shortest exact decimal string. */
export function formatAmount(value: bigint, asset: Asset): string {
  return formatDecimalText(value, DECIMALS[asset])
}
