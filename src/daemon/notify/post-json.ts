import { HOUR_MS, SECOND_MS, type Ms } from '../../base/time.ts'
import { err, ok, type Result } from '../../base/result.ts'
import { retryAfterOf } from '../../base/http/answer.ts'
import { addressOf, openHttpClient } from '../../base/http/client.ts'
import { createUrlRedactor } from '../../base/http/redactor.ts'
import type { ChannelRefusal } from './channels/refusals.ts'
import type { Delivery } from './message/message.ts'

/** An answer with any status; the body is truncated at `MOST_BYTES`. */
export type PostReply = {
  readonly status: number
  readonly retryAfterMs: Ms | null
  readonly body: string
  /** The body without parts of the URL, which may be secret. */
  readonly shown: string
}

/** Posts to one URL. `headers` are rebuilt for every attempt. Never rejects, and no error contains the URL. */
type Post = {
  readonly send: (
    body: string,
    headers?: Readonly<Record<string, string>>,
  ) => Promise<Result<PostReply, string>>
  readonly close: () => Promise<void>
}

const POST_TIMEOUT_MS = 10 * SECOND_MS
const MOST_BYTES = 64 * 1024
/** Upper bound on Retry-After. */
const LONGEST_WAIT_MS = HOUR_MS

/** `url` is read for every attempt and never stored: the whole URL may be a secret. */
export function postJson(url: () => string, timeoutMs: Ms = POST_TIMEOUT_MS): Post {
  // Keeps no connection open: servers close one before the next message.
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
    // The text is not a URL; the error would quote it, and it may be a secret.
    return null
  }
}

/**
 * Returns whether an unsuccessful answer is worth a retry. Redirects are refused, because the secret would be sent to
 * their target.
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
