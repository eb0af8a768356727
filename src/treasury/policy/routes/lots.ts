import { SHILLING } from '../units.ts'

/** Bounds of one payment over a rail in base units, inclusive; amounts are multiples of `grain`. */
type LotRule = { readonly least: bigint; readonly most: bigint; readonly grain: bigint }

/** From 1,000,000 TZS payouts to banks are refused, and those to phones wait for approval. Source: contract, limits. */
export const PAYOUT_BELOW = 1_000_000n * SHILLING
/** The smallest net withdrawal and the smallest deposit. Source: contract, limits. */
export const LEAST_PAYOUT = 5_000n * SHILLING
export const LEAST_DEPOSIT = 500n * SHILLING

/** People key in deposits, so round sums are easier. */
export const DEPOSIT_GRAIN = 1_000n * SHILLING

const MOST_STEPS = 60n

/**
 * Splits `total`, a multiple of the grain, into the fewest payments that the rail carries. No two are equal and none is
 * in `taken`: the venue rejects an identical payout within five minutes as a duplicate, and the exact amount identifies
 * a lost answer. Null = it cannot be split, or needs more than `mostLots`.
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

/** Returns `count` ascending numbers, which differ by `step` or one more and sum to `total`. */
function ladder(total: bigint, count: bigint, step: bigint): readonly bigint[] {
  const rises = (step * count * (count - 1n)) / 2n
  const rest = (((total - rises) % count) + count) % count
  const lowest = (total - rises - rest) / count
  return Array.from({ length: Number(count) }, (_, index) => {
    const place = BigInt(index)
    return lowest + step * place + (place >= count - rest ? 1n : 0n)
  })
}

/** Returns the amount, lowered by whole steps until no open leg has it. */
export function distinctAmount(amount: bigint, step: bigint, taken: readonly bigint[]): bigint {
  const used = new Set(taken)
  let free = amount
  while (used.has(free)) free -= step
  return free
}
