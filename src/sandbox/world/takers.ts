import { drawExponential, seededRandom } from '../../base/random.ts'
import { DAY_MS, HOUR_MS, type Ms } from '../../base/time.ts'
import { DECIMALS, type StableAsset } from '../../money/asset.ts'
import { rateToNumber } from '../../money/rate.ts'
import type { Side } from '../../money/side.ts'
import { drawArrival, drawDollars } from './draws.ts'
import { bpsFromRate } from './publication.ts'
import type { InformedParams, TakerParams } from './scenario.ts'
import type { TrueRate } from './true-rate.ts'
import type { Source, WorldStep } from './world.ts'

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

type Wish = {
  readonly at: Ms
  readonly taker: string
  /** Of our quote: `ask` brings dollars, `bid` brings shillings. */
  readonly side: Side
  readonly stable: StableAsset
  readonly usd: number
  /** TZS per USD, to turn the wish into shillings. */
  readonly mid: number
  readonly maxSpreadBps: number
}

/** A taker's wish as a swap: dollars in whole cents, shillings in whole shillings, at least one. */
function takerSwap(wish: Wish): WorldStep {
  const { at, taker, side, stable, usd, mid, maxSpreadBps } = wish
  if (side === 'ask') {
    const cents = BigInt(Math.max(1, Math.round(usd * 100)))
    const amountIn = cents * 10n ** BigInt(DECIMALS[stable] - 2)
    return { at, type: 'swap', taker, from: stable, to: 'NTZS', amountIn, maxSpreadBps }
  }
  const amountIn = BigInt(Math.max(1, Math.round(usd * mid))) * 10n ** BigInt(DECIMALS.NTZS)
  return { at, type: 'swap', taker, from: 'NTZS', to: stable, amountIn, maxSpreadBps }
}
