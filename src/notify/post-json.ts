import { Agent, request } from 'undici'
import { HOUR_MS, SECOND_MS, type Ms } from '../base/time.ts'
import { err, ok, type Result } from '../base/result.ts'
import type { Delivery } from './message/message.ts'

/** An answer with any status; the body is cut at `MOST_BYTES`. */
export type PostReply = {
  readonly status: number
  readonly retryAfterMs: Ms | null
  readonly body: string
}

/** Posts to one place. `headers` come anew with every attempt. Never rejects, and no error names the address. */
export type Post = {
  readonly send: (
    body: string,
    headers?: Readonly<Record<string, string>>,
  ) => Promise<Result<PostReply, string>>
  readonly close: () => Promise<void>
}

export const POST_TIMEOUT_MS = 10 * SECOND_MS
const MOST_BYTES = 64 * 1024
/** Whoever asks for more patience is asked again after so long all the same. */
const LONGEST_WAIT_MS = HOUR_MS

/** `url` is asked for with every attempt and kept nowhere: it may be a secret as a whole. */
export function postJson(url: () => string, timeoutMs: Ms = POST_TIMEOUT_MS): Post {
  const dispatcher = new Agent({ connections: 1, pipelining: 0, connect: { timeout: timeoutMs } })
  return {
    async send(body, headers = {}) {
      try {
        const answer = await request(url(), {
          method: 'POST',
          dispatcher,
          headers: { 'content-type': 'application/json; charset=utf-8', 'user-agent': 'mizani', ...headers },
          body,
          signal: AbortSignal.timeout(timeoutMs),
        })
        return ok({
          status: answer.statusCode,
          retryAfterMs: retryAfter(answer.headers['retry-after'], Date.now()),
          body: await readSome(answer.body),
        })
      } catch (error) {
        return err(wordsOf(error, timeoutMs))
      }
    },
    close: () => dispatcher.destroy(),
  }
}

/**
 * What an answer that is not the hoped-for one means: later, or never. Redirects are refused, for the secret
 * would go along to wherever they lead. `words` is what of the body may be repeated.
 */
export function deliveryOf({ status, retryAfterMs }: PostReply, words: string | null = null): Delivery {
  const why = `it answered ${status}${words === null ? '' : ` (${words})`}`
  if (status === 408 || status === 425 || status === 429 || status >= 500 || status < 300)
    return {
      outcome: 'retry',
      why,
      afterMs: retryAfterMs === null ? null : Math.min(LONGEST_WAIT_MS, retryAfterMs),
    }
  if (status < 400)
    return { outcome: 'refused', why: `${why}, a redirect, which is not followed`, isContent: false }
  return { outcome: 'refused', why, isContent: status === 400 || status === 413 || status === 422 }
}

/** Seconds or a date, as HTTP has it; null where there is neither. */
function retryAfter(header: string | readonly string[] | undefined, now: Ms): Ms | null {
  const text = typeof header === 'string' ? header : header?.[0]
  if (text === undefined) return null
  const ms = /^\d{1,9}$/.test(text) ? Number(text) * SECOND_MS : Date.parse(text) - now
  return Number.isNaN(ms) ? null : Math.max(0, ms)
}

/** The beginning of a body; leaving the loop closes the connection. */
async function readSome(body: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body) {
    chunks.push(chunk)
    size += chunk.byteLength
    if (size > MOST_BYTES) break
  }
  return new TextDecoder().decode(Buffer.concat(chunks).subarray(0, MOST_BYTES))
}

/** Only a code is told: a library's message could hold the address, and so the secret. */
function wordsOf(error: unknown, timeoutMs: Ms): string {
  const code = codeOf(error)
  if (code === 'TimeoutError' || code === 'UND_ERR_CONNECT_TIMEOUT') return `no answer within ${timeoutMs} ms`
  return `no answer (${code})`
}

function codeOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return codeOf(error.errors[0])
  const { code, name } = error as { readonly code?: unknown; readonly name?: unknown }
  const word = typeof code === 'string' ? code : name
  return typeof word === 'string' && /^\w{1,60}$/.test(word) ? word : 'UNKNOWN'
}
