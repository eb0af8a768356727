import type { Ms } from '../base/time.ts'
import type { Asset } from '../money/asset.ts'
import type { Rate } from '../money/rate.ts'
import type { Fill } from './fill.ts'

/**
 * How the protocol fee meets our position: `from-position` = a fill debits amountOut + fee; `none` = it
 * debits amountOut and the fee is somebody else's. Which one is true is learned from the balances.
 */
export type FeeModel = 'from-position' | 'none'

/** A protocol fee that the balances showed, whatever the rows name: a share of the payout before it, or after it. */
export type FeeRate = { readonly bps: number; readonly of: 'gross' | 'net' }

/** What a fill did to the position, as far as matching balances needs it. */
export type PostedFill = {
  readonly inAsset: Asset
  readonly amountIn: bigint
  readonly outAsset: Asset
  readonly amountOut: bigint
  /** The protocol fee in full, whether or not the model in force debits it. */
  readonly fee: bigint
  /** The fee that the row names, or that explains its payout; another one only where the balances showed a rate. */
  readonly word: bigint
  /** True when the row did not carry this fee: it may be one base unit off. */
  readonly computed: boolean
  /** When the venue executed it; null = it does not say. */
  readonly at: Ms | null
  /** The same fill on the other chain, where its row names none; absent = the chain is known. */
  readonly elsewhere?: Elsewhere
}

/** What a fill whose row names no chain is on the other one, beyond what scales with the decimals. */
export type Elsewhere = {
  readonly id: string
  readonly fee: bigint
  readonly word: bigint
  /** The mid it was booked at; null = not known. */
  readonly mid: Rate | null
}

export function otherFeeModel(model: FeeModel): FeeModel {
  return model === 'none' ? 'from-position' : 'none'
}

/** What to post as the fee of a fill under this model. */
export function feeDebit(model: FeeModel, fee: bigint): bigint {
  return model === 'from-position' ? fee : 0n
}

/** A fill as the proof needs it: `fee` in full, from the row or computed. */
export function postedFill(fill: Fill, fee: bigint, word = fee, computed = fill.fee === null): PostedFill {
  const { inAsset, amountIn, outAsset, amountOut } = fill
  return { inAsset, amountIn, outAsset, amountOut, fee, word, computed, at: fill.createdAt }
}
