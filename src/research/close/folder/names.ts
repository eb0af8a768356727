import { createHash } from 'node:crypto'

/** What a day's files are called. The close itself is `json`; `sums` lists all others of the day. */
export const SUFFIX = {
  document: '.json',
  signature: '.json.sig',
  timestamp: '.json.tsr',
  page: '.html',
  hledger: '.hledger',
  beancount: '.beancount',
  sums: '.sha256',
} as const

/** Files of the whole folder, which follow from its days. */
export const BOOKS = { hledger: 'books.hledger', beancount: 'books.beancount' } as const

/** Which positions a fleet's folder has closes of, beside their folders. */
export const INDEX = { document: 'fleet.json', signature: 'fleet.json.sig' } as const

/** Held by the `close` that writes the folder. It stays and is empty. */
export const LOCK = 'folder.lock'

const NAME = /^(\d{4}-\d\d-\d\d)(\.[a-z0-9.]+)$/

/** The day that a file belongs to; null = it is not one of a close. */
export function dayOfFile(name: string): string | null {
  const [, day = '', suffix = ''] = NAME.exec(name) ?? []
  return Object.values<string>(SUFFIX).includes(suffix) ? day : null
}

/** Whether a file is one that a `close` which was killed left unfinished. */
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

/** The list of a day's files as `sha256sum --check` reads it. */
export function sumsText(files: ReadonlyMap<string, Uint8Array | string>): string {
  const lines = [...files].toSorted(([a], [b]) => (a < b ? -1 : 1))
  return lines.map(([name, bytes]) => `${sha256(bytes)}  ${name}\n`).join('')
}
