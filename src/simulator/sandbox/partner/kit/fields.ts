import { parseTokens, type Asset } from '../../../../base/money/asset.ts'
import type { Partner } from '../model/partner.ts'
import type { Fate } from '../model/payments.ts'
import { refuse, type RequestFields } from './request.ts'

/** One shilling in base units of the token. */
export const SHILLING_UNITS = 10n ** 18n

/** A non-empty string of the body, or null. */
export function textField(body: RequestFields, name: string): string | null {
  const value = body[name]
  return typeof value === 'string' && value !== '' ? value : null
}

/** A string of the body; empty for any other value. */
export function plainText(body: RequestFields, name: string): string {
  return textField(body, name) ?? ''
}

export function hasField(body: RequestFields, name: string): boolean {
  return body[name] !== undefined && body[name] !== null && body[name] !== ''
}

/** A positive whole number of shillings; null for any other value. */
export function wholeTzs(value: unknown): bigint | null {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? BigInt(value) : null
}

/** The whole shillings of a field, at least `leastTzs`. */
export function requireTzs(body: RequestFields, name = 'amountTzs', leastTzs = 1n): bigint {
  const tzs = wholeTzs(body[name])
  if (tzs !== null && tzs >= leastTzs) return tzs
  return refuse('invalid_amount', `${name} must be a whole number from ${leastTzs}`)
}

/** A positive JSON number of a token within its decimals, in base units; null for any other value. */
export function tokenAmount(value: unknown, asset: Asset): bigint | null {
  if (typeof value !== 'number') return null
  const parsed = parseTokens(String(value), asset)
  return parsed.ok && parsed.value > 0n ? parsed.value : null
}

/** A Tanzanian mobile number in one of the contract's three spellings as `255XXXXXXXXX`; null for any other value. */
export function mobileNumber(value: unknown): string | null {
  if (typeof value !== 'string') return null
  const match = /^(?:\+?255|0)([67]\d{8})$/.exec(value)
  return match === null ? null : `255${match[1]}`
}

/** The mobile number of a field. */
export function readPhone(body: RequestFields, name: string): string {
  return mobileNumber(body[name]) ?? refuse('invalid_phone', `${name} must be a Tanzanian mobile number`)
}

export function requirePhone(body: RequestFields): string {
  if (!hasField(body, 'phoneNumber')) refuse('phone_required', 'phoneNumber is required')
  return readPhone(body, 'phoneNumber')
}

/** Returns how a test payment ends, by the last two digits of its amount or destination. */
function fateOf(digits: string): Fate {
  if (digits.endsWith('13')) return 'fails'
  if (digits.endsWith('02')) return 'unconfirmed'
  return digits.endsWith('99') ? 'never' : 'completes'
}

/** A live payment completes unless the control API ends it differently. */
export function fateUnder({ isLive }: Partner, digits: string): Fate {
  return isLive ? 'completes' : fateOf(digits)
}
