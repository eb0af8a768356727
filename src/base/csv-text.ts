import { printableLines } from './printable.ts'

/** A spreadsheet executes such a cell; texts from outside must not become formulas. */
const FORMULA = /^[\t\r ]*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]/
const NUMBER = /^-?\d+(\.\d+)?(e[+-]?\d+)?$/

type CsvValue = string | number | boolean | null

/**
 * Returns a line of CSV by RFC 4180: CRLF, null as an empty field, quotes if needed. A text that a spreadsheet would
 * execute as a formula gets an apostrophe, and control characters of terminals are replaced.
 */
export function csvLine(values: readonly CsvValue[]): string {
  return `${values.map(csvField).join(',')}\r\n`
}

function csvField(value: CsvValue): string {
  const plain = value === null ? '' : printableLines(String(value))
  const text = FORMULA.test(plain) && !NUMBER.test(plain) ? `'${plain}` : plain
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
