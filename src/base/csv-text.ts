import { printableLines } from './printable.ts'

/** A spreadsheet executes a cell that matches this; text from outside must not become a formula. */
const FORMULA = /^[\t\r ]*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]/
const NUMBER = /^-?\d+(\.\d+)?(e[+-]?\d+)?$/

type CsvValue = string | number | boolean | null

/**
 * Returns a line of CSV (RFC 4180): CRLF at the end, null as an empty field, quotes where needed. Prefixes text that a
 * spreadsheet would execute with an apostrophe, and replaces terminal control characters.
 */
export function csvLine(values: readonly CsvValue[]): string {
  return `${values.map(csvField).join(',')}\r\n`
}

function csvField(value: CsvValue): string {
  const plain = value === null ? '' : printableLines(String(value))
  const text = FORMULA.test(plain) && !NUMBER.test(plain) ? `'${plain}` : plain
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** Returns the cells of a line of CSV whose cells contain no comma, such as times and numbers: trimmed, without quotes. */
export function plainCells(line: string): readonly string[] {
  return line.split(',').map((cell) => cell.trim().replace(/^"(.*)"$/, '$1'))
}
