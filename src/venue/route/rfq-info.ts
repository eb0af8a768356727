import { z } from 'zod'
import type { VenueSettings } from '../settings.ts'
import type { VenueRequest } from '../venue-call.ts'

/** GET /rfq/info: whom orders must name. */
export function rfqInfoRequest({ prefix }: VenueSettings): VenueRequest {
  return { route: 'GET /rfq/info', method: 'GET', path: `${prefix}/rfq/info`, query: {} }
}

/** The answer is not in the contract: every name it may have is looked at by the translation. */
export const rfqInfoBody = z.looseObject({})
