import { pickWithinTolerance } from '../../../core/market/routing.ts'
import { toBook, TOKEN_UNIT } from '../../../base/money/asset.ts'
import { coversPayout } from '../../../base/money/payout.ts'
import type { Rate } from '../../../base/money/rate.ts'
import type { Pair } from './price.ts'
import type { FillSource } from './measured-price.ts'
import type { SandboxOptions } from '../options.ts'
import { poolInBook, spreadOn, type Provider } from './provider.ts'
import { TOKENS } from './tokens.ts'

type RouterTerms = {
  readonly toleranceBps: number
  /** No rotation: ties always go to the same provider. */
  readonly isStrict?: boolean
  readonly ignoresInventory?: boolean
}

/** Returns the rules for a swap of that source; without a source, for the public rate. */
export function routerTerms(
  { venue, toleranceBps }: Pick<SandboxOptions, 'venue' | 'toleranceBps'>,
  source: FillSource | null,
): RouterTerms {
  if (venue === 'contract') return { toleranceBps }
  if (source === 'waas') return { toleranceBps: 0, isStrict: true }
  return { toleranceBps, ignoresInventory: source === 'ramp' }
}

/**
 * Returns the provider that gets a swap, or null. Candidates are active, quote the side and the pair, and hold the
 * WHOLE payout at mid.
 */
export function pickProvider(
  providers: readonly Provider[],
  pair: Pair,
  amountIn: bigint,
  mid: Rate,
  terms: RouterTerms,
): Provider | null {
  const { side, from, to } = pair
  const swap = { side, grain: TOKEN_UNIT[to] }
  const brought = toBook(amountIn, from)
  return pick(
    providers,
    pair,
    terms,
    (provider) =>
      terms.ignoresInventory === true || coversPayout(poolInBook(provider, to), swap, brought, mid),
  )
}

/** Returns the provider that would price it regardless of inventory: for a rate with a low-liquidity warning. */
export function pickQuoter(providers: readonly Provider[], pair: Pair, terms: RouterTerms): Provider | null {
  return pick(providers, pair, terms, () => true)
}

function pick(
  providers: readonly Provider[],
  pair: Pair,
  { toleranceBps, isStrict = false }: RouterTerms,
  covers: (provider: Provider) => boolean,
): Provider | null {
  return pickWithinTolerance(
    providers,
    toleranceBps,
    (provider) => (quotes(provider, pair) && covers(provider) ? spreadOn(provider, pair.side) : null),
    ({ lastFilled }) => (isStrict ? 0 : lastFilled),
  )
}

/** Returns whether a provider quotes the side and the pair. */
export function quotes(provider: Provider, pair: Pair): boolean {
  if (!provider.isActive || provider.isLeaving || provider.isSuspended) return false
  if (!(pair.side === 'bid' ? provider.quoteBid : provider.quoteAsk)) return false
  return provider.quotePairs === null || provider.quotePairs.includes(TOKENS[pair.stable].symbol)
}
