import { databaseProblem } from '../base/outgoing.ts'
import { err, ok, type Result } from '../base/result.ts'

/** A position's store in PostgreSQL, which several machines can reach. */
export type PostgresPlace = {
  /** May contain a password, so it is never printed. Empty if its secret was not read; then nothing connects. */
  readonly url: string
  readonly position: string
  /** A local folder for the lock against a second daemon on this machine, and for this daemon's identity. */
  readonly folder: string
  /** The configured `store.allowPlain`; absent = false. */
  readonly allowPlain?: boolean
}

/** Where a position's store is: a folder of SQLite files, or PostgreSQL. */
export type StorePlace = string | PostgresPlace

/** Returns the schema of a position's tables. */
export function schemaOf({ position }: PostgresPlace): string {
  return `mizani_${position}`
}

/** Returns the folder of the files that stay on this machine. */
export function folderOf(place: StorePlace): string {
  return typeof place === 'string' ? place : place.folder
}

/** Returns a key that is equal for equal places. */
export function storePlaceKey(place: StorePlace): string {
  return typeof place === 'string' ? place : `${place.url} ${place.position}`
}

/** Returns the place for messages, without user and password. */
export function placeText(place: StorePlace): string {
  if (typeof place === 'string') return place
  if (place.url === '') return `PostgreSQL, position ${place.position}`
  const { hostname, port, pathname, searchParams } = new URL(place.url)
  const server = hostname === '' ? (searchParams.get('host') ?? 'localhost') : hostname
  const database = pathname.length > 1 ? pathname.slice(1) : 'its default database'
  return `PostgreSQL at ${server}${port === '' ? '' : `:${port}`}/${database}, position ${place.position}`
}

/** Returns the place in the form that `parsePlace` reads, including the password of a database URL. */
export function placeOption(place: StorePlace): string {
  if (typeof place === 'string') return place
  const url = new URL(place.url)
  url.searchParams.set('position', place.position)
  if (place.allowPlain === true) url.searchParams.set('allowPlain', 'true')
  return url.href
}

/** Parses a place from an option: a folder, or a database URL with a `position` parameter. */
export function parsePlace(text: string): Result<StorePlace, string> {
  if (!/^postgres(?:ql)?:/.test(text)) return ok(text)
  const url = URL.parse(text)
  const position = url?.searchParams.get('position') ?? ''
  if (url === null || position === '')
    return err('write a store in PostgreSQL as postgres://HOST/DATABASE?position=NAME')
  const allowPlain = url.searchParams.get('allowPlain') === 'true'
  for (const name of ['position', 'allowPlain']) url.searchParams.delete(name)
  const problem = databaseProblem(url.href, allowPlain, process.env)
  if (problem !== null) return err(problem)
  return ok({ url: url.href, position, folder: '.', ...(allowPlain ? { allowPlain } : {}) })
}
