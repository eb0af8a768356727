import { zeroAmounts, type Amounts, type Asset } from '../money/asset.ts'
import type { FeeModel, FeeRate, PostedFill } from './fee-model.ts'

/** The model in force, and what it rests on since the balances last matched. */
export type FeeLearning = {
  model: FeeModel
  /** The fee that the balances showed instead of the one that the rows name; null = they are one. */
  rate: FeeRate | null
  /** Fees in full of all fills since the last match. */
  fees: Amounts
  /** How many of them were computed: by so many base units they may be off. */
  computed: Record<Asset, number>
  /** The same fills: the fees that their rows name, what takers got, and how many they are. */
  words: Amounts
  nets: Amounts
  counts: Record<Asset, number>
  /** Those of them whose rows name no chain, oldest first, at most `KEPT_UNDECIDED`. */
  undecided: PostedFill[]
}

/** With more fills of undecided chain the oldest stay where they were booked. */
export const KEPT_UNDECIDED = 32

export function createFeeLearning(model: FeeModel, rate: FeeRate | null = null): FeeLearning {
  return { model, rate, ...noFills() }
}

export function noteFee(learning: FeeLearning, fill: PostedFill): void {
  const { outAsset, amountOut, fee, word, computed } = fill
  learning.fees[outAsset] += fee
  learning.words[outAsset] += word
  learning.nets[outAsset] += amountOut
  learning.counts[outAsset] += 1
  if (computed) learning.computed[outAsset] += 1
  if (fill.elsewhere === undefined) return
  learning.undecided.push(fill)
  if (learning.undecided.length > KEPT_UNDECIDED) learning.undecided.shift()
}

/** The balances matched under this model and rate with only these fills after the match: they are what is unproven. */
export function noteMatch(
  learning: FeeLearning,
  model: FeeModel,
  rate: FeeRate | null,
  after: readonly PostedFill[],
): void {
  Object.assign(learning, createFeeLearning(model, rate))
  for (const fill of after) noteFee(learning, fill)
}

function noFills(): Omit<FeeLearning, 'model' | 'rate'> {
  const none = { NTZS: 0, USDC: 0, USDT: 0, 'USDT.bnb': 0 }
  return {
    fees: zeroAmounts(),
    words: zeroAmounts(),
    nets: zeroAmounts(),
    computed: { ...none },
    counts: none,
    undecided: [],
  }
}
