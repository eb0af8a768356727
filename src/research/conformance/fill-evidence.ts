import { type BookAmount, isStable, TOKEN_UNIT } from '../../base/money/asset.ts'
import { BPS } from '../../base/money/bps.ts'
import { dollarsForShillings, shillingsForDollars, type BidFormula } from '../../base/money/payout.ts'
import { RATE_ONE, type Rate } from '../../base/money/rate.ts'
import { divide, type Rounding } from '../../base/money/rounding.ts'
import type { Fill } from '../../core/ledger/fills/fill.ts'
import { traitOf, type Trait } from './trait.ts'

/** Mids and spreads from which the venue may have priced a fill. */
export type StandingTerms = {
  readonly mids: readonly Rate[]
  /** Null = unknown: such a quote is ignored for fills on that side. */
  readonly spreads: readonly { readonly bidBps: number | null; readonly askBps: number | null }[]
}

/** The contract's ask multiplies, `in mid (1 - ask)`; other venues divide, `in mid / (1 + ask)`. */
type AskFormula = 'multiply' | 'divide'

/** A pricing that yields a fill's payout exactly. */
type Fit = {
  readonly formula: AskFormula | BidFormula
  readonly feeBps: number
  /** Null = the venue prices in doubles, so the last unit shows no rounding. */
  readonly gross: Rounding | null
  readonly net: Rounding | null
  /** Slippage in whole bps, paid by the taker to the position. Absent = 0. */
  readonly slippageBps?: number
}

/** Counts of the fills that each formula and fee explains. */
type FillEvidence = ReturnType<typeof createFillEvidence>

const MOST_FEE_BPS = 1_000
/** Doubles deviate less; different formulas, mids or quotes deviate more. */
const WHOLE_WITHIN_BPS = 1e-6
const ROUNDINGS = ['down', 'up'] as const
const FORMULAS = ['divide', 'multiply'] as const
/** Minimum number of fills to learn from. */
const LEAST_FILLS = 3

type Explained = { readonly fill: string; readonly isBid: boolean; readonly fits: readonly Fit[] }

export function createFillEvidence() {
  const seen: Explained[] = []
  return {
    /** Adds a fill. The fee is not assumed: it is the missing part of the payout, in whole bps. */
    add(fill: Fill, terms: StandingTerms): void {
      const isBid = fill.inAsset === 'NTZS' && isStable(fill.outAsset)
      if (!isBid && !(isStable(fill.inAsset) && fill.outAsset === 'NTZS')) return
      const known = terms.spreads.some(({ bidBps, askBps }) => (isBid ? bidBps : askBps) !== null)
      // Before the mid and our spread are known, a fill shows nothing.
      if (!known || terms.mids.length === 0) return
      const text = `${fill.amountIn} ${fill.inAsset} -> ${fill.amountOut} ${fill.outAsset} (${fill.id})`
      seen.push({ fill: text, isBid, fits: fitsOf(fill, isBid, terms) })
    },
    /** The learned values. */
    learned: (): { readonly bidFormula: BidFormula | null; readonly protocolFeeBps: number | null } =>
      learnedFrom(seen),
    traits: (): readonly Trait[] => traitsOf(seen),
  }
}

function fitsOf(fill: Fill, isBid: boolean, { mids, spreads }: StandingTerms): readonly Fit[] {
  const grain = grainOfFill(fill)
  const fits = new Map<string, Fit>()
  for (const { bidBps, askBps } of spreads) {
    const spreadBps = isBid ? bidBps : askBps
    if (spreadBps === null) continue
    for (const mid of mids)
      for (const formula of FORMULAS)
        for (const rounding of ROUNDINGS) {
          const gross = isBid
            ? dollarsForShillings(fill.amountIn, mid, spreadBps, formula, grain, rounding)
            : askPayout(fill.amountIn, mid, spreadBps, formula, rounding)
          for (const net of ROUNDINGS) {
            const feeBps = feeOf(fill, gross, grain, net)
            if (feeBps === null) continue
            const fit: Fit = { formula, feeBps, gross: rounding, net }
            fits.set(JSON.stringify(fit), fit)
          }
        }
  }
  return fits.size > 0 ? [...fits.values()] : slippageFits(fill, isBid, { mids, spreads })
}

/**
 * Returns the pricings of a fill whose row states a fee of whole bps of the payout at the mid, and whose payout leaves
 * whole bps of slippage to the position: `gross (1 - slippage) (1 - fee)` in doubles.
 */
function slippageFits(fill: Fill, isBid: boolean, { mids, spreads }: StandingTerms): readonly Fit[] {
  const { amountIn, amountOut, fee } = fill
  if (fee === null) return []
  return mids.flatMap((mid) => {
    const atMid = isBid
      ? dollarsForShillings(amountIn, mid, 0, 'divide', 1n, 'down')
      : askPayout(amountIn, mid, 0, 'multiply', 'down')
    const feeBps = wholeBps(Number(fee) / Number(atMid))
    if (feeBps === null) return []
    return spreads.flatMap((spread) => {
      const spreadBps = isBid ? spread.bidBps : spread.askBps
      if (spreadBps === null) return []
      return FORMULAS.flatMap((formula): Fit[] => {
        const gross = isBid
          ? dollarsForShillings(amountIn, mid, spreadBps, formula, 1n, 'down')
          : askPayout(amountIn, mid, spreadBps, formula, 'down')
        const slippageBps = wholeBps(1 - Number(amountOut) / (Number(gross) * (1 - feeBps / 10_000)))
        return slippageBps === null ? [] : [{ formula, feeBps, slippageBps, gross: null, net: null }]
      })
    })
  })
}

/** Returns a share as whole bps; null = it is not whole, or more than the largest fee. */
function wholeBps(share: number): number | null {
  const bps = Math.round(share * 10_000)
  const isWhole = Math.abs(share * 10_000 - bps) <= WHOLE_WITHIN_BPS
  return isWhole && bps >= 0 && bps <= MOST_FEE_BPS ? bps : null
}

/** Returns the smallest step of the payout: one token unit, unless a figure of the fill is finer. */
function grainOfFill({ outAsset, amountOut, fee }: Fill): BookAmount {
  const unit = TOKEN_UNIT[outAsset]
  return amountOut % unit === 0n && (fee ?? 0n) % unit === 0n ? unit : 1n
}

function askPayout(
  amountIn: BookAmount,
  mid: Rate,
  askBps: number,
  formula: AskFormula,
  rounding: Rounding,
): bigint {
  if (formula === 'multiply') return shillingsForDollars(amountIn, mid, askBps, rounding)
  const whole = amountIn * mid * BPS
  return divide(whole, RATE_ONE * (BPS + BigInt(askBps)), rounding)
}

/** Returns the whole number of bps between the gross payout and the taker's amount; null = no whole number. */
function feeOf(
  { amountOut, fee }: Fill,
  gross: BookAmount,
  grain: BookAmount,
  rounding: Rounding,
): number | null {
  if (gross <= 0n || amountOut > gross) return null
  if (fee !== null && gross - amountOut !== fee) return null
  const missing = divide((gross - amountOut) * BPS * 2n + gross, gross * 2n, 'down')
  if (missing > BigInt(MOST_FEE_BPS)) return null
  return divide(gross * (BPS - missing), BPS * grain, rounding) * grain === amountOut ? Number(missing) : null
}

type Votes<Key> = { readonly key: Key; readonly count: number }

/** Returns the key that explains the most fills; a fill votes once for each key. */
function favourite<Key extends string | number>(
  seen: readonly Explained[],
  keyOf: (fit: Fit) => Key | null,
): Votes<Key> | null {
  const votes = new Map<Key, number>()
  for (const { fits } of seen) {
    const keys = new Set(fits.map(keyOf).filter((key) => key !== null))
    for (const key of keys) votes.set(key, (votes.get(key) ?? 0) + 1)
  }
  let best: Votes<Key> | null = null
  for (const [key, count] of votes) if (best === null || count > best.count) best = { key, count }
  return best
}

function learnedFrom(seen: readonly Explained[]): ReturnType<FillEvidence['learned']> {
  const fee = favourite(seen, ({ feeBps }) => feeBps)
  return {
    protocolFeeBps: fee !== null && fee.count >= LEAST_FILLS ? fee.key : null,
    bidFormula: formulaOf(seen, true),
  }
}

/** Returns the formula that explains most fills of a side with the common fee; null = not learned. */
function formulaOf(seen: readonly Explained[], ofBids: boolean): BidFormula | null {
  const fee = favourite(seen, ({ feeBps }) => feeBps)
  const formula = favourite(
    seen.filter(({ isBid }) => isBid === ofBids),
    (fit) => (fee !== null && fit.feeBps !== fee.key ? null : fit.formula),
  )
  return formula !== null && formula.count >= LEAST_FILLS ? formula.key : null
}

function traitsOf(seen: readonly Explained[]): readonly Trait[] {
  const { protocolFeeBps } = learnedFrom(seen)
  const unlike = (of: readonly Explained[], fits: (fit: Fit) => boolean) =>
    of.filter((one) => !one.fits.some(fits))
  const priced = seen.filter(({ fits }) => fits.some(({ gross }) => gross !== null))
  const slippages = seen.flatMap(({ fits }) => fits.find(({ gross }) => gross === null)?.slippageBps ?? [])
  const slippage =
    slippages.length < LEAST_FILLS
      ? ''
      : ` of the payout at the mid; slippage of ${Math.min(...slippages)} to ${Math.max(...slippages)} bps goes to the position`
  const otherFee = unlike(seen, ({ feeBps }) => feeBps === protocolFeeBps)
  // An exact payout shows no rounding.
  const rounded = priced.filter(({ fits }) => !ways(fits).has('down, down') || ways(fits).size < 4)
  const otherRounding = rounded.filter(({ fits }) => !ways(fits).has('down, down'))
  return [
    formulaTrait('bid-formula', seen, true),
    formulaTrait('ask-formula', seen, false),
    traitOf('protocol-fee', protocolFeeBps === null ? null : `${protocolFeeBps} bps${slippage}`, {
      observed: seen.length,
      exceptions: protocolFeeBps === null ? 0 : otherFee.length,
      examples: (otherFee.length > 0 ? otherFee : seen).map(({ fill }) => fill),
    }),
    traitOf('rounding', rounded.length === 0 ? null : roundingOf(rounded, otherRounding), {
      observed: rounded.length,
      exceptions: Math.min(otherRounding.length, rounded.length - otherRounding.length),
      examples: rounded.map(({ fill }) => fill),
    }),
  ]
}

function formulaTrait(
  topic: 'bid-formula' | 'ask-formula',
  seen: readonly Explained[],
  ofBids: boolean,
): Trait {
  const formula = formulaOf(seen, ofBids)
  const fills = seen.filter(({ isBid }) => isBid === ofBids)
  const other =
    formula === null ? [] : fills.filter(({ fits }) => !fits.some((fit) => fit.formula === formula))
  return traitOf(topic, formula, {
    observed: fills.length,
    exceptions: other.length,
    examples: (other.length > 0 ? other : fills).map(({ fill }) => fill),
  })
}

function ways(fits: readonly Fit[]): ReadonlySet<string> {
  return new Set(fits.map(({ gross, net }) => `${gross}, ${net}`))
}

function roundingOf(rounded: readonly Explained[], other: readonly Explained[]): string {
  return other.length * 2 <= rounded.length ? 'down (the venue keeps the last unit)' : 'not down'
}
