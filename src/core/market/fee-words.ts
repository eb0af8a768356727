import type { MarketState } from './market-state.ts'

/** Fees above this from the venue are not used to explain balances; only the configuration may set a larger one. */
const MOST_NAMED_BPS = 100

/**
 * Records the protocol fee that a source names, apart from other sources. The fee of the key's quote is ours. Returns the previous
 * fee of this source if it differs; null = no change.
 */
export function takeFeeWord(
  market: MarketState,
  source: 'key' | 'public',
  bps: number | null,
): number | null {
  // Almost every answer names the same fee.
  if (bps === null || market.feeWords?.[source] === bps) return null
  const words = market.feeWords ?? { key: null, public: null }
  const before = words[source]
  market.feeWords = { ...words, [source]: bps }
  market.protocolFeeBps = market.feeWords.key ?? market.feeWords.public
  return before === null || before === bps ? null : before
}

/** Returns every named fee once, the likeliest first: the key's quote, the public rate, the configuration. */
export function namedFees({ feeWords, protocolFeeBps }: MarketState, configuredBps: number): number[] {
  const named: number[] = []
  for (const bps of [feeWords?.key ?? protocolFeeBps, feeWords?.public ?? null])
    if (bps !== null && bps >= 0 && bps <= MOST_NAMED_BPS) addFee(named, bps)
  addFee(named, configuredBps)
  return named
}

function addFee(named: number[], bps: number): void {
  if (Number.isInteger(bps) && !named.includes(bps)) named.push(bps)
}
