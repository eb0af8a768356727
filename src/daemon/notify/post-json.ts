import { HOUR_MS, SECOND_MS, type Ms } from '../../base/time.ts'
import { err, ok, type Result } from '../../base/result.ts'
import { retryAfterOf } from '../../base/http/answer.ts'
import { addressOf, openHttpClient } from '../../base/http/client.ts'
import { createUrlRedactor } from '../../base/http/redactor.ts'
import type { ChannelRefusal } from './channels/refusals.ts'
import type { Delivery } from './message/message.ts'

/** An answer with any status; the body is cut at `MOST_BYTES`. */
export type PostReply = {
  readonly status: number
  readonly retryAfterMs: Ms | null
  readonly body: string
  /** The body without the parts of the address, which may be a secret. */
  readonly shown: string
}

/** Posts to one place. `headers` come anew with every attempt. Never rejects, and no error names the address. */
type Post = {
  readonly send: (
    body: string,
    headers?: Readonly<Record<string, string>>,
  ) => Promise<Result<PostReply, string>>
  readonly close: () => Promise<void>
}

const POST_TIMEOUT_MS = 10 * SECOND_MS
const MOST_BYTES = 64 * 1024
/** Anyone who asks for more patience is asked again after so long all the same. */
const LONGEST_WAIT_MS = HOUR_MS

/** `url` is asked for with every attempt and kept nowhere: it may be a secret as a whole. */
export function postJson(url: () => string, timeoutMs: Ms = POST_TIMEOUT_MS): Post {
  // No connection is kept: the pauses between messages are longer than servers hold one.
  const limits = { timeoutMs, maxBytes: MOST_BYTES, onTooLarge: 'cut' } as const
  const http = openHttpClient({ connections: 1, keepAliveMs: 0, mayUseProxy: true, ...limits })
  return {
    async send(body, headers = {}) {
      const place = url()
      const address = addressOrNull(place)
      if (address === null) return err('no answer (ERR_INVALID_URL)')
      const answer = await http.send({
        ...address,
        method: 'POST',
        headers: { 'content-type': 'application/json; charset=utf-8', 'user-agent': 'mizani', ...headers },
        body,
      })
      if (!answer.ok) return err(answer.error.words)
      const { status, text } = answer.value
      const shown = createUrlRedactor(new URL(place))(text)
      return ok({ status, retryAfterMs: retryAfterOf(answer.value.headers, Date.now()), body: text, shown })
    },
    close: http.close,
  }
}

function addressOrNull(url: string): ReturnType<typeof addressOf> | null {
  try {
    return addressOf(url)
  } catch {
    // The text is no URL; what the error quotes may be a secret.
    return null
  }
}

/**
 * What an answer that is not the hoped-for one means: later, or never. Redirects are refused, for the secret
 * would go along to wherever they lead.
 */
export function deliveryOf(
  { status, retryAfterMs }: PostReply,
  { words, isContent }: ChannelRefusal,
): Delivery {
  const why = `it answered ${status}${words}`
  if (status === 408 || status === 425 || status === 429 || status >= 500 || status < 300) {
    const afterMs = retryAfterMs === null ? null : Math.min(LONGEST_WAIT_MS, retryAfterMs)
    return { outcome: 'retry', why: afterMs === null ? why : `${why}; it asks for ${afterMs} ms`, afterMs }
  }
  if (status < 400)
    return { outcome: 'refused', why: `${why}, a redirect, which is not followed`, isContent: false }
  return {
    outcome: 'refused',
    why,
    isContent: isContent ?? (status === 400 || status === 413 || status === 422),
  }
}
