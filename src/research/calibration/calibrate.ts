import { seededRandom } from '../../base/random.ts'
import { DAY_MS } from '../../base/time.ts'
import type { Calibration, Intensity } from '../../core/models/calibration.ts'
import type { IntensitySample } from '../models/intensity-sample.ts'
import type { MarkoutHorizons } from '../../core/models/markouts/horizons.ts'
import { rateVolatility } from '../models/rate-volatility.ts'
import type { TapeBatch, TapeSource } from '../../store/tape/model/batch.ts'
import { estimateTakers, type IntensityEstimate, untakenSide } from './estimate-intensity.ts'
import {
  describeChange,
  describeExposure,
  describeIntensity,
  describeMeasures,
  describeSources,
} from './warnings.ts'
import { type MarkWatch, watchMarks } from './watch-marks.ts'
import { sideOfSwap } from '../../store/tape/model/row.ts'
import { SIDES } from '../../base/money/side.ts'
import { estimateSegments } from './segments.ts'
import { sampleSizes } from './sizes.ts'
import { watchExposure } from './watch-exposure.ts'
import { type TapeVisitor, walkBatch } from './walk-batch.ts'
import { describeFairValue, watchFairValue } from './watch-fair-value.ts'
import { watchProbes } from '../../store/tape/summary/probes.ts'

/** Inputs that a tape does not contain. */
type CalibrationSettings = {
  /** Routing tolerance: the venue rotates among providers within this many bps of the best. */
  readonly toleranceBps: number
  /** Seed of all random draws. */
  readonly seed: number
  /** For fills whose row has no fee; 10 by default, as in the configuration. */
  readonly protocolFeeBps?: number
  /** The reference source of the fair value; by default the first one on the tape. */
  readonly fairValue?: string | null
  /** Whether the segments also contain the sizes of fills; absent = no. */
  readonly bySize?: boolean
  /** When fills are revalued; by default as in a backtest. */
  readonly horizons?: MarkoutHorizons
  /** Horizons of the markouts; by default those of a backtest. */
  readonly onSamples?: (samples: CalibrationSamples) => void
}

/** Exposure and fills by half-spread, for both sides together and for each. */
export type CalibrationSamples = Readonly<Record<'both' | 'bid' | 'ask', IntensitySample>>

/**
 * Calibrates takers and the mid from a tape: each figure with a 90 % interval and the number of fills and rate updates
 * behind it, and a warning if the data is too thin. Deterministic in tape, settings and seed. Memory grows with days,
 * rate updates and distinct spreads, not with rows. No tape makes it throw or return NaN; `source.problems()` lists
 * unreadable parts. Source: quant.md section 3.
 */
export async function calibrateTape(source: TapeSource, settings: CalibrationSettings): Promise<Calibration> {
  const reader = createTapeReader(settings)
  for await (const batch of source.batches()) walkBatch(batch, reader.visitor)
  return learnedFrom(reader.end(), settings)
}

/** Calibrates from rows in memory. */
export function calibrateBatch(batch: TapeBatch, settings: CalibrationSettings): Calibration {
  const reader = createTapeReader(settings)
  walkBatch(batch, reader.visitor)
  return learnedFrom(reader.end(), settings)
}

function learnedFrom(readings: TapeReadings, settings: CalibrationSettings): Calibration {
  const { exposure, meaning, marks, sizes, fairValue, from, to, rows } = readings
  const found = fairValue.result()
  const choices = {
    followsFairValue: exposure.followsFairValue(),
    fillsEndExposure: exposure.fillsEndExposure(),
  }
  const { both, sinceDay, ...bySide } = estimateTakers({
    cells: { bid: exposure.ledgers.bid.cells(), ask: exposure.ledgers.ask.cells() },
    ...choices,
  })
  const isApart = untakenSide(bySide) !== null
  const segments = estimateSegments(marks.segments, choices, settings.bySize === true, (of) =>
    SIDES.flatMap((side) => exposure.ledgers[side].cells(of)),
  )
  settings.onSamples?.({ both: both.sample, bid: bySide.bid.sample, ask: bySide.ask.sample })
  const measures = {
    fills: both.intensity.fills,
    prints: marks.prints.length,
    sigma: rateVolatility(marks.prints, seededRandom(settings.seed, 'calibration sigma')),
    markouts: markoutsOf(marks),
  }
  return {
    version: 1,
    from,
    to,
    ...measures,
    both: both.intensity,
    bid: ofItsOwn(bySide.bid, isApart),
    ask: ofItsOwn(bySide.ask, isApart),
    ...edgeOf(marks),
    sizesUsd: sizes.quantiles(),
    ...(found === null ? {} : { fairValue: found }),
    ...(segments.length === 0 ? {} : { segments }),
    ...(sinceDay === null ? {} : { since: sinceDay * DAY_MS }),
    warnings:
      rows === 0
        ? ['Nothing could be read of this tape: A and k are the prior only.']
        : [
            ...describeExposure(exposure.account, meaning),
            ...describeChange(sinceDay, both.sample.fills),
            ...describeIntensity(both),
            ...describeMeasures(bySide, measures),
            ...describeSources(marks.sources(), settings.fairValue ?? null),
            ...describeFairValue(found),
          ],
  }
}

/** Reports a single side only if its own fills suffice, or if the sides are apart. */
function ofItsOwn({ intensity }: IntensityEstimate, isApart: boolean): Intensity | null {
  return isApart || intensity.method === 'likelihood' ? intensity : null
}

function edgeOf(marks: MarkWatch): Pick<Calibration, 'edge'> {
  const edge = marks.edge()
  if (edge === null || edge.interval === null) return {}
  return { edge: { value: edge.value, low: edge.interval[0], high: edge.interval[1] } }
}

/** Returns the markouts with an interval: fills before at least two prints. */
function markoutsOf(marks: MarkWatch): Calibration['markouts'] {
  return marks.markouts().flatMap(({ horizon, fills, ratio: { value, interval, clusters } }) => {
    if (interval === null) return []
    return [{ horizon, bps: { value, low: interval[0], high: interval[1] }, fills, prints: clusters }]
  })
}

type TapeReadings = ReturnType<ReturnType<typeof createTapeReader>['end']>

const DEFAULT_PROTOCOL_FEE_BPS = 10

function createWatches(settings: CalibrationSettings) {
  const { toleranceBps, protocolFeeBps = DEFAULT_PROTOCOL_FEE_BPS, horizons } = settings
  return {
    // The meaning of the probes is known only at the end, so both interpretations are kept until then.
    asPicked: watchExposure(toleranceBps, 'picked'),
    asOthers: watchExposure(toleranceBps, 'best other'),
    probes: watchProbes(toleranceBps),
    marks: watchMarks(protocolFeeBps, settings.fairValue ?? null, horizons),
    fairValue: watchFairValue(),
    sizes: sampleSizes(seededRandom(settings.seed, 'calibration sizes')),
  }
}

/** Reads a tape once and collects everything that a calibration needs. */
export function createTapeReader(settings: CalibrationSettings) {
  const { asPicked, asOthers, probes, marks, fairValue, sizes } = createWatches(settings)
  /** First and last row; 0 without rows. */
  const span = { rows: 0, from: 0, to: 0 }
  const visitor: TapeVisitor = {
    at(t) {
      if (span.rows++ === 0) span.from = t
      span.to = t
      asPicked.at(t)
      asOthers.at(t)
    },
    rate(t, mid, quotable) {
      asPicked.rate(t, mid, quotable)
      asOthers.rate(t, mid, quotable)
      marks.rate(t, mid)
      fairValue.rate(t, mid)
    },
    reference(row) {
      asPicked.reference(row)
      asOthers.reference(row)
      marks.reference(row)
      fairValue.reference(row)
    },
    competition(...row) {
      asPicked.competition(...row)
      asOthers.competition(...row)
      const [, { from, to }, bid, ask, own] = row
      const side = sideOfSwap(from, to)?.side
      if (side !== undefined) probes.shown(side, { bid, ask }[side], own)
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
  return {
    visitor,
    end() {
      asPicked.end()
      asOthers.end()
      marks.end(span.to)
      const meaning = probes.meaning()
      const exposure = meaning === 'picked' ? asPicked : asOthers
      return { exposure, meaning, marks, sizes, fairValue, ...span }
    },
  }
}
