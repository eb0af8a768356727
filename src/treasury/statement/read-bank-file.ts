import { err, ok, type Result } from '../../base/result.ts'
import type { BankFormats } from './bank-format.ts'
import { MOST_CHARACTERS, type BankFile, type FileProblem } from './bank-line.ts'
import { csvRows, findHeader, readCsvFile } from './read-csv.ts'
import { isMt940, readMt940 } from './read-mt940.ts'

/** A bank file with the format in which it was read: MT940, or one of the configuration. */
export type ReadBankFile = BankFile & { readonly format: string }

const ASK_FOR_FORMAT = '`mizani treasury bank-format FILE` proposes one for treasury.bankFormats'

/** Decodes a bank file from UTF-8, or UTF-16 with a byte order mark; the error names the remedy for any other file. */
export function decodeBankFile(bytes: Uint8Array): Result<string, string> {
  const [first = 0, second = 0] = bytes
  const mark = first * 256 + second
  const encoding = mark === 0xff_fe ? 'utf-16le' : mark === 0xfe_ff ? 'utf-16be' : 'utf-8'
  try {
    return ok(new TextDecoder(encoding, { fatal: true }).decode(bytes))
  } catch {
    const before = new TextDecoder(encoding).decode(bytes).split('\uFFFD', 1)[0] ?? ''
    const line = before.split('\n').length
    return err(`line ${line} has bytes that are not ${encoding.toUpperCase()}; save the file as UTF-8`)
  }
}

/**
 * Reads a bank file completely or refuses it. A CSV file is read in the named format, or in the one whose columns
 * match.
 */
export function readBankFile(
  text: string,
  formats: BankFormats,
  name: string | null,
): Result<ReadBankFile, FileProblem> {
  if (text.length > MOST_CHARACTERS) return err({ line: 1, message: 'the file is larger than 10 MB' })
  const nul = text.indexOf('\0')
  if (nul >= 0)
    return err({
      line: text.slice(0, nul).split('\n').length,
      message: 'a character is 0: the file is UTF-16 without its mark, or no text; save it as UTF-8',
    })
  if (name === null && isMt940(text)) {
    const read = readMt940(text)
    return read.ok ? ok({ format: 'MT940', ...read.value }) : read
  }
  const wanted = Object.entries(formats).filter(([each]) => name === null || each === name)
  const found = wanted.map(([each, format]) => ({
    name: each,
    file: findHeader(csvRows(text, format.delimiter), format),
  }))
  const fitting = found.flatMap((each) => (each.file.ok ? [{ name: each.name, file: each.file.value }] : []))
  const [fit, ...others] = fitting
  if (fit === undefined) return err(noFormat(found, name))
  if (others.length > 0) {
    const names = fitting.map((each) => each.name).join(', ')
    return err({
      line: 1,
      message: `several formats have its columns (${names}); name one with --bank-format`,
    })
  }
  const read = readCsvFile(fit.file)
  return read.ok ? ok({ format: fit.name, ...read.value }) : read
}

function noFormat(
  found: readonly { readonly name: string; readonly file: Result<unknown, FileProblem> }[],
  name: string | null,
): FileProblem {
  const [first] = found
  if (first === undefined) {
    const what = name === null ? 'no format is configured' : `no format is called ${name}`
    return { line: 1, message: `it is not MT940, and ${what}; ${ASK_FOR_FORMAT}` }
  }
  const reasons = found.flatMap(({ name: each, file }) => (file.ok ? [] : [{ each, ...file.error }]))
  const message = reasons.map(({ each, message: why }) => `format ${each}: ${why}`).join('; ')
  return { line: reasons[0]?.line ?? 1, message }
}
