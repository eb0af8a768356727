import { integral } from './integral.ts'
import { type InformedLook, type NoisyTaker, noisyLook } from '../../../core/models/flow/pick-off.ts'

/** A gap between fair value and mid that begins as N(0, s0^2) and diffuses from there. */
export type MovingGap = {
  /** Its standard deviation when the mid is published, bps. */
  readonly s0: number
  /** bps per square root of a day. */
  readonly sigma: number
  /** Until the next publication, > 0. */
  readonly days: number
}

const TOLERANCE = 1e-12

/**
 * Returns the mean loss to a look of an informed taker between two publications: the look of market.md section 4.1 with s^2
 * = s0^2 + sigma^2 t, averaged over t in [0, days]. bps of the amount taken, on one side.
 */
export function leakedLook({ s0, sigma, days }: MovingGap, taker: NoisyTaker): InformedLook {
  // In the square root of time, the sd of a gap that begins at 0 is linear.
  const average = (figure: (look: InformedLook) => number) =>
    integral(
      (root) => 2 * root * figure(noisyLook(Math.hypot(s0, sigma * root * Math.sqrt(days)), taker)),
      0,
      1,
      TOLERANCE,
    )
  return {
    loss: average(({ loss }) => loss),
    hitProbability: average(({ hitProbability }) => hitProbability),
  }
}
