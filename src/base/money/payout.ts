import type { BookAmount } from './asset.ts'
import { BPS } from './bps.ts'
import { RATE_ONE, type Rate } from './rate.ts'
import { divide, type Rounding } from './rounding.ts'
import type { Side } from './side.ts'

/**
 * How a venue converts shillings to dollars at a bid. `divide` is the contract's `in / (mid (1 + bid))`; some venues
 * use `multiply`, `in / mid (1 - bid)`. At 500 bps they differ by about 24 bps.
 */
export type BidFormula = 'divide' | 'multiply'

const RATE_BPS = RATE_ONE * BPS

/** Returns the shillings for dollars before the protocol fee: `in mid (1 - ask)`. Book amounts. */
export function shillingsForDollars(
  amountIn: BookAmount,
  mid: Rate,
  askBps: number,
  rounding: Rounding,
): BookAmount {
  return divide(amountIn * mid * (BPS - BigInt(askBps)), RATE_BPS, rounding)
}

/** Returns the dollars for shillings before the protocol fee. Book amounts; `grain` is the smallest payout step. */
export function dollarsForShillings(
  amountIn: BookAmount,
  mid: Rate,
  bidBps: number,
  formula: BidFormula,
  grain: BookAmount,
  rounding: Rounding,
): BookAmount {
  const grains =
    formula === 'divide'
      ? divide(amountIn * RATE_BPS, mid * (BPS + BigInt(bidBps)) * grain, rounding)
      : divide(amountIn * RATE_ONE * (BPS - BigInt(bidBps)), mid * BPS * grain, rounding)
  return grains * grain
}

/**
 * A swap that a venue can price: exactly one end is the shilling. On our ask the taker pays dollars. `grain` is the
 * smallest dollar payout step, as a book amount.
 */
type Swap = { readonly side: Side; readonly grain: BookAmount }

/** Returns the provider's payout for `amountIn` at a spread, before the protocol fee. Rounded down: the venue keeps dust. */
export function grossPayout(
  { side, grain }: Swap,
  amountIn: BookAmount,
  mid: Rate,
  spreadBps: number,
  formula: BidFormula,
): BookAmount {
  return side === 'ask'
    ? shillingsForDollars(amountIn, mid, spreadBps, 'down')
    : dollarsForShillings(amountIn, mid, spreadBps, formula, grain, 'down')
}

/**
 * Returns whether `held` covers the whole payout at mid, rounded down; the venue requires this before it routes a swap
 * to a provider. Multiplies because division is slower.
 */
export function coversPayout(
  held: BookAmount,
  { side, grain }: Swap,
  amountIn: BookAmount,
  mid: Rate,
): boolean {
  return side === 'ask' ? amountIn * mid < (held + 1n) * RATE_ONE : amountIn * RATE_ONE < (held + grain) * mid
}

/**
 * Splits the gross payout into the taker's part, rounded down to `grain`, and the protocol fee. Both sum to exactly the
 * gross payout, in its unit (book or token).
 */
export function splitProtocolFee(
  gross: bigint,
  feeBps: number,
  grain = 1n,
): { readonly net: bigint; readonly fee: bigint } {
  if (feeBps === 0) return { net: gross, fee: 0n }
  const net = divide(gross * (BPS - BigInt(feeBps)), BPS * grain, 'down') * grain
  return { net, fee: gross - net }
}
