import { type BookAmount, isStable } from '../../../base/money/asset.ts'
import { BPS } from '../../../base/money/bps.ts'
import { dollarsForShillings, shillingsForDollars } from '../../../base/money/payout.ts'
import { formatRate, type Rate } from '../../../base/money/rate.ts'
import { divide, type Rounding } from '../../../base/money/rounding.ts'
import type { Fill } from './fill.ts'
import { MOST_SLIPPAGE_BPS, type Slippage, slippageOf, wholeBpsTest } from './slippage.ts'

/** The inputs from which the venue may have priced a fill, the likeliest first. */
export type PricingCandidates = {
  /** The current mid, then previous ones. */
  readonly mids: readonly Rate[]
  /** Our own spreads: the current one, then previous ones. */
  readonly spreads: readonly { readonly bidBps: number; readonly askBps: number }[]
  readonly protocolFeeBps: number
  /** The fees that other sources name; each is accepted if it explains the payout. */
  readonly otherFeesBps?: readonly number[]
  /** The smallest step of the venue's payouts in the out-asset. */
  readonly grain: BookAmount
  /** True if the venue may price in doubles and let takers choose their slippage: it reports fine figures, or fees in its rows. */
  readonly isFine: boolean
  /** Slippage tolerances at which a taker may have been paid exactly the floor. */
  readonly slippageBps: readonly number[]
}

export type FillFormula = 'ask' | 'divide' | 'multiply' | 'slippage-floor' | 'unexplained'

/** The formula that gives this payout to the last unit, with its inputs. */
export type FillPricing = {
  readonly formula: FillFormula
  /** The mid and own spread of the formula; null when unexplained. */
  readonly mid: Rate | null
  readonly bps: number | null
  /** With `slippage-floor`: the tolerance of the floor that was paid. */
  readonly slippageBps: number | null
  /** The payout before the protocol fee, in the out-asset. */
  readonly gross: bigint
  /**
   * The protocol fee: the row's if it has one, else gross minus net (gross - amountOut for every formula except the floor).
   * Unexplained fills: computed from amountOut alone, to one grain.
   */
  readonly fee: bigint
}

/** A payout before the fee that the quote explains. */
type Case = {
  readonly formula: 'ask' | 'divide' | 'multiply'
  readonly mid: Rate
  readonly bps: number
  readonly gross: bigint
}

/** One shilling in book units (18 decimals). */
const SHILLING = 10n ** 18n

const ROUNDINGS = ['down', 'up'] as const satisfies readonly Rounding[]

/**
 * Recomputes the fill from every candidate, likeliest first, and returns the first one that pays exactly `amountOut`, allowing
 * either rounding of the last unit of gross and net. The floor of a taker's slippage is considered only if no other formula
 * explains the payout.
 */
export function inferPricing(fill: Fill, candidates: PricingCandidates): FillPricing {
  const { amountOut } = fill
  const afterFees: bigint[] = []
  if (isFeeBps(candidates.protocolFeeBps)) afterFees.push(BPS - BigInt(candidates.protocolFeeBps))
  for (const bps of candidates.otherFeesBps ?? []) if (isFeeBps(bps)) afterFees.push(BPS - BigInt(bps))
  const [likeliest] = afterFees
  if (likeliest !== undefined) {
    const found =
      quotedPricing(fill, candidates, afterFees) ??
      floorPricing(fill, candidates, likeliest) ??
      (candidates.isFine
        ? (anySlippagePricing(fill, candidates, afterFees) ?? wholePricing(fill, candidates))
        : null)
    if (found !== null) return found
  }
  const fee = fill.fee ?? feeFromNet(amountOut, candidates.protocolFeeBps, candidates.grain)
  return {
    formula: 'unexplained',
    mid: null,
    bps: null,
    slippageBps: null,
    gross: amountOut + fee,
    fee,
  }
}

/** Returns the first case whose payout after the row's fee, or a named one, is the amount paid. */
function quotedPricing(
  fill: Fill,
  candidates: PricingCandidates,
  afterFees: readonly bigint[],
): FillPricing | null {
  const { amountOut, fee } = fill
  const { grain } = candidates
  const stated = fee === null ? null : amountOut + fee
  const reach = emptyReach(candidates)
  if (stated !== null) widen(reach, Number(stated), 0)
  for (const after of afterFees) widen(reach, Number(amountOut) / shareOf(after), 1 / shareOf(after))
  const fits = (gross: bigint): boolean => {
    if (gross === stated) return true
    for (const after of afterFees) if (isNear(gross * after, amountOut, grain)) return true
    return false
  }
  const one = firstCase(fill, candidates, reach, fits)
  return one && explained(one.formula, one, null, fee ?? one.gross - amountOut)
}

/** Returns the first case whose slippage floor is the amount paid. */
function floorPricing(fill: Fill, candidates: PricingCandidates, afterFee: bigint): FillPricing | null {
  const { amountOut } = fill
  const { grain } = candidates
  const netOf = (gross: bigint): bigint => divide(gross * afterFee, BPS * grain, 'down') * grain
  for (const slippage of candidates.slippageBps) {
    const kept = BPS - BigInt(slippage)
    if (kept <= 0n) continue
    const reach = emptyReach(candidates)
    const [keptShare, feeShare] = [shareOf(kept), shareOf(afterFee)]
    widen(reach, Number(amountOut) / keptShare / feeShare, (1 / keptShare + 1) / feeShare)
    const one = firstCase(fill, candidates, reach, (gross) => isNear(netOf(gross) * kept, amountOut, grain))
    if (one !== null)
      return explained('slippage-floor', one, slippage, fill.fee ?? one.gross - netOf(one.gross))
  }
  return null
}

/** Returns the first case that pays whole shillings and takes the row's fee out of the provider's spread, as a ramp does. */
function wholePricing(fill: Fill, candidates: PricingCandidates): FillPricing | null {
  const isWhole = fill.outAsset === 'NTZS' && fill.amountOut % SHILLING === 0n && fill.fee !== null
  return isWhole ? quotedPricing(fill, { ...candidates, grain: SHILLING }, [BPS]) : null
}

function anySlippagePricing(
  fill: Fill,
  candidates: PricingCandidates,
  afterFees: readonly bigint[],
): FillPricing | null {
  for (const most of MOST_SLIPPAGE_BPS) {
    const found = slippagePricing(fill, candidates, afterFees, most)
    if (found !== null) return found
  }
  return null
}

/** Returns the first case with whole bps of slippage, as a venue that prices in doubles pays it. */
function slippagePricing(
  fill: Fill,
  candidates: PricingCandidates,
  afterFees: readonly bigint[],
  mostBps: bigint,
): FillPricing | null {
  const { amountOut, fee } = fill
  const reach = emptyReach(candidates)
  // The venue's own app pays no protocol fee. Slippage without a fee may give the same payout, so the row's fee decides.
  const after = fee === 0n ? [BPS, ...afterFees] : [...afterFees, BPS]
  for (const share of after)
    for (const kept of [BPS, BPS - mostBps])
      widen(reach, (Number(amountOut) / shareOf(share)) * (1 / shareOf(kept)), 1)
  let letGo: Slippage | null = null
  const fits = (gross: bigint): boolean => {
    letGo = slippageOf(amountOut, gross, after, mostBps)
    return letGo !== null
  }
  const one = firstCase(fill, candidates, reach, fits, wholeBpsTest(amountOut, after, reach.grain))
  if (one === null || letGo === null) return null
  const { bps, afterFee }: Slippage = letGo
  const formula = bps === 0 ? one.formula : 'slippage-floor'
  const named = divide(one.gross * (BPS - afterFee), BPS, 'down')
  return explained(formula, one, bps === 0 ? null : bps, fee ?? named)
}

/** Returns every explanation of the payout to one part in 10^12 as text; the row's fee decides whether a fee was taken. */
export function explanationsOf(fill: Fill, candidates: PricingCandidates): readonly string[] {
  const { amountOut, fee } = fill
  const feesBps = new Set([0, candidates.protocolFeeBps, ...(candidates.otherFeesBps ?? [])].filter(isFeeBps))
  const shares = [...feesBps].map((feeBps) => ({ feeBps, after: [BPS - BigInt(feeBps)] }))
  const found = new Set<string>()
  const everywhere = { least: 0, most: Infinity, grain: Number(candidates.grain) }
  const afterFees = shares.flatMap(({ after }) => after)
  const add = (gross: bigint, { formula, mid, bps }: Omit<Case, 'gross'>): boolean => {
    for (const { feeBps, after } of shares) {
      const letGo = slippageOf(amountOut, gross, after, MOST_SLIPPAGE_BPS[0])
      if (letGo === null || (fee !== null && (fee === 0n) !== (feeBps === 0))) continue
      found.add(
        `${formula} at ${formatRate(mid)} and ${bps} bps, slippage ${letGo.bps} bps, fee ${feeBps} bps`,
      )
    }
    return false
  }
  firstCase(fill, candidates, everywhere, add, wholeBpsTest(amountOut, afterFees, everywhere.grain))
  return [...found]
}

/** Returns the fee for a payout after the fee, exact to one grain; 0 for invalid bps. */
export function feeFromNet(net: BookAmount, feeBps: number, grain: BookAmount): BookAmount {
  if (!isFeeBps(feeBps)) return 0n
  return divide(net * BPS, (BPS - BigInt(feeBps)) * grain, 'up') * grain - net
}

/** Returns whether `amount` is scaled / BPS, rounded down or up to a grain. Avoids the division, which is the expensive part. */
function isNear(scaled: bigint, amount: BookAmount, grain: BookAmount): boolean {
  const off = scaled - amount * BPS
  return off > -BPS * grain && off < BPS * grain
}

/** The fee is external input; an invalid figure must not break the arithmetic. */
function isFeeBps(bps: number): boolean {
  return Number.isInteger(bps) && bps >= 0 && bps < Number(BPS)
}

function explained(formula: FillFormula, one: Case, slippageBps: number | null, fee: bigint): FillPricing {
  return { formula, mid: one.mid, bps: one.bps, slippageBps, gross: one.gross, fee }
}

/**
 * The range of payouts before the fee in which a case may fit, as doubles. Nearly every case is far outside, and doubles prove
 * that at a hundredth of the cost of a bigint division; cases inside the range are decided with integers.
 */
type Reach = { least: number; most: number; readonly grain: number }

/** Eight times the combined rounding error of an estimate and of a bound, 2^-49. */
const SLACK = 2 ** -46

function emptyReach({ grain }: PricingCandidates): Reach {
  return { least: Infinity, most: -Infinity, grain: Number(grain) }
}

/** Includes the payouts within `margin` grains of `middle`, plus one grain of rounding of each estimate. */
function widen(reach: Reach, middle: number, margin: number): void {
  const off = (margin + 2) * reach.grain * (1 + SLACK) + middle * SLACK
  reach.least = Math.min(reach.least, middle - off)
  reach.most = Math.max(reach.most, middle + off)
}

function shareOf(bps: bigint): number {
  return Number(bps) / 10_000
}

const ASK_FORMULAS = ['ask'] as const
const BID_FORMULAS = ['divide', 'multiply'] as const

/** Returns the likeliest case whose payout fits, or null. */
function firstCase(
  { inAsset, outAsset, amountIn }: Fill,
  { spreads, mids, grain }: PricingCandidates,
  { least, most }: Reach,
  fits: (gross: bigint, of: Omit<Case, 'gross'>) => boolean,
  mayFit: (estimate: number) => boolean = () => true,
): Case | null {
  const isAsk = isStable(inAsset) && outAsset === 'NTZS'
  if (!isAsk && !(inAsset === 'NTZS' && isStable(outAsset))) return null
  const given = Number(amountIn)
  // The first mid explains nearly every fill, so the others are converted when they are tried.
  const rates: number[] = []
  for (const { askBps, bidBps } of spreads) {
    const bps = isAsk ? askBps : bidBps
    for (let index = 0; index < mids.length; index++) {
      const mid = mids[index]!
      const rate = (rates[index] ??= Number(mid))
      if (!(rate > 0)) continue
      for (const formula of isAsk ? ASK_FORMULAS : BID_FORMULAS) {
        const estimate = estimatedGross(formula, given, rate, bps)
        if (estimate < least || estimate > most || !mayFit(estimate)) continue
        for (const rounding of ROUNDINGS) {
          const gross = grossOf(formula, amountIn, mid, bps, grain, rounding)
          if (fits(gross, { formula, mid, bps })) return { formula, mid, bps, gross }
        }
      }
    }
  }
  return null
}

function grossOf(
  formula: Case['formula'],
  amountIn: BookAmount,
  mid: Rate,
  bps: number,
  grain: BookAmount,
  rounding: Rounding,
): BookAmount {
  return formula === 'ask'
    ? shillingsForDollars(amountIn, mid, bps, rounding)
    : dollarsForShillings(amountIn, mid, bps, formula, grain, rounding)
}

/** `grossOf` before it is rounded, in doubles: eight roundings at most, each of 2^-53 of the result. */
function estimatedGross(formula: Case['formula'], given: number, rate: number, bps: number): number {
  if (formula === 'ask') return (given * rate * (10_000 - bps)) / 1e22
  if (formula === 'divide') return (given * 1e22) / (rate * (10_000 + bps))
  return (given * 1e18 * (10_000 - bps)) / (rate * 1e4)
}
