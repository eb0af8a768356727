import { z } from 'zod'
import type { VenueSettings } from '../settings.ts'
import type { VenueRequest } from '../venue-call.ts'

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
export const custodyAnswerBody = z.looseObject({
  enabled: z.unknown().optional(),
  selfCustody: z.unknown().optional(),
})
