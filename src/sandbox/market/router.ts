import type { BidFormula } from '../../money/payout.ts'
import type { Rate } from '../../money/rate.ts'
import { grossPayout, type Pair } from './price.ts'
import { spreadOn, type Provider } from './provider.ts'
import { TOKENS } from './tokens.ts'

export type RouterTerms = { readonly bidFormula: BidFormula; readonly toleranceBps: number }

/**
 * The provider that gets a swap, or null. Candidates are active, quote the side and the pair, and hold the
 * WHOLE payout at mid; the lowest spread wins, and within the tolerance of it the least recently filled
 * does (venue.md, Routing).
 */
export function pickProvider(
  providers: readonly Provider[],
  pair: Pair,
  amountIn: bigint,
  mid: Rate,
  terms: RouterTerms,
): Provider | null {
  const needed = grossPayout(pair, amountIn, mid, 0, terms.bidFormula)
  return pick(providers, pair, terms, (provider) => provider.pool[pair.to] >= needed)
}

/** The provider that would price it if inventory were no matter: for a rate that warns of low liquidity. */
export function pickQuoter(providers: readonly Provider[], pair: Pair, terms: RouterTerms): Provider | null {
  return pick(providers, pair, terms, () => true)
}

function pick(
  providers: readonly Provider[],
  pair: Pair,
  terms: RouterTerms,
  covers: (provider: Provider) => boolean,
): Provider | null {
  let best = Number.POSITIVE_INFINITY
  for (const provider of providers) {
    const bps = spreadOn(provider, pair.side)
    if (bps < best && quotes(provider, pair) && covers(provider)) best = bps
  }
  let chosen: Provider | null = null
  for (const provider of providers) {
    if (spreadOn(provider, pair.side) > best + terms.toleranceBps) continue
    if (!quotes(provider, pair) || !covers(provider)) continue
    if (chosen === null || goesBefore(provider, chosen, pair)) chosen = provider
  }
  return chosen
}

function goesBefore(a: Provider, b: Provider, pair: Pair): boolean {
  if (a.lastFilled !== b.lastFilled) return a.lastFilled < b.lastFilled
  return spreadOn(a, pair.side) < spreadOn(b, pair.side)
}

function quotes(provider: Provider, pair: Pair): boolean {
  if (!provider.isActive || provider.isLeaving || provider.isSuspended) return false
  if (!(pair.side === 'bid' ? provider.quoteBid : provider.quoteAsk)) return false
  return provider.quotePairs === null || provider.quotePairs.includes(TOKENS[pair.stable].symbol)
}
