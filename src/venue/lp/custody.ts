import { ok, type Result } from '../../base/result.ts'
import type { CustodyAnswer } from '../../core/engine/model/venue-answer.ts'
import { isRecord } from '../../base/record.ts'
import { flag } from '../fields.ts'
import { withDocumentedNames } from '../../base/http/documented-names.ts'
import { LP_ALIASES } from '../wire/aliases.ts'
import { endpoint } from './endpoint.ts'

/**
 * PUT /custody: its body is not in the contract, so the field's name is a setting. It moves tokens between the venue's
 * pool and the position's own wallet only, so it is no payout.
 */
export const custody = endpoint('PUT /custody', ({ settings }) => (isEnabled: boolean) => ({
  paysOut: false,
  mayBeEmpty: true,
  body: { [settings.custodyBody]: isEnabled },
  translate,
}))

/** The answer is not in the contract either, so that it may state anything and is never refused. */
function translate(body: unknown): Result<CustodyAnswer, string> {
  const named = withDocumentedNames(isRecord(body) ? body : {}, LP_ALIASES.custody)
  if (!named.ok) return named
  const stated = flag.safeParse(named.value['enabled'])
  return ok({ type: 'custody', isEnabled: stated.data ?? null })
}
