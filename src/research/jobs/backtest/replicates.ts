import { err, ok, type Result } from '../../../base/result.ts'
import { needsCalibration } from '../../backtest/fill-models/create-fill-model.ts'
import { quantile } from '../../../core/models/sample-statistics.ts'
import { type BacktestJob, runBacktestAgain } from './backtest-job.ts'

/** Repeats a backtest with new draws of A and k: the part of the result's error that comes from the calibration. */
export type Replicates = {
  readonly count: number
  /** Quantiles over the replicates: 5 %, 50 %, 95 %. */
  readonly pnlUsd: Quantiles
  /** Null if a replicate had no trades. */
  readonly edgeBps: Quantiles | null
  readonly fills: Quantiles
}

export type Quantiles = { readonly q05: number; readonly q50: number; readonly q95: number }

/** Returns null if the fill model draws nothing. Seeds follow the job's own. `note` is called after each replicate. */
export async function runReplicates(
  job: BacktestJob,
  count: number,
  note: (done: number) => void,
): Promise<Result<Replicates | null, string>> {
  if (count === 0 || !needsCalibration(job.fills)) return ok(null)
  const [pnlUsd, edges, fills]: [number[], number[], number[]] = [[], [], []]
  for (let replicate = 1; replicate <= count; replicate++) {
    const done = await runBacktestAgain({ ...job, seed: job.seed + replicate, draws: true })
    if (!done.ok) return err(done.error)
    const { result } = done.value
    pnlUsd.push(Number(result.pnl.usd.total))
    fills.push(result.fills)
    if (result.edgeBps.mean !== null) edges.push(result.edgeBps.mean)
    note(replicate)
  }
  return ok({
    count,
    pnlUsd: quantiles(pnlUsd),
    edgeBps: edges.length === count ? quantiles(edges) : null,
    fills: quantiles(fills),
  })
}

function quantiles(values: readonly number[]): Quantiles {
  const sorted = values.toSorted((a, b) => a - b)
  const at = (share: number): number => quantile(sorted, share)
  return { q05: at(0.05), q50: at(0.5), q95: at(0.95) }
}
