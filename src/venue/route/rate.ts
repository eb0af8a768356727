import { z } from 'zod'
import type { VenueSettings } from '../settings.ts'
import type { VenueRequest } from '../venue-call.ts'

/** GET /rate. */
export function rateRequest({ prefix }: VenueSettings): VenueRequest {
  return { route: 'GET /rate', method: 'GET', path: `${prefix}/rate`, query: {} }
}

/** What is wrong with a figure is news of its own, so the fields are judged by the translation. */
export const rateBody = z.looseObject({
  midRateTZS: z.unknown().optional(),
  rateUpdatedAt: z.unknown().optional(),
  quotable: z.unknown().optional(),
})
