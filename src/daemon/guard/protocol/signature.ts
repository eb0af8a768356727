import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

/** Names of the headers that a signed request and its answer carry. */
export const NONCE_HEADER = 'x-mizani-nonce'
export const AT_HEADER = 'x-mizani-at'
export const SIGNATURE_HEADER = 'x-mizani-signature'

/** Signs what stands before the body, so that no other body has to be read; a daemon of an earlier version sends none. */
export const HEAD_HEADER = 'x-mizani-head'

/** What of a request is signed. `at`: ms of the sender's wall clock, as text. */
type SignedRequest = {
  readonly method: string
  readonly path: string
  readonly nonce: string
  readonly at: string
  readonly body: string
}

/**
 * Both sides prove that they know the token, and neither sends it: whatever else answers on a port learns nothing, and no
 * answer but the guard's is taken for one. HMAC-SHA256, hex.
 */
export function signRequest(token: string, { method, path, nonce, at, body }: SignedRequest): string {
  return hmac(token, ['request', method, path, nonce, at, body])
}

/** `bytes`: the length of the body. */
export function signHead(
  token: string,
  { method, path, nonce, at, bytes }: Omit<SignedRequest, 'body'> & { readonly bytes: string },
): string {
  return hmac(token, ['head', method, path, nonce, at, bytes])
}

/** The answer names the request by its nonce, so that no answer to another one passes for it. */
export function signAnswer(token: string, nonce: string, status: number, body: string): string {
  return hmac(token, ['answer', nonce, String(status), body])
}

export function isEqualSignature(expected: string, given: unknown): boolean {
  if (typeof given !== 'string' || given.length !== expected.length) return false
  return timingSafeEqual(Buffer.from(expected), Buffer.from(given))
}

export function drawNonce(): string {
  return randomBytes(16).toString('hex')
}

function hmac(token: string, parts: readonly string[]): string {
  return createHmac('sha256', token).update(parts.join('\n')).digest('hex')
}
