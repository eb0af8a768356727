import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { envelopeText } from '../../../../src/treasury/approvals/envelope.ts'
import type { Envelope } from '../../../../src/treasury/model/intent.ts'
import { anyCharacter } from '../../../support/any-character.ts'

const ENVELOPE: Envelope = {
  intent: 'a1',
  destination: 'landlord',
  asset: 'NTZS',
  mostSpent: 505_000n * 10n ** 18n,
  receiveAsset: 'NTZS',
  leastReceived: 500_000n * 10n ** 18n,
  expiresAt: 1_767_225_600_000,
  policyHash: 'ff',
}

describe('the text of an envelope', () => {
  test('is canonical JSON: keys in order, no white space, amounts as strings', () => {
    expect(envelopeText(ENVELOPE)).toBe(
      '{"asset":"NTZS","destination":"landlord","expiresAt":1767225600000,"intent":"a1","leastReceived":"500000000000000000000000","mostSpent":"505000000000000000000000","policyHash":"ff","receiveAsset":"NTZS"}',
    )
  })

  test('does not depend on the order of the fields, and no other envelope has it', () => {
    const text = fc.string({ unit: anyCharacter })
    const envelope = fc.record<Envelope>({
      intent: text,
      destination: text,
      asset: fc.constantFrom('NTZS', 'USDC', 'USDT'),
      mostSpent: fc.bigInt({ min: 0n, max: 10n ** 30n }),
      receiveAsset: fc.constantFrom('NTZS', 'USDC', 'USDT'),
      leastReceived: fc.bigInt({ min: 0n, max: 10n ** 30n }),
      expiresAt: fc.nat(),
      policyHash: text,
    })
    fc.assert(
      fc.property(envelope, envelope, (one, other) => {
        const reversed = Object.fromEntries(Object.entries(one).reverse()) as Envelope
        expect(envelopeText(reversed)).toBe(envelopeText(one))
        const parsed = JSON.parse(envelopeText(one)) as Record<string, unknown>
        expect({ ...parsed, mostSpent: one.mostSpent, leastReceived: one.leastReceived }).toEqual({ ...one })
        const isSame = Object.entries(one).every(([key, value]) => Object.is(Reflect.get(other, key), value))
        expect(envelopeText(other) === envelopeText(one)).toBe(isSame)
      }),
    )
  })
})
