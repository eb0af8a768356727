import { TO_18_DECIMALS, type StableAsset } from './asset.ts'
import { BPS } from './bps.ts'
import { RATE_ONE, type Rate } from './rate.ts'
import { divide, type Rounding } from './rounding.ts'
import type { Side } from './side.ts'

/**
 * How a venue turns shillings into dollars at a bid. `divide` is the contract's `in / (mid * (1 + bid))`;
 * `multiply` is the also seen `in / mid * (1 - bid)`. At 500 bps they differ by about 24 bps.
 */
export type BidFormula = 'divide' | 'multiply'

const RATE_BPS = RATE_ONE * BPS

/** Dollars in, shillings out, before the protocol fee: `in * mid * (1 - ask)`. Base units in and out. */
export function shillingsForDollars(
  amountIn: bigint,
  stable: StableAsset,
  mid: Rate,
  askBps: number,
  rounding: Rounding,
): bigint {
  return divide(amountIn * TO_18_DECIMALS[stable] * mid * (BPS - BigInt(askBps)), RATE_BPS, rounding)
}

/** Shillings in, dollars out, before the protocol fee, in base units of the stable asset. */
export function dollarsForShillings(
  amountIn: bigint,
  stable: StableAsset,
  mid: Rate,
  bidBps: number,
  formula: BidFormula,
  rounding: Rounding,
): bigint {
  const unit = TO_18_DECIMALS[stable]
  if (formula === 'divide') {
    return divide(amountIn * RATE_BPS, mid * (BPS + BigInt(bidBps)) * unit, rounding)
  }
  return divide(amountIn * RATE_ONE * (BPS - BigInt(bidBps)), mid * BPS * unit, rounding)
}

/** A swap that a venue can price: exactly one end is the shilling. On our ask the taker brings the dollars. */
export type Swap = { readonly side: Side; readonly stable: StableAsset }

/** What leaves a provider for `amountIn` at a spread, before the protocol fee. Rounded down: the venue keeps dust. */
export function grossPayout(
  { side, stable }: Swap,
  amountIn: bigint,
  mid: Rate,
  spreadBps: number,
  formula: BidFormula,
): bigint {
  return side === 'ask'
    ? shillingsForDollars(amountIn, stable, mid, spreadBps, 'down')
    : dollarsForShillings(amountIn, stable, mid, spreadBps, formula, 'down')
}

/**
 * Whether `held` covers the whole payout at mid, rounded down, which the venue asks of a provider before it routes a
 * swap there. Multiplied out, for a division costs more.
 */
export function coversPayout(held: bigint, { side, stable }: Swap, amountIn: bigint, mid: Rate): boolean {
  const unit = TO_18_DECIMALS[stable]
  return side === 'ask'
    ? amountIn * unit * mid < (held + 1n) * RATE_ONE
    : amountIn * RATE_ONE < (held + 1n) * mid * unit
}

/** What the taker gets after the protocol fee, and the fee: together exactly the gross payout. */
export function splitProtocolFee(
  gross: bigint,
  feeBps: number,
): { readonly net: bigint; readonly fee: bigint } {
  if (feeBps === 0) return { net: gross, fee: 0n }
  const net = divide(gross * (BPS - BigInt(feeBps)), BPS, 'down')
  return { net, fee: gross - net }
}
