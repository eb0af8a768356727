import { err, ok, type Result } from '../../base/result.ts'
import { plainName, readBankAmount, readBankDay, type BankFormat } from './bank-format.ts'
import { csvRows, findHeader, readCsvFile } from './read-csv.ts'

/** A format to check and store, with remarks for a person. */
type ProposedFormat = { readonly format: BankFormat; readonly remarks: readonly string[] }

/** Words in column names, in English and Swahili; the first matching column is proposed. */
const NAMES = {
  date: /\bdate\b|tarehe/,
  amount: /amount|kiasi/,
  debit: /debit|withdraw|paid out|money out|^dr$/,
  credit: /credit|deposit|paid in|money in|^cr$/,
  currency: /currency|^ccy$|sarafu/,
  balance: /balance|salio/,
  reference: /\bref\b|reference|kumbukumbu/,
  text: /descri|narra|detail|particular|remark|maelezo/,
} as const
const DEBIT_MARK = /^(d|dr|debit)$/i
const CREDIT_MARK = /^(c|cr|credit)$/i
const DAY_FORMS = 'YYYY-MM-DD DD/MM/YYYY MM/DD/YYYY DD-MMM-YYYY YYYYMMDD DD/MM/YY DD-MMM-YY'.split(' ')
/** Lines about the account come before the header. */
const MOST_ABOVE = 50

/** The non-empty cells of a column. */
type Below = (name: string | undefined) => readonly string[]

/** Proposes the format of a CSV file from its column names and cells, for a person to check. */
export function proposeBankFormat(text: string): Result<ProposedFormat, string> {
  for (const delimiter of [',', ';', '\t', '|'] as const) {
    const { rows } = csvRows(text, delimiter)
    for (const [index, { cells }] of rows.slice(0, MOST_ABOVE).entries()) {
      const below: Below = (name) => {
        const at = cells.findIndex((cell) => cell.trim() === name)
        const column = rows.slice(index + 1).map((row) => (row.cells[at] ?? '').trim())
        return column.filter((cell) => cell !== '')
      }
      const names = cells.map((cell) => cell.trim()).filter((cell) => cell !== '')
      const columns = columnsOf(names, below)
      if (columns !== null) return ok(withoutBrokenBalance(text, formatOf(delimiter, columns, below)))
    }
  }
  return err(
    'no line names columns for the date and the amount, or debit and credit; write the format by hand',
  )
}

function columnsOf(names: readonly string[], below: Below): BankFormat['columns'] | null {
  const marker = names.find((name) => {
    const marks = below(name)
    return marks.length > 0 && marks.every((mark) => DEBIT_MARK.test(mark) || CREDIT_MARK.test(mark))
  })
  const others = names.filter((name) => name !== marker)
  const find = (kind: keyof typeof NAMES) => others.find((name) => NAMES[kind].test(plainName(name)))
  const date = find('date')
  const [debit, credit, amount] = [find('debit'), find('credit'), find('amount')]
  const isSplit = debit !== undefined && credit !== undefined && debit !== credit
  if (date === undefined || (!isSplit && (amount === undefined || amount === date))) return null
  const own = {
    date,
    ...(isSplit ? { debit, credit } : { amount, marker }),
    currency: find('currency'),
    balance: find('balance'),
    reference: find('reference'),
  }
  const taken = new Set<string | undefined>(Object.values(own))
  const rest = names.filter((name) => !taken.has(name))
  const isText = (name: string) => NAMES.text.test(plainName(name))
  return { ...own, text: rest.filter(isText), ignored: rest.filter((name) => !isText(name)) }
}

function formatOf(
  delimiter: BankFormat['delimiter'],
  columns: BankFormat['columns'],
  below: Below,
): ProposedFormat {
  const figures = [columns.amount, columns.debit, columns.credit].flatMap(below)
  const readable = (decimal: '.' | ',') => figures.filter((each) => readBankAmount(each, decimal).ok).length
  const decimal = readable(',') > readable('.') ? ',' : '.'
  const days = below(columns.date).filter((day) => /\d/.test(day))
  const forms = DAY_FORMS.map((form) => ({
    form,
    read: days.filter((day) => readBankDay(day, form) !== null).length,
  })).toSorted((a, b) => b.read - a.read)
  const [best, second] = forms
  const marks = new Set(below(columns.marker))
  const debitsAreNegative = below(columns.debit).some((each) => {
    const read = readBankAmount(each, decimal)
    return read.ok && read.value < 0n
  })
  const checks: readonly (readonly [isOpen: boolean, what: string])[] = [
    [
      best!.read > 0 && best!.read === second!.read,
      `days can be ${best!.form} or ${second!.form}: check dates`,
    ],
    [readable('.') === readable(','), 'no amount shows the decimal separator of the bank: check decimal'],
    [columns.currency === undefined, 'no column has the currency: check that the account is in TZS'],
  ]
  const remarks = checks.flatMap(([isOpen, what]) => (isOpen ? [what] : []))
  const marked = (mark: RegExp) => [...marks].filter((each) => mark.test(each))
  const markers = { debit: marked(DEBIT_MARK), credit: marked(CREDIT_MARK) }
  const format = {
    delimiter,
    decimal,
    dates: best!.form,
    currency: 'TZS',
    columns,
    markers,
    debitsAreNegative,
  } as const
  return { format, remarks }
}

/** Drops a balance column that does not follow from the rows or has another notation; it would refuse every file. */
function withoutBrokenBalance(text: string, proposed: ProposedFormat): ProposedFormat {
  const { format, remarks } = proposed
  const { balance, ...columns } = format.columns
  if (balance === undefined || isRead(text, format)) return proposed
  const other = { ...format, columns: { ...columns, ignored: [...columns.ignored, balance] } }
  if (!isRead(text, other)) return proposed
  return {
    format: other,
    remarks: [...remarks, `the column ${balance} does not follow from the rows: it is ignored`],
  }
}

function isRead(text: string, format: BankFormat): boolean {
  const file = findHeader(csvRows(text, format.delimiter), format)
  return file.ok && readCsvFile(file.value).ok
}
