import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

/** The headers of a signed request and its answer. */
export const NONCE_HEADER = 'x-mizani-nonce'
export const AT_HEADER = 'x-mizani-at'
export const SIGNATURE_HEADER = 'x-mizani-signature'

/**
 * Signs everything before the body, so that the guard can reject a request without reading its body. Daemons of earlier versions send none.
 */
export const HEAD_HEADER = 'x-mizani-head'

/** The signed parts of a request. `at`: the sender's wall clock in ms, as text. */
type SignedRequest = {
  readonly method: string
  readonly path: string
  readonly nonce: string
  readonly at: string
  readonly body: string
}

/**
 * Both sides prove that they know the token without sending it: another program on the port learns nothing, and only the guard can produce
 * a valid answer. HMAC-SHA256, hex.
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

/** The signature covers the request's nonce, so that an answer to another request is not accepted. */
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
