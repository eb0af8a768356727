import { join } from 'node:path'
import { err, ok, type Result } from '../../../base/result.ts'
import { canonicalJson } from '../document/canonical.ts'
import type { CloseBody, CloseDocument } from '../document/document.ts'
import { booksBeancount, dayBeancount } from '../render/beancount.ts'
import { booksHledger, dayHledger } from '../render/hledger.ts'
import { closePage } from '../render/page.ts'
import { type Disk, DISK } from './disk.ts'
import { BOOKS, sha256, SUFFIX, sumsText } from './names.ts'

/** A close and the rendered files that its document lists. */
type RenderedDay = { readonly document: CloseDocument; readonly bytes: Buffer; readonly files: Files }
type Files = ReadonlyMap<string, Buffer>

/** Renders the document and its versions for readers and accounting programs. */
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

/** Renders the files of the whole folder. */
export function renderBooks(position: string, days: readonly string[]): Files {
  return new Map([
    [BOOKS.hledger, Buffer.from(booksHledger(position, days))],
    [BOOKS.beancount, Buffer.from(booksBeancount(position, days))],
  ])
}

/** In this order: a document follows everything that it lists, so a document without sums lacks only the sums. */
const ORDER = [
  SUFFIX.page,
  SUFFIX.hledger,
  SUFFIX.beancount,
  SUFFIX.document,
  SUFFIX.signature,
  SUFFIX.timestamp,
] as const

/**
 * Writes a day. All files are on disk under temporary names before any file is replaced; the checksums are replaced last;
 * files with equal bytes are not touched, so adding a signature cannot damage the close. After an interruption, the next
 * `close` of the day writes a provisional close again and completes a final one. `days` are all days of the folder,
 * including this one. The error names the next step.
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
      // Without its sums a provisional close counts as unfinished, and the old signature does not apply to the new one.
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
    return err(
      `${folder} cannot be written (${code ?? message}); name a folder that has room and that you may write`,
    )
  }
}
