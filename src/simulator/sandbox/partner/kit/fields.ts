import { parseTokens, type Asset } from '../../../../base/money/asset.ts'
import type { Fate } from '../model/payments.ts'

/** One shilling in base units of the token. */
export const SHILLING_UNITS = 10n ** 18n

type Fields = Readonly<Record<string, unknown>>

/** A non-empty string of the body, or null. */
export function textField(body: Fields, name: string): string | null {
  const value = body[name]
  return typeof value === 'string' && value !== '' ? value : null
}

/** A string of the body; empty for anything else, so that no object is made a text of. */
export function plainText(body: Fields, name: string): string {
  return textField(body, name) ?? ''
}

export function hasField(body: Fields, name: string): boolean {
  return body[name] !== undefined && body[name] !== null && body[name] !== ''
}

/** A positive whole number of shillings; null for everything else. */
export function wholeTzs(value: unknown): bigint | null {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? BigInt(value) : null
}

/** A positive JSON number of a token within its decimals, in base units; null for everything else. */
export function tokenAmount(value: unknown, asset: Asset): bigint | null {
  if (typeof value !== 'number') return null
  const parsed = parseTokens(String(value), asset)
  return parsed.ok && parsed.value > 0n ? parsed.value : null
}

/** Base units of the shilling token as whole shillings, rounded down: what the API shows and lets one spend. */
export function shownTzs(units: bigint): number {
  return Number(units / SHILLING_UNITS)
}

/** A Tanzanian mobile number in any of the contract's three spellings as `255XXXXXXXXX`; null for anything else. */
export function mobileNumber(value: unknown): string | null {
  if (typeof value !== 'string') return null
  const match = /^(?:\+?255|0)([67]\d{8})$/.exec(value)
  return match === null ? null : `255${match[1]}`
}

/** The fate of an amount (deposit) or of a destination (payout) by its last two digits. */
export function fateOf(digits: string): Fate {
  if (digits.endsWith('13')) return 'fails'
  if (digits.endsWith('02')) return 'unconfirmed'
  return digits.endsWith('99') ? 'never' : 'completes'
}
