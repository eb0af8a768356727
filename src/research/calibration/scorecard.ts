import { seededRandom } from '../../base/random.ts'
import { DAY_MS, type Ms } from '../../base/time.ts'
import type { Calibration, Intensity } from '../../core/models/calibration.ts'
import { countBand, drawnBand, type PredictedTakers, predictTakers } from '../models/predicted-takers.ts'
import { intensitySample, type IntensitySample, tiltedExposure } from '../models/intensity-sample.ts'
import { Z90 } from '../models/fit-intensity.ts'
import type { MarkoutHorizons } from '../../core/models/markouts/horizons.ts'
import { rateToNumber } from '../../base/money/rate.ts'
import { SIDES, type Side } from '../../base/money/side.ts'
import type { TapeSource } from '../../store/tape/model/batch.ts'
import { sideOfSwap, type TapeFill } from '../../store/tape/model/row.ts'
import { createTapeReader } from './calibrate.ts'
import { sampleOfCells } from './exposure-ledger.ts'
import { type Measure, measuresOf, type Realised, type Traded } from './scorecard-measures.ts'
import { walkBatch } from './walk-batch.ts'
import { describeExposure } from './warnings.ts'
import { type MarkWatch, tradeOf, watchMarks } from './watch-marks.ts'

/** One side of a scorecard, or both together. */
export type SideScore = {
  readonly fills: number
  /** Days in which takers could reach us, weighted by routing. */
  readonly exposureDays: number
  readonly turnoverUsd: number
  readonly measures: readonly Measure[]
}

/** Expected and realised figures of a trading period. */
export type Scorecard = Readonly<Record<'both' | Side, SideScore>> & {
  readonly from: Ms
  readonly to: Ms
  /** First and last row of the calibration's data. */
  readonly calibratedFrom: Ms
  readonly calibratedTo: Ms
  /** Measures outside their band, such as `bid fills`. */
  readonly outside: readonly string[]
  /** Number of judged measures; about one in ten is outside by chance. */
  readonly judged: number
  readonly warnings: readonly string[]
}

type ScorecardSettings = {
  /** Routing tolerance: the venue rotates among providers within this many bps of the best. */
  readonly toleranceBps: number
  readonly protocolFeeBps: number
  readonly fairValue: string | null
  readonly seed: number
  /** Horizons of the markouts, as in the calibration; further horizons of the calibration are not judged. */
  readonly horizons?: MarkoutHorizons
}

const WEEK_MS = 7 * DAY_MS

/** Returns the start of a scorecard: a week before `to`, or the end of the calibration's tape if later and before `to`. */
export function scorecardFrom(calibratedTo: Ms, to: Ms): Ms {
  const week = to - WEEK_MS
  return calibratedTo > week && calibratedTo < to ? calibratedTo : week
}

/**
 * Compares the fills of a tape, by side, with the expectation of `calibration` at the live spreads and the recorded
 * competition. Deterministic. Reads the tape like a calibration. Source: quant.md sections 3 and 4.
 */
export async function scoreTape(
  source: TapeSource,
  calibration: Calibration,
  settings: ScorecardSettings,
): Promise<Scorecard> {
  const reader = createTapeReader(settings)
  const sides = { bid: watchSide(settings), ask: watchSide(settings) }
  const both = [sides.bid, sides.ask]
  const { visitor } = reader
  for await (const batch of source.batches())
    walkBatch(batch, {
      ...visitor,
      rate(t, mid, quotable) {
        visitor.rate(t, mid, quotable)
        for (const side of both) side.rate(t, mid)
      },
      reference(row) {
        visitor.reference(row)
        for (const side of both) side.marks.reference(row)
      },
      fill(row) {
        visitor.fill(row)
        const swap = sideOfSwap(row.from, row.to)
        if (swap !== null) sides[swap.side].fill(row)
      },
    })
  const readings = reader.end()
  for (const side of both) side.marks.end(readings.to)
  const { exposure, meaning, from, to } = readings
  const samples = {
    bid: sampleOfCells(exposure.ledgers.bid.cells()),
    ask: sampleOfCells(exposure.ledgers.ask.cells()),
  }
  const scored = scoreSides(calibration, samples, settings.seed, {
    ...sides,
    both: { marks: readings.marks, traded: addTraded(sides.bid.traded, sides.ask.traded) },
  })
  const all = (['both', ...SIDES] as const).flatMap((side) =>
    scored[side].measures.map((measure) => ({ side, measure })),
  )
  return {
    from,
    to,
    calibratedFrom: calibration.from,
    calibratedTo: calibration.to,
    ...scored,
    outside: all
      .filter(({ measure }) => measure.verdict === 'above' || measure.verdict === 'below')
      .map(({ side, measure }) =>
        [side, measure.name, ...(measure.horizon === null ? [] : [measure.horizon])].join(' '),
      ),
    judged: all.filter(({ measure }) => measure.verdict !== null).length,
    warnings: [
      ...overlap(calibration, { from, to }),
      ...describeExposure(exposure.account, meaning),
      ...describeMissing(calibration),
    ],
  }
}

function overlap(
  calibration: Calibration,
  { from, to }: { readonly from: Ms; readonly to: Ms },
): readonly string[] {
  if (from >= calibration.to || to <= calibration.from) return []
  return [
    'The calibration was made from a part of this period and is compared with its own fills there. A later --from compares only new ones.',
  ]
}

function describeMissing({ edge, markouts, both }: Calibration): readonly string[] {
  return [
    ...(both.fills === 0 ? ['The calibration has no fills: its expectation is the prior.'] : []),
    ...(edge === undefined && markouts.length > 0
      ? [
          "The calibration lacks its fills' earnings at the mid: informed loss has no expectation, and markouts are compared with those at its own spreads. `mizani calibrate --out` writes it.",
        ]
      : []),
  ]
}

type SideWatch = {
  readonly marks: MarkWatch
  readonly traded: { usd: number; edgeUsd: number; fills: number }
  readonly rate: (t: Ms, mid: bigint) => void
  readonly fill: (row: TapeFill) => void
}

function watchSide({ protocolFeeBps, fairValue, horizons }: ScorecardSettings): SideWatch {
  const marks = watchMarks(protocolFeeBps, fairValue, horizons)
  const traded = { usd: 0, edgeUsd: 0, fills: 0 }
  let tzsPerUsd: number | null = null
  return {
    marks,
    traded,
    rate(t, mid) {
      marks.rate(t, mid)
      tzsPerUsd = rateToNumber(mid)
    },
    fill(row) {
      marks.fill(row)
      const trade = tradeOf(row, protocolFeeBps)
      if (trade === null || tzsPerUsd === null) return
      traded.fills += 1
      traded.usd += Math.abs(trade.dollars)
      traded.edgeUsd += trade.dollars + trade.shillings / tzsPerUsd
    },
  }
}

function addTraded(a: Traded, b: Traded): Traded {
  return { usd: a.usd + b.usd, edgeUsd: a.edgeUsd + b.edgeUsd, fills: a.fills + b.fills }
}

/** A side with enough fills has its own estimate; otherwise both share one estimate and its error. */
function scoreSides(
  calibration: Calibration,
  samples: Readonly<Record<Side, IntensitySample>>,
  seed: number,
  realised: Readonly<Record<'both' | Side, Realised>>,
): Readonly<Record<'both' | Side, SideScore>> {
  const intensityOf = (side: Side): Intensity => calibration[side] ?? calibration.both
  const takers = (side: Side) => {
    const label = calibration[side] === null ? 'scorecard both' : `scorecard ${side}`
    return predictTakers(intensityOf(side), samples[side], seededRandom(seed, label))
  }
  const [bid, ask] = [takers('bid'), takers('ask')]
  const score = (side: 'both' | Side, expected: PredictedTakers, sample: IntensitySample): SideScore => {
    const intensity = side === 'both' ? calibration.both : intensityOf(side)
    const random = seededRandom(seed, `scorecard counts ${side}`)
    return {
      fills: sample.fills,
      exposureDays: sample.exposureDays,
      turnoverUsd: realised[side].traded.usd,
      measures: measuresOf(calibration, realised[side], {
        fills: sample.fills,
        counts: countBand(expected.counts, intensity.overdispersion, random),
        edge: expected.meanBps.length === 0 ? null : drawnBand(expected.meanBps),
        scatterBps: scatterOf(sample, intensity),
      }),
    }
  }
  return {
    both: score('both', addTakers(bid, ask), addSamples(samples)),
    bid: score('bid', bid, samples.bid),
    ask: score('ask', ask, samples.ask),
  }
}

/** Adds draw by draw; weights the spreads by their expected fills. */
function addTakers(bid: PredictedTakers, ask: PredictedTakers): PredictedTakers {
  const counts = bid.counts.map((count, i) => count + ask.counts[i]!)
  if (bid.meanBps.length === 0) return { counts, meanBps: ask.meanBps }
  if (ask.meanBps.length === 0) return { counts, meanBps: bid.meanBps }
  const meanBps = counts.map((count, i) =>
    count > 0 ? (bid.counts[i]! * bid.meanBps[i]! + ask.counts[i]! * ask.meanBps[i]!) / count : 0,
  )
  return { counts, meanBps }
}

function addSamples({ bid, ask }: Readonly<Record<Side, IntensitySample>>): IntensitySample {
  const exposures = [bid, ask].flatMap(({ bps, days }) =>
    Array.from(bps, (at, i) => ({ bps: at, days: days[i]!, weight: 1 })),
  )
  const fills = [bid, ask].flatMap(({ bps, counts }) =>
    Array.from(bps, (at, i) => ({ bps: at, count: counts[i]! })),
  )
  return intensitySample(exposures, fills)
}

/** Returns the half-width of the 90 % band of the mean half-spread of the sample's fills. */
function scatterOf(sample: IntensitySample, { k }: Intensity): number {
  if (sample.fills === 0 || sample.bps.length === 0) return 0
  return (Z90 * tiltedExposure(sample, k.value).sdBps) / Math.sqrt(sample.fills)
}
