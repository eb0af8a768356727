import { join } from 'node:path'
import { err, ok, type Result } from '../../../base/result.ts'
import { canonicalJson } from '../document/canonical.ts'
import type { CloseBody, CloseDocument } from '../document/document.ts'
import { booksBeancount, dayBeancount } from '../render/beancount.ts'
import { booksHledger, dayHledger } from '../render/hledger.ts'
import { closePage } from '../render/page.ts'
import { type Disk, DISK } from './disk.ts'
import { BOOKS, sha256, SUFFIX, sumsText } from './names.ts'

/** What is written for a day; the document lists those that follow from it. */
type RenderedDay = { readonly document: CloseDocument; readonly bytes: Buffer; readonly files: Files }
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

/** In this order: a document comes after all that it lists, so that a document without sums has lost nothing but these. */
const ORDER = [
  SUFFIX.page,
  SUFFIX.hledger,
  SUFFIX.beancount,
  SUFFIX.document,
  SUFFIX.signature,
  SUFFIX.timestamp,
] as const

/**
 * Writes a day. Everything is on the disk under other names before anything is replaced, the day's sums are replaced last, and
 * files that are there with these bytes are not touched: a signature that is added risks nothing of the close. Where it is
 * cut off, a provisional close is written again by the next `close` of the day, and a final one gets what it lacks.
 * `days` are all of the folder, this one among them. The error says what to do.
 */
export function writeDay(
  folder: string,
  day: string,
  files: Files,
  position: string,
  days: readonly string[],
  disk: Disk = DISK,
): Result<void, string> {
  const sums = `${day}${SUFFIX.sums}`
  const ordered = ORDER.map((suffix) => `${day}${suffix}`)
  const all = new Map([
    ...ordered.flatMap((name) => [...files].filter(([of]) => of === name)),
    ...renderBooks(position, days),
    [sums, Buffer.from(sumsText(files))],
  ])
  const partOf = (name: string) => join(folder, `${name}.${process.pid}.part`)
  const staged: string[] = []
  try {
    disk.makeFolder(folder)
    const there = new Map([...ordered, ...all.keys()].map((name) => [name, disk.read(join(folder, name))]))
    const isThere = (name: string) => all.get(name)?.equals(there.get(name) ?? Buffer.alloc(0)) === true
    for (const [name, bytes] of all) {
      if (isThere(name)) continue
      staged.push(name)
      disk.write(partOf(name), bytes)
    }
    if (!isThere(`${day}${SUFFIX.document}`)) {
      // Without its sums a provisional close counts as unfinished; what was signed is not the new one.
      disk.remove(join(folder, sums))
      for (const suffix of [SUFFIX.signature, SUFFIX.timestamp]) disk.remove(join(folder, `${day}${suffix}`))
    }
    for (const name of staged) {
      if (name === sums) disk.flush(folder)
      disk.replace(partOf(name), join(folder, name))
    }
    disk.flush(folder)
    return ok(undefined)
  } catch (error) {
    for (const name of staged) disk.remove(partOf(name))
    const { code, message } = error as NodeJS.ErrnoException
    return err(`${folder} cannot be written (${code ?? message}); give a folder that has room and is yours`)
  }
}
