import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readBankAmount, readBankDay } from '../../../../src/treasury/statement/bank-line.ts'
import {
  csvRows,
  guessMapping,
  readBankCsv,
  type CsvMapping,
} from '../../../../src/treasury/statement/read-csv.ts'
import { isMt940, readMt940 } from '../../../../src/treasury/statement/read-mt940.ts'
import { anyCharacter } from '../../../support/any-character.ts'

const TZS = 10n ** 18n
const CSV = `Account,0150000000001\r
\r
Date,Value Date,Description,Reference,Debit,Credit,Balance\r
10/11/2026,10/11/2026,"EFT to operator, ref SVC-7KQ2MD","FT,1","20,000,000.00",,"30,000,000.00"\r
11/11/2026,11/11/2026,"Payout ""A""",FT2,,995000,30995000\r
31/02/2026,,broken,FT3,1,,\r
`
const mapping = (text: string): CsvMapping => {
  const guessed = guessMapping(text)
  if (!guessed.ok) throw new Error(guessed.error)
  return guessed.value
}

describe('a CSV file of a bank', () => {
  test('is read by the columns of its header, and a row that is no line is named by its place', () => {
    const file = readBankCsv(CSV, mapping(CSV))
    expect(file.lines).toEqual([
      {
        day: '2026-11-10',
        amount: -20_000_000n * TZS,
        reference: 'FT,1',
        text: 'EFT to operator, ref SVC-7KQ2MD FT,1',
        line: 4,
      },
      { day: '2026-11-11', amount: 995_000n * TZS, reference: 'FT2', text: 'Payout "A" FT2', line: 5 },
    ])
    expect(file.problems).toEqual([{ line: 6, message: '"31/02/2026" is no day written DD/MM/YYYY' }])
  })

  test('may use semicolons, one signed amount, and days that begin with the year', () => {
    const text = 'date;amount;narration\n2026-11-10;-1500.50;x\n2026-11-11;(2,000);y\n'
    expect(readBankCsv(text, mapping(text)).lines.map(({ amount }) => amount)).toEqual([
      (-3_001n * TZS) / 2n,
      -2_000n * TZS,
    ])
  })

  test('without a date or an amount has no mapping, and a wrong mapping names its columns', () => {
    expect(guessMapping('name,colour\na,b\n').ok).toBe(false)
    const wrong = { ...mapping(CSV), day: 'Tag' }
    expect(readBankCsv(CSV, wrong).problems[0]?.message).toBe(
      'no line has the columns Tag, Debit, Credit, Reference',
    )
  })

  test('keeps whatever cells hold: writing rows and reading them gives the same rows', () => {
    const cell = fc.string({ unit: anyCharacter, maxLength: 8 }).map((text) => text.replaceAll('\r', ''))
    const table = fc.array(fc.array(cell, { minLength: 1, maxLength: 4 }), { maxLength: 5 })
    fc.assert(
      fc.property(table, (rows) => {
        const text = rows
          .map((row) => row.map((each) => `"${each.replaceAll('"', '""')}"`).join(','))
          .join('\r\n')
        const kept = rows.filter((row) => row.some((each) => each.trim() !== ''))
        expect(csvRows(text, ',').map(({ cells }) => cells)).toEqual(kept)
      }),
    )
  })
})

const MT940 = `{1:F01BANKTZTZAXXX0000000000}{4:
:20:STMT1
:25:0150000000001
:28C:1/1
:60F:C261109TZS30000000,00
:61:2611101110D20000000,00NTRFSVC-7KQ2MD//FT1
:86:EFT to operator
 second row
:61:2611111111C995000,NTRFNONREF//FT2
:86:Payout SVC-OUT991
:61:261112RC1000,00NTRFFT3
:62F:C261112TZS10994000,00
:86:account closed for the day
-}
`

describe('an MT940 file', () => {
  test('is read with its signs, reversals, references and balances', () => {
    expect(isMt940(MT940)).toBe(true)
    const file = readMt940(MT940)
    expect(file.problems).toEqual([])
    expect(file).toMatchObject({ opening: 30_000_000n * TZS, closing: 10_994_000n * TZS })
    expect(file.lines).toEqual([
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
        text: 'NONREF FT2 Payout SVC-OUT991',
        line: 9,
      },
      { day: '2026-11-12', amount: -1_000n * TZS, reference: 'FT3', text: 'FT3', line: 11 },
    ])
  })

  test('whose lines do not lead from its opening to its closing balance says so', () => {
    const file = readMt940(MT940.replace('10994000,00', '10994001,00'))
    expect(file.problems).toEqual([
      { line: 12, message: ':62F: is 10994001, and the lines before it lead to 10994000' },
    ])
  })

  test.each([
    [':60F:C261109USD1,00', 'only accounts in TZS'],
    [':61:261399D1,00NTRF', 'has no day 261399'],
    [':61:261110D0,00NTRF', 'has no amount'],
    [':61:someday', 'is no entry'],
    ['', 'has no :61:'],
  ])('with %j is refused at its place', (text, words) => {
    expect(readMt940(text).problems[0]?.message).toContain(words)
  })
})

test('no text makes a reader throw, and what it reads are amounts on days', () => {
  const parts = fc.constantFrom(
    ':61:',
    ':86:',
    ':60F:C261109TZS',
    '261110',
    'D',
    'C',
    '1,00',
    '\n',
    '"',
    ',',
    'Date',
    'Amount',
    '2026-11-10',
    '5',
  )
  const text = fc.oneof(
    fc.string({ unit: anyCharacter }),
    fc.array(parts, { maxLength: 60 }).map((all) => all.join('')),
  )
  fc.assert(
    fc.property(text, (content) => {
      const guessed = guessMapping(content)
      const files = [readMt940(content), ...(guessed.ok ? [readBankCsv(content, guessed.value)] : [])]
      for (const { lines } of files)
        for (const { day, amount } of lines) {
          expect(day).toMatch(/^\d{4}-\d{2}-\d{2}$/)
          expect(amount).not.toBe(0n)
        }
    }),
    { numRuns: 500 },
  )
})

test.each([
  ['1,234.56', '.', (123_456n * TZS) / 100n],
  ['1.234,56', ',', (123_456n * TZS) / 100n],
  ['TZS 1 000', '.', 1_000n * TZS],
  ['-5', '.', -5n * TZS],
  ['5-', '.', -5n * TZS],
  ['12,34', '.', null],
  ['1.2.3', '.', null],
  ['', '.', null],
  ['1e5', '.', null],
] as const)('the figure %j with a decimal %j is %s', (text, decimal, amount) => {
  expect(readBankAmount(text, decimal)).toBe(amount)
})

test.each([
  ['03-Nov-2026', 'DD-MMM-YYYY', '2026-11-03'],
  ['11/03/2026', 'MM/DD/YYYY', '2026-11-03'],
  ['3.11.2026', 'DD/MM/YYYY', '2026-11-03'],
  ['2026-11-31', 'YYYY-MM-DD', null],
  ['26-11-03', 'YYYY-MM-DD', null],
] as const)('the day %j written %s is %s', (text, form, day) => {
  expect(readBankDay(text, form)).toBe(day)
})
