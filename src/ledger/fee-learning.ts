import { zeroAmounts, type Amounts, type Asset } from '../money/asset.ts'
import type { FeeModel, PostedFill } from './fee-model.ts'

/** The model in force, and what it rests on since the balances last matched. */
export type FeeLearning = {
  model: FeeModel
  /** Fees in full of all fills since the last match. */
  fees: Amounts
  /** How many of them were computed: by so many base units they may be off. */
  computed: Record<Asset, number>
}

export function createFeeLearning(model: FeeModel): FeeLearning {
  return { model, fees: zeroAmounts(), computed: { NTZS: 0, USDC: 0, USDT: 0, 'USDT.bnb': 0 } }
}

export function noteFee(learning: FeeLearning, fill: PostedFill): void {
  learning.fees[fill.outAsset] += fill.fee
  if (fill.computed) learning.computed[fill.outAsset] += 1
}

/** The balances matched (under `model`) with only these fills after the match: they are what is unproven. */
export function noteMatch(learning: FeeLearning, model: FeeModel, after: readonly PostedFill[]): void {
  learning.model = model
  learning.fees = zeroAmounts()
  learning.computed = { NTZS: 0, USDC: 0, USDT: 0, 'USDT.bnb': 0 }
  for (const fill of after) noteFee(learning, fill)
}
