import { CsvError, parse } from 'csv-parse/sync'
import { err, ok, type Result } from '../../base/result.ts'
import { formatTokens } from '../../base/money/asset.ts'
import { plainName, readBankAmount, readBankDay, type BankFormat } from './bank-format.ts'
import type { BankFile, BankLine, FileProblem } from './bank-line.ts'

export type CsvRow = { readonly line: number; readonly cells: readonly string[] }

/** The rows of a CSV text with their line numbers, and the problem where it stops being CSV. */
type CsvRows = { readonly rows: readonly CsvRow[]; readonly problem: FileProblem | null }

const QUOTE_PROBLEMS: Readonly<Record<string, string>> = {
  CSV_QUOTE_NOT_CLOSED: 'a quote is not closed',
  CSV_INVALID_CLOSING_QUOTE: 'a quote is closed in the middle of a cell, or is not closed',
  INVALID_OPENING_QUOTE: 'a quote is inside a cell that does not begin with one',
}

/** Parses a text by RFC 4180; skips rows with only empty cells. */
export function csvRows(text: string, delimiter: string): CsvRows {
  const rows: CsvRow[] = []
  let line = 1
  try {
    parse(text, {
      delimiter,
      bom: true,
      relax_column_count: true,
      record_delimiter: ['\r\n', '\n', '\r'],
      on_record(cells: string[], { lines }) {
        if (cells.some((cell) => cell.trim() !== '')) rows.push({ line, cells })
        line = lines + 1
        return null
      },
    })
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    return { rows, problem: { line, message: QUOTE_PROBLEMS[error.code] ?? error.message } }
  }
  return { rows, problem: null }
}

/** A file in which the header of a format was found. */
type CsvFile = {
  readonly format: BankFormat
  readonly head: CsvRow
  readonly above: readonly CsvRow[]
  readonly rows: readonly CsvRow[]
  readonly problem: FileProblem | null
}

/** Finds the row that has all wanted columns, each of them once. */
export function splitAtHeader(
  { rows, problem }: CsvRows,
  wanted: readonly string[],
): Result<Omit<CsvFile, 'format'>, FileProblem> {
  const at = rows.findIndex(({ cells }) => wanted.every((name) => columnOf(cells, name) >= 0))
  const head = rows[at]
  if (head === undefined)
    return err(problem ?? { line: 1, message: `no line has the columns ${wanted.join(', ')}` })
  const names = head.cells.map(plainName)
  const double = wanted.find((name) => names.indexOf(plainName(name)) !== names.lastIndexOf(plainName(name)))
  if (double !== undefined) return err({ line: head.line, message: `two columns are called ${double}` })
  return ok({ head, above: rows.slice(0, at), rows: rows.slice(at + 1), problem })
}

/** Finds the row that has all columns of the format and no others; the error names the missing ones. */
export function findHeader(read: CsvRows, format: BankFormat): Result<CsvFile, FileProblem> {
  const { date, amount, debit, credit, marker, currency, balance, reference, text } = format.columns
  const wanted = [date, amount, debit, credit, marker, currency, balance, reference, ...text].filter(
    (name) => name !== undefined,
  )
  const found = splitAtHeader(read, wanted)
  if (!found.ok) return found
  const { line, cells } = found.value.head
  const named = [...wanted, ...format.columns.ignored].map(plainName)
  const other = cells.find((cell) => cell.trim() !== '' && !named.includes(plainName(cell)))
  if (other === undefined) return ok({ format, ...found.value })
  const message = `the format does not name the column ${other.trim()}; add it to columns, or to columns.ignored`
  return err({ line, message })
}

/** A row: a line, or left out with a reason. */
type ReadRow = {
  readonly movement: BankLine | string
  /** The balance after it; null = it names no balance of ours. */
  readonly balance: bigint | null
}

/** Reads every row below the header, or refuses the file at the first row that is not understood. */
export function readCsvFile(file: CsvFile): Result<BankFile, FileProblem> {
  if (file.problem !== null) return err(file.problem)
  for (const row of file.above) {
    const read = readRow(row, file)
    if (read.ok && typeof read.value.movement === 'object')
      return err({ line: row.line, message: 'a movement comes before the column names' })
  }
  const lines: BankLine[] = []
  const leftOut = new Map<string, { readonly line: number; readonly rows: number }>()
  const steps: BalanceStep[] = []
  for (const row of file.rows) {
    const { line } = row
    const read = readRow(row, file)
    if (!read.ok) return err({ line, message: read.error })
    const { movement, balance } = read.value
    steps.push({ line, amount: typeof movement === 'string' ? 0n : movement.amount, balance })
    if (typeof movement !== 'string') lines.push(movement)
    else {
      const first = leftOut.get(movement) ?? { line, rows: 0 }
      leftOut.set(movement, { ...first, rows: first.rows + 1 })
    }
  }
  const problem = brokenBalance(steps)
  if (problem !== null) return err(problem)
  const reported = [...leftOut].map(([why, { line, rows }]) => ({
    line,
    message: rows === 1 ? why : `${why}; ${rows} rows are alike`,
  }))
  return ok({ lines, leftOut: reported, accounts: [] })
}

type BalanceStep = { readonly line: number; readonly amount: bigint; readonly balance: bigint | null }

/** Returns the first row whose balance does not follow from the previous one, in either order of the file. */
function brokenBalance(steps: readonly BalanceStep[]): FileProblem | null {
  const oldestFirst = brokenStep(steps)
  return oldestFirst === null || brokenStep(steps.toReversed()) === null ? null : oldestFirst
}

function brokenStep(steps: readonly BalanceStep[]): FileProblem | null {
  let running: bigint | null = null
  for (const { line, amount, balance } of steps) {
    if (running !== null) running += amount
    if (running !== null && balance !== null && running !== balance) {
      const [stated, counted] = [balance, running].map((each) => formatTokens(each, 'NTZS'))
      return { line, message: `its balance is ${stated}, but the rows before it lead to ${counted}` }
    }
    running = balance ?? running
  }
  return null
}

function readRow(row: CsvRow, file: CsvFile): Result<ReadRow, string> {
  const { head, format } = file
  const { columns } = format
  const header = head.cells
  const cell: Cells = (name) => (name === undefined ? '' : (row.cells[columnOf(header, name)] ?? '').trim())
  const stated: Result<bigint | null, string> =
    cell(columns.balance) === '' ? ok(null) : readBankAmount(cell(columns.balance), format.decimal)
  const balance = stated.ok ? stated.value : null
  if (holdsRow(row, file)) return err('a quote is not closed: its cell holds the next row')
  const hasAmount = [columns.amount, columns.debit, columns.credit].some((name) => cell(name) !== '')
  const day = readBankDay(cell(columns.date), format.dates)
  if (day === null && !hasAmount && !/^\d/.test(cell(columns.date)))
    return ok({ movement: 'it has neither a date nor an amount', balance })
  if (row.cells.every((each, index) => each === header[index]))
    return ok({ movement: 'it has the names of the columns', balance: null })
  const shape = shapeProblem(row, head)
  if (shape !== null) return err(shape)
  if (day === null)
    return err(
      `${JSON.stringify(cell(columns.date).slice(0, 40))} is not a day in the format ${format.dates}`,
    )
  const currency = columns.currency === undefined ? format.currency : cell(columns.currency).toUpperCase()
  if (!/^[A-Z]{3}$/.test(currency)) return err(`${JSON.stringify(currency.slice(0, 40))} is no currency`)
  if (currency !== 'TZS') return ok({ movement: `its account is in ${currency}`, balance: null })
  if (!stated.ok) return stated
  const amount = readAmount(cell, format)
  if (!amount.ok) return amount
  if (amount.value === 0n) return ok({ movement: 'it moves nothing', balance })
  const reference = cell(columns.reference)
  const text = [...columns.text.map(cell), reference].filter((each) => each !== '').join(' ')
  const { line } = row
  return ok({
    movement: { day, amount: amount.value, reference, text: text.replaceAll(/\s+/g, ' '), line },
    balance,
  })
}

/** The text of a column in one row. */
type Cells = (name: string | undefined) => string

/** Returns why a row has cells without a column, or columns without a cell. */
export function shapeProblem({ cells }: CsvRow, head: CsvRow): string | null {
  if (cells.length !== head.cells.length)
    return `the header has ${head.cells.length} cells, but it has ${cells.length}`
  const stray = cells.findIndex((each, index) => each.trim() !== '' && head.cells[index]?.trim() === '')
  return stray < 0 ? null : `the header has no name for its cell ${stray + 1}`
}

/** Returns whether an open quote swallowed the next row; a multi-line text does not count. */
function holdsRow({ cells }: CsvRow, { head, format }: CsvFile): boolean {
  const at = columnOf(head.cells, format.columns.date)
  const inner = cells.flatMap((each) => each.split(/[\r\n]+/).slice(1))
  const isRow = (text: string) => readBankDay(text.split(format.delimiter)[at] ?? '', format.dates) !== null
  return inner.some(isRow)
}

/** Returns the signed amount in base units of NTZS. */
function readAmount(cell: Cells, format: BankFormat): Result<bigint, string> {
  const { amount, debit, credit, marker } = format.columns
  const figure = (name: string) => {
    const read = cell(name) === '' ? ok(0n) : readBankAmount(cell(name), format.decimal)
    return read.ok ? read : err(`${name}: ${read.error}`)
  }
  if (amount !== undefined) {
    if (cell(amount) === '') return err(`it has a date but no ${amount}`)
    const size = figure(amount)
    return marker === undefined || !size.ok ? size : signed(size.value, cell(marker), format)
  }
  const [out, into] = [figure(debit ?? ''), figure(credit ?? '')]
  if (!out.ok || !into.ok) return out.ok ? into : out
  if (cell(debit) === '' && cell(credit) === '')
    return err(`it has a date but neither ${debit} nor ${credit}`)
  if (out.value !== 0n && into.value !== 0n) return err(`it has both ${debit} and ${credit}`)
  if (into.value < 0n || (out.value !== 0n && out.value < 0n !== format.debitsAreNegative))
    return err(
      `${into.value < 0n ? credit : debit}: the sign of the amount contradicts debitsAreNegative: ${format.debitsAreNegative}`,
    )
  return ok(into.value - (out.value < 0n ? -out.value : out.value))
}

function signed(size: bigint, written: string, { columns, markers }: BankFormat): Result<bigint, string> {
  const isOneOf = (texts: readonly string[]) => texts.some((each) => plainName(each) === plainName(written))
  const isDebit = isOneOf(markers.debit)
  if (isDebit === isOneOf(markers.credit))
    return err(
      `${columns.marker}: ${JSON.stringify(written.slice(0, 40))} is not one of the markers ${[...markers.debit, ...markers.credit].join(', ')}`,
    )
  if (size < 0n && !isDebit) return err(`${columns.amount}: a credit is below zero`)
  return ok(isDebit && size > 0n ? -size : size)
}

function columnOf(header: readonly string[], name: string): number {
  return header.findIndex((cell) => plainName(cell) === plainName(name))
}
