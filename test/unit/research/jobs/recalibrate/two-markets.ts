import { DAY_MS, type Ms } from '../../../../../src/base/time.ts'
import { ok } from '../../../../../src/base/result.ts'
import type { Calibration } from '../../../../../src/core/models/calibration.ts'
import { backtestSection } from '../../../../../src/daemon/config/schema/research.ts'
import { calibrateBatch } from '../../../../../src/research/calibration/calibrate.ts'
import type { Recalibration } from '../../../../../src/research/jobs/recalibrate/recalibrate.ts'
import { batchOfRows, type TapeWindow } from '../../../../../src/store/tape/model/batch.ts'
import type { TapeRow } from '../../../../../src/store/tape/model/row.ts'
import { balancesRow } from '../../../../support/backtest-tape.ts'
import { coreConfig, RARE_POLLS } from '../../../../support/core-config.ts'
import { pureStrategy } from '../../../../support/test-strategy.ts'
import { drawRows, GOLDEN_MARKET, MONDAY, tapeOf } from '../../calibration/drawn-tape.ts'

/** Four weeks with 1/k of 60 bps that the calibration in force knows, then eight weeks with `patienceBps`. */
const EARLIER_DAYS = 28
const LATER_DAYS = 56
export const EARLIER_END: Ms = MONDAY + EARLIER_DAYS * DAY_MS
export const END: Ms = MONDAY + (EARLIER_DAYS + LATER_DAYS) * DAY_MS

export function twoMarkets(seed: number, patienceBps: number, ditherBps = 35): readonly TapeRow[] {
  const market = { ...GOLDEN_MARKET, seed, a: 60, ditherBps }
  const earlier = drawRows({ ...market, days: EARLIER_DAYS })
  const later = drawRows({ ...market, seed: seed + 1_000, days: LATER_DAYS, k: 1 / patienceBps })
  return [...earlier.slice(0, -1), ...later.map((row) => moved(row, EARLIER_DAYS * DAY_MS))]
}

function moved(row: TapeRow, by: Ms): TapeRow {
  return { ...row, t: row.t + by, ...(row.type === 'fill' ? { id: `later-${row.id}` } : {}) }
}

function windowOfRows(rows: readonly TapeRow[], { from, to }: Required<TapeWindow>) {
  return rows.filter(({ t }) => t >= from && t < to)
}

export function calibrationUntil(rows: readonly TapeRow[], to: Ms): Calibration {
  return calibrateBatch(batchOfRows(windowOfRows(rows, { from: 0, to })), { toleranceBps: 5, seed: 1 })
}

/** The strategy quotes 1/k, or 60 bps without a calibration, on both sides of what brings it back to its target. */
export function orderOf(rows: readonly TapeRow[], change: Partial<Recalibration> = {}): Recalibration {
  const learned = calibrationUntil(rows, EARLIER_END)
  const core = coreConfig({ pacing: RARE_POLLS, calibration: { sourceHash: 'before', learned } })
  return {
    config: {
      core,
      venue: { toleranceBps: 5, protocolFeeBps: 10 },
      backtest: backtestSection.parse({}),
    } as Recalibration['config'],
    open: (window) => ok(tapeOf([balancesRow(window.from), ...windowOfRows(rows, window)])),
    coreWith: (candidate) =>
      Promise.resolve(ok({ ...core, calibration: { sourceHash: 'candidate', learned: candidate } })),
    loadStrategy: () =>
      Promise.resolve(
        ok(
          pureStrategy(({ calibration, inventory: { imbalance } }) => {
            const bps = 1 / (calibration?.both.k.value ?? 1 / 60)
            const skew = 20 * Math.round(5 * imbalance)
            return { bidBps: bps - skew, askBps: bps + skew, reasons: ['1/k'] }
          }),
        ),
      ),
    weeks: 4,
    to: END,
    ...change,
  }
}
