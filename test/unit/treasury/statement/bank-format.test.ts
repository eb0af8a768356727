import { expect, test } from 'vitest'
import { isDayForm, readBankAmount, readBankDay } from '../../../../src/treasury/statement/bank-format.ts'

const TZS = 10n ** 18n

test.each([
  ['1,234.56', '.', (123_456n * TZS) / 100n],
  ['1.234,56', ',', (123_456n * TZS) / 100n],
  ["1'234'567", '.', 1_234_567n * TZS],
  ['TZS 1 000', '.', 1_000n * TZS],
  ['-TZS 1 000.00', '.', -1_000n * TZS],
  ['(2,000)', '.', -2_000n * TZS],
  ['-250.000', ',', -250_000n * TZS],
  ['1,234.567', '.', (1_234_567n * TZS) / 1_000n],
  ['-5', '.', -5n * TZS],
  ['−5', '.', -5n * TZS],
  ['5-', '.', -5n * TZS],
] as const)('the figure %j with the decimal separator %j is %s', (text, decimal, amount) => {
  expect(readBankAmount(text, decimal)).toEqual({ ok: true, value: amount })
})

test.each([
  ['-250.000', '.', 'ambiguous'],
  ['1,234', ',', 'ambiguous'],
  ['12,34', '.', 'not an amount'],
  ['1,00,000', '.', 'not an amount'],
  ["1,234'567", '.', 'not an amount'],
  ['1 2 3', '.', 'not an amount'],
  ['1.2.3', '.', 'not an amount'],
  ['--5', '.', 'not an amount'],
  ['-(5)', '.', 'not an amount'],
  ['(5', '.', 'not an amount'],
  ['5 CR', '.', 'not an amount'],
  ['USD 5', '.', 'not an amount'],
  ['', '.', 'not an amount'],
  ['1e5', '.', 'not an amount'],
] as const)('the figure %j with the decimal separator %j is refused as %s', (text, decimal, words) => {
  expect(readBankAmount(text, decimal)).toEqual({ ok: false, error: expect.stringContaining(words) })
})

test.each([
  ['03-Nov-2026', 'DD-MMM-YYYY', '2026-11-03'],
  ['3 november 26', 'DD-MMM-YY', '2026-11-03'],
  ['Nov/03/2026', 'MMM/DD/YYYY', '2026-11-03'],
  ['11/03/2026', 'MM/DD/YYYY', '2026-11-03'],
  ['3.11.2026', 'DD/MM/YYYY', '2026-11-03'],
  ['20261103', 'YYYYMMDD', '2026-11-03'],
  ['3/11/2026 13:45:10', 'DD/MM/YYYY', '2026-11-03'],
  ['3/11/2026 1:45 PM', 'DD/MM/YYYY', '2026-11-03'],
  ['2026-11-03T23:30:00Z', 'YYYY-MM-DD', null],
  ['03-Nox-2026', 'DD-MMM-YYYY', null],
  ['2026-11-31', 'YYYY-MM-DD', null],
  ['2026-13-01', 'YYYY-MM-DD', null],
  ['2026-00-01', 'YYYY-MM-DD', null],
  ['26-11-03', 'YYYY-MM-DD', null],
  ['2026-11-03 x', 'YYYY-MM-DD', null],
] as const)('the day %j written %s is %s', (text, form, day) => {
  expect(readBankDay(text, form)).toBe(day)
})

test.each([
  ['DD/MM/YY', true],
  ['YYYYMMDD', true],
  ['DD/MM', false],
  ['DD/MM/MM', false],
  ['DD/MM-YYYY', false],
  ['day', false],
])('whether %j is the form of a day is %s', (form, isForm) => {
  expect(isDayForm(form)).toBe(isForm)
})
