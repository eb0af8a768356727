import { printableLines } from './printable.ts'

/** A spreadsheet runs a cell that begins so; texts from outside must not become formulas. */
const FORMULA = /^[\t\r ]*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]/
const NUMBER = /^-?\d+(\.\d+)?(e[+-]?\d+)?$/

type CsvValue = string | number | boolean | null

/**
 * A line of CSV as RFC 4180 has it: CRLF, null is an empty field, and quotes where a text needs them. A text that a
 * spreadsheet would run as a formula begins with an apostrophe, and no character commands a terminal.
 */
export function csvLine(values: readonly CsvValue[]): string {
  return `${values.map(csvField).join(',')}\r\n`
}

function csvField(value: CsvValue): string {
  const plain = value === null ? '' : printableLines(String(value))
  const text = FORMULA.test(plain) && !NUMBER.test(plain) ? `'${plain}` : plain
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
