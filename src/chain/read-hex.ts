import type { Hex } from '../rfq/rfq-order.ts'
import { MalformedAnswerError } from './malformed-answer-error.ts'

const HEX = /^0x([0-9a-f]{2})*$/
const QUANTITY = /^0x[0-9a-f]{1,64}$/

/** Hex of whole bytes, `bytes` of them if that is given, in lower case; null where it is anything else. */
export function readHex(value: unknown, bytes?: number): Hex | null {
  if (typeof value !== 'string') return null
  const text = value.toLowerCase()
  if (!HEX.test(text) || (bytes !== undefined && text.length !== 2 + 2 * bytes)) return null
  return text as Hex
}

/** A field that must be hex of so many bytes. */
export function hexOf(value: unknown, what: string, bytes?: number): Hex {
  const hex = readHex(value, bytes)
  if (hex === null) throw new MalformedAnswerError(`${what} is missing or no hex`)
  return hex
}

/** A field that must be a number of up to 256 bits. */
export function quantityOf(value: unknown, what: string): bigint {
  const text = typeof value === 'string' ? value.toLowerCase() : ''
  if (!QUANTITY.test(text)) throw new MalformedAnswerError(`${what} is missing or no number`)
  return BigInt(text)
}
