import { errors, type Pool } from 'undici'
import { err, ok, type Result } from '../base/result.ts'
import type { VenueCall, VenueReply } from './venue-call.ts'

/** Why there is no whole answer. `wasSent` false = the request certainly never reached the venue. */
export type Silence = {
  readonly kind: 'timeout' | 'network' | 'too-large'
  readonly words: string
  readonly wasSent: boolean
  readonly status: number | null
}

export type ExchangeOptions = {
  /** Path of the base URL, before the call's own. */
  readonly basePath: string
  readonly headers: Readonly<Record<string, string>>
  readonly timeoutMs: number
  readonly maxBytes: number
}

/** With these there was no connection, no name or no certificate: nothing was on the wire. */
const NEVER_SENT =
  /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EADDRNOTAVAIL|UND_ERR_CONNECT_TIMEOUT|UND_ERR_INVALID_ARG|CERT_.*|ERR_TLS_CERT_.*|DEPTH_ZERO_.*|SELF_SIGNED_.*|UNABLE_TO_.*)$/

/**
 * One request and its whole answer as text, within one deadline for everything: a body that drips is as
 * late as one that never comes. Nothing is sent twice. Never rejects.
 */
export async function exchange(
  pool: Pool,
  call: VenueCall<unknown>,
  options: ExchangeOptions,
  now: () => number,
): Promise<Result<VenueReply, Silence>> {
  const abort = new AbortController()
  const timer = setTimeout(() => abort.abort(), options.timeoutMs)
  let status: number | null = null
  try {
    const answer = await pool.request({
      method: call.method,
      path: `${options.basePath}${call.path}${queryText(call.query)}`,
      headers: {
        accept: 'application/json',
        ...(call.body === undefined ? {} : { 'content-type': 'application/json' }),
        ...options.headers,
      },
      body: call.body === undefined ? null : JSON.stringify(call.body),
      signal: abort.signal,
      headersTimeout: 0,
      bodyTimeout: 0,
    })
    status = answer.statusCode
    const body = await readText(answer.body, options.maxBytes)
    if (body === null) {
      const words = `the answer is larger than ${options.maxBytes} bytes`
      return err({ kind: 'too-large', words, wasSent: true, status })
    }
    return ok({ status, headers: answer.headers, body, receivedAt: now() })
  } catch (error) {
    return err(silenceOf(error, abort.signal.aborted, options.timeoutMs, status))
  } finally {
    clearTimeout(timer)
  }
}

function queryText(query: Readonly<Record<string, string>>): string {
  const text = new URLSearchParams(query).toString()
  return text === '' ? '' : `?${text}`
}

/** Null when there is more than we take; leaving the loop closes the connection. */
async function readText(body: AsyncIterable<Uint8Array>, maxBytes: number): Promise<string | null> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body) {
    size += chunk.byteLength
    if (size > maxBytes) return null
    chunks.push(chunk)
  }
  return new TextDecoder().decode(Buffer.concat(chunks))
}

/** Only the error's code is told: a library's message could hold what was sent. */
function silenceOf(error: unknown, isLate: boolean, timeoutMs: number, status: number | null): Silence {
  const code = codeOf(error)
  const wasSent = status !== null || !NEVER_SENT.test(code)
  if (isLate)
    return { kind: 'timeout', words: `no whole answer within ${timeoutMs} ms`, wasSent: true, status }
  if (code === 'UND_ERR_CONNECT_TIMEOUT') {
    return { kind: 'timeout', words: `no connection within ${timeoutMs} ms`, wasSent, status }
  }
  const where = status === null ? 'no answer' : `the answer (${status}) broke off`
  return { kind: 'network', words: `${where} (${code})`, wasSent, status }
}

function codeOf(error: unknown): string {
  if (error instanceof errors.UndiciError) return error.code
  if (error instanceof AggregateError && error.errors.length > 0) return codeOf(error.errors[0])
  if (typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string') {
    return error.code
  }
  return 'UNKNOWN'
}
