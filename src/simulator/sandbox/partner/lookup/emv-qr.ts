import { err, ok, type Result } from '../../../../base/result.ts'

/** The content of a merchant's QR code. `payNumbers` are those of all its merchant accounts, without duplicates. */
type MerchantQr = {
  readonly payNumbers: readonly string[]
  readonly merchantName: string | null
  /** A dynamic code is for one payment; a static one leaves the amount to the payer. */
  readonly isDynamic: boolean
  /** As written in the code, undecoded; null = none. */
  readonly amount: string | null
  /** ISO 4217, numeric; null = none. */
  readonly currency: string | null
}

/** `malformed`: not a code of this kind. `checksum`: the code was altered. */
type QrError = 'malformed' | 'checksum'

const CRC_FIELD = '6304'
/** Merchant accounts: primitive ones of the card schemes have tags below 26 and no till. */
const FIRST_ACCOUNT = 26
const LAST_ACCOUNT = 51

/**
 * Reads a merchant-presented code: two digits of tag, two of length, the value, and a CRC at the end.
 * Source: EMV QR Code Specification for Payment Systems, Merchant-Presented Mode, 1.1, sections 3 and 4.
 */
export function readMerchantQr(payload: string): Result<MerchantQr, QrError> {
  const text = payload.trim()
  const fields = readFields(text)
  if (fields === null || fields.get('00') !== '01') return err('malformed')
  const crc = fields.get('63')
  if (crc === undefined || text.slice(-8, -4) !== CRC_FIELD) return err('malformed')
  if (crc.toUpperCase() !== checksumOf(text.slice(0, -4))) return err('checksum')
  const payNumbers = new Set<string>()
  for (let tag = FIRST_ACCOUNT; tag <= LAST_ACCOUNT; tag++) {
    const account = fields.get(String(tag))
    const parts = account === undefined ? null : readFields(account)
    const payNumber = parts?.get('02') ?? parts?.get('01')
    if (payNumber !== undefined) payNumbers.add(payNumber)
  }
  return ok({
    payNumbers: [...payNumbers],
    merchantName: fields.get('59') ?? null,
    isDynamic: fields.get('01') === '12',
    amount: fields.get('54') ?? null,
    currency: fields.get('53') ?? null,
  })
}

/** Returns null if lengths and text disagree, or a tag is repeated. */
function readFields(text: string): Map<string, string> | null {
  const fields = new Map<string, string>()
  let at = 0
  while (at < text.length) {
    const head = text.slice(at, at + 4)
    if (!/^\d{4}$/.test(head)) return null
    const tag = head.slice(0, 2)
    const length = Number(head.slice(2))
    const value = text.slice(at + 4, at + 4 + length)
    if (value.length !== length || fields.has(tag)) return null
    fields.set(tag, value)
    at += 4 + length
  }
  return fields
}

/** CRC-16 with polynomial 0x1021 and initial value 0xFFFF over the UTF-8 bytes, as four upper-case hex digits. */
export function checksumOf(text: string): string {
  let crc = 0xffff
  for (const byte of new TextEncoder().encode(text)) {
    crc ^= byte << 8
    for (let bit = 0; bit < 8; bit++) crc = (crc & 0x8000) === 0 ? crc << 1 : (crc << 1) ^ 0x1021
    crc &= 0xffff
  }
  return crc.toString(16).toUpperCase().padStart(4, '0')
}
