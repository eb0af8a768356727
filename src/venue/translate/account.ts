import { err, ok, type Result } from '../../base/result.ts'
import type { AccountAnswer } from '../answer.ts'
import { accountBody } from '../route/account.ts'
import { problemOf } from './problem.ts'
import { unknownFields } from './unknown-fields.ts'

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
