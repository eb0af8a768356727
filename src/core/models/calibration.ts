import type { Ms } from '../../base/time.ts'
import type { SegmentKind } from './flow/taker-segments.ts'

/** An estimate with its 90 % interval. */
export type Estimate = { readonly value: number; readonly low: number; readonly high: number }

/**
 * lambda(delta) = A exp(-k delta): fills per day on one side when our half-spread is delta bps and we alone
 * are eligible. Source: quant.md section 3.
 */
export type Intensity = {
  /** Fills per day at delta = 0. */
  readonly a: Estimate
  /** Per bps. */
  readonly k: Estimate
  readonly fills: number
  /** Days of exposure of one side, weighted by routing; if both sides are pooled, their days are added. */
  readonly exposureDays: number
  /** `default`: without fills, A and k are the prior's, updated only by the time without takers. */
  readonly method: 'likelihood' | 'posterior' | 'default'
  /** Standard errors are inflated by this factor if daily counts scatter more than Poisson; 1 = no inflation. */
  readonly overdispersion: number
  /** Estimates whose interval is as wide as the prior's: these fills contain no information about them. Absent = not recorded. */
  readonly priorOnly?: readonly ('a' | 'k')[]
  /** The measured rate of takers if k is only the prior or no taker came; otherwise absent, also without exposure. */
  readonly quotedRate?: QuotedRate
}

/** Takers at the quoted spread, independent of A and k. */
export type QuotedRate = {
  /** The half-spread, averaged over the exposure. */
  readonly bps: number
  /** Fills per day and side at that spread, with the exact Poisson interval. */
  readonly perDay: Estimate
}

/** An estimate, and whether the tape measured it; if not, it is the prior, because the tape cannot identify it. */
export type FairValueEstimate = Estimate & { readonly isMeasured: boolean }

/** Estimates from a tape: how the true rate moves, how the mid follows it, and the errors of the references. */
export type FairValueCalibration = {
  /** bps per square root of a working day. */
  readonly sigmaBps: FairValueEstimate
  /** The share of the distance that an update closes. */
  readonly followShare: FairValueEstimate
  readonly publicationNoiseBps: FairValueEstimate
  /** Updates of the mid that the fit rests on. */
  readonly updates: number
  readonly feeds: readonly {
    readonly name: string
    readonly readings: number
    /** Standard deviation of its error, bps, and after how many days half of an error is left. */
    readonly errorBps: FairValueEstimate
    readonly errorHalfLifeDays: FairValueEstimate
    /**
     * How far the mid moves over the next 1, 2 and 5 updates per bps of distance to the feed: 0 = the feed predicts nothing,
     * 1 = the mid moves all the way to it.
     */
    readonly lead: readonly { readonly updates: number; readonly share: Estimate }[]
  }[]
}

/** Estimates for the takers of one source, partner, wallet or size of fills, both sides together. */
export type TakerSegment = {
  readonly by: SegmentKind | 'size'
  /** A wallet is shortened. Null = the venue did not name it, and for several names together. */
  readonly name: string | null
  /** 1, or the number of names with the fewest dollars, which are estimated together. */
  readonly names: number
  readonly fills: number
  readonly usd: number
  /** Fills of one side at the mean quoted spread; null = our quote was never within reach. */
  readonly rate: QuotedRate | null
  readonly k: FairValueEstimate
  /** At the next print, bps; null = fills before fewer than two prints. */
  readonly markout: Estimate | null
}

/** Estimates from a tape about takers and the mid: read by strategies and fill models from one JSON file. */
export type Calibration = {
  readonly version: 1
  /** First and last row; 0 = no rows. */
  readonly from: Ms
  readonly to: Ms
  /** Other takers came before this time, so A and k are from later fills only; absent = no change was found. */
  readonly since?: Ms
  /** Number of fills behind A and k. */
  readonly fills: number
  /** Published rates seen. */
  readonly prints: number
  readonly both: Intensity
  /** Per side where the data allows it. */
  readonly bid: Intensity | null
  readonly ask: Intensity | null
  /** bps per square root of a day, measured by prints; null = fewer than three prints. */
  readonly sigma: Estimate | null
  /**
   * Edge of fills against the mid at their time, bps: the half-spread that takers paid. Absent in older files and if fills came
   * before fewer than two prints.
   */
  readonly edge?: Estimate
  /**
   * Mean markouts of our fills, bps of the mid, by horizon: 'next print', '+1 print', '+2 prints' ... '1 h', '4 h' ...
   * as configured; negative = takers are informed. `prints` are the prints preceded by fills; at least two.
   */
  readonly markouts: readonly {
    readonly horizon: string
    readonly bps: Estimate
    readonly fills: number
    readonly prints: number
  }[]
  /** Sizes of fills in dollars, quantiles 0.05, 0.1 ... 0.95; empty = no fills. */
  readonly sizesUsd: readonly number[]
  /** Absent in a file from before it was fitted, and where the tape has no update. */
  readonly fairValue?: FairValueCalibration
  /** By kind, the most dollars first. Absent in older files, and without named takers or sizes of 30 fills. */
  readonly segments?: readonly TakerSegment[]
  /** Sentences about the estimates for which the data is too thin. */
  readonly warnings: readonly string[]
}

/**
 * Returns A and k as one law. If the fills do not determine k, the law passes through the measured rate: A is that rate
 * extrapolated from the quoted spread to zero by this k, because the means of A and k do not belong together there. Where no
 * taker came, the rate is the posterior's: one fill in the time without takers.
 */
export function takerLaw(
  { a, quotedRate, fills, exposureDays }: Omit<Intensity, 'k'>,
  k: number,
): { readonly a: number; readonly k: number } {
  if (quotedRate === undefined) return { a: a.value, k }
  const perDay = fills === 0 ? 1 / exposureDays : quotedRate.perDay.value
  return { a: perDay * Math.exp(k * quotedRate.bps), k }
}

/** The calibrated takers that a quote may be based on, or why there are not any. */
export type LearnedTakers =
  | { readonly known: true; readonly a: number; readonly k: number }
  | { readonly known: false; readonly why: string }

/** With fewer fills the estimates are too weak to base a quote on. */
export const FEWEST_FILLS = 30

/**
 * Limit for the width of k's 90 % interval. The prior's own interval spans a factor of ten, and the spread would vary as much.
 */
const WIDEST_RATIO = 5

/**
 * Returns A (takers per day and side at zero spread) and k (per bps) if the fills determine them: 30 fills at spreads that
 * differ enough for k. A maker whose quote never moves learns nothing about k: its posterior is the prior. Source: quant.md
 * section 3.
 */
export function learnedTakers(calibration: Calibration | null): LearnedTakers {
  if (calibration === null) return { known: false, why: 'no calibration' }
  const { fills, a, k, method } = calibration.both
  if (fills < FEWEST_FILLS) return { known: false, why: `a calibration with only ${fills} fills` }
  if (!(a.value > 0 && k.value > 0)) return { known: false, why: 'a calibration without a positive A and k' }
  if (method === 'default') return { known: false, why: 'a calibration whose A and k are defaults' }
  if (!(k.low > 0 && k.high <= WIDEST_RATIO * k.low))
    return {
      known: false,
      why: 'a calibration whose fills do not determine k: the spreads varied too little',
    }
  return { known: true, a: a.value, k: k.value }
}

/** Standard deviation of the logarithm of a k that is only assumed: how well it is known. */
const PRIOR_LOG_SD = 0.35
/** Width of a 90 % interval in standard deviations. */
const DEVIATIONS_OF_90 = 3.29

/** Returns k (per bps) as assumed before any fill, and the shape of its gamma distribution. */
export function priorTakers(reservationBps: number): { readonly k: number; readonly kShape: number } {
  return { k: Math.exp(-Math.log(reservationBps)), kShape: 1 / PRIOR_LOG_SD ** 2 }
}

/**
 * Returns k (per bps) weighed against the assumed 1 / reservationBps by the width of its interval, the shape of its gamma distribution,
 * and A (takers per day and side at zero spread) for that k. A week at nearly one spread determines k poorly, and the rate of takers at
 * the spread where it was measured stays: `quotedRate`, or the fills at `spreadBps`.
 */
export function weighedTakers(
  { a, k: learned, quotedRate }: Calibration['both'],
  reservationBps: number,
  spreadBps: number,
): { readonly a: number; readonly k: number; readonly kShape: number } {
  const prior = -Math.log(reservationBps)
  const variance = (Math.log(learned.high / learned.low) / DEVIATIONS_OF_90) ** 2
  const weight = PRIOR_LOG_SD ** 2 / (PRIOR_LOG_SD ** 2 + variance)
  const k = Math.exp(prior + weight * (Math.log(learned.value) - prior))
  const atZero =
    quotedRate === undefined
      ? a.value * Math.exp((k - learned.value) * spreadBps)
      : quotedRate.perDay.value * Math.exp(k * quotedRate.bps)
  return { a: atZero, k, kShape: Math.min(1_000, 1 / (weight * variance)) }
}
