import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { BankLine } from '../../../../src/treasury/statement/bank-line.ts'
import type { ExpectedPayment } from '../../../../src/treasury/statement/expected-payments.ts'
import { matchBank } from '../../../../src/treasury/statement/match-bank.ts'

const TZS = 10n ** 18n
const payment = (change: Partial<ExpectedPayment> = {}): ExpectedPayment => ({
  intent: 'a1',
  leg: 0,
  amount: -20_000_000n * TZS,
  reference: 'SVC-7KQ2MD',
  firstDay: '2026-11-10',
  lastDay: '2026-11-13',
  isEnded: false,
  ...change,
})
const line = (change: Partial<BankLine> = {}): BankLine => ({
  day: '2026-11-10',
  amount: -20_000_000n * TZS,
  reference: 'FT1',
  text: 'EFT ref svc 7kq2md thanks',
  line: 4,
  ...change,
})
const kinds = (lines: readonly BankLine[], expected: readonly ExpectedPayment[]) =>
  matchBank(lines, expected).exceptions.map(({ kind }) => kind)

describe('a bank file is matched to intents', () => {
  test('by the exact amount and the reference as a word, however the bank writes it', () => {
    for (const text of ['SVC-7KQ2MD', 'pay SVC7KQ2MD', 'ref svc-7kq2md/1', 'SVC-7KQ 2MD']) {
      const { matched, exceptions, missing } = matchBank([line({ text })], [payment()])
      expect([matched.length, exceptions.length, missing.length]).toEqual([1, 0, 0])
    }
  })

  test('and a reference within a longer word does not match', () => {
    expect(kinds([line({ text: 'XSVC-7KQ2MDX' })], [payment()])).toEqual(['unknown'])
  })

  test('too little is short, too much is over, a second one is double, one after its last day is late', () => {
    expect(kinds([line({ amount: -19_000_000n * TZS })], [payment()])).toEqual(['short'])
    expect(kinds([line({ amount: -21_000_000n * TZS })], [payment()])).toEqual(['over'])
    expect(kinds([line(), line({ line: 5 })], [payment()])).toEqual(['double'])
    expect(kinds([line({ day: '2026-11-14' })], [payment()])).toEqual(['late'])
  })

  test('a part payment before the whole one in the file does not take its place', () => {
    const { matched, exceptions } = matchBank(
      [line({ amount: -1n * TZS, line: 4 }), line({ line: 5 })],
      [payment()],
    )
    expect(matched[0]?.line.line).toBe(5)
    expect(exceptions).toMatchObject([{ kind: 'double', line: { line: 4 } }])
  })

  test('a line with the amount alone is unknown, and the payment that it might be is named', () => {
    const { exceptions } = matchBank([line({ text: 'no reference' })], [payment()])
    expect(exceptions[0]).toMatchObject({
      kind: 'unknown',
      payment: null,
      why: 'no payment has its reference; its amount is that of intent a1, leg 0',
    })
  })

  test('money that comes with the reference of a payment that leaves is not that payment', () => {
    expect(matchBank([line({ amount: 20_000_000n * TZS })], [payment()]).exceptions[0]?.why).toContain(
      'opposite to the payment',
    )
  })

  test('a payment without a line is missing, and overdue once the file reaches beyond its last day', () => {
    const other = line({ text: 'rent', amount: -5n * TZS })
    expect(matchBank([other], [payment()]).missing).toMatchObject([{ isOverdue: false }])
    expect(matchBank([{ ...other, day: '2026-11-14' }], [payment()]).missing).toMatchObject([
      { isOverdue: true },
    ])
  })

  test('every line is matched or an exception, and every payment answered at most once or missing', () => {
    const amount = fc.constantFrom(-2n * TZS, -TZS, TZS)
    const reference = fc.constantFrom('SVC-AAAAAA', 'SVC-BBBBBB', 'SVC-CCCCCC')
    const day = fc.constantFrom('2026-11-10', '2026-11-13', '2026-11-20')
    const lines = fc.array(
      fc.record({ amount, text: reference, day }).map((each) => line(each)),
      { maxLength: 8 },
    )
    const payments = fc.array(
      fc.record({ amount, reference }).map((each) => payment(each)),
      { maxLength: 5 },
    )
    fc.assert(
      fc.property(lines, payments, (drawn, expected) => {
        const numbered = drawn.map((each, index) => ({ ...each, line: index }))
        const { matched, exceptions, missing } = matchBank(numbered, expected)
        const seen = [...matched.map((each) => each.line.line), ...exceptions.map((each) => each.line.line)]
        expect(seen.toSorted((a, b) => a - b)).toEqual(numbered.map((each) => each.line))
        expect(new Set(matched.map((each) => each.payment)).size).toBe(matched.length)
        for (const each of matched)
          expect(missing.some(({ payment: open }) => open === each.payment)).toBe(false)
      }),
    )
  })
})
