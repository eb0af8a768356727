import type { Ms } from '../base/time.ts'
import { TO_18_DECIMALS, type Amounts } from '../money/asset.ts'
import { rateToNumber } from '../money/rate.ts'
import type { TargetOrder } from './build-order.ts'
import { isLive, type OpenOrder } from './open-order.ts'
import type { Hex } from './rfq-order.ts'
import type { RfqSettings } from './rfq-settings.ts'
import type { RfqState } from './state.ts'

/** An order within this part of the wanted size is the wanted one: a small fill is no reason to sign again. */
const SIZE_TOLERANCE = 0.25

export type LadderParts = {
  readonly settings: RfqSettings
  /** Who can fill orders now; null = nobody has said yet. */
  readonly solver: Hex | null
  /** What may be promised on top of what stands. */
  readonly free: Readonly<Amounts>
  readonly now: Ms
}

export type LadderPlan = {
  /** Levels that nothing stands for. */
  readonly missing: readonly TargetOrder[]
  /** Standing orders that a level wants as they are. */
  readonly kept: readonly OpenOrder[]
  /** Standing orders that no level wants any more: to be cancelled, or left to expire. */
  readonly unwanted: readonly OpenOrder[]
  /** When the first of `kept` has to be replaced because its life ends. */
  readonly refreshAt: Ms
}

/**
 * Compares what should stand with what stands. An order is kept while its price is within the threshold,
 * its size within a quarter, and it has more than `refreshMs` to live. A smaller one is kept where `free` does
 * not cover a larger one. `now` is on the clock that expiries are told on.
 */
export function planLadder(
  state: RfqState,
  wishes: readonly TargetOrder[],
  { settings, solver, free, now }: LadderParts,
): LadderPlan {
  const standing = Object.values(state.owed).filter((owed) => isLive(owed) && owed.cancel === null)
  // What the venue refused or never confirmed may be filled, and yet nobody may see it; what names a former solver
  // this one cannot fill: neither stands for a level.
  const offered = standing.filter(
    ({ phase, order }) =>
      phase !== 'unknown' && phase !== 'refused' && (solver === null || order.taker === solver),
  )
  // From the lowest price up, each level takes the lowest order near enough: were it the nearest, a ladder that
  // moved by half a step would leave its last level without one.
  const found = new Map<number, OpenOrder>()
  const offers = offered.map(offerOf).toSorted((a, b) => a.tzsPerUsd - b.tzsPerUsd)
  for (const { at, wish } of byPrice(wishes)) {
    const place = offers.findIndex((offer) => isNear(offer, wish, { settings, solver, free, now }))
    const [offer] = place < 0 ? [] : offers.splice(place, 1)
    if (offer !== undefined) found.set(at, offer.owed)
  }
  const kept = wishes.flatMap((_, at) => found.get(at) ?? [])
  const keeps = new Set(kept)
  return {
    missing: wishes.filter((_, at) => !found.has(at)),
    kept,
    unwanted: standing.filter((owed) => !keeps.has(owed)),
    refreshAt: kept.reduce(
      (first, owed) => Math.min(first, expiresAt(owed) - settings.refreshMs),
      Number.POSITIVE_INFINITY,
    ),
  }
}

export function expiresAt({ order }: OpenOrder): Ms {
  return Number(order.expiry) * 1_000
}

/** What is left of it, in dollars. */
export function remainingUsd(owed: OpenOrder): number {
  const { order, stable, side, makerFilled, takerFilled } = owed
  const left = side === 'ask' ? order.takerAmount - takerFilled : order.makerAmount - makerFilled
  return Number(left * TO_18_DECIMALS[stable]) / 1e18
}

function byPrice(
  wishes: readonly TargetOrder[],
): readonly { readonly at: number; readonly wish: TargetOrder }[] {
  return wishes
    .map((wish, at) => ({ at, wish }))
    .toSorted((a, b) => a.wish.tzsPerUsd - b.wish.tzsPerUsd || a.at - b.at)
}

/** A standing order as a wish is compared with it: made once a plan, for exact prices are slow to become floats. */
type Offer = { readonly owed: OpenOrder; readonly tzsPerUsd: number; readonly usd: number }

function offerOf(owed: OpenOrder): Offer {
  return { owed, tzsPerUsd: rateToNumber(owed.price), usd: remainingUsd(owed) }
}

function isNear(offer: Offer, wish: TargetOrder, { settings, free, now }: LadderParts): boolean {
  const { owed, tzsPerUsd, usd } = offer
  if (owed.side !== wish.side || owed.stable !== wish.stable) return false
  if (expiresAt(owed) - now <= settings.refreshMs) return false
  if (Math.abs(tzsPerUsd / wish.tzsPerUsd - 1) * 10_000 > settings.replaceThresholdBps) return false
  const least = Math.min(wish.usd, freeUsd(wish, free)) * (1 - SIZE_TOLERANCE)
  return usd <= wish.usd * (1 + SIZE_TOLERANCE) && usd >= least
}

/** How large an order in place of one that stands could be. */
function freeUsd({ side, stable, tzsPerUsd }: TargetOrder, free: Readonly<Amounts>): number {
  const asset = side === 'ask' ? 'NTZS' : stable
  const tokens = Number(free[asset] * TO_18_DECIMALS[asset]) / 1e18
  return side === 'ask' ? tokens / tzsPerUsd : tokens
}
