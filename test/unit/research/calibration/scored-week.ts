import { DAY_MS } from '../../../../src/base/time.ts'
import { calibrateTape } from '../../../../src/research/calibration/calibrate.ts'
import { scoreTape, type Scorecard } from '../../../../src/research/calibration/scorecard.ts'
import type { Calibration } from '../../../../src/core/models/calibration.ts'
import type { TapeRow } from '../../../../src/store/tape/model/row.ts'
import { drawRows, type DrawnMarket, GOLDEN_MARKET, tapeOf } from './drawn-tape.ts'

export const SETTINGS = { toleranceBps: 5, protocolFeeBps: 10, fairValue: null, seed: 1 }

/** After the days of any calibration here. */
export const LATER_MS = 28 * DAY_MS

export function later(rows: readonly TapeRow[]): readonly TapeRow[] {
  return rows.map((row) => ({ ...row, t: row.t + LATER_MS }))
}

export function learn(market: Partial<DrawnMarket> = {}): Promise<Calibration> {
  return calibrateTape(tapeOf(drawRows({ ...GOLDEN_MARKET, days: 14, ...market })), {
    toleranceBps: 5,
    seed: 1,
  })
}

export function score(calibration: Calibration, market: Partial<DrawnMarket> = {}): Promise<Scorecard> {
  const rows = later(drawRows({ ...GOLDEN_MARKET, days: 7, seed: 2, ...market }))
  return scoreTape(tapeOf(rows), calibration, SETTINGS)
}
