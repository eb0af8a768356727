import type { FillModelName } from '../../../core/models/fill-models.ts'
import type { Ms } from '../../../base/time.ts'
import type { BacktestJob } from '../../../research/jobs/backtest/backtest-job.ts'
import { EXIT_CODE } from '../../../base/exit-code.ts'
import { loadOrExplain } from '../../load-or-explain.ts'
import { explainEmpty, openCommandTape } from '../command-tape.ts'
import { runFullBacktest } from '../../../research/jobs/backtest/full-backtest.ts'
import { type RefillOptions, refillSettings } from '../../../research/jobs/backtest/refills.ts'
import { unmeasuredWhy } from '../../../research/backtest/result.ts'
import { dailyRows } from '../../../research/backtest/metrics/daily-rows.ts'
import { fail, print, printWarning, type OutputFormat, writeOver } from '../../output/print.ts'
import { type StrategyWatch, UNWATCHED } from '../../../research/jobs/apart/watch-strategy.ts'
import { wroteOrExplained } from '../../output/write-file.ts'
import { err, ok, type Result } from '../../../base/result.ts'
import type { LoadedStrategy } from '../../../core/strategy/define-strategy.ts'
import type { LoadedConfig } from '../../../daemon/config/load/loaded-config.ts'
import { checkTypes } from '../../../research/diagnosis/check/type-check.ts'
import type { Changes } from '../../../daemon/config/load/changes.ts'

type BacktestOptions = OutputFormat &
  RefillOptions & {
    readonly config: string
    readonly tape?: string
    readonly strategy?: string
    readonly params?: string
    /** Changes to the file by dotted path. */
    readonly changes?: Changes
    readonly fills?: FillModelName
    readonly seed?: number
    readonly from?: Ms
    readonly to?: Ms
    readonly variants: number
    readonly replicates: number
    readonly report?: string
    readonly allowSkipped?: boolean
    readonly trades?: string
    readonly decisions?: string
    /** A profile of a venue, see `mizani conformance`. */
    readonly like?: string
  }

/** Prints the result of a configuration over a tape, with its uncertainty. */
export async function backtest(options: BacktestOptions, watch: StrategyWatch = UNWATCHED): Promise<void> {
  const changes = strategyChanges(options.strategy, options.params)
  if (!changes.ok) return fail(options, EXIT_CODE.usage, changes.error)
  const like = await changesLike(options.like)
  if (!like.ok) return fail(options, EXIT_CODE.usage, like.error)
  if (like.value.left !== null) printWarning(like.value.left)
  const output = await loadOutput(options)
  const listing = output.lists
  const problem = listing?.listOptionsProblem(options) ?? null
  if (problem !== null) return fail(options, EXIT_CODE.usage, problem)
  const wanted = {
    offline: true,
    changes: { ...options.changes, ...changes.value, ...like.value.changes },
    strategy: 'load',
  } as const
  const config = await watch.loading(() => loadOrExplain(options.config, options, wanted))
  await warnOfTypes(options)
  if (config === null) return
  const tape = options.tape ?? config.backtest.tape
  const source = openCommandTape(tape, options, 'backtest.tape in the configuration')
  if (source === null) return
  const job: BacktestJob = {
    core: config.core,
    strategy: watch.watched(config.strategy),
    renew: () => loadAgain(config, watch),
    settings: options.allowSkipped === true ? { ...config.backtest, maxSkippedShare: 1 } : config.backtest,
    toleranceBps: config.venue.toleranceBps,
    source,
    fills: options.fills ?? config.backtest.fills,
    seed: options.seed ?? config.backtest.seed,
    draws: false,
    variantsTried: options.variants,
  }
  const done = await runFullBacktest(job, {
    withLists: listing === null ? null : (listed) => listing.runWithLists(listed, options),
    refills: refillSettings(options, job.seed),
    replicates: options.replicates,
    noteReplicate: (count) => writeOver(`replicate ${count} of ${options.replicates}`),
  })
  if (!done.ok) return fail(options, EXIT_CODE.failed, await explainEmpty(done.error, tape, options))
  const { result, recorder, law, configuration, refills, replicates, lists } = done.value
  if (output.report !== null) {
    const run = { result, series: recorder.series(), law, configuration }
    const html = output.report(run, config.core.name, refills)
    if (!(await wroteOrExplained(options, options.report, html))) return
  }
  const document = {
    ...result,
    ...(refills === null ? {} : { refills }),
    replicates,
    ...(lists === null ? {} : { lists }),
    daily: dailyRows(recorder.days()),
    plots: recorder.plots(),
    configuration,
  }
  const why = unmeasuredWhy(result)
  if (why === null || options.json !== true) print(options, output.text?.(done.value) ?? '', document)
  if (why !== null) fail(options, EXIT_CODE.failed, why, document)
}

async function loadAgain(
  { core, file }: LoadedConfig,
  watch: StrategyWatch,
): Promise<Result<LoadedStrategy, string>> {
  const { loadVariant } = await import('../../../research/jobs/tournament/participants.ts')
  const again = await watch.loading(() => loadVariant(core.strategy, file))
  return again.ok ? ok(watch.watched(again.value)) : again
}

/** Prints the type errors of a strategy of one's own. They stop nothing: the code runs as it is, or the reason is printed. */
async function warnOfTypes({ config, strategy }: BacktestOptions): Promise<void> {
  const types = await checkTypes(strategy, config)
  if (types?.kind === 'checked') for (const error of types.errors) printWarning(error)
  else if (types !== null) printWarning(`the types of the strategy were not checked: ${types.why}`)
}

/** Loads the code of profiles only for a profile. */
async function changesLike(file: string | undefined) {
  if (file === undefined) return ok({ changes: {}, left: null })
  return (await import('../../../simulator/sandbox/venue-profile.ts')).configLike(file)
}

/**
 * Loads only the requested output code, before a strategy locks this thread down: measuring text widths alone costs 30 ms at
 * the start.
 */
async function loadOutput({ json, report, trades, decisions }: BacktestOptions) {
  const isListed = trades !== undefined || decisions !== undefined
  const lists = isListed ? await import('../../../research/jobs/backtest/write-lists.ts') : null
  const text = json ? null : (await import('./render.ts')).renderFullBacktest
  if (report === undefined) return { text, lists, report: null }
  const [{ reportOf }, { renderReport }] = await Promise.all([
    import('../../../research/report/backtest/backtest-report.ts'),
    import('../../../research/report/render-report.ts'),
  ])
  return { text, lists, report: (...parts: Parameters<typeof reportOf>) => renderReport(reportOf(...parts)) }
}

/**
 * Returns the changes of `--strategy NAME --params JSON`: another strategy with only these parameters; without a name, these
 * parameters of the configured strategy.
 */
function strategyChanges(strategy: string | undefined, params: string | undefined): Result<Changes, string> {
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
  const wanted = 'expected a JSON object such as \'{"halfSpreadBps":50}\''
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
