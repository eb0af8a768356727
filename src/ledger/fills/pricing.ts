import { isStable, type StableAsset } from '../../money/asset.ts'
import { BPS } from '../../money/bps.ts'
import { dollarsForShillings, shillingsForDollars } from '../../money/payout.ts'
import type { Rate } from '../../money/rate.ts'
import { divide, type Rounding } from '../../money/rounding.ts'
import type { Fill } from './fill.ts'

/** What the venue may have priced a fill from; the likeliest first. */
export type PricingCandidates = {
  /** The current mid, then previous ones. */
  readonly mids: readonly Rate[]
  /** Our own spreads: the current one, then previous ones. */
  readonly spreads: readonly { readonly bidBps: number; readonly askBps: number }[]
  readonly protocolFeeBps: number
  /** What other sources name; each is as good as the first where it explains the payout. */
  readonly otherFeesBps?: readonly number[]
  /** Slippage tolerances of a taker that may have been paid exactly the floor. */
  readonly slippageBps: readonly number[]
}

export type FillFormula = 'ask' | 'divide' | 'multiply' | 'slippage-floor' | 'unexplained'

/** Which formula gives this payout to the last unit, and what it was given. */
export type FillPricing = {
  readonly formula: FillFormula
  /** The mid and own spread of the formula; null when unreconciled. */
  readonly mid: Rate | null
  readonly bps: number | null
  /** With `slippage-floor`: the tolerance whose floor was paid. */
  readonly slippageBps: number | null
  /** The payout before the protocol fee, base units of the out-asset. */
  readonly gross: bigint
  /**
   * The protocol fee: the row's where it has one, else gross minus net (for every formula but the floor
   * that is gross - amountOut). Unexplained: from amountOut alone, to one unit.
   */
  readonly fee: bigint
}

type Case = {
  readonly formula: 'ask' | 'divide' | 'multiply'
  readonly mid: Rate
  readonly bps: number
  readonly gross: bigint
}

const ROUNDINGS = ['down', 'up'] as const satisfies readonly Rounding[]

/**
 * Recomputes the fill from every candidate, likeliest first, and names the first that pays exactly
 * `amountOut`, whichever way the venue rounds the last unit of gross and net. The floor of a taker's
 * slippage is considered only when nothing else explains the payout.
 */
export function inferPricing(fill: Fill, candidates: PricingCandidates): FillPricing {
  const { amountOut } = fill
  const fees = [candidates.protocolFeeBps, ...(candidates.otherFeesBps ?? [])].filter(isFeeBps)
  const allAfterFee = fees.map((bps) => BPS - BigInt(bps))
  const afterFee = allAfterFee[0] ?? BPS
  const cases: Case[] = []
  for (const one of allAfterFee.length > 0 ? casesOf(fill, candidates) : []) {
    const asTheRowSays = fill.fee !== null && one.gross === amountOut + fill.fee
    if (asTheRowSays || allAfterFee.some((after) => isNear(one.gross * after, amountOut))) {
      return explained(one.formula, one, null, fill.fee ?? one.gross - amountOut)
    }
    cases.push(one)
  }
  for (const slippage of candidates.slippageBps) {
    const kept = BPS - BigInt(slippage)
    for (const one of cases) {
      const net = divide(one.gross * afterFee, BPS, 'down')
      if (isNear(net * kept, amountOut)) {
        return explained('slippage-floor', one, slippage, fill.fee ?? one.gross - net)
      }
    }
  }
  const fee = fill.fee ?? feeFromNet(amountOut, candidates.protocolFeeBps)
  return {
    formula: 'unexplained',
    mid: null,
    bps: null,
    slippageBps: null,
    gross: amountOut + fee,
    fee,
  }
}

/** The fee that belongs to a payout after the fee, exact to one unit; 0 for bps that are no fee. */
export function feeFromNet(net: bigint, feeBps: number): bigint {
  if (!isFeeBps(feeBps)) return 0n
  return divide(net * BPS, BPS - BigInt(feeBps), 'up') - net
}

/** Whether `amount` is scaled / BPS, rounded down or up: without the division, which is what costs. */
function isNear(scaled: bigint, amount: bigint): boolean {
  const off = scaled - amount * BPS
  return off > -BPS && off < BPS
}

/** The venue says the fee; a figure that is none must not trip the arithmetic. */
function isFeeBps(bps: number): boolean {
  return Number.isInteger(bps) && bps >= 0 && bps < Number(BPS)
}

function explained(formula: FillFormula, one: Case, slippageBps: number | null, fee: bigint): FillPricing {
  return { formula, mid: one.mid, bps: one.bps, slippageBps, gross: one.gross, fee }
}

/** One by one, because the first nearly always explains the fill and each costs divisions of big numbers. */
function* casesOf(fill: Fill, candidates: PricingCandidates): Generator<Case> {
  const { inAsset, outAsset, amountIn } = fill
  for (const spread of candidates.spreads) {
    for (const mid of candidates.mids) {
      if (mid <= 0n) continue
      if (isStable(inAsset) && outAsset === 'NTZS') yield* askCases(inAsset, amountIn, mid, spread.askBps)
      else if (inAsset === 'NTZS' && isStable(outAsset)) {
        yield* bidCases(outAsset, amountIn, mid, spread.bidBps)
      }
    }
  }
}

function* askCases(stable: StableAsset, amountIn: bigint, mid: Rate, bps: number): Generator<Case> {
  for (const rounding of ROUNDINGS) {
    yield { formula: 'ask', mid, bps, gross: shillingsForDollars(amountIn, stable, mid, bps, rounding) }
  }
}

function* bidCases(stable: StableAsset, amountIn: bigint, mid: Rate, bps: number): Generator<Case> {
  for (const formula of ['divide', 'multiply'] as const) {
    for (const rounding of ROUNDINGS) {
      const gross = dollarsForShillings(amountIn, stable, mid, bps, formula, rounding)
      yield { formula, mid, bps, gross }
    }
  }
}
