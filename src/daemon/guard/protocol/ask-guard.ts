import { err, ok, type Result } from '../../../base/result.ts'
import type { Ms } from '../../../base/time.ts'
import { type Link, openLink } from '../link.ts'
import {
  AT_HEADER,
  drawNonce,
  HEAD_HEADER,
  isEqualSignature,
  NONCE_HEADER,
  SIGNATURE_HEADER,
  signAnswer,
  signHead,
  signRequest,
} from './signature.ts'

export type GuardAnswer = { readonly status: number; readonly body: unknown }

/** First kind: no guard answers. `stranger`: the server does not know the token, or rejects ours. */
export type GuardSilence = { readonly kind: 'nobody' | 'stranger'; readonly words: string }

export type GuardClient = {
  /** Sends a signed request and verifies the signed answer, within the time. Never rejects. */
  readonly ask: (
    method: 'GET' | 'POST',
    path: string,
    body: unknown,
    timeoutMs: Ms,
  ) => Promise<Result<GuardAnswer, GuardSilence>>
  readonly close: () => void
}

const MOST_BYTES = 8 * 1_024 * 1_024

/** Opens a client for the guard at a URL. `token` is read for each request: a daemon creates a new one at each start. */
export function openGuardClient(
  url: string,
  token: () => string | null,
  { ca = null, wall = () => Date.now() }: { readonly ca?: string | null; readonly wall?: () => Ms } = {},
): GuardClient {
  const { origin, pathname } = new URL(url)
  const base = pathname.replace(/\/+$/, '')
  const link: Link = openLink(origin, {
    maxBytes: MOST_BYTES,
    connections: 2,
    ...(ca === null ? {} : { ca }),
  })
  return {
    async ask(method, path, body, timeoutMs) {
      const secret = token()
      if (secret === null) return err({ kind: 'nobody', words: 'there is no token to sign with' })
      const text = body === undefined ? '' : JSON.stringify(body)
      const nonce = drawNonce()
      const at = String(Math.round(wall()))
      const headers: Record<string, string> = {
        'content-type': 'application/json',
        [NONCE_HEADER]: nonce,
        [AT_HEADER]: at,
        [HEAD_HEADER]: signHead(secret, { method, path, nonce, at, bytes: String(Buffer.byteLength(text)) }),
        [SIGNATURE_HEADER]: signRequest(secret, { method, path, nonce, at, body: text }),
      }
      const answer = await link.send({
        method,
        path: `${base}${path}`,
        headers,
        body: text === '' ? null : text,
        timeoutMs,
      })
      if (!answer.ok) return err({ kind: 'nobody', words: answer.error })
      const { status, headers: received, text: reply } = answer.value
      if (!isEqualSignature(signAnswer(secret, nonce, status, reply), received[SIGNATURE_HEADER]))
        return err({
          kind: 'stranger',
          words: `what answers there (${status}) is not a guard with this token`,
        })
      return ok({ status, body: parsed(reply) })
    },
    close: link.close,
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // The signature is valid, so the guard is of another version: the field reader reports it.
    return null
  }
}
