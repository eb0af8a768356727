import { seededRandom } from '../base/random.ts'
import type { Calibration, Intensity } from '../models/calibration.ts'
import { printVolatility } from '../models/print-volatility.ts'
import type { TapeSource } from '../tape/model/batch.ts'
import type { CalibrationSettings } from './calibration-settings.ts'
import { estimateIntensity, type IntensityEstimate } from './estimate-intensity.ts'
import { readTape } from './read-tape.ts'
import { sayExposure } from './say-exposure.ts'
import { sayIntensity } from './say-intensity.ts'
import { sayMeasures } from './say-measures.ts'
import type { MarkWatch } from './watch-marks.ts'

/**
 * What a tape says about takers and the mid, each figure with a 90 % interval and the fills and prints
 * behind it, and in sentences what it is too thin for. Equal tapes, settings and seeds give equal results.
 * Memory grows with days, prints and distinct spreads, not with rows. Nothing on a tape makes it throw or
 * say NaN; what of it could not be read stands in `source.problems()`. Source: quant.md section 3.
 */
export async function calibrate(source: TapeSource, settings: CalibrationSettings): Promise<Calibration> {
  const { exposure, meaning, marks, sizes, from, to, rows } = await readTape(source, settings)
  const days = { bid: exposure.ledgers.bid.days(), ask: exposure.ledgers.ask.days() }
  const both = estimateIntensity([...days.bid, ...days.ask])
  const bySide = { bid: estimateIntensity(days.bid), ask: estimateIntensity(days.ask) }
  const measures = {
    fills: both.intensity.fills,
    prints: marks.prints.length,
    sigma: printVolatility(marks.prints, seededRandom(settings.seed, 'calibration sigma')),
    markouts: markoutsOf(marks),
  }
  return {
    version: 1,
    from,
    to,
    ...measures,
    both: both.intensity,
    bid: ofItsOwn(bySide.bid),
    ask: ofItsOwn(bySide.ask),
    sizesUsd: sizes.quantiles(),
    warnings:
      rows === 0
        ? ['Nothing could be read of this tape: A and k are only what was believed beforehand.']
        : [
            ...sayExposure(exposure.account, meaning),
            ...sayIntensity(both),
            ...sayMeasures(bySide, measures),
          ],
  }
}

/** A side alone is worth saying only where its own fills carry it. */
function ofItsOwn({ intensity }: IntensityEstimate): Intensity | null {
  return intensity.method === 'likelihood' ? intensity : null
}

/** Those with an interval: fills before at least two prints. */
function markoutsOf(marks: MarkWatch): Calibration['markouts'] {
  return marks.markouts().flatMap(({ horizon, fills, ratio: { value, interval, clusters } }) => {
    if (interval === null) return []
    return [{ horizon, bps: { value, low: interval[0], high: interval[1] }, fills, prints: clusters }]
  })
}
