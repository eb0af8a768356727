import {
  type FleetFile,
  type LoadedFleet,
  loadedConfigs,
  loadFleet,
  type LoadFleetOptions,
} from '../../daemon/config/fleet/load-fleet.ts'
import type { LoadedConfig } from '../../daemon/config/load/loaded-config.ts'
import { type ConfigProblem, formatProblem, formatProblems } from '../../daemon/config/source/problem.ts'
import { runFleet, type RunningFleet } from '../../daemon/runtime/fleet/run-fleet.ts'
import { strategiesFolder } from '../../daemon/runtime/position/strategy-registry.ts'
import { createLog, openLogFile } from '../../daemon/telemetry/log/log.ts'
import { createFleetMetrics } from '../../daemon/telemetry/metrics/fleet-metrics.ts'
import { registrySource } from '../../daemon/telemetry/metrics/scrape.ts'
import { EXIT_CODE } from '../../base/exit-code.ts'
import { alignColumns } from '../output/tables.ts'
import { fail, type OutputFormat, print, writeNote } from '../output/print.ts'
import { type Companion, servePositions } from './serve-positions.ts'

type FleetOptions = OutputFormat & { readonly check?: boolean }

/** Most of the first trial is the start of a thread, which is slow on a busy machine. */
const PROBE_MS = 20_000
const PROGRESS_EVERY_MS = 5_000

/** Runs every position of a folder in the foreground until a signal, or checks the folder. */
export async function fleet(folder: string, options: FleetOptions): Promise<void> {
  const voice: OutputFormat = options.check === true ? options : { json: false }
  const loaded = await load(folder, { onProgress: progressLines() })
  if (!loaded.ok)
    return fail(voice, EXIT_CODE.usage, formatProblems(loaded.error), { problems: loaded.error })
  if (options.check === true) return check(loaded.value, voice)
  const configs = loadedConfigs(loaded.value)
  const problems = problemsOf(loaded.value)
  if (configs.length === 0 && problems.length > 0)
    return fail(voice, EXIT_CODE.usage, formatProblems(problems))
  if (problems.length > 0) writeNote(formatProblems(problems))
  await run(loaded.value, configs)
}

async function run(first: LoadedFleet, configs: readonly LoadedConfig[]): Promise<void> {
  const { http, log: settings, file } = first.process
  const opened = openLogFile(settings.file)
  if (!opened.ok) return fail({ json: false }, EXIT_CODE.usage, `${file}: ${opened.error}`)
  const log = createLog({ position: null, level: settings.level, to: opened.value })
  const metrics = createFleetMetrics()
  let running: RunningFleet | null = null
  // Positions whose start failed before the fleet existed.
  const ended: (readonly [name: string, why: string])[] = []
  await servePositions(configs, {
    mayBeEmpty: { http, log: settings },
    metrics: registrySource(metrics),
    onFatal: (name, why) => (running === null ? void ended.push([name, why]) : running.ended(name, why)),
    accompany(host): Companion {
      const kept = runFleet({ host, first, load: (more) => load(first.folder, more), log, metrics })
      for (const [name, why] of ended) kept.ended(name, why)
      running = kept
      return { reload: () => void kept.lookAgain(), close: kept.close }
    },
  })
}

function load(folder: string, more: Pick<LoadFleetOptions, 'running' | 'before' | 'onProgress'>) {
  return loadFleet(folder, process.env, {
    strategiesFolder: strategiesFolder(),
    probeLimitMs: PROBE_MS,
    ...more,
  })
}

/** Shows the position of each file; exit code 2 if a file defines none. */
function check({ files }: LoadedFleet, voice: OutputFormat): void {
  const problems = files.flatMap(({ loaded }) => (loaded.ok ? [] : loaded.error))
  const rows = files.map(rowOf)
  const count = `${files.length} files, ${files.filter(({ loaded }) => !loaded.ok).length} with problems`
  const table = alignColumns([HEAD, ...rows], () => true)
  const text = [...(files.length === 0 ? [] : table), ...problems.map(formatProblem), count].join('\n')
  const document = {
    files: files.map(documentOf),
    exitCode: problems.length === 0 ? EXIT_CODE.ok : EXIT_CODE.usage,
  }
  print(voice, text, document)
  process.exitCode = document.exitCode
}

const HEAD = ['file', 'position', 'mode', 'strategy', 'store']

function rowOf({ file, loaded }: FleetFile): readonly string[] {
  if (!loaded.ok) return [file, `${loaded.error.length} problems`, '', '', '']
  const { core, store } = loaded.value
  return [file, core.name, core.mode, core.strategy.use, store.path]
}

function documentOf({ file, loaded }: FleetFile): object {
  if (!loaded.ok) return { file, position: null, problems: loaded.error }
  const { core, store } = loaded.value
  const { name, mode, strategy } = core
  return { file, position: name, mode, strategy: strategy.use, store: store.path, problems: [] }
}

function problemsOf({ files }: LoadedFleet): readonly ConfigProblem[] {
  return files.flatMap(({ loaded }) => (loaded.ok ? [] : loaded.error))
}

/** Prints a progress line now and then, because hundreds of files take some seconds. */
function progressLines(): (done: number, total: number) => void {
  let lastAt = performance.now()
  return (done, total) => {
    if (performance.now() - lastAt < PROGRESS_EVERY_MS) return
    lastAt = performance.now()
    writeNote(`${done} of ${total} files read`)
  }
}
