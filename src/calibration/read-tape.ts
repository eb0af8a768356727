import { seededRandom } from '../base/random.ts'
import type { Ms } from '../base/time.ts'
import type { TapeSource } from '../tape/model/batch.ts'
import type { CalibrationSettings } from './calibration-settings.ts'
import { sideOfSwap } from '../tape/model/row.ts'
import { sampleSizes, type SizeSample } from './sample-sizes.ts'
import { walkBatch, type TapeVisitor } from './walk-batch.ts'
import { watchProbes, type ProbeMeaning } from '../tape/summary/probes.ts'
import { watchExposure, type ExposureWatch } from './watch-exposure.ts'
import { watchMarks, type MarkWatch } from './watch-marks.ts'

/** All that a calibration takes from a tape. */
export type TapeReadings = {
  readonly exposure: ExposureWatch
  readonly meaning: ProbeMeaning
  readonly marks: MarkWatch
  readonly sizes: SizeSample
  /** First and last row; 0 where there are none. */
  readonly from: Ms
  readonly to: Ms
  readonly rows: number
}

const DEFAULT_PROTOCOL_FEE_BPS = 10

/** Reads a tape once, from end to end. */
export async function readTape(source: TapeSource, settings: CalibrationSettings): Promise<TapeReadings> {
  // What the probes mean shows only in the end: both readings are kept until then.
  const [asPicked, asOthers] = [
    watchExposure(settings.toleranceBps, 'picked'),
    watchExposure(settings.toleranceBps, 'best other'),
  ]
  const probes = watchProbes(settings.toleranceBps)
  const marks = watchMarks(settings.protocolFeeBps ?? DEFAULT_PROTOCOL_FEE_BPS, settings.fairValue ?? null)
  const sizes = sampleSizes(seededRandom(settings.seed, 'calibration sizes'))
  let [rows, from, to] = [0, 0, 0]
  const visitor: TapeVisitor = {
    at(t) {
      if (rows++ === 0) from = t
      to = t
      asPicked.at(t)
      asOthers.at(t)
    },
    rate(t, mid, quotable) {
      asPicked.rate(t, mid, quotable)
      asOthers.rate(t, mid, quotable)
      marks.rate(t, mid)
    },
    reference: marks.reference,
    competition(...row) {
      asPicked.competition(...row)
      asOthers.competition(...row)
      const [, { from, to }, bid, ask] = row
      const side = sideOfSwap(from, to)?.side
      if (side !== undefined) probes.shown(side, { bid, ask }[side])
    },
    balances(row) {
      asPicked.balances(row)
      asOthers.balances(row)
    },
    quote(row) {
      asPicked.quote(row)
      asOthers.quote(row)
      probes.quoted({ bid: row.quoteBid ? row.bidBps : null, ask: row.quoteAsk ? row.askBps : null })
    },
    fill(row) {
      asPicked.fill(row)
      asOthers.fill(row)
      marks.fill(row)
      sizes.fill(row)
    },
  }
  for await (const batch of source.batches()) walkBatch(batch, visitor)
  asPicked.end()
  asOthers.end()
  marks.end(to)
  const meaning = probes.meaning()
  const exposure = meaning === 'picked' ? asPicked : asOthers
  return { exposure, meaning, marks, sizes, from, to, rows }
}
