import { z } from 'zod'
import type { VenueSettings } from '../settings.ts'
import type { VenueRequest } from '../venue-call.ts'

/** POST (also seen: PATCH) /activate. */
export function activateRequest(settings: VenueSettings, isActive: boolean): VenueRequest {
  const { prefix, activateMethod } = settings
  return {
    route: `${activateMethod} /activate`,
    method: activateMethod,
    path: `${prefix}/activate`,
    query: {},
    body: { isActive },
  }
}

/** 207 adds `partial`, `returned`, `failed` and `error`; the last two are kept for people as unknown fields. */
export const activateBody = z.looseObject({
  isActive: z.boolean(),
  partial: z.boolean().nullish(),
  returned: z.unknown().optional(),
  walletAddress: z.unknown().optional(),
  updatedAt: z.unknown().optional(),
})
