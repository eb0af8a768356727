import type { JobSetting, Manifest } from './results/identity.ts'
import { err, invariant, type Result } from '../../base/result.ts'
import type { DailyResults } from '../backtest/metrics/daily.ts'
import type { BacktestOutcome } from '../backtest/settings.ts'
import type { VariantMetrics } from './search/objectives.ts'
import type { Variant } from './variant.ts'
import type { MessagePort } from 'node:worker_threads'

/** One backtest of one variant over the whole window, as plain data for a thread. */
export type VariantJob = JobSetting & {
  readonly variant: Variant
  /** As in the manifest: the configuration that the result is of. */
  readonly config: string
}

/** Creates the jobs of a sweep with this machine's copies of the configuration and the tape. */
export function jobMaker(
  { variants, configs, window, fills, seed }: Manifest,
  {
    configFile,
    tapePath,
    allowSkipped = false,
  }: Pick<JobSetting, 'configFile' | 'tapePath' | 'allowSkipped'>,
): (variant: number) => VariantJob {
  return (index) => {
    const [variant, config] = [variants[index], configs[index]]
    invariant(variant !== undefined && config !== undefined, `the sweep has no variant ${index}`)
    return { configFile, tapePath, allowSkipped, window, fills, seed, variant, config }
  }
}

/** Names the failed variant and the reason. */
export function failureText({ variant: { index, label } }: VariantJob, why: string): string {
  return `variant ${index} (${label}): ${why}`
}

/** Result of a variant. Every number is finite; equal jobs give equal results except for `elapsedMs`. */
export type VariantResult = Pick<
  BacktestOutcome,
  | 'from'
  | 'to'
  | 'fills'
  | 'syntheticFills'
  | 'rejected'
  | 'quoteUpdates'
  | 'digest'
  | 'warnings'
  | 'elapsedMs'
> & {
  readonly variant: number
  /** Exact, plain decimals in dollars. */
  readonly pnlUsd: string
  readonly turnoverUsd: string
  readonly maxDrawdownUsd: number
  readonly daily: DailyResult
  /** Every figure of the backtest's result by its path, and the default metrics of a search. */
  readonly metrics: VariantMetrics
}

/** A variant with its result. */
export type TriedVariant = { readonly variant: Variant; readonly result: VariantResult }

/** The days of the window. Results of older versions have no PnL less holding. */
export type DailyResult = Omit<DailyResults, 'lessHoldingUsd'> & Partial<Pick<DailyResults, 'lessHoldingUsd'>>

/** Runs one backtest. The error describes a problem of the variant or the tape; a retry would not help. */
type RunVariant = (job: VariantJob) => Promise<Result<VariantResult, string>>

/** Answer of a worker thread to a job. */
type VariantAnswer = Result<VariantResult, string>

/** Serves jobs in a worker thread, one after the other. */
export function serveVariants(port: MessagePort, run: RunVariant): void {
  port.on('message', (job: VariantJob) => {
    void answer(run, job).then((result) => port.postMessage(result))
  })
}

async function answer(run: RunVariant, job: VariantJob): Promise<VariantAnswer> {
  try {
    const result = await run(job)
    const broken = result.ok ? notFinite(result.value) : null
    return broken === null ? result : err(`its result has no number for ${broken}`)
  } catch (thrown) {
    return err(thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown))
  }
}

/** Returns the path of a number that is not finite; null = all are finite. */
function notFinite({ daily, maxDrawdownUsd, metrics }: VariantResult): string | null {
  if (!Number.isFinite(maxDrawdownUsd)) return 'maxDrawdownUsd'
  const metric = Object.keys(metrics).find((name) => !Number.isFinite(metrics[name] ?? 0))
  if (metric !== undefined) return metric
  for (const [name, values] of Object.entries(daily)) {
    const at = values.findIndex((value) => !Number.isFinite(value))
    if (at >= 0) return `daily.${name}[${at}]`
  }
  return null
}
