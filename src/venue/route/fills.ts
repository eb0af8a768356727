import { z } from 'zod'
import type { VenueSettings } from '../settings.ts'
import type { VenueRequest } from '../venue-call.ts'

/** GET /fills: the most recent 100, newest first. */
export function fillsRequest({ prefix }: VenueSettings): VenueRequest {
  return { route: 'GET /fills', method: 'GET', path: `${prefix}/fills`, query: {} }
}

/** Rows are judged one by one: a bad one must not hide the good ones. */
export const fillsBody = z.looseObject({ fills: z.array(z.unknown()) })

/** Only what a row must have to be judged; amounts are decimal text, exact. */
export const fillRowBody = z.looseObject({
  id: z.union([z.string(), z.int()]),
  amountIn: z.string(),
  amountOut: z.string(),
  protocolFeeEarned: z.string().nullish(),
  fromToken: z.string(),
  toToken: z.string(),
  fromChain: z.string().nullish(),
  toChain: z.string().nullish(),
  chain: z.string().nullish(),
  createdAt: z.unknown().optional(),
})
