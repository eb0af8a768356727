import { z } from 'zod'
import { quoteStableOf } from '../../core/engine/model/config.ts'
import type { EngineState } from '../../core/engine/model/state.ts'
import { apartPairs, publicMidNamedAt } from '../../core/market/pair-mids.ts'
import { OWNED_TOKENS } from '../../base/money/asset.ts'
import { formatRate } from '../../base/money/rate.ts'
import { isPublicRateFailing } from '../../core/pacing/state.ts'
import { bps, decimal, ms, type Shown } from './fields.ts'

/** The source of the mid that fills execute at. */
export const executionView = z.object({
  isStated: z
    .boolean()
    .describe('Whether the public rate states the execution mid of each pair; otherwise GET /rate is used.'),
  keptAgeMs: ms.nullish().describe('Age of the mid in use while the public rate fails; null = no such mid.'),
  apart: z
    .array(z.object({ stable: z.enum(OWNED_TOKENS), mid: decimal, rate: decimal, deviationBps: bps }))
    .describe('The pairs whose execution mid differs from GET /rate (`rate`), and how far it is above.'),
})
type ExecutionView = Shown<z.infer<typeof executionView>>

export function executionOf({ market, config, pacing, now }: EngineState): ExecutionView {
  const primary = quoteStableOf(config)
  const isFailing = isPublicRateFailing(pacing)
  const used = OWNED_TOKENS.flatMap((one) => publicMidNamedAt(market, one, primary, now) ?? [])
  const isKept = isFailing && used.length > 0
  const isOn = config.pacing.publicRequestsPerMinute > 0
  return {
    isStated: isOn && market.publicMid !== null && (!isFailing || isKept),
    keptAgeMs: isKept ? now - Math.min(...used) : null,
    apart: apartPairs(market, primary).map((pair) => ({
      stable: pair.stable,
      mid: formatRate(pair.mid),
      rate: formatRate(pair.rate),
      deviationBps: pair.bps,
    })),
  }
}
