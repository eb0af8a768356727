/**
 * How the venue routes a swap (venue.md, Routing): the lowest spread of the providers that can fill it wins. Within the tolerance
 * of the lowest spread the venue picks round-robin, the least recently filled provider first.
 */

/** Returns our share of the takers against the best other spread: all, none, or half of them within the tolerance. */
export type RoutedShare = 0 | 0.5 | 1

/** `otherBps` null = no other provider quotes, so we get all takers. */
export function routedShare(bps: number, otherBps: number | null, toleranceBps: number): RoutedShare {
  if (otherBps === null || bps < otherBps - toleranceBps) return 1
  return bps > otherBps + toleranceBps ? 0 : 0.5
}

/** Our share of the takers against any number of other spreads: 1/m with m of us within the tolerance of the lowest. */
export function shareAmong(bps: number, othersBps: readonly number[], toleranceBps: number): number {
  let lowest = bps
  for (const other of othersBps) lowest = Math.min(lowest, other)
  const isWithin = (spread: number) => spread <= lowest + toleranceBps
  return isWithin(bps) ? 1 / (1 + othersBps.filter(isWithin).length) : 0
}

/**
 * Returns the provider that the router picks, or null. `bpsOf` returns null for a provider that does not quote or cannot pay;
 * `lastFilledOf` returns the number of its latest fill. Between equals the lower spread goes first.
 */
export function pickWithinTolerance<Provider>(
  providers: readonly Provider[],
  toleranceBps: number,
  bpsOf: (provider: Provider) => number | null,
  lastFilledOf: (provider: Provider) => number,
): Provider | null {
  let bestBps = Infinity
  for (const provider of providers) bestBps = Math.min(bestBps, bpsOf(provider) ?? bestBps)
  let chosen: Provider | null = null
  let chosenBps = 0
  for (const provider of providers) {
    const bps = bpsOf(provider)
    if (bps === null || bps > bestBps + toleranceBps) continue
    const wait = chosen === null ? -1 : lastFilledOf(provider) - lastFilledOf(chosen)
    if (wait > 0 || (wait === 0 && bps >= chosenBps)) continue
    chosen = provider
    chosenBps = bps
  }
  return chosen
}
