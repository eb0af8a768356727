import { err, ok, type Result } from '../../../base/result.ts'

/** What a merchant's QR code carries. `payNumbers` are those of all its merchant accounts, without repetition. */
export type MerchantQr = {
  readonly payNumbers: readonly string[]
  readonly merchantName: string | null
  /** A dynamic code is for one payment; a static one leaves the amount to the payer. */
  readonly isDynamic: boolean
  /** As written in the code, undecoded; null = none. */
  readonly amount: string | null
  /** ISO 4217, numeric; null = none. */
  readonly currency: string | null
}

/** `malformed`: no code of this kind. `checksum`: the code was altered. */
export type QrError = 'malformed' | 'checksum'

const CRC_FIELD = '6304'
/** Merchant accounts: primitive ones of the card schemes stand below 26 and carry no till. */
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

/** A code as a till would show it; the account's template is 26. Values have at most 99 characters. */
export function writeMerchantQr(merchant: {
  readonly payNumbers: readonly string[]
  readonly name: string
  readonly amountTzs?: bigint
}): string {
  const accounts = merchant.payNumbers.map((payNumber, index) =>
    field(String(FIRST_ACCOUNT + index), field('00', 'tz.sandbox') + field('02', payNumber)),
  )
  const text =
    field('00', '01') +
    field('01', merchant.amountTzs === undefined ? '11' : '12') +
    accounts.join('') +
    field('52', '5999') +
    field('53', '834') +
    (merchant.amountTzs === undefined ? '' : field('54', String(merchant.amountTzs))) +
    field('58', 'TZ') +
    field('59', merchant.name) +
    field('60', 'DAR ES SALAAM') +
    CRC_FIELD
  return text + checksumOf(text)
}

/** Null where lengths and text do not agree, or a tag is repeated. */
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

function field(tag: string, value: string): string {
  return `${tag}${String(value.length).padStart(2, '0')}${value}`
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
