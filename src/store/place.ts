import { databaseProblem } from '../base/outgoing.ts'
import { err, ok, type Result } from '../base/result.ts'

/** A position's memory in PostgreSQL, where several machines reach it. */
export type PostgresPlace = {
  /** May hold a password: nothing prints it. Empty where it is a secret that was not read: nothing is reached then. */
  readonly url: string
  readonly position: string
  /** The folder on this machine for the lock against a second daemon here, and for this daemon's identity. */
  readonly folder: string
  /** `store.allowPlain` of its configuration; absent = false. */
  readonly allowPlain?: boolean
}

/** Where a position's memory is: a folder with SQLite's files, or PostgreSQL. */
export type StorePlace = string | PostgresPlace

/** The schema of a position's tables. */
export function schemaOf({ position }: PostgresPlace): string {
  return `mizani_${position}`
}

/** The folder of what stays on this machine. */
export function folderOf(place: StorePlace): string {
  return typeof place === 'string' ? place : place.folder
}

/** Equal for equal places. */
export function storePlaceKey(place: StorePlace): string {
  return typeof place === 'string' ? place : `${place.url} ${place.position}`
}

/** For sentences; never with a user or a password. */
export function placeText(place: StorePlace): string {
  if (typeof place === 'string') return place
  if (place.url === '') return `PostgreSQL, position ${place.position}`
  const { hostname, port, pathname, searchParams } = new URL(place.url)
  const server = hostname === '' ? (searchParams.get('host') ?? 'localhost') : hostname
  const database = pathname.length > 1 ? pathname.slice(1) : 'its default database'
  return `PostgreSQL at ${server}${port === '' ? '' : `:${port}`}/${database}, position ${place.position}`
}

/** The place as `parsePlace` reads it; with the password of a database's URL. */
export function placeOption(place: StorePlace): string {
  if (typeof place === 'string') return place
  const url = new URL(place.url)
  url.searchParams.set('position', place.position)
  if (place.allowPlain === true) url.searchParams.set('allowPlain', 'true')
  return url.href
}

/** A place as an option names it: a folder, or a database's URL with `position` among its parameters. */
export function parsePlace(text: string): Result<StorePlace, string> {
  if (!/^postgres(?:ql)?:/.test(text)) return ok(text)
  const url = URL.parse(text)
  const position = url?.searchParams.get('position') ?? ''
  if (url === null || position === '')
    return err('a store in PostgreSQL is named by postgres://HOST/DATABASE?position=NAME')
  const allowPlain = url.searchParams.get('allowPlain') === 'true'
  for (const name of ['position', 'allowPlain']) url.searchParams.delete(name)
  const problem = databaseProblem(url.href, allowPlain, process.env)
  if (problem !== null) return err(problem)
  return ok({ url: url.href, position, folder: '.', ...(allowPlain ? { allowPlain } : {}) })
}
