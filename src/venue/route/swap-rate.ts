import { z } from 'zod'
import { formatAmount } from '../../money/amount.ts'
import type { Side } from '../../money/side.ts'
import type { VenueSettings } from '../settings.ts'
import type { VenueRequest } from '../venue-call.ts'

/** `probe` in base units: of USDC on the ask, of the shilling on the bid. */
export type SwapRateParams = { readonly side: Side; readonly probe: bigint }

/** GET /swap/rate of the partner API: public, no key. */
export function swapRateRequest(settings: VenueSettings, { side, probe }: SwapRateParams): VenueRequest {
  const { publicPrefix, shillingSymbol } = settings
  const isAsk = side === 'ask'
  return {
    route: 'GET /swap/rate',
    method: 'GET',
    path: `${publicPrefix}/swap/rate`,
    query: {
      from: isAsk ? 'USDC' : shillingSymbol,
      to: isAsk ? shillingSymbol : 'USDC',
      amount: formatAmount(probe, isAsk ? 'USDC' : 'NTZS'),
    },
  }
}

const bps = z.int().min(0).max(10_000).nullish()

export const swapRateBody = z.looseObject({
  midRate: z.unknown().optional(),
  bidBps: bps,
  askBps: bps,
  spreadBps: bps,
  protocolFeeBps: z.number().min(0).max(10_000).nullish(),
  lowLiquidity: z.boolean().nullish(),
  from: z.unknown().optional(),
  to: z.unknown().optional(),
  amount: z.unknown().optional(),
  fromChain: z.unknown().optional(),
  toChain: z.unknown().optional(),
  tzsBuyRate: z.unknown().optional(),
  tzsSellRate: z.unknown().optional(),
  rate: z.unknown().optional(),
  expectedOutput: z.unknown().optional(),
  minOutput: z.unknown().optional(),
  expiresAt: z.unknown().optional(),
  liquidityUnknown: z.unknown().optional(),
})
