import { windowOf } from '../../options.ts'
import { reportOf } from './report.ts'
import type { FillModelName } from '../../../backtest/fill-models/fill-model.ts'
import type { LoadedConfig } from '../../../config/load/loaded-config.ts'
import type { Ms } from '../../../base/time.ts'
import { renderReport } from '../../../report/render-report.ts'
import { openTape } from '../../../tape/folder/open-tape.ts'
import type { TapeSource } from '../../../tape/model/batch.ts'
import { runBacktestJob, type BacktestDone, type BacktestJob } from './job.ts'
import { EXIT_CODE } from '../../exit-code.ts'
import { loadOrExplain } from '../../load-or-explain.ts'
import { renderBacktest } from './render.ts'
import { replicatesText, runReplicates } from './replicates.ts'
import { fail, print, type OutputFormat } from '../../output/print.ts'
import { tapeProgress } from '../../output/progress.ts'
import { writeTextAtomically } from '../../output/write-file.ts'
import { err, ok, type Result } from '../../../base/result.ts'
import type { Changes } from '../../../config/reload/changes.ts'

export type BacktestOptions = OutputFormat & {
  readonly config: string
  readonly tape?: string
  readonly strategy?: string
  readonly params?: string
  readonly fills?: FillModelName
  readonly seed?: number
  readonly from?: Ms
  readonly to?: Ms
  readonly variants: number
  readonly replicates: number
  readonly report?: string
}

/** What a configuration would have earned over a tape, with its uncertainty. */
export async function backtest(options: BacktestOptions): Promise<void> {
  const changes = strategyChanges(options.strategy, options.params)
  if (!changes.ok) return fail(options, EXIT_CODE.usage, changes.error)
  const config = await loadOrExplain(options.config, options, { offline: true, changes: changes.value })
  if (config === null) return
  const source = tapeOf(config, options)
  if (source === null) return
  const job: BacktestJob = {
    core: config.core,
    strategy: config.strategy,
    settings: config.backtest,
    toleranceBps: config.venue.toleranceBps,
    source,
    fills: options.fills ?? config.backtest.fills,
    seed: options.seed ?? config.backtest.seed,
    draws: false,
    variantsTried: options.variants,
  }
  const done = await runBacktestJob(job)
  if (!done.ok) return fail(options, EXIT_CODE.failed, done.error)
  if (options.report !== undefined && !(await writeReport(done.value, config, options.report, options)))
    return
  const replicates = await runReplicates(job, options.replicates, (count) =>
    progressLine(`replicate ${count} of ${options.replicates}`),
  )
  if (!replicates.ok) return fail(options, EXIT_CODE.failed, replicates.error)
  const { result } = done.value
  const more = replicates.value === null ? '' : `\n${replicatesText(replicates.value)}`
  print(options, `${renderBacktest(result)}${more}`, { ...result, replicates: replicates.value })
}

/** Progress, on a terminal only. */
function progressLine(text: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\u001B[K${text}\r`)
}

/** Null after it was explained what is missing. */
function tapeOf(config: LoadedConfig, options: BacktestOptions): TapeSource | null {
  const path = options.tape ?? config.backtest.tape
  if (path === null) {
    const why = 'no tape: give --tape PATH, or backtest.tape in the configuration'
    fail(options, EXIT_CODE.usage, why)
    return null
  }
  const opened = openTape(path, {
    window: windowOf(options),
    standing: true,
  })
  if (opened.ok) return tapeProgress(opened.value, path, process.stderr)
  fail(options, EXIT_CODE.failed, opened.error)
  return null
}

async function writeReport(
  { result, trail }: BacktestDone,
  config: LoadedConfig,
  path: string,
  voice: OutputFormat,
): Promise<boolean> {
  const html = renderReport(reportOf(result, trail.series(), config.core.name))
  const written = await writeTextAtomically(path, html)
  if (written.ok) return true
  fail(voice, EXIT_CODE.failed, written.error)
  return false
}

/**
 * What `--strategy NAME --params JSON` change of a configuration: another strategy with these parameters
 * and no others; without a name these parameters of the one that is there.
 */
export function strategyChanges(
  strategy: string | undefined,
  params: string | undefined,
): Result<Changes, string> {
  const parsed = params === undefined ? ok({}) : readParams(params)
  if (!parsed.ok) return parsed
  if (strategy !== undefined) {
    return ok({ 'strategy.use': strategy, 'strategy.params': parsed.value })
  }
  return ok(
    Object.fromEntries(
      Object.entries(parsed.value).map(([name, value]) => [`strategy.params.${name}`, value]),
    ),
  )
}

function readParams(text: string): Result<Readonly<Record<string, unknown>>, string> {
  const wanted = 'a JSON object such as \'{"halfSpreadBps":50}\' would be right'
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch {
    return err(`--params is not JSON; ${wanted}`)
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) {
    return err(`--params is not a JSON object; ${wanted}`)
  }
  return ok(parsed as Readonly<Record<string, unknown>>)
}
