import { z } from 'zod'
import type { VenueSettings } from '../settings.ts'
import type { VenueRequest } from '../call.ts'
import { err, ok, type Result } from '../../base/result.ts'
import type { AccountAnswer } from '../answer.ts'
import { problemOf, unknownFields } from './body.ts'

/** GET /account. */
export function accountRequest({ prefix }: VenueSettings): VenueRequest {
  return { route: 'GET /account', method: 'GET', path: `${prefix}/account`, query: {} }
}

const accountBody = z.looseObject({
  isActive: z.boolean(),
  walletAddress: z.string().max(200).nullish(),
  id: z.unknown().optional(),
  email: z.unknown().optional(),
  createdAt: z.unknown().optional(),
})

/** Contract: the bare account. Also seen: `{ account: {...} }`. */
export function translateAccount(body: unknown): Result<AccountAnswer, string> {
  const parsed = accountBody.safeParse(unwrap(body))
  if (!parsed.success) return err(problemOf(parsed.error))
  const { isActive, walletAddress } = parsed.data
  return ok({
    type: 'account',
    isActive,
    walletAddress: walletAddress ?? null,
    ...unknownFields(parsed.data, accountBody),
  })
}

function unwrap(body: unknown): unknown {
  if (typeof body !== 'object' || body === null || 'isActive' in body) return body
  return 'account' in body ? body.account : body
}
