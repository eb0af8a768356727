import { drawExponential, seededRandom } from '../../base/random.ts'
import { DAY_MS, HOUR_MS, type Ms } from '../../base/time.ts'
import { rateToNumber } from '../../money/rate.ts'
import type { Side } from '../../money/side.ts'
import { drawArrival } from './draw-arrival.ts'
import { drawDollars } from './draw-dollars.ts'
import type { TakerParams } from './scenario.ts'
import type { Source } from './source.ts'
import { takerSwap } from './taker-swap.ts'

/**
 * People who need the other currency: a Poisson stream on one side of our quote. Each has a reservation
 * spread R ~ Exp(mean), so those that accept a spread of d come at A exp(-d / mean) a day.
 */
export function createRetailTakers(params: TakerParams, side: Side, seed: number, start: Ms): Source {
  const random = seededRandom(seed, `retail ${side}`)
  const share = side === 'ask' ? params.askShare : 1 - params.askShare
  const rush = params.rush?.side === side ? params.rush : null
  const factor = rush?.factor ?? 1
  const perDay = 2 * share * params.perDayPerSide * Math.max(1, factor)
  const isKept = (at: Ms): boolean => {
    if (rush === null) return true
    const hour = (at % DAY_MS) / HOUR_MS
    const now = hour >= rush.fromHour && hour < rush.toHour ? factor : 1
    return random() * Math.max(1, factor) < now
  }
  const arrivalAfter = (after: Ms): Ms => {
    let at = drawArrival(random, after, perDay)
    while (at < Infinity && !isKept(at)) at = drawArrival(random, at, perDay)
    return at
  }
  const usdtShare = side === 'ask' ? params.usdt.broughtShare : params.usdt.wantedShare
  let at = arrivalAfter(start)
  let number = 0
  return {
    peekAt: () => at,
    next(seenMid) {
      number++
      const stable = random() < usdtShare ? 'USDT' : 'USDC'
      const usd = drawDollars(random, params.medianUsd, params.capUsd)
      const discount = stable === 'USDT' ? params.usdt.discountBps : 0
      // Bringing a cheap dollar makes one patient, wanting one makes one picky.
      const view = side === 'ask' ? discount : -discount
      const step = takerSwap({
        at,
        taker: `retail-${side}-${number}`,
        side,
        stable,
        usd,
        mid: rateToNumber(seenMid),
        maxSpreadBps: drawExponential(random, params.reservationBps) + view,
      })
      at = arrivalAfter(at)
      return step
    },
  }
}
