import { err, ok, type Result } from '../../../base/result.ts'
import type { Ms } from '../../../base/time.ts'
import { addressOf, openHttpClient } from '../../../base/http/client.ts'
import { withScratch, wordsOf } from './program.ts'

const LIMITS = { timeoutMs: 20_000, maxBytes: 64 * 1024, connections: 1 }

/**
 * Requests a time-stamp for these bytes and checks that the answer belongs to this request. Only the digest and a nonce are
 * sent. The error is a sentence.
 */
export async function requestTimestamp(url: string, message: Uint8Array): Promise<Result<Buffer, string>> {
  const query = withScratch({ close: message }, ({ run, read }) => {
    const made = run('openssl', ['ts', '-query', '-data', 'close', '-sha256', '-cert', '-out', 'query'])
    return made.ok ? ok(read('query')) : made
  })
  if (!query.ok) return query
  const chunks: Uint8Array[] = []
  const http = openHttpClient(LIMITS)
  try {
    const answer = await http.send({
      ...addressOf(url),
      method: 'POST',
      headers: { 'content-type': 'application/timestamp-query', accept: 'application/timestamp-reply' },
      body: query.value,
      onChunk: (chunk) => chunks.push(Uint8Array.from(chunk)),
    })
    if (!answer.ok) return err(`the time-stamping authority did not answer: ${answer.error.words}`)
    if (answer.value.status !== 200)
      return err(`the time-stamping authority answered with status ${answer.value.status}`)
    const bytes = Buffer.concat(chunks)
    const held = verifyTimestamp(message, bytes, null, query.value)
    return held.ok ? ok(bytes) : err(`the answer of the time-stamping authority is invalid: ${held.error}`)
  } finally {
    await http.close()
  }
}

/**
 * Returns when an authority saw these bytes, after `openssl ts` has verified its answer with the certificates of
 * `authority`; null = with the certificate in the answer, which anyone can make. `query` is the request of that answer.
 */
export function verifyTimestamp(
  message: Uint8Array,
  answer: Uint8Array,
  authority: Uint8Array | null,
  query: Uint8Array | null = null,
): Result<Ms, string> {
  const nothing = Buffer.alloc(0)
  const files = { close: message, answer, authority: authority ?? nothing, query: query ?? nothing }
  return withScratch(files, ({ run }) => {
    const openssl = (...args: readonly string[]) => run('openssl', args)
    const token = ['-in', 'token', '-token_in']
    // Data around the token, such as a status text, is not signed, so it is dropped.
    const taken = openssl('ts', '-reply', '-in', 'answer', '-token_out', '-out', 'token')
    if (!taken.ok) {
      const shown = openssl('ts', '-reply', '-in', 'answer', '-text')
      return err(`it has no time-stamp (${shown.ok ? wordsOf(shown.value) : taken.error})`)
    }
    const own = openssl('pkcs7', '-inform', 'DER', '-in', 'token', '-print_certs', '-out', 'own')
    if (!own.ok) return own
    const trusted = authority === null ? ['own', '-no_check_time'] : ['authority']
    const of = query === null ? ['-data', 'close'] : ['-queryfile', 'query']
    const verified = openssl('ts', '-verify', ...token, ...of, '-partial_chain', '-CAfile', ...trusted)
    if (!verified.ok) return verified
    const text = openssl('ts', '-reply', ...token, '-text')
    if (!text.ok) return text
    const at = Date.parse(/^Time stamp: (.+)$/m.exec(text.value)?.[1] ?? '')
    return Number.isNaN(at) ? err('its time does not parse') : ok(at)
  })
}
