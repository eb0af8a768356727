import { readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { SECOND_MS } from '../../../base/time.ts'
import type { LoadedFleet } from '../../config/fleet/load-fleet.ts'
import { watchConfig } from '../../config/reload/watch-config.ts'
import { FLEET_USD_DECIMALS } from '../../config/schema/fleet.ts'
import { formatDecimalText } from '../../../base/money/decimal-text.ts'
import type { Log } from '../../telemetry/log/log.ts'
import type { FleetMetrics } from '../../telemetry/metrics/fleet-metrics.ts'
import type { Host } from '../host/run-host.ts'
import { createFleetAlerts, type FleetAlert, type FleetAlerts } from './fleet-alerts.ts'
import { FLEET_LIMITS, type LimitStatus } from './assess-limits.ts'
import {
  createFleetKeeper,
  type FleetKeeper,
  type FleetKeeperParts,
  type FleetProblem,
} from './keep-fleet.ts'
import { type LimitWatch, statusText, watchLimits } from './watch-limits.ts'
import { runCaught, runEvery } from '../../../base/threads/timing.ts'

type RunFleetParts = {
  readonly host: Host
  /** The fleet at the start of the process. */
  readonly first: LoadedFleet
  readonly load: FleetKeeperParts['load']
  readonly log: Log
  readonly metrics: FleetMetrics
}

export type RunningFleet = {
  /** Reads the whole folder again and tries again what was refused. */
  readonly lookAgain: () => Promise<void>
  /** A position has ended for good; it is tried again later. */
  readonly ended: (name: string, why: string) => void
  readonly close: () => Promise<void>
}

const TICK_MS = SECOND_MS
/** A file's problem may be a secret that does not exist yet, in a file that is not watched. */
const RETRY_TICKS = 30
const LAST_NOTICES_MS = SECOND_MS

/** Keeps a fleet in line with its folder and within its limits, until it is closed. */
export function runFleet({ host, first, load, log, metrics }: RunFleetParts): RunningFleet {
  const alerts = createFleetAlerts(first.notify, first.folder, log)
  const keeper = createFleetKeeper({ host, load, first, onLog: (level, message) => log[level](message) })
  const limits = watchLimits({
    host,
    limits: () => keeper.fleet().settings.limits,
    configs: keeper.running,
    onJudged: (statuses) => reportLimits(alerts, statuses),
  })
  let isClosed = false

  async function look(changed: ReadonlySet<string> | null): Promise<void> {
    if (isClosed) return
    await keeper.look(changed)
    showProblems()
  }

  function showProblems(): void {
    const problems = keeper.problems()
    reportProblems(alerts, problems)
    host.showProblems(problems.flatMap(({ name, ...shown }) => (name === null ? [] : [{ name, ...shown }])))
    for (const about of ABOUT)
      metrics.problems.set({ about }, problems.filter((problem) => problem.about === about).length)
  }

  const watch = watchConfig(
    () => watchedFiles(keeper),
    (changed) => runCaught(() => look(new Set(changed))),
  )
  let ticks = 0
  const timer = runEvery(() => {
    ticks += 1
    runCaught(() => limits.look().then(() => measure(metrics, keeper, limits)))
    const retries = ticks % RETRY_TICKS === 0 && keeper.problems().length > 0
    if (retries || keeper.isDue()) runCaught(() => look(NOTHING))
  }, TICK_MS)
  showProblems()
  return {
    lookAgain: () => look(null),
    ended(name, why) {
      keeper.ended(name, why)
      if (!isClosed) showProblems()
    },
    async close() {
      isClosed = true
      clearInterval(timer)
      watch.close()
      await alerts.close(LAST_NOTICES_MS)
    },
  }
}

const NOTHING: ReadonlySet<string> = new Set()
const ABOUT = ['folder', 'defaults', 'file'] as const
const ALERT_ABOUT = {
  folder: 'fleet-folder',
  defaults: 'fleet-defaults',
  file: 'fleet-file',
} as const satisfies Readonly<Record<FleetProblem['about'], FleetAlert>>

function reportProblems(alerts: FleetAlerts, problems: readonly FleetProblem[]): void {
  for (const about of ABOUT) {
    const texts = problems.filter((problem) => problem.about === about).map(({ text }) => text)
    if (texts.length === 0) alerts.lift(ALERT_ABOUT[about])
    else alerts.raise(ALERT_ABOUT[about], texts.join('\n'))
  }
}

function reportLimits(alerts: FleetAlerts, statuses: readonly LimitStatus[]): void {
  const report = (code: FleetAlert, state: LimitStatus['state']) => {
    const limits = statuses.filter((status) => status.state === state)
    if (limits.length === 0) alerts.lift(code)
    else alerts.raise(code, limits.map(statusText).join('\n'), limits.map(({ limit }) => limit).join(', '))
  }
  report('fleet-limit', 'exceeded')
  report('fleet-limit-near', 'near')
}

function measure(metrics: FleetMetrics, keeper: FleetKeeper, limits: LimitWatch): void {
  const set = keeper.fleet().settings.limits
  for (const limit of FLEET_LIMITS) {
    const status = limits.statuses().find((one) => one.limit === limit)
    if (set[limit] === null || status === undefined) {
      metrics.limitUsd.remove({ limit })
      metrics.usd.remove({ limit })
    } else {
      metrics.limitUsd.set({ limit }, dollars(status.limitUsd))
      metrics.usd.set({ limit }, dollars(status.actualUsd))
    }
  }
}

/** For a gauge, which is a float64 anyway. */
function dollars(micros: bigint): number {
  return Number(formatDecimalText(micros, FLEET_USD_DECIMALS))
}

/** Returns all source files of the positions and the files now in the folder. */
function watchedFiles(keeper: FleetKeeper): readonly string[] {
  const { folder, files, defaults } = keeper.fleet()
  const sources = files.flatMap(({ file, loaded }) => (loaded.ok ? loaded.value.watchFiles : [resolve(file)]))
  const running = keeper.running().flatMap(({ watchFiles }) => watchFiles)
  return [...new Set([resolve(defaults.source.file), ...sources, ...running, ...inFolder(folder)])]
}

function inFolder(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
      .filter((name) => /\.ya?ml$/.test(name) && !name.startsWith('.'))
      .map((name) => resolve(join(folder, name)))
  } catch {
    // The folder is missing: its files then count as removed, which is a change.
    return []
  }
}
