import { stringify } from 'yaml'
import { ok } from '../../base/result.ts'
import { formatTokens } from '../../base/money/asset.ts'
import { decimalText } from '../../base/text/numbers.ts'
import { proposeBankFormat } from '../../treasury/statement/propose-bank-format.ts'
import { readBankFile } from '../../treasury/statement/read-bank-file.ts'
import { isMt940 } from '../../treasury/statement/read-mt940.ts'
import { EXIT_CODE } from '../../base/exit-code.ts'
import { fail, print, type OutputFormat } from '../output/print.ts'
import { alignColumns } from '../output/tables.ts'
import { readBankText } from './show.ts'

type BankFormatOptions = OutputFormat & { readonly name: string }

const SHOWN_ROWS = 5
const MT940 = { format: null, remarks: [] }

/** Proposes a format for treasury.bankFormats from one file of a bank, and shows five rows as the format reads them. */
export async function bankFormat(path: string, options: BankFormatOptions): Promise<void> {
  const text = await readBankText(path)
  if (!text.ok) return fail(options, EXIT_CODE.usage, text.error)
  const proposed = isMt940(text.value) ? ok(MT940) : proposeBankFormat(text.value)
  if (!proposed.ok) return fail(options, EXIT_CODE.failed, `${path}: ${proposed.error}`)
  const { format, remarks } = proposed.value
  const formats = format === null ? {} : { [options.name]: format }
  const read = readBankFile(text.value, formats, format === null ? null : options.name)
  const refusal = read.ok ? null : `line ${read.error.line}: ${read.error.message}`
  const lines = read.ok ? read.value.lines : []
  const leftOut = read.ok ? read.value.leftOut : []
  const rows = lines
    .slice(0, SHOWN_ROWS)
    .map(({ amount, ...line }) => ({ ...line, amount: formatTokens(amount, 'NTZS') }))
  const table = [
    ['line', 'day', 'TZS', 'reference', 'text'],
    ...rows.map(({ line, day, amount, reference, text: words }) => [
      String(line),
      day,
      decimalText(amount, 2, 'plus'),
      reference,
      words.slice(0, 60),
    ]),
  ]
  const shown = [
    format === null
      ? 'MT940 needs no format'
      : stringify({ treasury: { bankFormats: formats } }, { lineWidth: 0 }),
    ...remarks.map((remark) => `check: ${remark}`),
    ...(refusal === null
      ? [`${rows.length} of ${lines.length} lines as they are read; compare them with the file:`, '']
      : [`the file is refused: ${refusal}`]),
    ...(rows.length === 0 ? [] : alignColumns(table, (column) => column !== 2 && column !== 0)),
    ...leftOut.map(({ line, message }) => `left out, line ${line}: ${message}`),
  ]
  print(options, shown.join('\n'), { format, remarks, rows, leftOut, refusal })
  if (refusal !== null) process.exitCode = EXIT_CODE.failed
}
