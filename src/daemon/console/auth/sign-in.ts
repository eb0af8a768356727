import { randomBytes, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { ANSWER_SCHEMAS } from '../answers.ts'
import { Refusal } from '../refusal.ts'
import { bearerToken, digestOf } from './credentials.ts'
import { PERMISSIONS } from './permissions.ts'
import { createFailedTokens, type AccessControl } from './access-control.ts'

export const SIGN_IN_KEY_PATH = '/api/v1/sign-in/key'
export const SIGN_IN_PATH = '/api/v1/sign-in'
export const signInKeyAnswer = z.object({ key: z.string().describe('For one sign-in, within ten minutes.') })
const signInAnswer = z.object({ token: z.string().describe('The token that requested the key.') })

const KEY_BYTES = 32
const VALID_MS = 10 * 60_000
/** One more key invalidates the oldest one. */
const MAX_KEYS = 16

/** The keys with which a browser signs in. They exist in memory only. `now` is monotonic, in ms. */
export function createSignInKeys(now: () => number) {
  let waiting: readonly { readonly digest: Buffer; readonly token: string; readonly until: number }[] = []
  return {
    /** Returns a fresh key for this token. */
    issue(token: string): string {
      const key = randomBytes(KEY_BYTES).toString('base64url')
      waiting = [...waiting, { digest: digestOf(key), token, until: now() + VALID_MS }].slice(-MAX_KEYS)
      return key
    },
    /** Returns the token of a key and ends the key; null = wrong, used or expired. */
    redeem(key: string): string | null {
      const digest = digestOf(key)
      waiting = waiting.filter(({ until }) => now() < until)
      // Compares with every key, so that the time of an answer reveals nothing about a guess.
      const [found] = waiting.filter((one) => timingSafeEqual(digest, one.digest))
      waiting = waiting.filter((one) => one !== found)
      return found?.token ?? null
    },
  }
}

/**
 * POST /api/v1/sign-in/key returns a single-use key for the token of the request, and POST /api/v1/sign-in returns the
 * token for the key. Both answer clients on this machine only. A wrong key slows down further wrong ones.
 */
export function signInRoutes(app: FastifyInstance, access: AccessControl): void {
  const keys = createSignInKeys(() => performance.now())
  const failed = createFailedTokens()
  app.post(
    SIGN_IN_KEY_PATH,
    {
      onRequest: async (request) => {
        access.checkLocal(request)
        access.checkCommand(request, PERMISSIONS)
      },
      schema: {
        tags: ['commands'],
        summary: 'Returns a single-use key with which a browser on this machine signs in',
        security: [{ token: [] }],
        response: { 200: signInKeyAnswer, default: ANSWER_SCHEMAS.error },
      },
    },
    async ({ headers }) => ({ key: keys.issue(bearerToken(headers.authorization) ?? '') }),
  )
  app.post(
    SIGN_IN_PATH,
    {
      onRequest: async (request) => access.checkLocal(request),
      schema: {
        tags: ['commands'],
        summary: 'Returns the token for a single-use key',
        body: z.object({ key: z.string().max(200) }),
        response: { 200: signInAnswer, default: ANSWER_SCHEMAS.error },
      },
    },
    async ({ body, ip }) => {
      const token = keys.redeem((body as { readonly key: string }).key)
      if (token !== null) return { token }
      failed.check(ip)
      failed.note(ip)
      throw new Refusal(
        401,
        'wrong-key',
        'the sign-in key is wrong, was used before or is older than ten minutes; `mizani console` prints a new address',
      )
    },
  )
}
