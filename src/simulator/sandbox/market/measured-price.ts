import { invariant } from '../../../base/result.ts'
import { type Asset, type BookAmount, parseAmount, TOKEN_DECIMALS } from '../../../base/money/asset.ts'
import type { Side } from '../../../base/money/side.ts'

/** How a swap reaches the measured venue: the partner API, the operator's app, or the ramp to mobile money. */
export const FILL_SOURCES = ['waas', 'app', 'ramp'] as const
export type FillSource = (typeof FILL_SOURCES)[number]

/** The fee in the public rate and in fills; GET /quote states QUOTED_FEE_BPS. */
export const MEASURED_FEE_BPS = 20
export const QUOTED_FEE_BPS = 10

/** One swap in the venue's own arithmetic, IEEE doubles. */
export type MeasuredSwap = {
  readonly side: Side
  readonly to: Asset
  readonly amountIn: number
  /** The pair's mid, TZS per USD. */
  readonly mid: number
  readonly spreadBps: number
  /** The taker's choice, without a cap. The provider receives it. */
  readonly slippageBps: number
  readonly source: FillSource
}

export type MeasuredPrice = {
  readonly amountOut: BookAmount
  readonly fee: BookAmount
  /** The payout at the mid, less payout and fee. */
  readonly earned: BookAmount
}

/**
 * Returns the payout, fee and earned spread of a fill as the measured venue stores them. The factors are in the
 * venue's order: another order changes the last digit.
 */
export function priceMeasured(swap: MeasuredSwap): MeasuredPrice {
  const { side, amountIn, mid, to, source } = swap
  const out = payout(swap)
  const midOut = side === 'ask' ? amountIn * mid : amountIn / mid
  const fee = source === 'app' ? 0 : Math.min(midOut - out, midOut * bps(MEASURED_FEE_BPS))
  // Fee and spread are stored with the token's decimals, the payout with all digits of the double.
  const rounded = (amount: number) => bookOfText(amount.toFixed(TOKEN_DECIMALS[to]))
  return { amountOut: bookOfDouble(out), fee: rounded(fee), earned: rounded(midOut - out - fee) }
}

/** Returns the taker's proceeds at a spread, before slippage and fee. */
export function measuredOutput(side: Side, amountIn: number, mid: number, spreadBps: number): number {
  return side === 'ask' ? amountIn * (mid * (1 - bps(spreadBps))) : amountIn / (mid * (1 + bps(spreadBps)))
}

function payout({ side, to, amountIn, mid, spreadBps, slippageBps, source }: MeasuredSwap): number {
  const atSpread = measuredOutput(side, amountIn, mid, spreadBps)
  if (source === 'ramp') return to === 'NTZS' ? Math.floor(atSpread) : atSpread
  const afterSlippage = atSpread * (1 - bps(slippageBps))
  return source === 'app' ? afterSlippage : afterSlippage * (1 - bps(MEASURED_FEE_BPS))
}

function bps(value: number): number {
  return value / 10_000
}

/** Returns the shortest text of a double in a column of 18 decimals, which rounds halves away from zero. */
export function bookOfDouble(value: number): BookAmount {
  const text = String(value)
  const scientific = /^(-?)(\d)(?:\.(\d+))?e-(\d+)$/.exec(text)
  if (scientific === null) return bookOfText(text)
  const [, sign = '', whole = '', fraction = '', exponent = ''] = scientific
  return bookOfText(`${sign}0.${'0'.repeat(Number(exponent) - 1)}${whole}${fraction}`)
}

function bookOfText(text: string): BookAmount {
  const [whole = '', fraction = ''] = text.split('.')
  const parsed = parseAmount(`${whole}.${fraction.slice(0, 18).padEnd(18, '0')}`)
  invariant(parsed.ok, 'an amount of the measured venue must be a decimal below 10^21')
  const roundsUp = (fraction[18] ?? '0') >= '5'
  return parsed.value + (roundsUp ? (text.startsWith('-') ? -1n : 1n) : 0n)
}
