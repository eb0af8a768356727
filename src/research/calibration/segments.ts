import type { TakerSegment } from '../../core/models/calibration.ts'
import { SEGMENT_KINDS } from '../../core/models/flow/taker-segments.ts'
import type { FactorChoices, IntensityCell } from '../models/fit-factors.ts'
import { estimateSome, FEWEST_ESTIMATED_FILLS, quotedRate } from './estimate-intensity.ts'
import type { MarkWatch } from './watch-marks.ts'

/** Segments of one kind that are estimated apart, those with the most dollars; the rest is one. */
const MOST_APART = 8

/**
 * Estimates rate, k and markout of each segment of takers, over the exposure of both sides to all takers: the rates of the segments of
 * one kind add up. `cells` returns that exposure with the fills of some segments. Returns no takers if no fill names its own; with
 * `bySize` also the sizes of at least 30 fills.
 */
export function estimateSegments(
  marks: MarkWatch['segments'],
  choices: FactorChoices,
  bySize: boolean,
  cells: (of: ReadonlySet<string>) => readonly IntensityCell[],
): readonly TakerSegment[] {
  const all = Array.from(marks.found, ([key, sums]) => {
    const [by = '', ...name] = key.split(' ')
    return { key, by: by as TakerSegment['by'], name: name.join(' ') || null, ...sums }
  })
  const sizes = bySize ? all.filter(({ by, fills }) => by === 'size' && fills >= FEWEST_ESTIMATED_FILLS) : []
  const takers = all.filter(({ by }) => by !== 'size')
  const shown = [...sizes, ...(takers.every(({ name }) => name === null) ? [] : takers)]
  return [...SEGMENT_KINDS, 'size']
    .flatMap((kind) => {
      const found = shown.filter(({ by }) => by === kind).toSorted((a, b) => b.usd - a.usd)
      const rest = found.slice(MOST_APART)
      return [...found.slice(0, MOST_APART).map((one) => [one]), ...(rest.length > 0 ? [rest] : [])]
    })
    .map((group) => {
      const keys = new Set(group.map(({ key }) => key))
      const { intensity, sample } = estimateSome(cells(keys), choices)
      const { by, name } = group[0]!
      const interval = marks.markoutOf(keys)?.ratio
      return {
        by,
        name: group.length === 1 ? name : null,
        names: group.length,
        fills: group.reduce((sum, { fills }) => sum + fills, 0),
        usd: group.reduce((sum, { usd }) => sum + usd, 0),
        rate: sample.exposureDays > 0 ? quotedRate(sample) : null,
        k: { ...intensity.k, isMeasured: intensity.priorOnly?.includes('k') !== true },
        markout:
          interval?.interval == null
            ? null
            : { value: interval.value, low: interval.interval[0], high: interval.interval[1] },
      }
    })
}
