import { createHash } from 'node:crypto'

/** Suffixes of a day's files. `json` is the close; `sums` lists all other files of the day. */
export const SUFFIX = {
  document: '.json',
  signature: '.json.sig',
  timestamp: '.json.tsr',
  page: '.html',
  hledger: '.hledger',
  beancount: '.beancount',
  sums: '.sha256',
} as const

/** Files of the whole folder, derived from its days. */
export const BOOKS = { hledger: 'books.hledger', beancount: 'books.beancount' } as const

/** Index of the positions in a fleet's folder. */
export const INDEX = { document: 'fleet.json', signature: 'fleet.json.sig' } as const

/** Locked by the `close` that writes the folder. It stays, and is empty. */
export const LOCK = 'folder.lock'

const NAME = /^(\d{4}-\d\d-\d\d)(\.[a-z0-9.]+)$/

/** Returns the day of a file; null = not a close's file. */
export function dayOfFile(name: string): string | null {
  const [, day = '', suffix = ''] = NAME.exec(name) ?? []
  return Object.values<string>(SUFFIX).includes(suffix) ? day : null
}

/** Returns whether the file is a temporary file of a `close` that was killed. */
export function isLeftOver(name: string): boolean {
  const [, finished = ''] = /^(.+)\.\d+\.part$/.exec(name) ?? []
  return (
    dayOfFile(finished) !== null ||
    [BOOKS, INDEX].some((names) => Object.values<string>(names).includes(finished))
  )
}

export function sha256(bytes: Uint8Array | string): string {
  return createHash('sha256').update(bytes).digest('hex')
}

/** Returns the list of a day's files in the format of `sha256sum --check`. */
export function sumsText(files: ReadonlyMap<string, Uint8Array | string>): string {
  const lines = [...files].toSorted(([a], [b]) => (a < b ? -1 : 1))
  return lines.map(([name, bytes]) => `${sha256(bytes)}  ${name}\n`).join('')
}
