import type { MarketState } from './market-state.ts'

/** Fees above this from the venue are not used to explain balances; only the configuration may set a larger one. */
const MOST_STATED_BPS = 100

/**
 * Records the protocol fee that a source states, apart from other sources. The fee of the key's quote is ours. Returns the previous
 * fee of this source if it differs; null = no change.
 */
export function takeStatedFee(
  market: MarketState,
  source: 'key' | 'public',
  bps: number | null,
): number | null {
  // Almost every answer states the same fee.
  if (bps === null || market.feeWords?.[source] === bps) return null
  const stated = market.feeWords ?? { key: null, public: null }
  const before = stated[source]
  market.feeWords = { ...stated, [source]: bps }
  market.protocolFeeBps = market.feeWords.key ?? market.feeWords.public
  return before === null || before === bps ? null : before
}

/** Returns every stated fee once, the likeliest first: the key's quote, the public rate, the configuration. */
export function statedFees({ feeWords, protocolFeeBps }: MarketState, configuredBps: number): number[] {
  const stated: number[] = []
  for (const bps of [feeWords?.key ?? protocolFeeBps, feeWords?.public ?? null])
    if (bps !== null && bps >= 0 && bps <= MOST_STATED_BPS) addFee(stated, bps)
  addFee(stated, configuredBps)
  return stated
}

function addFee(stated: number[], bps: number): void {
  if (Number.isInteger(bps) && !stated.includes(bps)) stated.push(bps)
}
