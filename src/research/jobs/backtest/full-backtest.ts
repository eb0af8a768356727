import type { RefillResult } from '../../backtest/refill-worth.ts'
import type { RefillSettings } from '../../backtest/venue/refills.ts'
import { ok, type Result } from '../../../base/result.ts'
import { type BacktestDone, type BacktestJob, runBacktestJob } from './backtest-job.ts'
import { runWithRefills } from './refills.ts'
import { type Replicates, runReplicates } from './replicates.ts'
import type { WrittenLists } from './write-lists.ts'

/** A backtest with its optional parts; null = not requested. */
export type FullBacktest = BacktestDone & {
  readonly refills: RefillResult | null
  readonly replicates: Replicates | null
  readonly lists: WrittenLists | null
}

type Wanted = {
  /** Runs the job and writes its lists. */
  readonly withLists:
    | ((job: BacktestJob) => Promise<Result<BacktestDone & { readonly lists: WrittenLists }, string>>)
    | null
  readonly refills: RefillSettings | null
  readonly replicates: number
  readonly noteReplicate: (done: number) => void
}

/** Runs a backtest, and again with refills and with drawn takers if requested. */
export async function runFullBacktest(
  job: BacktestJob,
  { withLists, refills, replicates, noteReplicate }: Wanted,
): Promise<Result<FullBacktest, string>> {
  const done = await (withLists ?? runBacktestJob)(job)
  if (!done.ok) return done
  const refilled = await runWithRefills(job, refills, done.value.result)
  if (!refilled.ok) return refilled
  const repeated = await runReplicates(job, replicates, noteReplicate)
  if (!repeated.ok) return repeated
  return ok({ lists: null, ...done.value, refills: refilled.value, replicates: repeated.value })
}
