/** What the venue trades against the shilling. Source: contract, PATCH /spread. */
export const COUNTER_TOKENS = ['USDC', 'USDT', 'TGBP', 'ZARP'] as const

/** Those that can be priced, booked and withdrawn here. */
export const OWNED_TOKENS = ['USDC', 'USDT'] as const

/** What is quoted beyond that: tokens that a fill would bring and nobody could own; null = all, which it names. */
export function unownedPairs(pairs: readonly string[] | null): readonly string[] {
  return (pairs ?? COUNTER_TOKENS).filter((pair) => !OWNED_TOKENS.some((owned) => owned === pair))
}
