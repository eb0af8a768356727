import { DAY_MS, type Ms } from '../../base/time.ts'
import {
  intensitySample,
  type Exposure,
  type FillCount,
  type IntensitySample,
} from '../models/intensity-sample.ts'

/** One UTC day of one side, by spread. */
export type ExposedDay = {
  /** Days since the epoch. */
  readonly day: number
  readonly exposures: readonly Exposure[]
  readonly fills: readonly FillCount[]
}

/** Exposure and fills of one side, summed by day and spread; grows with days, not with rows. */
export type ExposureLedger = ReturnType<typeof createExposureLedger>

type DayAtSpread = { alone: Ms; shared: Ms; fills: number; readonly segments: Map<string, number> }

export function createExposureLedger() {
  const days = new Map<number, Map<number, DayAtSpread>>()
  let openDay = -1
  let open = new Map<number, DayAtSpread>()

  const at = (day: number, bps: number): DayAtSpread => {
    if (day !== openDay) {
      open = days.get(day) ?? new Map<number, DayAtSpread>()
      days.set(day, open)
      openDay = day
    }
    let entry = open.get(bps)
    if (entry === undefined) open.set(bps, (entry = { alone: 0, shared: 0, fills: 0, segments: new Map() }))
    return entry
  }

  return {
    expose(from: Ms, to: Ms, bps: number, weight: 1 | 0.5): void {
      for (let start = from; start < to;) {
        const day = Math.floor(start / DAY_MS)
        const end = Math.min(to, (day + 1) * DAY_MS)
        const entry = at(day, bps)
        if (weight === 1) entry.alone += end - start
        else entry.shared += end - start
        start = end
      }
    },
    /** `segments`: of its taker. */
    fill(t: Ms, bps: number, segments: readonly string[] = []): void {
      const entry = at(Math.floor(t / DAY_MS), bps)
      entry.fills += 1
      for (const each of segments) entry.segments.set(each, (entry.segments.get(each) ?? 0) + 1)
    },
    /** `of`: with the fills of these segments only, which are of one kind. */
    days: (of?: ReadonlySet<string>): readonly ExposedDay[] =>
      Array.from(days, ([day, spreads]) => exposedDay(day, spreads, of)),
  }
}

/** Returns the sum of all days. */
export function sampleOfDays(days: readonly ExposedDay[]): IntensitySample {
  return intensitySample(
    days.flatMap(({ exposures }) => exposures),
    days.flatMap(({ fills }) => fills),
  )
}

function exposedDay(
  day: number,
  spreads: ReadonlyMap<number, DayAtSpread>,
  of?: ReadonlySet<string>,
): ExposedDay {
  const entries = [...spreads]
  const countOf = ({ fills, segments }: DayAtSpread): number =>
    of === undefined ? fills : [...segments].reduce((sum, [key, count]) => sum + (of.has(key) ? count : 0), 0)
  return {
    day,
    exposures: entries.flatMap(([bps, { alone, shared }]) => [
      { bps, days: alone / DAY_MS, weight: 1 },
      { bps, days: shared / DAY_MS, weight: 0.5 },
    ]),
    fills: entries.map(([bps, entry]) => ({ bps, count: countOf(entry) })),
  }
}
