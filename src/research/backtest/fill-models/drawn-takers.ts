import { drawExponential, seededRandom } from '../../../base/random.ts'
import { DAY_MS, type Ms } from '../../../base/time.ts'
import { MIN_SPREAD_BPS } from '../../../base/money/bps.ts'
import { type Side, SIDES } from '../../../base/money/side.ts'
import type { Taker } from './fill-model.ts'
import { type Calibration, takerLaw } from '../../../core/models/calibration.ts'

/** lambda(delta) = a exp(-k delta) fills a day, sizes in dollars by quantile. */
export type TakerLaw = {
  readonly intensity: Readonly<Record<Side, { readonly a: number; readonly k: number }>>
  /** Ascending, evenly spaced quantiles; empty = `DEFAULT_USD` for all. */
  readonly sizesUsd: readonly number[]
}

/** Size of a drawn taker if the calibration has no sizes. */
const DEFAULT_USD = 250

/**
 * Yields takers drawn from intensities: on each side a Poisson stream of every taker who accepts the venue's narrowest
 * spread, each with its widest accepted spread R = 10 bps + E/k, E ~ Exp(1), so that takers with R >= d come at rate a
 * exp(-k d) for every d at once. The stream depends only on the seed and never on our quote: common random numbers
 * (quant.md section 5).
 */
export function* drawnTakers(law: TakerLaw, seed: number, from: Ms): Generator<Taker, undefined> {
  const streams = SIDES.map((side) => streamOf(side, law, seed, from))
  const heads = streams.map((stream) => stream.next().value)
  for (;;) {
    const [bid, ask] = heads
    if (bid === undefined && ask === undefined) return undefined
    const first = ask === undefined || (bid !== undefined && bid.t <= ask.t) ? 0 : 1
    const taker = heads[first]
    if (taker === undefined) return undefined
    yield taker
    heads[first] = streams[first]?.next().value
  }
}

function* streamOf(side: Side, law: TakerLaw, seed: number, from: Ms): Generator<Taker, undefined> {
  const { a, k } = law.intensity[side]
  const perMs = (a * Math.exp(-k * MIN_SPREAD_BPS)) / DAY_MS
  if (!(perMs > 0)) return undefined
  const random = seededRandom(seed, `takers ${side}`)
  let at = from
  for (let number = 1; ; number++) {
    at += drawExponential(random) / perMs
    yield {
      id: `drawn-${side}-${number}`,
      t: Math.ceil(at),
      side,
      stable: 'USDC',
      amountIn: null,
      usd: sizeOf(law.sizesUsd, random()),
      recordedBps: null,
      reservationBps: MIN_SPREAD_BPS + drawExponential(random) / k,
      synthetic: true,
    }
  }
}

function sizeOf(quantiles: readonly number[], share: number): number {
  const at = share * (quantiles.length - 1)
  const low = quantiles[Math.floor(at)]
  const high = quantiles[Math.ceil(at)]
  if (low === undefined || high === undefined) return DEFAULT_USD
  return low + (high - low) * (at - Math.floor(at))
}

/** Returns the calibrated intensity of each side, or the common intensity for a side without its own. */
export function intensityOf(calibration: Calibration): TakerLaw['intensity'] {
  const intensity = {} as Record<Side, { a: number; k: number }>
  for (const side of SIDES) {
    const found = calibration[side] ?? calibration.both
    intensity[side] = takerLaw(found, found.k.value)
  }
  return intensity
}
