import { z } from 'zod'
import { isRecord } from '../../base/record.ts'
import { withDocumentedNames } from '../../base/http/documented-names.ts'
import { problemOf } from '../../base/http/body.ts'
import { err, ok, type Result } from '../../base/result.ts'
import type { AccountEvent } from '../../core/engine/model/event.ts'
import type { AnswerOf } from '../../core/engine/model/venue-answer.ts'
import { endpoint, unknownFields } from './endpoint.ts'
import { walletText, statedFlag } from '../fields.ts'
import { LP_ALIASES } from '../wire/aliases.ts'

export type AccountAnswer = AnswerOf<AccountEvent>

/** GET /account. */
export const account = endpoint('GET /account', () => () => ({ translate }))

const accountBody = z.looseObject({
  isActive: statedFlag,
  walletAddress: walletText.nullish(),
  account: z.unknown().optional(),
  id: z.unknown().optional(),
  email: z.unknown().optional(),
  createdAt: z.unknown().optional(),
})

/** Contract: the bare account. Also seen: `{ account: {...} }`. */
function translate(body: unknown): Result<AccountAnswer, string> {
  if (!isRecord(body)) return err('the body: not an object')
  const named = withDocumentedNames(body, LP_ALIASES.account)
  if (!named.ok) return named
  const isWrapped = !('isActive' in body) && 'account' in body
  // All other fields are evidence, wherever they are.
  const fields = isWrapped && isRecord(body['account']) ? { ...body['account'], ...named.value } : named.value
  const parsed = accountBody.safeParse(fields)
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
