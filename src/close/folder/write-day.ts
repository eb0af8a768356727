import { closeSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { err, ok, type Result } from '../../base/result.ts'
import { canonicalJson } from '../document/canonical.ts'
import type { CloseBody, CloseDocument } from '../document/document.ts'
import { booksBeancount, dayBeancount } from '../render/beancount.ts'
import { booksHledger, dayHledger } from '../render/hledger.ts'
import { closePage } from '../render/page.ts'
import { BOOKS, sha256, SUFFIX, sumsText } from './names.ts'

/** What is written for a day; the document lists those that follow from it. */
export type RenderedDay = { readonly document: CloseDocument; readonly bytes: Buffer; readonly files: Files }
type Files = ReadonlyMap<string, Buffer>

/** The document and what is rendered of it for people and their programs. */
export function renderDay(body: CloseBody): RenderedDay {
  const { day } = body
  const files = new Map<string, Buffer>([
    [`${day}${SUFFIX.page}`, Buffer.from(closePage(body))],
    [`${day}${SUFFIX.hledger}`, Buffer.from(dayHledger(body))],
    [`${day}${SUFFIX.beancount}`, Buffer.from(dayBeancount(body))],
  ])
  const document = { ...body, files: [...files].map(([name, bytes]) => ({ name, sha256: sha256(bytes) })) }
  return { document, bytes: Buffer.from(canonicalJson(document)), files }
}

/** The files of the whole folder. */
export function renderBooks(position: string, days: readonly string[]): Files {
  return new Map([
    [BOOKS.hledger, Buffer.from(booksHledger(position, days))],
    [BOOKS.beancount, Buffer.from(booksBeancount(position, days))],
  ])
}

/**
 * Writes a day, its files first and their sums last: a day without sums was not finished, and the next close of that day writes
 * it again. `days` are all of the folder, this one among them. The error says what to do.
 */
export function writeDay(
  folder: string,
  day: string,
  files: Files,
  position: string,
  days: readonly string[],
): Result<void, string> {
  try {
    mkdirSync(folder, { recursive: true })
    for (const suffix of [SUFFIX.sums, SUFFIX.signature, SUFFIX.timestamp])
      rmSync(join(folder, `${day}${suffix}`), { force: true })
    for (const [name, bytes] of files) writeWhole(join(folder, name), bytes)
    for (const [name, bytes] of renderBooks(position, days)) writeWhole(join(folder, name), bytes)
    writeWhole(join(folder, `${day}${SUFFIX.sums}`), Buffer.from(sumsText(files)))
    return ok(undefined)
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    return err(`${folder} cannot be written (${code ?? message}); give a folder that has room and is yours`)
  }
}

/** A file is whole or not there. */
function writeWhole(path: string, bytes: Buffer): void {
  const unfinished = `${path}.${process.pid}.part`
  try {
    const file = openSync(unfinished, 'wx')
    try {
      writeFileSync(file, bytes)
      fsyncSync(file)
    } finally {
      closeSync(file)
    }
    renameSync(unfinished, path)
  } finally {
    rmSync(unfinished, { force: true })
  }
}
