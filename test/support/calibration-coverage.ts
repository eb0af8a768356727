import { calibrateTape } from '../../src/research/calibration/calibrate.ts'
import type { Calibration, Estimate } from '../../src/core/models/calibration.ts'
import { tapeOf } from '../unit/research/calibration/drawn-tape.ts'
import { drawWeek, type Truth, type WeekShape } from './calibration-week.ts'

const VARYING: WeekShape = {
  days: 7,
  halfSpreadBps: 60,
  ditherBps: 35,
  rival: 'none',
  names: 'other',
  probesAnHour: 1,
}

/** The weeks in which the intervals are counted. The sentences are the rows of docs/calibration-model.md. */
export const COVERAGE_CELLS = {
  varying: { title: 'spreads of 25 to 95 bps, hour by hour', shape: VARYING },
  constant: { title: 'one spread of 60 bps', shape: { ...VARYING, ditherBps: 0 } },
  fewFills: {
    title: 'few fills: one day at 65 to 135 bps',
    shape: { ...VARYING, days: 1, halfSpreadBps: 100 },
  },
  rivalNamed: {
    title: 'a rival at our own number, named by `own: false`',
    shape: { ...VARYING, rival: 'ours' },
  },
  rivalAtOneSpread: {
    title: 'the same, both at one spread of 60 bps',
    shape: { ...VARYING, rival: 'ours', ditherBps: 0 },
  },
  nextNamed: {
    title: 'the same rival, probes that name anyone who is next, once an hour',
    shape: { ...VARYING, rival: 'ours', names: 'next' },
  },
  rivalUnnamed: {
    title: 'the same rival on a tape without `own`',
    shape: { ...VARYING, rival: 'ours', names: 'number' },
  },
} as const satisfies Record<string, { readonly title: string; readonly shape: WeekShape }>

export type CoverageCell = keyof typeof COVERAGE_CELLS

export type Coverage = {
  readonly weeks: number
  /** Weeks whose 90 % interval holds the truth. */
  readonly a: number
  readonly k: number
  /** Weeks whose k is only the prior. */
  readonly kPriorOnly: number
  readonly meanFills: number
}

/** Calibrates `weeks` tapes of a cell, each with its own seed and truth, and counts the intervals that hold the truth. */
export async function coverageOf(
  cell: CoverageCell,
  weeks: number,
  truthOf: (week: number) => Truth,
  onWeek: (calibration: Calibration) => void = () => undefined,
): Promise<Coverage> {
  const found = { a: 0, k: 0, kPriorOnly: 0, fills: 0 }
  for (let week = 0; week < weeks; week++) {
    const truth = truthOf(week)
    const rows = drawWeek(COVERAGE_CELLS[cell].shape, truth, week)
    const calibration = await calibrateTape(tapeOf(rows), { toleranceBps: 5, seed: week })
    const { a, k, fills, priorOnly = [] } = calibration.both
    found.a += Number(holds(a, truth.a))
    found.k += Number(holds(k, truth.k))
    found.kPriorOnly += Number(priorOnly.includes('k'))
    found.fills += fills
    onWeek(calibration)
  }
  const { fills, ...counts } = found
  return { weeks, ...counts, meanFills: fills / weeks }
}

function holds({ low, high }: Estimate, truth: number): boolean {
  return low <= truth && truth <= high
}
