import { seededRandom } from '../../../base/random.ts'
import type { Ms } from '../../../base/time.ts'
import { routedShare, type RoutedShare } from '../../../core/market/routing.ts'
import type { StableAsset } from '../../../base/money/asset.ts'
import type { FillModelName } from '../../../core/models/fill-models.ts'
import type { Side, TakerTags } from '../../../base/money/side.ts'

/** A taker who would trade with us if our quote is good enough. */
export type Taker = {
  readonly id: string
  readonly t: Ms
  /** Side of our quote: at the `ask` the taker pays dollars, at the `bid` shillings. */
  readonly side: Side
  readonly stable: StableAsset
  /** Book amount that the taker pays; null if `usd` is set. */
  readonly amountIn: bigint | null
  /** Size of a drawn taker in dollars, converted to shillings at the mid on the bid; null if `amountIn` is set. */
  readonly usd: number | null
  /** The spread at which a recorded fill was made; null for takers that were not recorded. */
  readonly recordedBps: number | null
  /** The widest spread a drawn taker accepts, bps; null = the model decides from `recordedBps`. */
  readonly reservationBps: number | null
  /** Not on the tape: created by the model. */
  readonly synthetic: boolean
  /** What the tape names of it; absent = nothing. */
  readonly tags?: TakerTags
}

/** The venue's state on the taker's side at that time. */
export type RouterView = {
  /** Our spread. A model never sees a taker while our side is off or cannot pay. */
  readonly ownBps: number
  /** Best spread of another provider for the probe's size; null = unknown, or no provider quotes. */
  readonly otherBps: number | null
  /** Our spread at the time of the recording; null = off or unknown. */
  readonly recordedBps: number | null
  /** Within this many bps of the best, the least recently filled provider is picked; 0 = only the best. */
  readonly toleranceBps: number
  /** The tape's probes name the picked provider, and named the other one while ours was within the tolerance. */
  readonly routedToCompetitor: boolean
}

/**
 * Decides which takers trade with the live quotes; this is where a backtest extrapolates beyond the recording.
 * Deterministic in its seed. The same taker draws the same numbers whatever our quote is (common random numbers), so
 * that strategies can be compared taker by taker.
 */
export type FillModel = {
  readonly name: FillModelName
  /** If false, recorded fills are ignored. */
  readonly usesRecorded: boolean
  /** Returns whether this taker trades with us. Called once per taker, in time order. */
  readonly takes: (taker: Taker, standing: RouterView) => boolean
  /** Endless sequence of synthetic takers from `from` on, in time order; absent = no synthetic takers. */
  readonly takers?: (from: Ms) => Iterator<Taker, undefined>
}

/** Returns the share that the router sends to us; 0 if the tape names the other provider as picked. */
export function shareRoutedToUs({
  ownBps,
  otherBps,
  toleranceBps,
  routedToCompetitor,
}: RouterView): RoutedShare {
  const share = routedShare(ownBps, otherBps, toleranceBps)
  return share === 0.5 && routedToCompetitor ? 0 : share
}

/**
 * Returns whether the venue's router picks us for this taker. Within the tolerance the chance is even, drawn from the
 * taker's name so that every strategy gets the same draw.
 */
export function isRoutedToUs(taker: Taker, standing: RouterView, seed: number): boolean {
  const share = shareRoutedToUs(standing)
  return share === 0.5 ? seededRandom(seed, `turn ${taker.id}`)() < 0.5 : share === 1
}
