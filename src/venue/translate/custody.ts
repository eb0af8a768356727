import { ok, type Result } from '../../base/result.ts'
import type { CustodyAnswer } from '../answer.ts'
import { custodyAnswerBody } from '../route/custody.ts'

/** PUT /custody: the answer is not in the contract, so it is read for what it may say and never refused. */
export function translateCustody(body: unknown): Result<CustodyAnswer, string> {
  const parsed = custodyAnswerBody.safeParse(body)
  const said = parsed.success ? (parsed.data.enabled ?? parsed.data.selfCustody) : null
  return ok({ type: 'custody', isEnabled: typeof said === 'boolean' ? said : null })
}
