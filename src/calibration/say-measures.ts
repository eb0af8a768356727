import type { Calibration, Estimate } from '../models/calibration.ts'
import { SIDES, type Side } from '../money/side.ts'
import { FEWEST_FILLS, type IntensityEstimate } from './estimate-intensity.ts'

/** Prints below which the bootstrap of sigma has seen too little to be believed. */
const FEW_PRINTS = 20

/** What is too thin in the measures beside A and k, in sentences. */
export function sayMeasures(
  bySide: Readonly<Record<Side, IntensityEstimate>>,
  { prints, sigma, markouts, fills }: Pick<Calibration, 'prints' | 'sigma' | 'markouts' | 'fills'>,
): readonly string[] {
  return [...saySides(bySide), ...saySigma(sigma, prints), ...sayMarkouts(markouts, fills)]
}

function saySides(bySide: Readonly<Record<Side, IntensityEstimate>>): readonly string[] {
  const thin = SIDES.map((side) => ({ side, ...bySide[side].intensity }))
    .filter(({ method }) => method === 'posterior')
    .map(({ side, fills }) => `${fills} on the ${side}`)
  if (thin.length === 0) return []
  return [
    `A and k of a side of its own are not to be had from these fills (${thin.join(', ')}; ${FEWEST_FILLS} at different spreads are the least): there both sides are taken as one.`,
  ]
}

function saySigma(sigma: Estimate | null, prints: number): readonly string[] {
  if (sigma === null)
    return [`${prints} published rates on this tape: a volatility needs three at different times.`]
  if (prints >= FEW_PRINTS) return []
  return [`The volatility rests on ${prints} published rates only: its interval is too narrow, if anything.`]
}

function sayMarkouts(markouts: Calibration['markouts'], fills: number): readonly string[] {
  if (fills === 0 || markouts.length > 0) return []
  return [
    'No markouts: fills before at least two published rates, and a later rate for each, are needed to say what takers knew.',
  ]
}
