import { z } from 'zod'
import type { VenueSettings } from '../settings.ts'
import type { VenueRequest } from '../venue-call.ts'

/** GET /account. */
export function accountRequest({ prefix }: VenueSettings): VenueRequest {
  return { route: 'GET /account', method: 'GET', path: `${prefix}/account`, query: {} }
}

export const accountBody = z.looseObject({
  isActive: z.boolean(),
  walletAddress: z.string().max(200).nullish(),
  id: z.unknown().optional(),
  email: z.unknown().optional(),
  createdAt: z.unknown().optional(),
})
