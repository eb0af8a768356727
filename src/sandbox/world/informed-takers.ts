import { seededRandom } from '../../base/random.ts'
import type { Ms } from '../../base/time.ts'
import { rateToNumber } from '../../money/rate.ts'
import { drawArrival } from './draw-arrival.ts'
import { drawDollars } from './draw-dollars.ts'
import type { InformedParams } from './scenario.ts'
import type { Source } from './source.ts'
import { takerSwap } from './taker-swap.ts'
import type { TrueRate } from './true-rate.ts'
import { bpsFromRate } from './printed-rate.ts'

/**
 * People who know the true rate and trade only where the venue's mid is wrong by more than the spread: a
 * dollar that is worth more than the mid says is bought (our bid), one that is worth less is brought (our
 * ask).
 */
export function createInformedTakers(
  params: InformedParams,
  trueRate: TrueRate,
  seed: number,
  start: Ms,
): Source {
  const random = seededRandom(seed, 'informed')
  let at = drawArrival(random, start, params.perDay)
  let number = 0
  return {
    peekAt: () => at,
    next(seenMid) {
      number++
      const mid = rateToNumber(seenMid)
      const gapBps = trueRate.at(at) - bpsFromRate(mid)
      const step = takerSwap({
        at,
        taker: `informed-${number}`,
        side: gapBps > 0 ? 'bid' : 'ask',
        stable: 'USDC',
        usd: drawDollars(random, params.medianUsd, params.capUsd),
        mid,
        maxSpreadBps: Math.abs(gapBps) - params.marginBps,
      })
      at = drawArrival(random, at, params.perDay)
      return step
    },
  }
}
