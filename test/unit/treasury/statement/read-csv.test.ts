import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { BankFormat } from '../../../../src/treasury/statement/bank-format.ts'
import type { BankFile, FileProblem } from '../../../../src/treasury/statement/bank-line.ts'
import { csvRows, findHeader, readCsvFile } from '../../../../src/treasury/statement/read-csv.ts'
import type { Result } from '../../../../src/base/result.ts'
import { anyCharacter } from '../../../support/any-character.ts'

const TZS = 10n ** 18n

type Columns = Partial<BankFormat['columns']>

function formatOf(columns: Columns, more: Partial<BankFormat> = {}): BankFormat {
  return {
    delimiter: ',',
    decimal: '.',
    dates: 'YYYY-MM-DD',
    currency: 'TZS',
    markers: { debit: ['D', 'Dr'], credit: ['C', 'Cr'] },
    debitsAreNegative: false,
    ...more,
    columns: { date: 'Date', text: [], ignored: [], ...columns },
  }
}

const SIGNED = formatOf({ amount: 'Amount', text: ['Narration'] })
const SPLIT = formatOf({ debit: 'Debit', credit: 'Credit', text: ['Description'] })
const BALANCED = formatOf({ ...SPLIT.columns, balance: 'Balance' })
const MARKED = formatOf({ amount: 'Amount', marker: 'Dr/Cr', text: ['Narration'] })

function read(text: string, format: BankFormat): Result<BankFile, FileProblem> {
  const file = findHeader(csvRows(text, format.delimiter), format)
  return file.ok ? readCsvFile(file.value) : file
}

function amounts(text: string, format: BankFormat): readonly bigint[] {
  const file = read(text, format)
  if (!file.ok) throw new Error(file.error.message)
  return file.value.lines.map(({ amount }) => amount / TZS)
}

function refusal(text: string, format: BankFormat): FileProblem | null {
  const file = read(text, format)
  return file.ok ? null : file.error
}

test('a CSV file is read by the names of its columns, below the lines about the account', () => {
  const text = `Account,0150000000001\r
\r
Date,Value Date,Description,Reference,Debit,Credit,Balance\r
10/11/2026,10/11/2026,"EFT to operator, ref SVC-7KQ2MD","FT,1","20,000,000.00",,"30,000,000.00"\r
11/11/2026,11/11/2026,"Payout ""A""
second row",FT2,0.00,995000,30995000\r
`
  const columns = { ...BALANCED.columns, reference: 'reference', ignored: ['Value Date'] }
  const file = read(text, formatOf(columns, { dates: 'DD/MM/YYYY' }))
  expect(file).toEqual({
    ok: true,
    value: {
      lines: [
        {
          day: '2026-11-10',
          amount: -20_000_000n * TZS,
          reference: 'FT,1',
          text: 'EFT to operator, ref SVC-7KQ2MD FT,1',
          line: 4,
        },
        {
          day: '2026-11-11',
          amount: 995_000n * TZS,
          reference: 'FT2',
          text: 'Payout "A" second row FT2',
          line: 5,
        },
      ],
      leftOut: [],
      accounts: [],
    },
  })
})

describe('the sign of an amount', () => {
  test.each([
    [
      'is its own without a marker',
      SIGNED,
      'Date,Amount,Narration\n2026-11-02,-7,x\n2026-11-03,8,y',
      [-7n, 8n],
    ],
    [
      'follows the column of the marker',
      MARKED,
      'Date,Amount,Dr/Cr,Narration\n2026-11-02,7,d,x\n2026-11-03,8,CR,y\n2026-11-03,-9,Dr,z',
      [-7n, 8n, -9n],
    ],
    [
      'follows debit and credit',
      SPLIT,
      'Date,Debit,Credit,Description\n2026-11-02,7,,x\n2026-11-03,0,8,',
      [-7n, 8n],
    ],
    [
      'is below zero for debits that have a minus sign',
      { ...SPLIT, debitsAreNegative: true },
      'Date,Debit,Credit,Description\n2026-11-02,-7,0,x',
      [-7n],
    ],
  ])('%s', (_, format, text, wanted) => {
    expect(amounts(text, format)).toEqual(wanted)
  })
})

const HEAD = 'Date,Amount,Narration\n2026-11-02,-1,x\n'
const SPLIT_HEAD = 'Date,Debit,Credit,Description\n'

describe('a CSV file is refused as a whole, with line and reason, where', () => {
  test.each<[string, BankFormat, string, number, string]>([
    [
      'a quote is open to the end',
      SIGNED,
      `${HEAD}2026-11-03,-2,"EFT A\n2026-11-04,-3,EFT B\n`,
      3,
      'a quote is not closed',
    ],
    [
      'a later quote closes it',
      SIGNED,
      `${HEAD}2026-11-03,-2,"EFT A\n2026-11-04,-3,"EFT B"\n`,
      3,
      'closed in the middle',
    ],
    [
      'the quote of an empty cell closes it',
      SIGNED,
      `${HEAD}2026-11-03,-2,"EFT A\n2026-11-04,-3,"\n`,
      3,
      'holds the next row',
    ],
    [
      'an open quote of an undated row holds the next row',
      SPLIT,
      `${SPLIT_HEAD},,,"Opening\n2026-11-03,1,,EFT A\n,,,"\n`,
      2,
      'holds the next row',
    ],
    ['a quote stands inside a cell', SIGNED, `${HEAD}2026-11-03,-2,5" pipe\n`, 3, 'inside a cell'],
    ['thousands are not quoted', SIGNED, `${HEAD}2026-11-03,-2,000,EFT\n`, 3, 'it has 4'],
    [
      'thousands are not quoted in a row whose last cell is empty',
      formatOf({ amount: 'Amount', reference: 'Reference', text: ['Narration'] }),
      'Date,Narration,Amount,Reference\n2026-11-03,x,-2,000,\n',
      2,
      'it has 5',
    ],
    [
      'a cell is below a column without a name',
      SIGNED,
      'Date,Amount,Narration,\n2026-11-03,-2,000,EFT\n',
      2,
      'no name for its cell 4',
    ],
    ['a row is cut off', SIGNED, `${HEAD}2026-11-03,-2`, 3, 'it has 2'],
    ['a day is cut off', SIGNED, `${HEAD}2026-1`, 3, 'it has 1'],
    ['a day does not exist', SIGNED, `${HEAD}2026-11-31,-2,x\n`, 3, 'is not a day'],
    ['a day is written in another form', SIGNED, `${HEAD}03/11/2026,-2,x\n`, 3, 'is not a day'],
    ['an amount has no day', SIGNED, `${HEAD},-2,x\n`, 3, 'is not a day'],
    ['a day has no amount', SIGNED, `${HEAD}2026-11-03,,x\n`, 3, 'no Amount'],
    [
      'a day has neither debit nor credit',
      SPLIT,
      `${SPLIT_HEAD}2026-11-03,,,x\n`,
      2,
      'neither Debit nor Credit',
    ],
    ['a row has debit and credit', SPLIT, `${SPLIT_HEAD}2026-11-03,1,2,x\n`, 2, 'both Debit and Credit'],
    ['a debit has a sign', SPLIT, `${SPLIT_HEAD}2026-11-03,-1,,x\n`, 2, 'Debit: the sign'],
    ['a credit has a minus sign', SPLIT, `${SPLIT_HEAD}2026-11-03,,-1,x\n`, 2, 'Credit: the sign'],
    ['an amount is words', SPLIT, `${SPLIT_HEAD}2026-11-03,,many,x\n`, 2, 'Credit: "many" is not an amount'],
    [
      'an amount is ambiguous',
      SIGNED,
      `${HEAD}2026-11-03,-250.000,x\n`,
      3,
      'Amount: "-250.000" is ambiguous',
    ],
    ['a marker is unknown', MARKED, 'Date,Amount,Dr/Cr,Narration\n2026-11-03,2,X,x\n', 2, 'Dr/Cr: "X"'],
    ['a marker is missing', MARKED, 'Date,Amount,Dr/Cr,Narration\n2026-11-03,2,,x\n', 2, 'Dr/Cr: ""'],
    ['a credit is below zero', MARKED, 'Date,Amount,Dr/Cr,Narration\n2026-11-03,-2,C,x\n', 2, 'below zero'],
    [
      'the format omits a column',
      SIGNED,
      'Date,Amount,Dr/Cr,Narration\n2026-11-03,2,D,x\n',
      1,
      'does not name the column Dr/Cr',
    ],
    ['a column is there twice', SIGNED, 'Date,Amount,Amount,Narration\n', 1, 'two columns are called Amount'],
    ['the file lacks a column', SIGNED, 'Date,Narration\n', 1, 'Date, Amount, Narration'],
    ['a movement stands above the header', SIGNED, `2026-11-01,-5,x\n${HEAD}`, 1, 'before the column names'],
    [
      'a balance does not follow',
      BALANCED,
      'Date,Debit,Credit,Description,Balance\n2026-11-01,,5,x,5\n2026-11-02,1,,x,5\n',
      3,
      'its balance is 5, but the rows before it lead to 4',
    ],
    [
      'a row is missing between two balances',
      BALANCED,
      'Date,Debit,Credit,Description,Balance\n2026-11-01,,5,x,5\n2026-11-02,1,,x,3\n',
      3,
      'lead to 4',
    ],
  ])('%s', (_, format, text, line, words) => {
    expect(refusal(text, format)).toEqual({ line, message: expect.stringContaining(words) })
  })
})

describe('rows that move no shillings are reported and left out:', () => {
  test('rows without date and amount, repeated headers, zeros', () => {
    const head = 'Date,Debit,Credit,Description,Balance\n'
    const text = `${head},,,Opening balance,1000\n2026-11-02,5,,x,995\n${head}2026-11-03,0.00,0.00,note,995\nEnd of statement\n`
    expect(read(text, BALANCED)).toMatchObject({
      value: {
        lines: [{ line: 3 }],
        leftOut: [
          { line: 2, message: 'it has neither a date nor an amount; 2 rows are alike' },
          { line: 4 },
          { line: 5, message: 'it moves nothing' },
        ],
      },
    })
  })

  test('rows of an account in another currency, by the column or by the format', () => {
    const format = formatOf({ amount: 'Amount', currency: 'Ccy', balance: 'Balance' })
    const text = 'Date,Amount,Ccy,Balance\n2026-11-02,-5,TZS,10\n2026-11-02,-7,usd,3\n2026-11-03,2,TZS,12\n'
    const leftOut = [{ line: 3, message: 'its account is in USD' }]
    expect(read(text, format)).toMatchObject({ value: { lines: [{ line: 2 }, { line: 4 }], leftOut } })
    expect(refusal(text.replace('usd', ''), format)).toEqual({ line: 3, message: '"" is no currency' })
    expect(amounts(HEAD, { ...SIGNED, currency: 'USD' })).toEqual([])
  })
})

test('balances are checked in a file that begins with its newest row too', () => {
  const head = 'Date,Debit,Credit,Description,Balance\n'
  expect(amounts(`${head}2026-11-03,,8,y,11\n2026-11-02,7,,x,3\n2026-11-01,,10,w,10\n`, BALANCED)).toEqual([
    8n,
    -7n,
    10n,
  ])
  expect(
    refusal(`${head}2026-11-03,,8,y,11\n2026-11-02,,7,x,3\n2026-11-01,,10,w,10\n`, BALANCED),
  ).not.toBeNull()
})

test('rows that are written with quotes are read with the same cells', () => {
  const cell = fc.string({ unit: anyCharacter, maxLength: 8 })
  const table = fc.array(fc.array(cell, { minLength: 1, maxLength: 4 }), { maxLength: 5 })
  fc.assert(
    fc.property(table, fc.constantFrom('\r\n', '\n', '\r'), (rows, end) => {
      const text = rows.map((row) => row.map((each) => `"${each.replaceAll('"', '""')}"`).join(',')).join(end)
      const kept = rows.filter((row) => row.some((each) => each.trim() !== ''))
      expect(csvRows(text, ',')).toMatchObject({ rows: kept.map((cells) => ({ cells })), problem: null })
    }),
  )
})

test('whatever is cut off the end of a file, its rows are read as before or the file is refused', () => {
  const text = `${SPLIT_HEAD}2026-11-02,"1,000",,"EFT A, x"\n2026-11-03,,500,"Payout ""B"""\n2026-11-04,3000,,c`
  const whole = amounts(text, SPLIT)
  for (let length = SPLIT_HEAD.length; length < text.length; length++) {
    const cut = read(text.slice(0, length), SPLIT)
    if (cut.ok)
      expect(whole.slice(0, cut.value.lines.length)).toEqual(
        cut.value.lines.map(({ amount }) => amount / TZS),
      )
  }
})
