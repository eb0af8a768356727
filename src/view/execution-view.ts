import { z } from 'zod'
import { quoteStableOf } from '../engine/model/config.ts'
import type { EngineState } from '../engine/model/state.ts'
import { apartPairs } from '../market/pair-mids.ts'
import { OWNED_TOKENS } from '../money/asset.ts'
import { formatRate } from '../money/rate.ts'
import { bps, decimal, type Shown } from './fields.ts'

/** Which source names the mid that fills execute at. */
export const executionView = z.object({
  isStated: z
    .boolean()
    .describe('The public rate names the execution mid of each pair; else GET /rate is used in its place.'),
  apart: z
    .array(z.object({ stable: z.enum(OWNED_TOKENS), mid: decimal, rate: decimal, deviationBps: bps }))
    .describe('The pairs whose execution mid differs from GET /rate (`rate`), and how far it is above.'),
})
export type ExecutionView = Shown<z.infer<typeof executionView>>

/** A public rate that failed this often in a row states nothing. */
const FAILED_PROBES = 3

export function executionOf({ market, config, pacing }: EngineState): ExecutionView {
  const { publicBid, publicAsk } = pacing.polls
  const isAnswered = Math.min(publicBid.failures, publicAsk.failures) < FAILED_PROBES
  return {
    isStated: config.pacing.publicRequestsPerMinute > 0 && isAnswered && market.publicMid !== null,
    apart: apartPairs(market, quoteStableOf(config)).map((pair) => ({
      stable: pair.stable,
      mid: formatRate(pair.mid),
      rate: formatRate(pair.rate),
      deviationBps: pair.bps,
    })),
  }
}
