import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type AlertBook, emptyAlertBook, parseAlertBook } from '../../../core/alerts/alert-book.ts'
import { isPositionNotice } from '../../../core/alerts/position-notices.ts'
import { errorText } from '../../../base/result.ts'
import { replaceFileSync } from '../../../base/files/replace-file.ts'
import { parsePositions } from '../positions-file.ts'
import type { LogLine } from './notice.ts'

/** The open alerts of all positions of a guard, in a file next to its lease numbers. */
export type KeptAlerts = {
  readonly of: (position: string) => AlertBook
  /** Writes all books. A failure is logged once and does not affect this process's reminders. */
  readonly save: () => void
}

const VERSION = 1
const FILE = 'alerts.json'

/** Opens the books that the previous process left. An invalid file is replaced by an empty one: no lease depends on it. */
export function openKeptAlerts(folder: string, log: LogLine): KeptAlerts {
  const file = join(folder, FILE)
  const books = readBooks(file, log)
  let problem: string | null = null
  return {
    of(position) {
      const book = books.get(position) ?? emptyAlertBook()
      books.set(position, book)
      return book
    },
    save() {
      try {
        replaceFileSync(file, JSON.stringify({ version: VERSION, positions: Object.fromEntries(books) }))
        problem = null
      } catch (error) {
        const words = `${file}: cannot be written: ${errorText(error)}; a restart forgets which alerts are open`
        if (problem === null) log('warn', null, words)
        problem = words
      }
    },
  }
}

function readBooks(file: string, log: LogLine): Map<string, AlertBook> {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    if ((error as { readonly code?: string }).code !== 'ENOENT')
      log('warn', null, `${file}: cannot be read: ${errorText(error)}; open alerts begin anew`)
    return new Map()
  }
  const books = parse(text)
  if (books === null) log('warn', null, `${file}: holds no open alerts of this version; they begin anew`)
  return books ?? new Map<string, AlertBook>()
}

function parse(text: string): Map<string, AlertBook> | null {
  const positions = parsePositions(text, VERSION)
  if (positions === null) return null
  const entries = [...positions].map(([name, one]) => [name, parseAlertBook(one)] as const)
  if (!entries.every((entry): entry is [string, AlertBook] => entry[1] !== null)) return null
  // This version could never end an alert that it no longer raises, and would repeat it indefinitely.
  for (const [, book] of entries) book.alerts = book.alerts.filter(({ code }) => isPositionNotice(code))
  return new Map(entries)
}
