const FRACTION_DIGITS = 12

/**
 * The price in TZS per dollar at which a taker deals with us: a bid buys shillings, so it sells dollars
 * above the mid; an ask buys dollars below it. Exact for whole bps; null where there is no mid or no quote.
 */
export function priceAt(mid: string | null, bps: number | null, side: 'bid' | 'ask'): string | null {
  if (mid === null || bps === null || !Number.isInteger(bps)) return null
  const [, whole, fraction = ''] = /^(\d+)(?:\.(\d+))?$/.exec(mid) ?? []
  if (whole === undefined) return null
  const scaled = BigInt(whole + fraction.padEnd(FRACTION_DIGITS, '0').slice(0, FRACTION_DIGITS))
  const parts = BigInt(side === 'bid' ? 10_000 + bps : 10_000 - bps)
  const digits = ((scaled * parts) / 10_000n).toString().padStart(FRACTION_DIGITS + 1, '0')
  return `${digits.slice(0, -FRACTION_DIGITS)}.${digits.slice(-FRACTION_DIGITS)}`
}
