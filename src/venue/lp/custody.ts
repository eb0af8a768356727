import { z } from 'zod'
import type { VenueSettings } from '../settings.ts'
import type { VenueRequest } from '../call.ts'
import { ok, type Result } from '../../base/result.ts'
import type { CustodyAnswer } from '../answer.ts'

/** PUT /custody: its body is not in the contract, so the field's name is a setting. */
export function custodyRequest({ prefix, custodyBody }: VenueSettings, isEnabled: boolean): VenueRequest {
  return {
    route: 'PUT /custody',
    method: 'PUT',
    path: `${prefix}/custody`,
    query: {},
    body: { [custodyBody]: isEnabled },
  }
}

/** The answer is not in the contract either. */
const custodyAnswerBody = z.looseObject({
  enabled: z.unknown().optional(),
  selfCustody: z.unknown().optional(),
})

/** PUT /custody: the answer is not in the contract, so it is read for what it may say and never refused. */
export function translateCustody(body: unknown): Result<CustodyAnswer, string> {
  const parsed = custodyAnswerBody.safeParse(body)
  const said = parsed.success ? (parsed.data.enabled ?? parsed.data.selfCustody) : null
  return ok({ type: 'custody', isEnabled: typeof said === 'boolean' ? said : null })
}
