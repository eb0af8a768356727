import { expect, test } from 'vitest'
import { ok } from '../../../../../src/base/result.ts'
import { DAY_MS } from '../../../../../src/base/time.ts'
import { backtestSection } from '../../../../../src/daemon/config/schema/research.ts'
import type { BacktestJob } from '../../../../../src/research/jobs/backtest/backtest-job.ts'
import { runReplicates } from '../../../../../src/research/jobs/backtest/replicates.ts'
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

/** A strategy whose file counts its calls in a variable, as the code of a user may. */
function countingStrategy(counts: number[]) {
  const index = counts.push(0) - 1
  return testStrategy(() => {
    counts[index]! += 1
    return { bidBps: 60, askBps: 60, reasons: [] }
  })
}

test('every replicate runs code of its own, which saw nothing of the market before', async () => {
  const counts: number[] = []
  const tape = [
    rateRow(START, MID),
    balancesRow(START),
    quoteRow(START, 60, 60),
    rateRow(START + DAY_MS, MID),
  ]
  const job: BacktestJob = {
    core: coreConfig({ calibration: { sourceHash: 'x', learned: calibrationOf(40, 1 / 60) } }),
    strategy: countingStrategy(counts),
    renew: () => Promise.resolve(ok(countingStrategy(counts))),
    settings: backtestSection.parse({}),
    toleranceBps: 5,
    source: sourceOf(tape),
    fills: 'simulated',
    seed: 1,
    draws: false,
    variantsTried: 1,
  }
  expect(await runReplicates(job, 2, () => undefined)).toMatchObject({ ok: true, value: { count: 2 } })
  const [first, ...others] = counts
  expect(first).toBe(0)
  expect(others).toHaveLength(2)
  expect(others.every((count) => count > 0)).toBe(true)
})
