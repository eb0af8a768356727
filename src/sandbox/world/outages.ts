import { drawExponential, seededRandom } from '../../base/random.ts'
import type { Ms } from '../../base/time.ts'
import { drawArrival } from './draw-arrival.ts'
import type { SpellParams } from './scenario.ts'
import type { Source } from './source.ts'

/** Spells in which the venue's API does not answer; they do not overlap. */
export function createOutages(params: SpellParams, seed: number, start: Ms): Source {
  const random = seededRandom(seed, 'outages')
  let at = drawArrival(random, start, params.perDay)
  return {
    peekAt: () => at,
    next() {
      const untilMs = at + Math.max(1, Math.ceil(drawExponential(random, params.meanMs)))
      const step = { at, type: 'outage' as const, untilMs }
      at = drawArrival(random, untilMs, params.perDay)
      return step
    },
  }
}
