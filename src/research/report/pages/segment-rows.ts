import type { Calibration, Estimate, TakerSegment } from '../../../core/models/calibration.ts'
import { FEWEST_FILLS } from '../../../core/models/calibration.ts'
import { floatText, significantText } from '../../../base/text/numbers.ts'

export const SEGMENT_HEAD = [
  'takers by',
  'name',
  'fills',
  'USD',
  'a day and side',
  'k per bps',
  'next print, bps',
]

/** Returns the rows of the table of segments; empty if no fill names its taker. */
export function segmentRows({ segments = [] }: Calibration): readonly (readonly string[])[] {
  return segments.map(segmentCells)
}

/** Of few fills only the intervals are shown: the figures within would look more certain than they are. */
export function segmentCells(segment: TakerSegment): readonly string[] {
  const { by, name, names, fills, usd, rate, k, markout } = segment
  const text = ({ value, low, high }: Estimate) => {
    const interval = `${significantText(low, 3)} to ${significantText(high, 3)}`
    return fills < FEWEST_FILLS ? interval : `${significantText(value, 3)} (${interval})`
  }
  return [
    by,
    names > 1 ? `${names} others` : name === null ? 'unknown' : JSON.stringify(name).slice(1, -1),
    floatText(fills, 0),
    floatText(usd, 0),
    rate === null ? 'not measured' : `${text(rate.perDay)} at ${floatText(rate.bps, 0)} bps`,
    k.isMeasured ? text(k) : 'not measured',
    markout === null ? 'too few prints' : text(markout),
  ]
}
