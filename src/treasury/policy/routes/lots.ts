import { SHILLING } from '../units.ts'

/** What one payment over a rail may be; base units, both bounds included, amounts are multiples of `grain`. */
type LotRule = { readonly least: bigint; readonly most: bigint; readonly grain: bigint }

/** Payouts to banks are refused, and those to phones queue for a person, at 1,000,000 TZS. Source: contract, limits. */
export const PAYOUT_BELOW = 1_000_000n * SHILLING
/** The least that arrives by a withdrawal, and the least of a deposit. Source: contract, limits. */
export const LEAST_PAYOUT = 5_000n * SHILLING
export const LEAST_DEPOSIT = 500n * SHILLING

/** Deposits in round sums are easier to key in than odd ones; people do that. */
export const DEPOSIT_GRAIN = 1_000n * SHILLING

const MOST_STEPS = 60n

/**
 * `total` in the fewest payments that the rail carries, no two of one amount and none in `taken`: the venue takes an
 * identical payout within five minutes for a duplicate, and an exact amount is what finds a lost answer. The sum is exact;
 * `total` is a multiple of the grain. Null = it cannot be split so, or takes more than `mostLots`.
 */
export function splitLots(
  total: bigint,
  rule: LotRule,
  taken: readonly bigint[],
  mostLots: number,
): readonly bigint[] | null {
  if (total <= 0n || total % rule.grain !== 0n || rule.most < rule.least) return null
  const used = new Set(taken)
  for (let count = (total + rule.most - 1n) / rule.most; count <= BigInt(mostLots); count++) {
    if (count * rule.least > total) return null
    for (let step = 1n; step <= MOST_STEPS; step++) {
      const lots = ladder(total / rule.grain, count, step).map((grains) => grains * rule.grain)
      if (lots[0]! < rule.least || lots.at(-1)! > rule.most) break
      if (lots.every((lot) => !used.has(lot))) return lots
      if (count === 1n) break
    }
  }
  return null
}

/** `count` ascending numbers that differ by `step` or one more and sum to `total`. */
function ladder(total: bigint, count: bigint, step: bigint): readonly bigint[] {
  const rises = (step * count * (count - 1n)) / 2n
  const rest = (((total - rises) % count) + count) % count
  const lowest = (total - rises - rest) / count
  return Array.from({ length: Number(count) }, (_, index) => {
    const place = BigInt(index)
    return lowest + step * place + (place >= count - rest ? 1n : 0n)
  })
}

/** The amount, or the next one below it by whole steps, that no open leg has. */
export function distinctAmount(amount: bigint, step: bigint, taken: readonly bigint[]): bigint {
  const used = new Set(taken)
  let free = amount
  while (used.has(free)) free -= step
  return free
}
