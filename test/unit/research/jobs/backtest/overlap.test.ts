import { expect, test } from 'vitest'
import { DAY_MS } from '../../../../../src/base/time.ts'
import { backtestSection } from '../../../../../src/daemon/config/schema/research.ts'
import { type BacktestJob, runBacktestJob } from '../../../../../src/research/jobs/backtest/backtest-job.ts'
import {
  balancesRow,
  calibrationOf,
  MID,
  quoteRow,
  rateRow,
  sourceOf,
  START,
} from '../../../../support/backtest-tape.ts'
import { coreConfig } from '../../../../support/core-config.ts'
import { testStrategy } from '../../../../support/test-strategy.ts'

const tape = [
  rateRow(START, MID),
  balancesRow(START),
  quoteRow(START, 60, 60),
  rateRow(START + 4 * DAY_MS, MID),
]

async function warningsWith(job: Partial<BacktestJob>, learned: readonly [from: number, to: number]) {
  const [from, to] = learned
  const calibration = { ...calibrationOf(40, 1 / 60), from, to }
  const done = await runBacktestJob({
    core: coreConfig({ calibration: { sourceHash: 'x', learned: calibration } }),
    strategy: testStrategy(),
    settings: backtestSection.parse({}),
    toleranceBps: 5,
    source: sourceOf(tape),
    fills: 'recorded',
    seed: 1,
    draws: false,
    variantsTried: 1,
    ...job,
  })
  if (!done.ok) throw new Error(done.error)
  return done.value.result.warnings.filter((text) => text.includes('the calibration was made'))
}

test('a calibration that was made from days of the tested window is a warning with their number', async () => {
  expect(await warningsWith({}, [START - 3 * DAY_MS, START + DAY_MS])).toEqual([
    'the calibration was made from 2026-10-30 to 2026-11-03, and 1.0 of the 4.0 days tested are within it: it has seen what it is tested on; test later days, or calibrate on earlier ones',
  ])
})

test('one that was made before or after them does not overlap', async () => {
  expect(await warningsWith({}, [START - 7 * DAY_MS, START])).toEqual([])
  expect(await warningsWith({}, [START + 4 * DAY_MS, START + 9 * DAY_MS])).toEqual([])
})
