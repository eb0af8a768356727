import { DAY_MS, HOUR_MS, type Ms } from '../../base/time.ts'
import type { Side } from '../../base/money/side.ts'
import type { IntensityCell } from '../models/fit-factors.ts'
import { intensitySample, type IntensitySample } from '../models/intensity-sample.ts'

/** Exposure and fills of one side, summed by hour and spread; grows with hours, not with rows. */
export type ExposureLedger = ReturnType<typeof createExposureLedger>

/** Our spread, and half of what it exceeds that of our other side; null = the other side is off. */
export type SkewedSpread = Pick<IntensityCell, 'bps' | 'skewBps'>

/** `ms` = time times our share of the takers. */
type HourAtSpread = SkewedSpread & { ms: number; fills: number; readonly segments: Map<string, number> }

export function createExposureLedger(side: Side) {
  const hours = new Map<number, Map<string, HourAtSpread>>()
  let openHour = -1
  let open = new Map<string, HourAtSpread>()

  const at = (hour: number, { bps, skewBps }: SkewedSpread): HourAtSpread => {
    if (hour !== openHour) {
      open = hours.get(hour) ?? new Map<string, HourAtSpread>()
      hours.set(hour, open)
      openHour = hour
    }
    const key = `${bps} ${skewBps}`
    let entry = open.get(key)
    if (entry === undefined) open.set(key, (entry = { bps, skewBps, ms: 0, fills: 0, segments: new Map() }))
    return entry
  }

  return {
    expose(from: Ms, to: Ms, spread: SkewedSpread, weight: 1 | 0.5): void {
      for (let start = from; start < to;) {
        const hour = Math.floor(start / HOUR_MS)
        const end = Math.min(to, (hour + 1) * HOUR_MS)
        at(hour, spread).ms += weight * (end - start)
        start = end
      }
    },
    /** `segments`: of its taker. */
    fill(t: Ms, spread: SkewedSpread, segments: readonly string[] = []): void {
      const entry = at(Math.floor(t / HOUR_MS), spread)
      entry.fills += 1
      for (const each of segments) entry.segments.set(each, (entry.segments.get(each) ?? 0) + 1)
    },
    /** `of`: with the fills of these segments only, which are of one kind. */
    cells: (of?: ReadonlySet<string>): readonly IntensityCell[] =>
      Array.from(hours, ([hour, spreads]) =>
        Array.from(spreads.values(), (entry) => {
          const { bps, skewBps, ms } = entry
          return { hour, side, days: ms / DAY_MS, bps, skewBps, fills: fillsOf(entry, of) }
        }),
      ).flat(),
  }
}

function fillsOf({ fills, segments }: HourAtSpread, of?: ReadonlySet<string>): number {
  if (of === undefined) return fills
  return [...segments].reduce((sum, [key, count]) => sum + (of.has(key) ? count : 0), 0)
}

/** Returns the sum of all hours. */
export function sampleOfCells(cells: readonly IntensityCell[]): IntensitySample {
  return intensitySample(
    cells.map(({ bps, days }) => ({ bps, days, weight: 1 })),
    cells.map(({ bps, fills }) => ({ bps, count: fills })),
  )
}

/** Share of the skew's variance that a reference explains from which the quotes count as following it. */
const FOLLOWING = 0.05

/** Compares the difference of our spreads with the distance of a reference from the mid, weighted by time. */
export function createSkewComparison() {
  const sums = { time: 0, skew: 0, gap: 0, skewSquare: 0, gapSquare: 0, product: 0 }
  return {
    add(ms: Ms, skew: number, gap: number): void {
      sums.time += ms
      sums.skew += ms * skew
      sums.gap += ms * gap
      sums.skewSquare += ms * skew * skew
      sums.gapSquare += ms * gap * gap
      sums.product += ms * skew * gap
    },
    isFollowing(): boolean {
      const { time, skew, gap, skewSquare, gapSquare, product } = sums
      const covariance = product * time - skew * gap
      return covariance ** 2 > FOLLOWING * (skewSquare * time - skew ** 2) * (gapSquare * time - gap ** 2)
    },
  }
}
