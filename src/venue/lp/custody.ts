import { z } from 'zod'
import { ok, type Result } from '../../base/result.ts'
import { WRITE, type Endpoint } from './endpoint.ts'

/** Null where the venue does not state what it now holds. */
export type CustodyAnswer = { readonly type: 'custody'; readonly isEnabled: boolean | null }

/** PUT /custody: its body is not in the contract, so the field's name is a setting. */
export const custody: Endpoint<[isEnabled: boolean], CustodyAnswer> =
  ({ settings }) =>
  (isEnabled) => ({
    ...WRITE,
    mayBeEmpty: true,
    route: 'PUT /custody',
    method: 'PUT',
    path: `${settings.prefix}/custody`,
    body: { [settings.custodyBody]: isEnabled },
    translate,
  })

/** The answer is not in the contract either. */
const custodyBody = z.looseObject({
  enabled: z.unknown().optional(),
  selfCustody: z.unknown().optional(),
})

/** PUT /custody: the answer is not in the contract, so it is read for what it may say and never refused. */
function translate(body: unknown): Result<CustodyAnswer, string> {
  const parsed = custodyBody.safeParse(body)
  const said = parsed.success ? (parsed.data.enabled ?? parsed.data.selfCustody) : null
  return ok({ type: 'custody', isEnabled: typeof said === 'boolean' ? said : null })
}
