import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { BankFormats } from '../../../../src/treasury/statement/bank-format.ts'
import { proposeBankFormat } from '../../../../src/treasury/statement/propose-bank-format.ts'
import { decodeBankFile, readBankFile } from '../../../../src/treasury/statement/read-bank-file.ts'
import { anyCharacter } from '../../../support/any-character.ts'

const TEXT = 'Date\tDescription\tDebit\tCredit\n2026-11-02\tEFT SVC-AAAA11 ü\t1000000\t\n'

/** The format that is proposed for a text, by a name. */
function proposed(text: string, name = 'bank'): BankFormats {
  const made = proposeBankFormat(text)
  if (!made.ok) throw new Error(made.error)
  return { [name]: made.value.format }
}

describe('the bytes of a bank file', () => {
  const swapped = (bytes: Buffer) => Buffer.from(bytes).swap16()
  const utf16 = Buffer.from(`\uFEFF${TEXT}`, 'utf16le')
  test.each([
    ['UTF-8', Buffer.from(TEXT)],
    ['UTF-8 with a mark', Buffer.from(`\uFEFF${TEXT}`)],
    ['UTF-16 of Windows', utf16],
    ['UTF-16 with the high byte first', swapped(utf16)],
  ])('in %s are read', (_, bytes) => {
    expect(decodeBankFile(bytes)).toEqual({ ok: true, value: TEXT })
  })

  test.each([
    ['Latin-1', Buffer.from(TEXT, 'latin1'), 'line 2 has bytes that are not UTF-8; save the file as UTF-8'],
    ['UTF-16 that is cut off', utf16.subarray(0, 9), 'line 1 has bytes that are not UTF-16LE'],
  ])('in %s are refused with what to do', (_, bytes, words) => {
    expect(decodeBankFile(bytes)).toEqual({ ok: false, error: expect.stringContaining(words) })
  })

  test('in UTF-16 without a mark are refused as such', () => {
    const text = decodeBankFile(utf16.subarray(2, utf16.length - 2))
    const ascii = Buffer.from('Date\tAmount', 'utf16le').toString()
    expect(text.ok).toBe(false)
    expect(readBankFile(ascii, {}, null)).toMatchObject({
      error: { message: expect.stringContaining('UTF-16') },
    })
  })
})

describe('the format of a CSV file', () => {
  const own = 'Date,Amount,Narration\n2026-11-02,-1,x\n'

  test('is the one whose columns the file has', () => {
    const formats = { ...proposed(TEXT, 'crdb'), ...proposed(own, 'nmb') }
    expect(readBankFile(TEXT, formats, null)).toMatchObject({ value: { format: 'crdb' } })
    expect(readBankFile(own, formats, null)).toMatchObject({ value: { format: 'nmb' } })
  })

  test('has to be named where several have the columns of the file', () => {
    const formats = { ...proposed(own, 'a'), ...proposed(own, 'b') }
    expect(readBankFile(own, formats, null)).toMatchObject({
      error: { message: expect.stringContaining('(a, b)') },
    })
    expect(readBankFile(own, formats, 'b')).toMatchObject({ value: { format: 'b' } })
  })

  test.each<[string, BankFormats, string | null, string]>([
    ['without any format', {}, null, 'bank-format FILE'],
    ['with a name that does not exist', proposed(own, 'nmb'), 'nbc', 'no format is called nbc'],
    ['with formats of other columns', proposed(own, 'nmb'), null, 'format nmb: no line has the columns'],
  ])('is asked for %s', (_, formats, name, words) => {
    expect(readBankFile(TEXT, formats, name)).toMatchObject({
      error: { message: expect.stringContaining(words) },
    })
  })
})

describe('the proposed format', () => {
  test.each([
    ['Date;Amount;Narration\n02.11.2026;-1.000;A\n03.11.2026;-250.000;B\n', ';', ',', 'DD/MM/YYYY'],
    ['Trans Date|Amount (TZS)|Details\n11/13/2026|1,5.00|A\n11/12/2026|-250.00|B\n', '|', '.', 'MM/DD/YYYY'],
    ['Tarehe,Kiasi,Maelezo\n03-Nov-26,"1,000.00",A\n', ',', '.', 'DD-MMM-YY'],
  ])('of %j has its delimiter, decimal separator and days', (text, delimiter, decimal, dates) => {
    expect(proposed(text)['bank']).toMatchObject({ delimiter, decimal, dates })
  })

  test('has the column of markers, and puts every other column into ignored', () => {
    const text =
      'Date,Value Date,Amount,Dr/Cr,Branch\n2026-11-02,2026-11-02,5.00,D,x\n2026-11-03,2026-11-03,6.00,C,x\n'
    expect(proposed(text)['bank']).toMatchObject({
      columns: { amount: 'Amount', marker: 'Dr/Cr', ignored: ['Value Date', 'Branch'] },
      markers: { debit: ['D'], credit: ['C'] },
    })
  })

  test('checks balances only where they follow from the rows', () => {
    const head = 'Date,Withdrawals,Deposits,Balance\n2026-11-02,-5,,95\n'
    expect(proposed(`${head}2026-11-03,,1,96\n`)['bank']).toMatchObject({
      columns: { balance: 'Balance' },
      debitsAreNegative: true,
    })
    expect(proposed(`${head}2026-11-03,,1,90\n`)['bank']).toMatchObject({ columns: { ignored: ['Balance'] } })
  })

  test('is missing for a text without a date or an amount', () => {
    expect(proposeBankFormat('name,colour\na,b\n').ok).toBe(false)
    expect(proposeBankFormat('Date;Amount\n').ok).toBe(true)
  })
})

test('no text makes a reader throw, and what it reads are amounts on days', () => {
  const words =
    ':20:|:25:1|:61:|:86:|:60F:C261109TZS|:62F:|261110|D|C|1,00|NTRF|\n|-|"|,|Date|Amount|Debit|Credit|Balance|2026-11-10|5|\r'
  const parts = fc.constantFrom(...words.split('|'))
  const text = fc.oneof(
    fc.string({ unit: anyCharacter }),
    fc.array(parts, { maxLength: 60 }).map((all) => all.join('')),
  )
  fc.assert(
    fc.property(text, (content) => {
      const made = proposeBankFormat(content)
      const file = readBankFile(content, made.ok ? { bank: made.value.format } : {}, null)
      if (!file.ok) return
      for (const { day, amount } of file.value.lines) {
        expect(day).toMatch(/^\d{4}-\d{2}-\d{2}$/)
        expect(amount).not.toBe(0n)
      }
    }),
    { numRuns: 300 },
  )
})
