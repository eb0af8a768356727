import { randomBytes } from 'node:crypto'
import { err, ok, type Result } from '../../base/result.ts'
import { addressOf, openHttpClient } from '../../http/client.ts'
import { answersNonce, readTimestamp, timestampQuery } from './timestamp.ts'

const LIMITS = { timeoutMs: 20_000, maxBytes: 64 * 1024, connections: 1 }
const NONCE_BYTES = 8

/** The answer of a time-stamping authority about these bytes, checked to be one to this question. The error is a sentence. */
export async function requestTimestamp(url: string, message: Uint8Array): Promise<Result<Buffer, string>> {
  const nonce = randomBytes(NONCE_BYTES)
  const chunks: Uint8Array[] = []
  const http = openHttpClient(LIMITS)
  try {
    const answer = await http.send({
      ...addressOf(url),
      method: 'POST',
      headers: { 'content-type': 'application/timestamp-query', accept: 'application/timestamp-reply' },
      body: timestampQuery(message, nonce),
      onChunk: (chunk) => chunks.push(Uint8Array.from(chunk)),
    })
    if (!answer.ok) return err(`the time-stamping authority did not answer: ${answer.error.words}`)
    if (answer.value.status !== 200)
      return err(`the time-stamping authority answered with status ${answer.value.status}`)
    const bytes = Buffer.concat(chunks)
    const read = readTimestamp(bytes, message)
    if (!read.ok) return err(`the answer of the time-stamping authority does not hold: ${read.error}`)
    if (!answersNonce(read.value, nonce))
      return err('the answer of the time-stamping authority is to another question')
    return ok(bytes)
  } finally {
    await http.close()
  }
}
