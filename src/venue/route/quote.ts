import { z } from 'zod'
import { formatAmount } from '../../money/amount.ts'
import type { Asset } from '../../money/asset.ts'
import type { VenueSettings } from '../settings.ts'
import type { VenueRequest } from '../venue-call.ts'

/** The pairs of the LP API's quotes: one end is the shilling, both are on the primary chain. */
export type QuoteParams = {
  readonly from: Exclude<Asset, 'USDT.bnb'>
  readonly to: Exclude<Asset, 'USDT.bnb'>
  /** Base units of `from`. */
  readonly amount: bigint
  readonly slippageBps?: number
}

/** GET /quote: what a taker would receive if our position filled. */
export function quoteRequest({ prefix }: VenueSettings, params: QuoteParams): VenueRequest {
  const { from, to, amount, slippageBps } = params
  return {
    route: 'GET /quote',
    method: 'GET',
    path: `${prefix}/quote`,
    query: {
      fromToken: from,
      toToken: to,
      amount: formatAmount(amount, from),
      ...(slippageBps === undefined ? {} : { slippageBps: String(slippageBps) }),
    },
  }
}

export const quoteBody = z.looseObject({
  spreadBps: z.int().min(0).max(10_000),
  expectedOutput: z.unknown().optional(),
  midRate: z.unknown().optional(),
  protocolFeeBps: z.number().min(0).max(10_000).nullish(),
  fromToken: z.unknown().optional(),
  toToken: z.unknown().optional(),
  amountIn: z.unknown().optional(),
  minOutput: z.unknown().optional(),
  minAmountOut: z.unknown().optional(),
  rate: z.unknown().optional(),
  rateUpdatedAt: z.unknown().optional(),
  slippageBps: z.unknown().optional(),
  expiresAt: z.unknown().optional(),
})
