import type { Ms } from '../../../base/time.ts'
import type { Asset, BookAmount } from '../../../base/money/asset.ts'
import type { Side, TakerTags } from '../../../base/money/side.ts'

/** One execution against our position, as the venue reports it, in book amounts. */
export type Fill = {
  readonly id: string
  readonly side: Side
  /** The taker's payment: our credit. */
  readonly inAsset: Asset
  readonly amountIn: BookAmount
  /** The taker's proceeds: our debit, before the protocol fee. */
  readonly outAsset: Asset
  readonly amountOut: BookAmount
  /** Protocol fee in the out-asset if the row has it; null = it must be computed and confirmed. */
  readonly fee: BookAmount | null
  /** Spread income as reported by the venue: decimal text in the venue's unit, for information only. */
  readonly earnedText: string | null
  readonly txHash: string | null
  readonly createdAt: Ms | null
  /** False if the row names no chain, so its USDT may be on either; absent = the chain is known. */
  readonly chainNamed?: false
  /** Absent = the row names nothing of the taker, or it was journalled before this was read. */
  readonly taker?: TakerTags
  /** The row as received, JSON text, unknown fields included. */
  readonly raw: string
}

/** A row that could not be read exactly, kept as received. */
export type QuarantinedRow = { readonly id: string | null; readonly reason: string; readonly raw: string }

export type FillLegs = Pick<Fill, 'inAsset' | 'amountIn' | 'outAsset' | 'amountOut'>
