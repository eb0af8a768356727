import { z } from 'zod'
import type { VenueSettings } from '../settings.ts'
import type { VenueRequest } from '../venue-call.ts'

/** GET /balances. */
export function balancesRequest({ prefix }: VenueSettings): VenueRequest {
  return { route: 'GET /balances', method: 'GET', path: `${prefix}/balances`, query: {} }
}

/** Amounts are decimal text: a JSON number could not carry 18 decimals, so it is refused. */
export const balancesBody = z.looseObject({
  ntzs: z.string().nullish(),
  usdc: z.string().nullish(),
  usdt: z.string().nullish(),
  source: z.unknown().optional(),
  positions: z.unknown().optional(),
  wallet: z.unknown().optional(),
})
