import type { MarketState } from './market-state.ts'

/** Above this the venue's own word is no candidate for what the balances lost: only the configuration names more. */
const MOST_NAMED_BPS = 100

/**
 * A source names a protocol fee. The sources stand side by side and none overwrites another: what the key's quote
 * names is ours. Returns what this source named before, where that was another figure; null = it is no change.
 */
export function takeFeeWord(
  market: MarketState,
  source: 'key' | 'public',
  bps: number | null,
): number | null {
  // Every answer names it, and nearly always the same.
  if (bps === null || market.feeWords?.[source] === bps) return null
  const words = market.feeWords ?? { key: null, public: null }
  const before = words[source]
  market.feeWords = { ...words, [source]: bps }
  market.protocolFeeBps = market.feeWords.key ?? market.feeWords.public
  return before === null || before === bps ? null : before
}

/** Every fee that a source names, the likeliest first and each once: the key's quote, the public rate, the configuration. */
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
