import type { Ms } from '../../base/time.ts'
import { type Rate, rateStepBps } from '../../base/money/rate.ts'
import { OWNED_TOKENS, type RoutedStable } from '../../base/money/asset.ts'
import { fairValue } from './fair-value.ts'
import {
  figureOfRate,
  gapBps,
  GAP_LASTS_MS,
  isDifferenceReported,
  PUBLIC_MID_STALE_MS,
  shouldReportGap,
} from './execution-mid.ts'
import type { MarketState, PairMid } from './market-state.ts'
import { breachOf, corridorOnly, recordMidInForce } from './mid-bounds.ts'
import type { MidBounds } from './window-reach.ts'

/** Every fifth public probe is for the other pair. The number is odd, so its two sides alternate. */
const OTHER_PAIR_EVERY = 5

/** Returns the stable of the next public probe, mostly that of the pair that quotes are derived from. */
export function nextProbedStable(market: MarketState, primary: RoutedStable): RoutedStable {
  market.probeTurn = ((market.probeTurn ?? -1) + 1) % OTHER_PAIR_EVERY
  if (market.probeTurn < OTHER_PAIR_EVERY - 1) return primary
  return primary === 'USDC' ? 'USDT' : 'USDC'
}

type PairReading = { readonly t: Ms; readonly stable: RoutedStable; readonly mid: Rate }

/**
 * Adopts the public rate's mid of a pair that quotes are not derived from, or records why not. Only the corridor bounds the first
 * one; the mid in force was checked already. Returns whether the pair's mid has changed.
 */
export function takePairMid(
  market: MarketState,
  { t, stable, mid }: PairReading,
  bounds: MidBounds,
): boolean {
  market.pairs ??= {}
  const pair = (market.pairs[stable] ??= unknownPair(t))
  pair.seenAt = t
  const isAsInForce = mid === market.mid
  const differs = !isAsInForce || mid !== (figureOfRate(market) ?? mid)
  if (!differs) pair.isReported = false
  pair.differsSince = differs ? (pair.differsSince ?? t) : null
  const isFree = pair.mid === null || isAsInForce
  const breach = isAsInForce ? null : breachOf(pair, mid, isFree ? corridorOnly(bounds) : bounds, t)
  pair.refused = breach === null ? null : { mid, breach }
  if (breach !== null || mid === pair.mid) return false
  recordMidInForce(pair, pair.mid, mid, t, isFree)
  pair.previousMid = pair.mid
  pair.mid = mid
  return true
}

function unknownPair(t: Ms): PairMid {
  return {
    mid: null,
    previousMid: null,
    spans: undefined,
    seenAt: t,
    differsSince: null,
    refused: null,
    isReported: false,
  }
}

function isPairApart({ differsSince, seenAt }: PairMid): boolean {
  return differsSince !== null && seenAt - differsSince >= GAP_LASTS_MS
}

/**
 * Returns the mid at which fills of this stable execute: the pair's own mid if it differs persistently, else the mid in force.
 * For the pair that quotes are derived from, this is the first figure of the public rate, even before it is in force.
 */
export function executionMidOf(market: MarketState, stable: RoutedStable, now: Ms): Rate | null {
  const pair = market.pairs?.[stable]
  const { gap, publicMid } = market
  if (pair === undefined && gap?.isFirst === true && now - gap.seenAt <= PUBLIC_MID_STALE_MS) return publicMid
  if (pair === undefined || pair.mid === null || !isPairApart(pair)) return market.mid
  return now - pair.seenAt > PUBLIC_MID_STALE_MS ? market.mid : pair.mid
}

/** Returns when the public rate named the mid that is used for this pair; null = GET /rate is used. */
export function publicMidNamedAt(
  market: MarketState,
  stable: RoutedStable,
  primary: RoutedStable,
  now: Ms,
): Ms | null {
  const { gap, publicMid, pairs, mid } = market
  const used = executionMidOf(market, stable, now)
  if (stable === primary) return gap !== undefined && used === publicMid ? gap.seenAt : null
  return used === mid ? null : (pairs?.[stable]?.seenAt ?? null)
}

/** Returns the value of a dollar of this pair: as `fairValue`, with the pair's own mid in place of the venue's. */
export function fairValueOf(market: MarketState, stable: RoutedStable, now: Ms): Rate | null {
  const fair = fairValue(market)
  return fair === market.mid ? executionMidOf(market, stable, now) : fair
}

/** Returns a figure of the public rate at which fills of this pair may execute while another mid is in force, or null. */
export function otherMidOf(market: MarketState, stable: RoutedStable, primary: RoutedStable): Rate | null {
  const { gap, pairs, publicMid, mid } = market
  const ofPrimary = gap === undefined ? null : publicMid
  const named = stable === primary ? ofPrimary : (pairs?.[stable]?.mid ?? null)
  return named === mid ? null : named
}

/** Returns the mids, besides those in force, that may have priced a fill of this stable. */
export function pairCandidates({ pairs }: MarketState, stable: RoutedStable): readonly Rate[] {
  const pair = pairs?.[stable]
  if (pair === undefined) return NONE
  return [pair.mid, pair.previousMid].filter((mid) => mid !== null)
}

/** A pair whose execution mid differs from GET /rate. */
export type ApartPair = {
  readonly stable: RoutedStable
  readonly mid: Rate
  readonly rate: Rate
  /** Signed distance of the pair's mid from GET /rate. */
  readonly bps: number
}

const NONE: readonly never[] = []

/** False = `apartPairs` is empty and no pair was reported. */
export function hasApartPair({ gap, pairs }: MarketState): boolean {
  return pairs !== undefined || (gap !== undefined && gap.rateSeenAt > gap.since)
}

/** Returns the pairs whose mid GET /rate has contradicted at least once, which a mid in transit does not cause. */
export function apartPairs(market: MarketState, primary: RoutedStable): readonly ApartPair[] {
  if (!hasApartPair(market)) return NONE
  const rate = figureOfRate(market)
  const { pairs, publicMid } = market
  if (rate === null) return NONE
  const apart: ApartPair[] = []
  const bps = gapBps(market)
  if (bps !== null && publicMid !== null) apart.push({ stable: primary, mid: publicMid, rate, bps })
  for (const stable of OWNED_TOKENS) {
    const pair = pairs?.[stable]
    const mid = pair?.refused?.mid ?? pair?.mid ?? null
    if (pair === undefined || mid === null || mid === rate || pair.differsSince === null) continue
    if (pair.seenAt > pair.differsSince) apart.push({ stable, mid, rate, bps: rateStepBps(rate, mid) })
  }
  return apart
}

/** Returns the pairs to notify operators of now, each once until it agrees with GET /rate again. */
export function pairsToReport(market: MarketState, primary: RoutedStable): readonly ApartPair[] {
  return apartPairs(market, primary).filter(({ stable, bps }) => {
    if (stable === primary) return shouldReportGap(market)
    const pair = market.pairs?.[stable]
    if (pair === undefined || pair.isReported || !isPairApart(pair)) return false
    pair.isReported = isDifferenceReported(bps)
    return pair.isReported
  })
}

/** Returns the pairs that operators were notified of. */
export function reportedPairs({ gap, pairs }: MarketState, primary: RoutedStable): readonly RoutedStable[] {
  if (gap === undefined && pairs === undefined) return NONE
  return OWNED_TOKENS.filter((stable) =>
    stable === primary ? gap?.isReported === true : pairs?.[stable]?.isReported === true,
  )
}

/** Returns the figure of a pair that breaks a bound and is neither the mid in force nor the pending one, or null. */
export function refusedPair({
  pairs,
  mid,
  pending,
}: MarketState): (PairMid['refused'] & { readonly stable: RoutedStable }) | null {
  if (pairs === undefined) return null
  for (const stable of OWNED_TOKENS) {
    const refused = pairs[stable]?.refused ?? null
    if (refused !== null && refused.mid !== mid && refused.mid !== pending?.mid) return { stable, ...refused }
  }
  return null
}

/** Adopts the figure of a pair that waits, for an operator. Returns its stable; null = no pair has this figure. */
export function acceptPairMid(market: MarketState, named: Rate, t: Ms): RoutedStable | null {
  const waiting = refusedPair(market)
  const pair = waiting === null ? undefined : market.pairs?.[waiting.stable]
  if (waiting === null || pair === undefined || waiting.mid !== named) return null
  if (waiting.breach.kind === 'corridor') return null
  recordMidInForce(pair, pair.mid, named, t, true)
  pair.previousMid = pair.mid
  pair.mid = named
  pair.refused = null
  return waiting.stable
}
