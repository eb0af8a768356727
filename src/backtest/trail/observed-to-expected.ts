import { DAY_MS } from '../../base/time.ts'
import { poissonInterval } from '../../models/poisson-interval.ts'
import { SIDES } from '../../money/side.ts'
import type { Metrics } from '../result.ts'
import type { TrailState } from './trail-state.ts'

/** What stands has changed: how many fills a millisecond the law expects from now on. */
export function expectFrom(state: TrailState): void {
  const { expected, routed, settings } = state
  const { law } = settings
  if (law === null) return
  let perDay = 0
  for (const side of SIDES) {
    const { a, k } = law[side]
    // A side that is off, or whose quote nobody has told yet, is NaN.
    if (!Number.isNaN(state[side])) perDay += routed[side] * a * Math.exp(-k * state[side])
  }
  expected.perMs = perDay / DAY_MS
}

/** Observed over expected fills with the exact interval of the observed (quant.md section 4); null without a law. */
export function observedToExpected({ settings, expected, fills }: TrailState): Metrics['observedToExpected'] {
  if (settings.law === null) return null
  const observed = fills.bid + fills.ask
  const wanted = expected.fills
  if (!(wanted > 0)) return { observed, expected: 0, ratio: null, ci90: null }
  const { low, high } = poissonInterval(observed)
  return { observed, expected: wanted, ratio: observed / wanted, ci90: [low / wanted, high / wanted] }
}
