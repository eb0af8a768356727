import { z } from 'zod'
import { problemOf } from '../../http/body.ts'
import { err, ok, type Result } from '../../base/result.ts'
import type { AccountEvent } from '../../engine/model/event.ts'
import { type AnswerOf, type Endpoint, READ, unknownFields } from './endpoint.ts'
import { statedFlag } from '../fields.ts'

export type AccountAnswer = AnswerOf<AccountEvent>

/** GET /account. */
export const account: Endpoint<[], AccountAnswer> =
  ({ settings }) =>
  () => ({ ...READ, route: 'GET /account', path: `${settings.prefix}/account`, translate })

const accountBody = z.looseObject({
  isActive: statedFlag,
  walletAddress: z.string().max(200).nullish(),
  id: z.unknown().optional(),
  email: z.unknown().optional(),
  createdAt: z.unknown().optional(),
})

/** Contract: the bare account. Also seen: `{ account: {...} }`. */
function translate(body: unknown): Result<AccountAnswer, string> {
  const isWrapped = hasWrapper(body)
  const parsed = accountBody.safeParse(isWrapped ? body.account : body)
  if (!parsed.success) return err(problemOf(parsed.error))
  const { isActive, walletAddress } = parsed.data
  return ok({
    type: 'account',
    isActive,
    walletAddress: walletAddress ?? null,
    isWrapped,
    ...unknownFields(parsed.data, accountBody),
  })
}

function hasWrapper(body: unknown): body is { readonly account: unknown } {
  return typeof body === 'object' && body !== null && !('isActive' in body) && 'account' in body
}
