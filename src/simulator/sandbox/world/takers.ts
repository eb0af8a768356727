import { invariant } from '../../../base/result.ts'
import { seededRandom } from '../../../base/random.ts'
import type { Ms } from '../../../base/time.ts'
import { TOKEN_DECIMALS, type StableAsset } from '../../../base/money/asset.ts'
import { rateToNumber, type Rate, RATE_ONE } from '../../../base/money/rate.ts'
import type { Look, Retail } from '../../../research/scenarios/draw/takers.ts'
import type { ScenarioWorld } from '../../../research/scenarios/draw/world.ts'
import { informedTake, LOOK_USD } from '../../../research/scenarios/play/informed-take.ts'
import type { WorldStep } from './world.ts'

/** Turns the takers of a world into orders at the venue. */
export type Takers = {
  /** A small taker's swap; `mid` is the venue's, `trueBps` the true rate from the opening mid. */
  retail(at: Ms, taker: Retail | undefined, mid: Rate, trueBps: number): WorldStep
  /** A look of an informed taker. */
  informed(at: Ms, world: ScenarioWorld, look: Look | undefined, mid: Rate, trueBps: number): WorldStep
}

/** A world has only dollars; at the venue this share of the small takers trades USDT, the rest USDC. */
const USDT_SHARE = 0.2

/** Numbers the takers, and draws the dollar that each of them trades. */
export function createTakers(seed: number): Takers {
  const random = seededRandom(seed, 'sandbox dollars')
  const numbers = { bid: 0, ask: 0, informed: 0 }
  return {
    retail(at, taker, mid, trueBps) {
      invariant(taker !== undefined, 'a small taker that is due is drawn')
      const { side, usd, reservationBps, knows } = taker
      const seen = knows ? gapTo(mid, trueBps) : 0
      const stable = random() < USDT_SHARE ? 'USDT' : 'USDC'
      return {
        at,
        type: 'swap',
        taker: `retail-${side}-${++numbers[side]}`,
        maxSpreadBps: side === 'bid' ? reservationBps + seen : reservationBps - seen,
        ...(side === 'ask' ? bringing(usd, stable) : wanting(usd, stable, mid)),
      }
    },
    informed(at, world, look, mid, trueBps) {
      invariant(look !== undefined, 'an informed taker that is due is drawn')
      const take = informedTake(world, look, gapTo(mid, trueBps))
      const taker = `informed-${++numbers.informed}`
      return { at, type: 'takeStocks', taker, ...take, usd: LOOK_USD }
    },
  }
}

/** Whole cents, at least one. */
function bringing(usd: number, stable: StableAsset) {
  const cents = BigInt(Math.max(1, Math.round(usd * 100)))
  return { from: stable, to: 'NTZS', amountIn: cents * 10n ** BigInt(TOKEN_DECIMALS[stable] - 2) } as const
}

/** Whole shillings worth that many dollars at the mid, at least one. */
function wanting(usd: number, stable: StableAsset, mid: Rate) {
  const shillings = BigInt(Math.max(1, Math.round(usd * rateToNumber(mid))))
  return { from: 'NTZS', to: stable, amountIn: shillings * 10n ** BigInt(TOKEN_DECIMALS.NTZS) } as const
}

/** The mid that every world opens with, TZS per USD. */
const OPENING_TZS = 2568.1584

/** Returns a rate with the four decimals that the central bank publishes. */
export function printedRate(tzsPerUsd: number): Rate {
  invariant(Number.isFinite(tzsPerUsd) && tzsPerUsd > 1, 'a simulated rate must be a rate')
  return (BigInt(Math.round(tzsPerUsd * 10_000)) * RATE_ONE) / 10_000n
}

/** Returns the opening mid moved by this many log bps. */
export function rateFromBps(bps: number): number {
  return OPENING_TZS * Math.exp(bps / 10_000)
}

/** The inverse of `rateFromBps`. */
export function bpsFromRate(tzsPerUsd: number): number {
  return 10_000 * Math.log(tzsPerUsd / OPENING_TZS)
}

/** Returns how far a true rate, in bps of the logarithm from the opening mid, is from a mid. */
export function gapTo(mid: Rate, trueBps: number): number {
  return trueBps - bpsFromRate(rateToNumber(mid))
}
