import { createHmac, randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { ANSWER_SCHEMAS } from '../answers.ts'
import type { Credential } from './credentials.ts'

/** The daemon's answer to a nonce: one proof for each token it knows, without naming its owner. */
export const proofAnswer = z.object({
  salt: z.string().describe('The salt for scrypt; each run of the daemon has its own.'),
  port: z
    .int()
    .optional()
    .describe(
      'The port on which the daemon received this connection; behind a proxy it differs from the requested one.',
    ),
  proofs: z
    .array(z.string())
    .describe('HMAC-SHA256 of nonce and port, one for each token, with a key derived from that token.'),
})
type ProofAnswer = z.output<typeof proofAnswer>

const SALT_BYTES = 16
const KEY_BYTES = 32
/** About 30 ms per guess, so that short tokens cannot be brute-forced against a proof. */
const COST = { N: 16_384, r: 8, p: 1 }

const query = z.strictObject({
  nonce: z.string().regex(/^[0-9a-f]{32,128}$/, 'expected 32 to 128 hex digits'),
})

/**
 * GET /api/v1/proof: lets the holder of a token verify that this process knows it too, before sending it. The proof includes the port, so
 * that a program on another port cannot relay the request and impersonate this one.
 */
export function proofRoute(app: FastifyInstance, credentials: readonly Credential[]): void {
  const salt = randomBytes(SALT_BYTES).toString('hex')
  let keys: Promise<readonly Buffer[]> | null = null
  app.get(
    '/api/v1/proof',
    {
      schema: {
        tags: ['commands'],
        summary: 'Proves that the daemon knows a token that is not sent',
        querystring: query,
        response: { 200: proofAnswer, default: ANSWER_SCHEMAS.error },
      },
    },
    async (request): Promise<ProofAnswer> => {
      const { nonce } = request.query as z.output<typeof query>
      keys ??= Promise.all(credentials.map(({ token }) => derivedKey(token, salt)))
      const port = request.socket.localPort ?? 0
      return { salt, port, proofs: (await keys).map((key) => proof(key, nonce, port).toString('hex')) }
    },
  )
}

/** Whether an answer to this nonce, from this port, comes from a process that knows the token. */
export async function isProven(
  answer: ProofAnswer,
  token: string,
  nonce: string,
  port: number,
): Promise<boolean> {
  const expected = proof(await derivedKey(token, answer.salt), nonce, port)
  return answer.proofs.some((text) => {
    const given = Buffer.from(text, 'hex')
    return given.length === expected.length && timingSafeEqual(given, expected)
  })
}

function proof(key: Buffer, nonce: string, port: number): Buffer {
  return createHmac('sha256', key).update(`mizani daemon ${port} ${nonce}`).digest()
}

function derivedKey(token: string, salt: string): Promise<Buffer> {
  return new Promise((resolve, reject) =>
    scrypt(token, salt, KEY_BYTES, COST, (error, key) => (error === null ? resolve(key) : reject(error))),
  )
}
