import type { BookAmount } from '../../../base/money/asset.ts'
import { BPS } from '../../../base/money/bps.ts'

/**
 * The largest slippage, in whole bps, that may explain a payout: first the usual range, then the range that a taker may name
 * beyond it.
 */
export const MOST_SLIPPAGE_BPS = [500n, 5_000n] as const
/** A venue that prices in doubles is off by less than one part in this. */
const PARTS = 10n ** 12n

/** The slippage in whole bps, and the share that is left after the protocol fee, in bps. */
export type Slippage = { readonly bps: number; readonly afterFee: bigint }

/**
 * Returns the whole bps of slippage, and the share left after one of the protocol fees, for which `gross * (1 - slippage) * (1
 * - fee)` equals the payout to one part in 10^12; null if no pair does. The slippage is the provider's gain, because the venue
 * pays the taker's floor.
 */
export function slippageOf(
  amountOut: BookAmount,
  gross: BookAmount,
  afterFees: readonly bigint[],
  mostBps: bigint,
): Slippage | null {
  const paid = amountOut * BPS * BPS
  for (const afterFee of afterFees) {
    const whole = gross * afterFee
    if (whole <= 0n) continue
    const kept = (paid + whole / 2n) / whole
    const slippage = BPS - kept
    if (slippage < 0n || slippage > mostBps) continue
    const off = paid - whole * kept
    if ((off < 0n ? 0n - off : off) <= paid / PARTS) return { bps: Number(slippage), afterFee }
  }
  return null
}

/**
 * Returns a test of a payout before the fee, as a double: false where `slippageOf` is null for every payout within `step` of it.
 * Most cases are no whole bps, and doubles prove that at a hundredth of the cost of a bigint division.
 */
export function wholeBpsTest(
  amountOut: BookAmount,
  afterFees: readonly bigint[],
  step: number,
): (gross: number) => boolean {
  const keptTimesGross = afterFees.map((afterFee) => (Number(amountOut) * 1e8) / Number(afterFee))
  return (gross) => {
    // Twice the tolerance of `slippageOf` and the error of the estimate.
    const error = 2 * (1e-12 + step / gross)
    for (const product of keptTimesGross) {
      const kept = product / gross
      // Not a number where the payout is 0: then the integers decide.
      if (!(Math.abs(kept - Math.round(kept)) > kept * error)) return true
    }
    return false
  }
}
