import { describe, expect, test } from 'vitest'
import { isMt940, readMt940 } from '../../../../src/treasury/statement/read-mt940.ts'

const TZS = 10n ** 18n
const MT940 = `{1:F01BANKTZTZAXXX0000000000}{4:
:20:STMT1
:25:0150000000001
:28C:1/1
:60F:C261109TZS30000000,00
:61:2611101110D20000000,00NTRFSVC-7KQ2MD//FT1
:86:EFT to operator
 second row
:61:2611111111C995000,NTRFNONREF//FT2
supplementary
:86:Payout SVC-OUT991
:61:261112RC1000,00NTRFFT3
:62F:C261112TZS10994000,00
:86:account closed for the day
-}
`

/** A statement of one account, its entries and its balances. */
function statement(
  entries: string,
  { account = '1', open = 'C261109TZS10,', close = 'C261110TZS9,' } = {},
): string {
  return `:20:S\n:25:${account}\n:28C:1/1\n:60F:${open}\n${entries}\n:62F:${close}\n-\n`
}
const ENTRY = ':61:2611101110D1,00NTRFSVC-AAAA11'

function readOrThrow(text: string) {
  const file = readMt940(text)
  if (!file.ok) throw new Error(`${file.error.line}: ${file.error.message}`)
  return file.value
}

test('an MT940 file is read with its signs, reversals, references and balances', () => {
  expect(isMt940(MT940)).toBe(true)
  expect(readOrThrow(MT940)).toEqual({
    accounts: [{ account: '0150000000001', opening: 30_000_000n * TZS, closing: 10_994_000n * TZS }],
    leftOut: [],
    lines: [
      {
        day: '2026-11-10',
        amount: -20_000_000n * TZS,
        reference: 'SVC-7KQ2MD',
        text: 'SVC-7KQ2MD FT1 EFT to operator second row',
        line: 6,
      },
      {
        day: '2026-11-11',
        amount: 995_000n * TZS,
        reference: 'FT2',
        text: 'NONREF FT2 supplementary Payout SVC-OUT991',
        line: 9,
      },
      { day: '2026-11-12', amount: -1_000n * TZS, reference: 'FT3', text: 'FT3', line: 12 },
    ],
  })
})

test('every :86: behind an entry belongs to it, and the codes of its parts part words', () => {
  const file = readOrThrow(
    statement(`${ENTRY}\n:86:166?00EFT?20SVWZ+REF-1\n?21DESK\n:86:REF SVC-AAAA11\n:86:DESK WEST`),
  )
  expect(file.lines[0]?.text).toBe('SVC-AAAA11 166 EFT SVWZ+REF-1 DESK REF SVC-AAAA11 DESK WEST')
})

test('accounts have their own balances, and one in another currency is reported and left out', () => {
  const dollars = { account: '2', open: 'C261109USD100,', close: 'C261110USD50,5' }
  const text = statement(ENTRY) + statement(':61:261110D49,5NTRFSVC-BBBB22', dollars)
  const file = readOrThrow(text + statement(ENTRY, { account: '3' }))
  expect(file.lines.map(({ amount }) => amount)).toEqual([-TZS, -TZS])
  expect(file.accounts.map(({ account }) => account)).toEqual(['1', '3'])
  expect(file.leftOut).toEqual([{ line: 11, message: 'account 2 is in USD: 1 of its entries are left out' }])
})

test('statements of one account continue one another, from the oldest or from the newest', () => {
  const next = statement(ENTRY, { open: 'C261110TZS9,', close: 'C261111TZS8,' })
  for (const text of [statement(ENTRY) + next, next + statement(ENTRY)])
    expect(readOrThrow(text).accounts).toEqual([{ account: '1', opening: 10n * TZS, closing: 8n * TZS }])
  const gap = statement(ENTRY, { open: 'C261112TZS8,', close: 'C261113TZS7,' })
  expect(readMt940(statement(ENTRY) + gap)).toMatchObject({
    error: { line: 11, message: ':60F: is 8, but the entries before it lead to 9' },
  })
})

describe('an MT940 file is refused as a whole, with line and reason, where', () => {
  test.each([
    [
      'entries do not lead to the closing balance',
      MT940.replace('10994000,00', '10994001,00'),
      13,
      'lead to 10994000',
    ],
    ['a currency changes', statement(ENTRY, { close: 'C261110USD9,' }), 6, 'in USD'],
    ['the end is cut off', MT940.slice(0, MT940.indexOf(':62F:')), 13, 'may be cut off'],
    [
      'a statement in the middle is cut off',
      `:20:S\n:60F:C261109TZS1,\n${statement(ENTRY)}`,
      3,
      'no closing balance',
    ],
    ['an entry has no balance before it', `:20:S\n:25:1\n${ENTRY}\n`, 3, 'its currency is unknown'],
    ['a closing has no opening', ':20:S\n:62F:C261110TZS9,\n', 2, 'no opening balance'],
    ['a day does not exist', statement(':61:261399D1,00NTRFX'), 5, 'has an invalid day 261399'],
    ['an amount has a point', statement(':61:261110D1.00NTRFX'), 5, 'is not an entry'],
    ['an amount has points between thousands', statement(':61:261110D1.000,00NTRFX'), 5, 'is not an entry'],
    ['an amount has three decimals', statement(':61:261110D1,000NTRFX'), 5, 'ambiguous'],
    ['an entry is words', statement(':61:someday'), 5, 'is not an entry'],
    ['a field is unknown', statement(`${ENTRY}\n:NS:33`), 6, ':NS: is not a known field'],
    ['a balance has a second row', statement(ENTRY).replace('10,\n', '10,\nmore\n'), 4, 'a row after :60F:'],
    ['a balance is words', statement(ENTRY, { open: 'none' }), 4, 'no balance'],
    ['a row stands between two messages', `${statement(ENTRY)}lost row\n`, 8, 'does not belong to a field'],
    ['it has no statement', ':20:S\n', 1, 'no opening balance'],
    ['it is empty', '', 1, 'no opening balance'],
  ])('%s', (_, text, line, words) => {
    expect(readMt940(text)).toEqual({ ok: false, error: { line, message: expect.stringContaining(words) } })
  })
})

test('an entry of zero is reported and left out', () => {
  const file = readOrThrow(statement(`${ENTRY}\n:61:261110D0,00NTRFFEE`))
  expect([file.lines.length, file.leftOut]).toEqual([1, [{ line: 6, message: ':61: moves nothing' }]])
})
