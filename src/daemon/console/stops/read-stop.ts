import { type StopFields, TEXT_LIMIT } from '../commands/command-entry.ts'
import type { IncomingMessage } from 'node:http'
import type { Ms } from '../../../base/time.ts'

/** The readable part of a stop's body. `cut` is the reason the body is incomplete; null = complete. */
type ReadBody = { readonly text: string; readonly cut: string | null }

const STOP_BODY_BYTES = 16 * 1024
const STOP_BODY_MS = 1_000

/**
 * Reads at most 16 kB within a second, so that a slow body does not delay the stop. The rest is drained: a client that is still sending can
 * then read the answer. Never rejects.
 */
export function readBody(request: IncomingMessage, withinMs: Ms = STOP_BODY_MS): Promise<ReadBody> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    let size = 0
    const timer = setTimeout(end, withinMs, `it was not complete within ${withinMs} ms`)
    request.on('data', take)
    request.on('end', () => end(null))
    for (const event of ['close', 'error']) request.on(event, () => end('the connection broke off'))

    function take(chunk: Buffer): void {
      size += chunk.length
      chunks.push(chunk)
      if (size > STOP_BODY_BYTES) end(`it is longer than ${STOP_BODY_BYTES} bytes`)
    }

    function end(cut: string | null): void {
      clearTimeout(timer)
      request.off('data', take)
      request.resume()
      resolve({ text: Buffer.concat(chunks).toString('utf8', 0, STOP_BODY_BYTES), cut })
    }
  })
}

/** The fields of a stop request that could be parsed. */
export type StopRequest = StopFields & {
  /** Null = the request names no position, or the body is unreadable. */
  readonly position: string | null
  readonly who: string | null
  /** The reason to journal, followed by a note about the unreadable parts. */
  readonly why: string
}

const NO_REASON = 'no reason given'
const FIELDS = ['position', 'who', 'why', 'reason', 'key', 'salts', 'wallet', 'now']
const MOST_QUOTED = 100
const SALT = /^\d{1,78}$/
const ADDRESS = /^0x[0-9a-fA-F]{40}$/

/** Parses leniently and never fails: a stop is executed even if its body is malformed. Body fields override query parameters. */
export function readStop({ text, cut }: ReadBody, query = ''): StopRequest {
  const bare = text.replace(/^\uFEFF/, '').trim()
  const fields = cut === null ? fieldsOf(bare) : null
  const given = { ...queryFields(query), ...withoutBlanks(fields ?? {}) }
  const salts = saltsOf(given['salts'])
  const wallet = textOf(given['wallet'])
  const isAddress = wallet !== null && ADDRESS.test(wallet)
  const unread = [
    ...(fields === null ? [`the body could not be read: ${cut ?? quoted(bare)}`] : []),
    ...Object.keys(given).flatMap((name) => (FIELDS.includes(name) ? [] : [`unknown field ${quoted(name)}`])),
    ...(salts === undefined ? [`salts could not be read: ${quoted(jsonText(given['salts']))}`] : []),
    ...(wallet !== null && !isAddress ? [`wallet is not an address: ${quoted(wallet)}`] : []),
  ]
  const why = textOf(given['why']) ?? textOf(given['reason']) ?? NO_REASON
  return {
    position: textOf(given['position']),
    who: shortened(textOf(given['who'])),
    why: shortened(unread.length === 0 ? why : `${why} (${unread.slice(0, 3).join('; ')})`) ?? NO_REASON,
    key: textOf(given['key']),
    salts: salts ?? null,
    wallet: isAddress ? wallet : null,
    isHurried: [true, 1, 'true', '1', 'on', 'yes'].includes(given['now'] as never),
  }
}

type Fields = Readonly<Record<string, unknown>>

/** Parses a JSON object or a form. Returns null if the text is neither, or if `position` is not a string. */
function fieldsOf(text: string): Fields | null {
  if (text === '') return {}
  const fields = jsonFields(text) ?? formFields(text)
  if (fields === null) return null
  const position: unknown = fields['position'] ?? ''
  return typeof position === 'string' ? fields : null
}

/** Returns the query parameters that are fields of a stop. A repeated parameter becomes a list. */
function queryFields(query: string): Fields {
  const given = new URLSearchParams(query)
  const named = FIELDS.filter((name) => given.has(name)).map((name) => [name, given.getAll(name)] as const)
  return withoutBlanks(
    Object.fromEntries(named.map(([name, all]) => [name, all.length === 1 ? all[0] : all])),
  )
}

function withoutBlanks(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => textOf(value) !== null))
}

function jsonFields(text: string): Fields | null {
  try {
    const parsed: unknown = JSON.parse(text)
    if (parsed === null) return {}
    if (typeof parsed !== 'object' || Array.isArray(parsed)) return null
    return Object.assign(Object.create(null) as object, parsed) as Fields
  } catch {
    // Not JSON; it may be a form.
    return null
  }
}

/** Returns null unless every key is a field of a stop: a sentence with an equals sign is not a form. */
function formFields(text: string): Fields | null {
  const entries = [...new URLSearchParams(text)]
  if (!entries.every(([name]) => FIELDS.includes(name))) return null
  return Object.fromEntries(entries)
}

/** Returns the value as text; null = missing or blank. */
function textOf(value: unknown): string | null {
  if (value === undefined || value === null) return null
  const text = (typeof value === 'string' ? value : jsonText(value)).trim().toWellFormed()
  return text === '' ? null : text
}

function jsonText(value: unknown): string {
  try {
    return JSON.stringify(value) ?? ''
  } catch {
    // The value is nested too deeply to serialize.
    return '?'
  }
}

/** Null = no salts given. Undefined = unreadable: the caller then cancels all orders, because over-stopping is the safe failure. */
function saltsOf(value: unknown): readonly bigint[] | null | undefined {
  if (value === undefined || value === null || value === '') return null
  const list: unknown[] = Array.isArray(value) ? value : [value]
  const texts = list.filter((one): one is string => typeof one === 'string' && SALT.test(one))
  return texts.length === list.length && texts.length > 0 ? texts.map(BigInt) : undefined
}

function shortened(text: string | null): string | null {
  if (text === null || text.length <= TEXT_LIMIT) return text
  return `${text.slice(0, TEXT_LIMIT - 1)}…`.toWellFormed()
}

function quoted(text: string): string {
  return JSON.stringify(text.length <= MOST_QUOTED ? text : `${text.slice(0, MOST_QUOTED)}…`)
}
