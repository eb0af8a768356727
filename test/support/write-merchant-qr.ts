import { checksumOf } from '../../src/simulator/sandbox/partner/lookup/emv-qr.ts'

/** A code as a till would show it; the account's template is 26. Values have at most 99 characters. */
export function writeMerchantQr(merchant: {
  readonly payNumbers: readonly string[]
  readonly name: string
  readonly amountTzs?: bigint
}): string {
  const accounts = merchant.payNumbers.map((payNumber, index) =>
    field(String(26 + index), field('00', 'tz.sandbox') + field('02', payNumber)),
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
    '6304'
  return text + checksumOf(text)
}

function field(tag: string, value: string): string {
  return `${tag}${String(value.length).padStart(2, '0')}${value}`
}
