import type { Ms } from '../../base/time.ts'
import type { Amounts } from '../../base/money/asset.ts'
import { rateToNumber } from '../../base/money/rate.ts'
import type { TargetOrder } from './build-order.ts'
import { expiresAt, isLive, type OpenOrder, outstandingUsd } from './open-order.ts'
import type { Hex } from './rfq-order.ts'
import type { RfqSettings } from './rfq-settings.ts'
import type { RfqState } from './state.ts'

/** Keeps an order whose size is this close to the target: a small fill does not justify a new signature. */
const SIZE_TOLERANCE = 0.25

type LadderParts = {
  readonly settings: RfqSettings
  /** The solver that can fill orders now; null = the venue has not reported it yet. */
  readonly solver: Hex | null
  /** Amounts that further orders may commit. */
  readonly free: Readonly<Amounts>
  readonly now: Ms
}

type LadderPlan = {
  /** Levels without an order. */
  readonly missing: readonly TargetOrder[]
  /** Live orders that match a level. */
  readonly kept: readonly OpenOrder[]
  /** Live orders that match no level: to be cancelled, or left to expire. */
  readonly unwanted: readonly OpenOrder[]
  /** When the first of `kept` must be replaced because it expires soon. */
  readonly refreshAt: Ms
}

/**
 * Compares the target orders with the live ones. An order is kept while its price is within the threshold, its size within a
 * quarter, and it has more than `refreshMs` to live. A smaller one is kept if `free` does not cover a larger one. `now` is on
 * the clock of the expiries.
 */
export function planLadder(
  state: RfqState,
  targets: readonly TargetOrder[],
  { settings, solver, free, now }: LadderParts,
): LadderPlan {
  const standing = Object.values(state.openOrders).filter((open) => isLive(open) && open.cancel === null)
  // An order that the venue refused or never confirmed may be filled and still be invisible, and the current
  // solver cannot fill one that names a former solver: neither fills a level.
  const offered = standing.filter(
    ({ phase, order }) =>
      phase !== 'unknown' && phase !== 'refused' && (solver === null || order.taker === solver),
  )
  // From the lowest price up, match each level with the lowest order near enough. Matching the nearest would leave the last level
  // without an order after a move by half a step.
  const found = new Map<number, OpenOrder>()
  const offers = offered.map(offerOf).toSorted((a, b) => a.tzsPerUsd - b.tzsPerUsd)
  for (const { at, target } of byPrice(targets)) {
    const place = offers.findIndex((offer) => isNear(offer, target, { settings, solver, free, now }))
    const [offer] = place < 0 ? [] : offers.splice(place, 1)
    if (offer !== undefined) found.set(at, offer.open)
  }
  const kept = targets.flatMap((_, at) => found.get(at) ?? [])
  const keeps = new Set(kept)
  return {
    missing: targets.filter((_, at) => !found.has(at)),
    kept,
    unwanted: standing.filter((open) => !keeps.has(open)),
    refreshAt: kept.reduce((first, open) => Math.min(first, expiresAt(open) - settings.refreshMs), Infinity),
  }
}

type PlacedTarget = { readonly at: number; readonly target: TargetOrder }

function byPrice(targets: readonly TargetOrder[]): readonly PlacedTarget[] {
  return targets
    .map((target, at) => ({ at, target }))
    .toSorted((a, b) => a.target.tzsPerUsd - b.target.tzsPerUsd)
}

/**
 * A live order in the form that is compared with targets. Computed once per plan, because converting exact prices to floats is
 * slow.
 */
type Offer = { readonly open: OpenOrder; readonly tzsPerUsd: number; readonly usd: number }

function offerOf(open: OpenOrder): Offer {
  return { open, tzsPerUsd: rateToNumber(open.price), usd: Number(outstandingUsd(open)) / 1e18 }
}

function isNear(offer: Offer, target: TargetOrder, { settings, free, now }: LadderParts): boolean {
  const { open, tzsPerUsd, usd } = offer
  if (open.side !== target.side || open.stable !== target.stable) return false
  if (expiresAt(open) - now <= settings.refreshMs) return false
  if (Math.abs(tzsPerUsd / target.tzsPerUsd - 1) * 10_000 > settings.replaceThresholdBps) return false
  const least = Math.min(target.usd, freeUsd(target, free)) * (1 - SIZE_TOLERANCE)
  return usd <= target.usd * (1 + SIZE_TOLERANCE) && usd >= least
}

/** The largest order that could replace a live one, in dollars. */
function freeUsd({ side, stable, tzsPerUsd }: TargetOrder, free: Readonly<Amounts>): number {
  const asset = side === 'ask' ? 'NTZS' : stable
  const tokens = Number(free[asset]) / 1e18
  return side === 'ask' ? tokens / tzsPerUsd : tokens
}
