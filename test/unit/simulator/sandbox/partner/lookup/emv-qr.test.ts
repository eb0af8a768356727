import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { checksumOf, readMerchantQr } from '../../../../../../src/simulator/sandbox/partner/lookup/emv-qr.ts'
import { writeMerchantQr } from '../../../../../support/write-merchant-qr.ts'

test('the checksum of the digits 1 to 9 is the published check value of CRC-16 with 0xFFFF', () => {
  expect(checksumOf('123456789')).toBe('29B1')
})

test('a static code leaves the amount to the payer and a dynamic one carries it', () => {
  const fixed = readMerchantQr(
    writeMerchantQr({ payNumbers: ['512345'], name: 'MUSHI SOKO', amountTzs: 12_500n }),
  )
  const open = readMerchantQr(writeMerchantQr({ payNumbers: ['512345'], name: 'MUSHI SOKO' }))
  expect(fixed).toMatchObject({
    ok: true,
    value: { payNumbers: ['512345'], isDynamic: true, amount: '12500' },
  })
  expect(open).toMatchObject({
    ok: true,
    value: { merchantName: 'MUSHI SOKO', isDynamic: false, amount: null, currency: '834' },
  })
})

test('a code with two tills keeps both, and the same till twice once', () => {
  const read = (payNumbers: readonly string[]) => readMerchantQr(writeMerchantQr({ payNumbers, name: 'A' }))
  expect(read(['51234', '61234'])).toMatchObject({ value: { payNumbers: ['51234', '61234'] } })
  expect(read(['51234', '51234'])).toMatchObject({ value: { payNumbers: ['51234'] } })
})

test('every change of one character of a code is refused', () => {
  const code = writeMerchantQr({ payNumbers: ['512345'], name: 'MUSHI SOKO', amountTzs: 900n })
  fc.assert(
    fc.property(fc.nat(code.length - 1), fc.constantFrom('0', '7', 'A', 'z'), (at, character) => {
      const altered = code.slice(0, at) + character + code.slice(at + 1)
      if (altered.toUpperCase() === code.toUpperCase()) return
      expect(readMerchantQr(altered).ok).toBe(false)
    }),
  )
})

test('whatever was scanned is read or refused and never throws', () => {
  fc.assert(fc.property(fc.string({ maxLength: 200 }), (text) => void readMerchantQr(text)))
  for (const text of ['', '0', '000201', '00020163049999', 'hello', '0002016304'])
    expect(readMerchantQr(text).ok).toBe(false)
})
