import type { Ms } from '../../../base/time.ts'
import { type Amounts, type Asset, type BookAmount, zeroAmounts } from '../../../base/money/asset.ts'
import type { Rate } from '../../../base/money/rate.ts'
import type { Fill } from './fill.ts'
import { BPS } from '../../../base/money/bps.ts'
import { divide } from '../../../base/money/rounding.ts'
import { feeFromNet } from './pricing.ts'

/**
 * Whether our position pays the protocol fee: `from-position` = a fill debits amountOut + fee; `none` = it debits amountOut
 * only. The balances show which one applies.
 */
export type FeeModel = 'from-position' | 'none'

/** A protocol fee that the balances showed: a share of the payout before or after it. */
export type FeeRate = { readonly bps: number; readonly of: 'gross' | 'net' }

/** The effect of a fill on the position, for matching balances. */
export type PostedFill = {
  readonly inAsset: Asset
  readonly amountIn: BookAmount
  readonly outAsset: Asset
  readonly amountOut: BookAmount
  /** The protocol fee in full, whether or not the model in force debits it. */
  readonly fee: BookAmount
  /**
   * The fee that the row states or that explains its payout, under its stored name. A different fee is posted only if the balances
   * showed its rate.
   */
  readonly word: BookAmount
  /** True if this fee was computed rather than read from the row: it may be one grain off. */
  readonly computed: boolean
  /** When the venue executed it; null = the row has no time. */
  readonly at: Ms | null
  /** The same fill on the other chain if its row names no chain; absent = the chain is known. */
  readonly elsewhere?: Elsewhere
}

/** A fill whose row names no chain, on the other chain. */
export type Elsewhere = {
  readonly id: string
  readonly fee: BookAmount
  /** The fee that the row states or that explains its payout. */
  readonly word: BookAmount
  /** The mid it was booked at; null = not known. */
  readonly mid: Rate | null
}

export function otherFeeModel(model: FeeModel): FeeModel {
  return model === 'none' ? 'from-position' : 'none'
}

/** Returns the fee to post for a fill under this model. */
export function feeDebit(model: FeeModel, fee: bigint): bigint {
  return model === 'from-position' ? fee : 0n
}

/** Returns a fill for matching; `fee` is the full fee, from the row or computed. */
export function postedFill(
  fill: Fill,
  fee: bigint,
  statedFee = fee,
  computed = fill.fee === null,
): PostedFill {
  const { inAsset, amountIn, outAsset, amountOut } = fill
  return { inAsset, amountIn, outAsset, amountOut, fee, word: statedFee, computed, at: fill.createdAt }
}

/** The fee model in force, and sums of the fills since the balances last matched. */
export type FeeLearning = {
  model: FeeModel
  /** The fee that the balances showed instead of the fee in the rows; null = they agree. */
  rate: FeeRate | null
  /** Fees in full of all fills since the last match. */
  fees: Amounts
  /** The number of computed fees: their sum may be off by as many grains. */
  computed: Record<Asset, number>
  /** For the same fills, under stored names: the fees that the rows state, the payouts to takers, and their number. */
  words: Amounts
  nets: Amounts
  counts: Record<Asset, number>
  /** Fills whose rows name no chain, oldest first, at most `KEPT_UNDECIDED`. */
  undecided: PostedFill[]
}

/** Maximum number of fills kept whose chain is undecided; older ones stay where they were booked. */
export const KEPT_UNDECIDED = 32

export function createFeeLearning(model: FeeModel, rate: FeeRate | null = null): FeeLearning {
  return { model, rate, ...noFills() }
}

export function recordFee(learning: FeeLearning, fill: PostedFill): void {
  const { outAsset, amountOut, fee, word: statedFee, computed } = fill
  if (fee !== 0n) learning.fees[outAsset] += fee
  if (statedFee !== 0n) learning.words[outAsset] += statedFee
  learning.nets[outAsset] += amountOut
  learning.counts[outAsset] += 1
  if (computed) learning.computed[outAsset] += 1
  if (fill.elsewhere === undefined) return
  learning.undecided.push(fill)
  if (learning.undecided.length > KEPT_UNDECIDED) learning.undecided.shift()
}

/** Removes a recorded fill from the sums. */
export function unnoteFee(
  learning: FeeLearning,
  { outAsset, amountOut, fee, word: statedFee, computed }: PostedFill,
): void {
  learning.fees[outAsset] -= fee
  learning.words[outAsset] -= statedFee
  learning.nets[outAsset] -= amountOut
  learning.counts[outAsset] -= 1
  if (computed) learning.computed[outAsset] -= 1
}

/** Returns a copy whose sums can be changed; it holds no undecided fills. */
export function copySums(learning: Readonly<FeeLearning>): FeeLearning {
  const { fees, computed, words, nets, counts } = learning
  return {
    ...learning,
    fees: { ...fees },
    computed: { ...computed },
    words: { ...words },
    nets: { ...nets },
    counts: { ...counts },
    undecided: [],
  }
}

/** The balances matched under this model and rate; only the fills `after` the match are unproven. */
export function recordMatch(
  learning: FeeLearning,
  model: FeeModel,
  rate: FeeRate | null,
  after: readonly PostedFill[],
): void {
  Object.assign(learning, createFeeLearning(model, rate))
  for (const fill of after) recordFee(learning, fill)
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

/** Returns the fee of a fill at this rate, to one grain of its out-asset. */
export function feeAtRate(
  { bps, of }: FeeRate,
  fill: Pick<PostedFill, 'amountOut' | 'word'>,
  grain: BookAmount,
): BookAmount {
  if (of === 'net') return feeFromNet(fill.amountOut, bps, grain)
  return divide((fill.amountOut + fill.word) * BigInt(bps), BPS * grain, 'up') * grain
}
