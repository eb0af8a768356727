import { err, ok, type Result } from '../../base/result.ts'
import {
  MOST_CHARACTERS,
  MOST_PROBLEMS,
  readBankAmount,
  readBankDay,
  type BankFile,
  type BankLine,
  type DayForm,
  type FileProblem,
} from './bank-line.ts'

/** Which column is what, by the name in the header. Either `amount` (signed), or `debit` and `credit`. */
export type CsvMapping = {
  readonly separator: ',' | ';' | '\t'
  readonly decimal: '.' | ','
  readonly dayForm: DayForm
  readonly day: string
  readonly amount: string | null
  readonly debit: string | null
  readonly credit: string | null
  readonly reference: string | null
  /** Columns whose texts are searched for references. */
  readonly texts: readonly string[]
}

/** Header names that banks use, in lower case; the first one that is there counts. */
const NAMES = {
  day: ['date', 'transaction date', 'trans date', 'booking date', 'posting date', 'value date', 'tarehe'],
  amount: ['amount', 'transaction amount', 'amount (tzs)'],
  debit: ['debit', 'withdrawal', 'withdrawals', 'paid out', 'money out', 'dr'],
  credit: ['credit', 'deposit', 'deposits', 'paid in', 'money in', 'cr'],
  reference: ['reference', 'ref', 'reference number', 'transaction reference', 'ref no'],
  texts: ['description', 'narration', 'narrative', 'details', 'particulars', 'transaction details'],
} as const

/** The rows of a CSV text (RFC 4180: quotes, doubled quotes, line ends within quotes), with the line each begins on. */
export function csvRows(text: string, separator: string): readonly CsvRow[] {
  const rows: CsvRow[] = []
  let [cells, cell, isQuoted, line, start]: [string[], string, boolean, number, number] = [
    [],
    '',
    false,
    1,
    1,
  ]
  const endRow = () => {
    const row = [...cells, cell]
    if (row.some((each) => each.trim() !== '')) rows.push({ line: start, cells: row })
    cells = []
    cell = ''
    start = line
  }
  for (let index = text.startsWith('\uFEFF') ? 1 : 0; index < text.length; index++) {
    const character = text[index]!
    if (character === '\n') line += 1
    if (isQuoted) {
      if (character !== '"') cell += character
      else if (text[index + 1] === '"') {
        cell += '"'
        index += 1
      } else isQuoted = false
    } else if (character === '"' && cell.trim() === '') {
      isQuoted = true
      cell = ''
    } else if (character === separator) {
      cells.push(cell)
      cell = ''
    } else if (character === '\n') endRow()
    else if (character !== '\r') cell += character
  }
  endRow()
  return rows
}

export type CsvRow = { readonly line: number; readonly cells: readonly string[] }

/** The mapping that the header suggests, or what it lacks. Days like 03/04/2026 are read as DD/MM, as banks here write. */
export function guessMapping(text: string): Result<CsvMapping, string> {
  const firstLines = text.slice(0, 20_000)
  for (const separator of [',', ';', '\t'] as const) {
    const rows = csvRows(firstLines, separator)
    const at = rows.findIndex(({ cells }) => findName(cells, NAMES.day) !== null)
    const header = rows[at]
    if (header === undefined) continue
    const [amount, debit, credit] = [
      findName(header.cells, NAMES.amount),
      findName(header.cells, NAMES.debit),
      findName(header.cells, NAMES.credit),
    ]
    if (amount === null && (debit === null || credit === null)) continue
    const day = findName(header.cells, NAMES.day)!
    const sample = rows[at + 1]?.cells[header.cells.indexOf(day)] ?? ''
    const reference = findName(header.cells, NAMES.reference)
    const texts = header.cells.filter((name) => includes(NAMES.texts, name))
    const dayForm: DayForm = /^\s*\d{4}/.test(sample)
      ? 'YYYY-MM-DD'
      : /[A-Za-z]{3}/.test(sample)
        ? 'DD-MMM-YYYY'
        : 'DD/MM/YYYY'
    const isSigned = debit === null || credit === null
    return ok({
      separator,
      decimal: '.',
      dayForm,
      day,
      amount: isSigned ? amount : null,
      debit: isSigned ? null : debit,
      credit: isSigned ? null : credit,
      reference,
      texts,
    })
  }
  return err('no line names the columns: a date, and an amount or debit and credit; name them with a mapping')
}

/** Reads a CSV file of a bank. Lines before the header are left out. */
export function readBankCsv(text: string, mapping: CsvMapping): BankFile {
  const nothing = { lines: [], opening: null, closing: null }
  if (text.length > MOST_CHARACTERS)
    return { ...nothing, problems: [{ line: 1, message: 'the file is larger than 10 MB' }] }
  const rows = csvRows(text, mapping.separator)
  const wanted = [mapping.day, mapping.amount, mapping.debit, mapping.credit, mapping.reference].filter(
    (name) => name !== null,
  )
  const at = rows.findIndex(({ cells }) => wanted.every((name) => columnOf(cells, name) >= 0))
  const header = rows[at]
  if (header === undefined) {
    const message = `no line has the columns ${wanted.join(', ')}`
    return { ...nothing, problems: [{ line: 1, message }] }
  }
  const lines: BankLine[] = []
  const problems: FileProblem[] = []
  for (const row of rows.slice(at + 1)) {
    const read = readRow(row, header.cells, mapping)
    if (typeof read === 'object') lines.push(read)
    else if (problems.length < MOST_PROBLEMS) problems.push({ line: row.line, message: read })
  }
  return { lines, problems, opening: null, closing: null }
}

/** The line of a row, or why it is none. */
function readRow({ line, cells }: CsvRow, header: readonly string[], mapping: CsvMapping): BankLine | string {
  const cell = (name: string | null) => (name === null ? '' : (cells[columnOf(header, name)] ?? '').trim())
  const day = readBankDay(cell(mapping.day), mapping.dayForm)
  if (day === null)
    return `${JSON.stringify(cell(mapping.day).slice(0, 40))} is no day written ${mapping.dayForm}`
  const figure = (name: string | null) =>
    cell(name) === '' ? 0n : readBankAmount(cell(name), mapping.decimal)
  const [amount, debit, credit] = [figure(mapping.amount), figure(mapping.debit), figure(mapping.credit)]
  if (amount === null || debit === null || credit === null) return 'its amount is no figure of shillings'
  const size = debit < 0n ? -debit : debit
  const total = amount + credit - size
  if (total === 0n) return 'it moves nothing: neither debit nor credit'
  const reference = cell(mapping.reference)
  const texts = [...mapping.texts.map(cell), reference].filter((each) => each !== '')
  return { day, amount: total, reference, text: texts.join(' ').replaceAll(/\s+/g, ' '), line }
}

function columnOf(header: readonly string[], name: string): number {
  return header.findIndex((cell) => cell.trim().toLowerCase() === name.trim().toLowerCase())
}

function findName(header: readonly string[], names: readonly string[]): string | null {
  for (const name of names) {
    const found = header.find((cell) => cell.trim().toLowerCase() === name)
    if (found !== undefined) return found
  }
  return null
}

function includes(names: readonly string[], name: string): boolean {
  return names.includes(name.trim().toLowerCase())
}
