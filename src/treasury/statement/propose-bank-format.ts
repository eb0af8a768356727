import { err, ok, type Result } from '../../base/result.ts'
import { plainName, readBankAmount, readBankDay, type BankFormat } from './bank-format.ts'
import { csvRows, findHeader, readCsvFile } from './read-csv.ts'

/** A format to check and keep, and what a person has to look at. */
export type ProposedFormat = { readonly format: BankFormat; readonly remarks: readonly string[] }

/** Words of column names in English and Swahili; the first column with one of them is proposed. */
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
const DAY_FORMS = [
  'YYYY-MM-DD',
  'DD/MM/YYYY',
  'MM/DD/YYYY',
  'DD-MMM-YYYY',
  'YYYYMMDD',
  'DD/MM/YY',
  'DD-MMM-YY',
] as const

/** The columns of a file: its names, and the cells below each. */
type Table = {
  readonly names: readonly string[]
  readonly below: (name: string | undefined) => readonly string[]
}

/** Proposes the format of a CSV file from the names of its columns and from its cells. The proposal has to be checked by a person. */
export function proposeBankFormat(text: string): Result<ProposedFormat, string> {
  for (const delimiter of [',', ';', '\t', '|'] as const) {
    const read = csvRows(text, delimiter)
    for (const [index, { cells }] of read.rows.entries()) {
      const names = cells.map((cell) => cell.trim()).filter((cell) => cell !== '')
      const at = (name: string) => cells.findIndex((cell) => cell.trim() === name)
      const below = (name: string | undefined) =>
        name === undefined
          ? []
          : read.rows
              .slice(index + 1)
              .map((row) => (row.cells[at(name)] ?? '').trim())
              .filter((cell) => cell !== '')
      const columns = columnsOf({ names, below })
      if (columns === null) continue
      const proposed = formatOf(delimiter, columns, below)
      return ok(withoutBrokenBalance(text, proposed))
    }
  }
  return err(
    'no line names a column for the date and one for the amount, or for debit and credit; write the format by hand',
  )
}

function columnsOf({ names, below }: Table): BankFormat['columns'] | null {
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
    ...(isSplit ? { debit, credit } : { amount, ...(marker !== undefined && { marker }) }),
    ...given('currency', find('currency')),
    ...given('balance', find('balance')),
    ...given('reference', find('reference')),
  }
  const taken = new Set<string | undefined>(Object.values(own))
  const rest = names.filter((name) => !taken.has(name))
  const isText = (name: string) => NAMES.text.test(plainName(name))
  return { ...own, text: rest.filter(isText), ignored: rest.filter((name) => !isText(name)) }
}

function given<Key extends string>(key: Key, name: string | undefined): { readonly [key in Key]?: string } {
  return name === undefined ? {} : ({ [key]: name } as { readonly [key in Key]: string })
}

function formatOf(
  delimiter: BankFormat['delimiter'],
  columns: BankFormat['columns'],
  below: Table['below'],
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
  const remarks = [
    ...(best!.read > 0 && best!.read === second!.read
      ? [`the days can be read as ${best!.form} and as ${second!.form}: check \`dates\``]
      : []),
    ...(readable('.') === readable(',')
      ? ['no amount shows which decimal separator the bank uses: check `decimal`']
      : []),
    ...(columns.currency === undefined
      ? ['no column has the currency: check that the account is in TZS']
      : []),
  ]
  const markers = {
    debit: [...marks].filter((mark) => DEBIT_MARK.test(mark)),
    credit: [...marks].filter((mark) => CREDIT_MARK.test(mark)),
  }
  return {
    format: { delimiter, decimal, dates: best!.form, currency: 'TZS', columns, markers, debitsAreNegative },
    remarks,
  }
}

/** A balance that does not follow from the rows, or is written in another way, would refuse every file of the bank. */
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
