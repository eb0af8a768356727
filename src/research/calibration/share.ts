import { routedShare } from '../../core/market/routing.ts'
import type { Asset } from '../../base/money/asset.ts'
import type { Side } from '../../base/money/side.ts'
import type { BalancesRow } from '../../store/tape/model/row.ts'
import { dollarsOf } from './sizes.ts'

/** State of one side of the market between two changes. */
export type StandingSide = {
  /** Our spread; null = off. */
  ownBps: number | null
  /** The best other provider; null = none or unknown. */
  otherBps: number | null
  /**
   * Certainty of the other provider: `seen` = its spread differed from ours; `known` = the tape names it as another
   * provider; `either` = a known provider quotes our own spread, and the last probe does not name which of us it shows.
   */
  otherIs: 'seen' | 'known' | 'either'
  /** The last probe showed ourselves as the best, which hides the others. */
  hidden: boolean
  /** We were filled since the last probe, with another provider within the tolerance. */
  isRoundOver: boolean
  /** We can pay the probe's amount. */
  canPay: boolean
}

/** Why no taker can reach us. */
export type ExclusionReason =
  | 'unknown'
  | 'off'
  | 'not-quotable'
  | 'no-inventory'
  | 'outbid'
  | 'round-robin-lost'

/** Our share of the takers on a side, or why it is zero. */
export type Share =
  | { readonly weight: 0; readonly because: ExclusionReason }
  | { readonly weight: 1 | 0.5; readonly bps: number; readonly hidden: boolean }

/**
 * Returns the routing weight of quant.md section 3: 0 if the side is off, the venue does not quote, we cannot pay or another
 * provider is better by more than the tolerance; 1 if no other provider is within it; 1/2 if one is. The probe names only
 * the best provider, so a rotation among three or more is not visible.
 */
export function quotedShareOf(side: StandingSide, quotable: boolean, toleranceBps: number): Share {
  const { ownBps, otherBps, otherIs, canPay } = side
  if (ownBps === null) return { weight: 0, because: 'off' }
  if (!quotable) return { weight: 0, because: 'not-quotable' }
  if (!canPay) return { weight: 0, because: 'no-inventory' }
  // A spread equal to ours may be our own, shown before the tape has our quote, unless the tape attributes it to
  // another provider.
  const isOurs = otherBps === ownBps && otherIs === 'seen'
  if (otherBps === null || isOurs) return { weight: 1, bps: ownBps, hidden: side.hidden || isOurs }
  const weight = routedShare(ownBps, otherBps, toleranceBps)
  return weight === 0 ? { weight, because: 'outbid' } : { weight, bps: ownBps, hidden: false }
}

/**
 * Returns our share if the probe names the picked provider: 1 while it is us, 0 while it is another one (within the
 * tolerance too, because the other provider is next then), and a half if both quote the probed spread.
 */
export function pickedShareOf(side: StandingSide, quotable: boolean, toleranceBps: number): Share {
  const share = quotedShareOf(side, quotable, toleranceBps)
  const isCompetitorNext = side.isRoundOver || (share.weight === 0.5 && side.otherIs !== 'either')
  return isCompetitorNext && share.weight !== 0 ? { weight: 0, because: 'round-robin-lost' } : share
}

const PAID_WITH: Readonly<Record<Side, readonly Asset[]>> = {
  ask: ['NTZS'],
  bid: ['USDC', 'USDT', 'USDT.bnb'],
}

/**
 * Returns whether the pool can pay a taker of `usd` dollars in one token; with `usd` 0, whether it can pay at all. True if
 * the balances are unknown. Tokens in the wallet do not count.
 */
export function canPay(held: BalancesRow | null, side: Side, usd: number, tzsPerUsd: number | null): boolean {
  if (held === null) return true
  if (held.source === 'wallet') return false
  let isKnown = false
  for (const asset of PAID_WITH[side]) {
    const units = held.amounts[asset]
    if (units === undefined) continue
    isKnown = true
    if (units > 0n && (tzsPerUsd === null || dollarsOf(units, asset, tzsPerUsd) >= usd)) return true
  }
  return !isKnown
}
