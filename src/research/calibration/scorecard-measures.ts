import type { Calibration, Estimate } from '../../core/models/calibration.ts'
import type { ClusteredRatio } from '../../core/models/intervals.ts'
import type { MarkWatch } from './watch-marks.ts'

/** A realised figure with the expected one. */
export type Measure = {
  readonly name: 'fills' | 'edge' | 'edgeUsd' | 'markout' | 'informedLoss' | 'informedLossUsd'
  /** Horizon of the revaluation; null = a count, or valued at the mid of the fill. */
  readonly horizon: string | null
  readonly unit: 'fills' | 'bps' | 'USD'
  /** With the 90 % band of the expected outcomes. */
  readonly expected: Estimate
  /** null = no fills, or too few rate updates. */
  readonly realised: number | null
  /** null = not judged: no fills, an unknown error, or derived from judged measures. */
  readonly verdict: 'within' | 'above' | 'below' | null
}

/** Dollars that changed hands, and the fills' earnings against the mid. */
export type Traded = { readonly usd: number; readonly edgeUsd: number; readonly fills: number }

export type Realised = { readonly marks: MarkWatch; readonly traded: Traded }

type Expected = {
  /** Realised fills at times when takers could reach us. */
  readonly fills: number
  readonly counts: Estimate
  /** Mean half-spread of the fills, with the band from the error of k; null = no taker could reach us. */
  readonly edge: Estimate | null
  /** Half-width of the 90 % band of the mean half-spread of that number of fills. */
  readonly scatterBps: number
}

/** Half-spreads are whole bps, so less than half of one is no difference. */
const LEAST_BPS = 0.5

/** Returns the measures of one side; empty if no taker could reach us. Losses to informed takers are positive. */
export function measuresOf(
  calibration: Calibration,
  realised: Realised,
  expected: Expected,
): readonly Measure[] {
  const { edge, counts, fills } = expected
  if (edge === null) return []
  const earned = realised.marks.edge()
  const scatter = Math.max(expected.scatterBps, halfOf(earned) ?? 0)
  const edgeBand = around(edge.value, half(edge), earned === null ? 0 : scatter, LEAST_BPS)
  return [
    judged({ name: 'fills', horizon: null, unit: 'fills', expected: counts, realised: fills }),
    judged({ name: 'edge', horizon: null, unit: 'bps', expected: edgeBand, realised: earned?.value ?? null }),
    ...edgeUsd(counts, edgeBand, realised.traded),
    ...markouts(calibration, realised.marks, edge),
    ...informedLoss(calibration, realised, earned),
  ]
}

/** At the mean size of the realised fills. */
function edgeUsd(counts: Estimate, edge: Estimate, traded: Traded): readonly Measure[] {
  if (traded.fills === 0) return []
  const usdABps = traded.usd / traded.fills / 1e4
  const value = counts.value * edge.value * usdABps
  const share = (below: (band: Estimate) => number) =>
    Math.hypot(below(counts) / Math.max(counts.value, 1), below(edge) / Math.max(edge.value, LEAST_BPS))
  const low = value * (1 - share((band) => band.value - band.low))
  const high = value * (1 + share((band) => band.high - band.value))
  const expected = { value, low, high }
  return [{ name: 'edgeUsd', horizon: null, unit: 'USD', expected, realised: traded.edgeUsd, verdict: null }]
}

/** Returns the calibrated markouts, shifted by the change of the mean half-spread since the calibration. */
function markouts(calibration: Calibration, marks: MarkWatch, edge: Estimate): readonly Measure[] {
  const came = new Map(marks.markouts().map((each) => [each.horizon, each.ratio]))
  return calibration.markouts.map(({ horizon, bps }) => {
    const ratio = came.get(horizon) ?? null
    const wider = calibration.edge === undefined ? 0 : edge.value - calibration.edge.value
    const expected = around(bps.value + wider, half(bps), halfOf(ratio) ?? 0, wider === 0 ? 0 : half(edge))
    const measure = { name: 'markout', horizon, unit: 'bps', expected } as const
    return halfOf(ratio) === null
      ? { ...measure, realised: ratio?.value ?? null, verdict: null }
      : judged({ ...measure, realised: ratio?.value ?? null })
  })
}

/** Until the next rate update: the part of the edge that the mid took back. */
function informedLoss(
  { edge, markouts: learned }: Calibration,
  { marks, traded }: Realised,
  earned: ClusteredRatio | null,
): readonly Measure[] {
  const [first] = learned
  if (edge === undefined || first === undefined) return []
  const ratio = marks.markouts().find(({ horizon }) => horizon === first.horizon)?.ratio ?? null
  const width = halfOf(ratio)
  const expected = around(edge.value - first.bps.value, half(first.bps), width ?? 0)
  const realised = earned === null || ratio === null ? null : earned.value - ratio.value
  const { horizon } = first
  const bps = { name: 'informedLoss', horizon, unit: 'bps', expected, realised } as const
  const usd = (value: number) => (value * traded.usd) / 1e4
  return [
    width === null ? { ...bps, verdict: null } : judged(bps),
    {
      name: 'informedLossUsd',
      horizon,
      unit: 'USD',
      expected: { value: usd(expected.value), low: usd(expected.low), high: usd(expected.high) },
      realised: realised === null ? null : usd(realised),
      verdict: null,
    },
  ]
}

function judged(measure: Omit<Measure, 'verdict'>): Measure {
  const { realised, expected } = measure
  if (realised === null) return { ...measure, verdict: null }
  const verdict = realised < expected.low ? 'below' : realised > expected.high ? 'above' : 'within'
  return { ...measure, verdict }
}

/** Independent errors add by their squares. */
function around(value: number, ...halves: readonly number[]): Estimate {
  const width = Math.hypot(...halves)
  return { value, low: value - width, high: value + width }
}

function half({ low, high }: Estimate): number {
  return (high - low) / 2
}

function halfOf(ratio: ClusteredRatio | null): number | null {
  if (ratio === null || ratio.interval === null) return null
  return (ratio.interval[1] - ratio.interval[0]) / 2
}
