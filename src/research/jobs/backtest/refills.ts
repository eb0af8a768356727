import type { BacktestResult } from '../../backtest/result.ts'
import type { RefillSettings, RefillTotals } from '../../backtest/venue/refills.ts'
import { type RefillResult, refillWorth } from '../../backtest/refill-worth.ts'
import { err, ok, type Result } from '../../../base/result.ts'
import { HOUR_MS } from '../../../base/time.ts'
import { type BacktestJob, runBacktestAgain } from './backtest-job.ts'

/** The refill options of `mizani backtest`; without any, no refills are simulated. */
export type RefillOptions = {
  readonly refillDelay?: number
  readonly refillCost?: number
  readonly refillFailure?: number
  readonly refillBelow?: number
}

/** Returns the settings of the options; null = no refill option was given. */
export function refillSettings(options: RefillOptions, seed: number): RefillSettings | null {
  const { refillDelay, refillCost, refillFailure, refillBelow } = options
  if ([refillDelay, refillCost, refillFailure, refillBelow].every((value) => value === undefined)) return null
  return {
    delayMs: Math.round((refillDelay ?? 4) * HOUR_MS),
    costBps: refillCost ?? 10,
    failure: refillFailure ?? 0,
    belowBps: Math.round((refillBelow ?? 0.2) * 10_000),
    seed,
  }
}

/** Runs the job again with refills; null = not requested. */
export async function runWithRefills(
  job: BacktestJob,
  settings: RefillSettings | null,
  without: BacktestResult,
): Promise<Result<RefillResult | null, string>> {
  if (settings === null) return ok(null)
  let totals: RefillTotals | undefined
  const done = await runBacktestAgain({
    ...job,
    settings: { ...job.settings, refills: settings },
    onOutcome: (outcome) => {
      totals = outcome.refills
    },
  })
  if (!done.ok) return err(done.error)
  if (totals === undefined) return err('the run with refills did not report them')
  return ok(refillWorth(settings, totals, without, done.value.result))
}
