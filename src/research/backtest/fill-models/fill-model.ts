import { seededRandom } from '../../../base/random.ts'
import type { Ms } from '../../../base/time.ts'
import { routedShare, type RoutedShare } from '../../../core/market/routing.ts'
import type { StableAsset } from '../../../base/money/asset.ts'
import type { FillModelName } from '../../../core/models/fill-models.ts'
import type { Side } from '../../../base/money/side.ts'

/** Someone who would trade with us if our quote is good enough. */
export type Taker = {
  readonly id: string
  readonly t: Ms
  /** Of our quote: `ask` = brings dollars, `bid` = brings shillings. */
  readonly side: Side
  readonly stable: StableAsset
  /** A book amount of what is brought; null where `usd` says it. */
  readonly amountIn: bigint | null
  /** Drawn takers bring so many dollars, or their worth in shillings at the mid; null where `amountIn` says it. */
  readonly usd: number | null
  /** The spread at which a recorded fill was made; null for takers that were not recorded. */
  readonly recordedBps: number | null
  /** The widest spread a drawn taker accepts, bps; null = the model decides from `recordedBps`. */
  readonly reservationBps: number | null
  /** Not on the tape: made by the model. */
  readonly synthetic: boolean
}

/** What stands at the venue on the taker's side at that moment. */
export type RouterView = {
  /** Ours. A taker is never shown to a model while our side is off or cannot pay. */
  readonly ownBps: number
  /** The best other provider for the probe's size; null = not known or no one. */
  readonly otherBps: number | null
  /** The spread that stood there when the tape was recorded; null = off or not known. */
  readonly recordedBps: number | null
  /** Within so many bps of the best the least recently filled provider is picked; 0 = only the best. */
  readonly toleranceBps: number
  /** The tape's probes name who is picked, and named the other one while ours was within the tolerance. */
  readonly routedToCompetitor: boolean
}

/**
 * Decides which takers trade with the live quotes. This is where a backtest goes beyond what was recorded.
 * Deterministic in its seed, and the same taker draws the same numbers whatever our quote is (common
 * random numbers), so that two strategies can be compared taker by taker.
 */
export type FillModel = {
  readonly name: FillModelName
  /** Whether the fills on the tape take part. */
  readonly usesRecorded: boolean
  /** Whether this taker's swap comes to us. Called once per taker, in time order. */
  readonly takes: (taker: Taker, standing: RouterView) => boolean
  /** Takers of the model's own making from `from` on, in time order, without end; absent = none. */
  readonly takers?: (from: Ms) => Iterator<Taker, undefined>
}

/** Returns the share that the router sends to us; 0 where the tape names the other provider as picked. */
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
 * Whether the venue's router would pick us for this taker. Where turns are taken that is an even chance,
 * drawn from the taker's name so that every strategy meets the same luck.
 */
export function isRoutedToUs(taker: Taker, standing: RouterView, seed: number): boolean {
  const share = shareRoutedToUs(standing)
  return share === 0.5 ? seededRandom(seed, `turn ${taker.id}`)() < 0.5 : share === 1
}
