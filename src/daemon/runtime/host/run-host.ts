import { EXIT_CODE } from '../../../base/exit-code.ts'
import { err } from '../../../base/result.ts'
import type { ConsoleOptions } from '../../console/server/options.ts'
import type { OperatorAnswer, PositionPort } from '../../console/position-port.ts'
import { startConsole } from '../../console/start-console.ts'
import type { LoadedConfig } from '../../config/load/loaded-config.ts'
import type { OperatorCommand } from '../../../core/engine/model/event.ts'
import { createLog, type Log, logFileProblem, openLogFile } from '../../telemetry/log/log.ts'
import { createScrape, type MetricsSource, registrySource } from '../../telemetry/metrics/scrape.ts'
import { createHeartbeatMetrics } from '../../telemetry/metrics/heartbeat-metrics.ts'
import { onTimerFault } from '../../../base/threads/timing.ts'
import { hasStuckThread } from '../../../base/threads/end-thread.ts'
import { createHistoryService } from '../history/history-service.ts'
import type { PositionSummary } from '../../view/position-summary.ts'
import {
  createHostedPositions,
  type HostedPosition,
  type HostedPositions,
  type HostFailure,
} from './hosted-positions.ts'
import { runHeartbeats, type Vouched } from './external-heartbeats.ts'
import { createHostRenewals, type HostRenewals } from '../lease/renew-leases.ts'
import { restrictAccess } from './restrict-access.ts'
import { createOperatorSocket, type OperatorSocket } from './operator-socket.ts'
import { createCredentials, leaveToken } from '../operator-token.ts'
import { createWorkerPool } from './worker-pool.ts'
import { createResearchRuns } from './research-runs.ts'
import { createSummaries, type ShownProblem, type Summaries } from './shown-problems.ts'
import { UNANSWERED } from './supervisor.ts'
import { storeInUse } from '../../../store/store-lock.ts'

export type Host = {
  /** The console's URL. */
  readonly url: string
  /** Resolves with the exit code when the last position has ended permanently; never if the host may be empty. */
  readonly ended: Promise<number>
  /** Starts another position. Resolves with null once it runs, or with why it does not; the others are unaffected. */
  readonly add: (config: LoadedConfig) => Promise<HostFailure | null>
  /** Shuts the position down as configured by `quote.onExit` and removes it; resolves with what the venue confirmed. */
  readonly remove: (name: string) => Promise<string>
  /**
   * Reloads one position's configuration, or all; positions that do not answer in time are left out. In a fleet the position takes
   * `accepted`, its files as they were read and tried, and also restarts with it.
   */
  readonly reload: (name?: string, accepted?: LoadedConfig) => Promise<readonly OperatorAnswer[]>
  /** Sends an operator command to a position; resolves with null if it does not answer. */
  readonly command: (
    name: string,
    command: OperatorCommand,
    who: string,
    why: string,
  ) => Promise<OperatorAnswer | null>
  /** One summary per position; positions that do not answer or have ended appear with their last summary. */
  readonly summaries: () => Promise<readonly PositionSummary[]>
  /** Shows configuration problems with their positions until the next call; some of these positions may not run. */
  readonly showProblems: (problems: readonly ShownProblem[]) => void
  /** Shuts down every position as configured; returns one line each with what the venue confirmed. */
  readonly shutdown: () => Promise<readonly string[]>
}

export type HostOptions = {
  /** Server and log of a process that may have no position at times: it ends only on request. */
  readonly mayBeEmpty?: Pick<LoadedConfig, 'http' | 'log'>
  /** Metrics of the process as a whole. */
  readonly metrics?: MetricsSource
  /** The maximum number of shared workers. Default: one per core. */
  readonly workers?: number
}

/** Shutdown must finish within ten seconds of SIGTERM. */
const SHUTDOWN_MS = 7_500
const TIMER_FAULT = 'a timer failed: its work was skipped once, and the process continues; report this line'
const WHOLE_SHUTDOWN_MS = 9_400
/** Time limits for sending notifications during shutdown. */
const LAST_NOTICES_MS = { least: 300, most: 2_000 }

/**
 * Runs the process: supervised positions and one HTTP server for all. A failed position does not affect the others; unless the host may be
 * empty, the process ends with its last position.
 */
export async function runHost(
  configs: readonly LoadedConfig[],
  version: string,
  onFatal: (name: string, message: string) => void,
  { mayBeEmpty, metrics, workers }: HostOptions = {},
): Promise<Host | HostFailure> {
  const settings = mayBeEmpty ?? configs[0]
  if (settings === undefined)
    return { exitCode: EXIT_CODE.usage, message: 'at least one configuration is needed' }
  const opened = openLogs(settings, configs)
  if (!opened.ok) return { exitCode: EXIT_CODE.usage, message: opened.error }
  const log = createLog({ position: null, level: settings.log.level, to: opened.value })
  for (const mended of restrictAccess(configs)) log.warn(mended)
  const credentials = createCredentials(settings)
  const history = createHistoryService()
  const renewals = createHostRenewals(credentials, log)
  const ended = Promise.withResolvers<number>()
  let firstFailure: HostFailure | null = null
  // Positions fill this list later: nothing is requested from the venue before this process has its port.
  const ports: PositionPort[] = []
  const positions = createHostedPositions({
    version,
    log,
    history,
    renewals,
    workers: createWorkerPool({ version, ...faultsTo(log), shared: workers }),
    ports,
    onFatal(name, failure) {
      onFatal(name, failure.message)
      firstFailure ??= failure
      const { exitCode } = firstFailure
      if (mayBeEmpty !== undefined || positions.anyAlive()) return
      void positions.notified().then(() => ended.resolve(exitCode))
    },
  })
  const [summaries, heartbeats] = [createSummaries(positions), createHeartbeatMetrics()]
  const ofProcess = [registrySource(heartbeats), metrics].filter((one) => one !== undefined)
  const sources = () => [...positions.metrics(), ...ofProcess]
  const research = createResearchRuns({ find: (name) => positions.find(name)?.config })
  const isFleet = mayBeEmpty !== undefined
  const shown = { version, ports, research, sources, summaries, isFleet, credentials: credentials.all }
  const console = await listen(settings, shown, (error) => log.error({ err: error }, 'the console failed'))
  if (!console.ok) {
    await history.close()
    return { exitCode: EXIT_CODE.failed, message: anyStoreInUse(configs) ?? console.error }
  }
  const vouched = () => positions.all().filter(isHeldHere).map(vouchedBy)
  const stopHeartbeats = runHeartbeats({ positions: vouched, log, metrics: heartbeats })
  const closeServices = () => Promise.all([stopHeartbeats(), console.value.close(), history.close()])
  const started = await Promise.all(configs.map(positions.add))
  if (mayBeEmpty === undefined && !started.some(isRunning)) {
    await Promise.all([positions.notified(), closeServices()])
    return firstFailure ?? { exitCode: EXIT_CODE.failed, message: 'no position could be started' }
  }
  const [token, socket] = [credentials.made, createOperatorSocket(console.value.listenAt)]
  const parts: HostParts = { positions, summaries, closeServices, log, socket, token, renewals }
  await leaveAccessFor(parts, started.filter(isRunning))
  return { url: console.value.url, ended: ended.promise, ...controls(parts) }
}

/** Names a store that another daemon holds. That daemon also holds the port, and another port would not free the store. */
function anyStoreInUse(configs: readonly LoadedConfig[]): string | null {
  return configs.map(({ store }) => storeInUse(store.path)).find((message) => message !== null) ?? null
}

/** Logs errors thrown by timers, in this thread and in the workers. */
function faultsTo(log: Log) {
  const onFault = (error: unknown) => log.error({ event: 'timer', err: error }, TIMER_FAULT)
  onTimerFault(onFault)
  return { onFault }
}

type HostParts = {
  readonly positions: HostedPositions
  readonly summaries: Summaries
  readonly closeServices: () => Promise<unknown>
  readonly log: Log
  readonly socket: OperatorSocket
  /** The token generated for this run; null = tokens are configured. */
  readonly token: string | null
  readonly renewals: HostRenewals
}

/** Returns the operations on running positions. */
function controls(parts: HostParts): Omit<Host, 'url' | 'ended'> {
  const { positions, summaries, log, renewals } = parts
  return {
    async add(config) {
      const before = positions.find(config.core.name)
      if (before !== undefined && isRunning(before))
        return {
          exitCode: EXIT_CODE.usage,
          message: `a position named ${config.core.name} is already running`,
        }
      for (const mended of restrictAccess([config])) log.warn(mended)
      const position = await positions.add(config)
      if (!(await position.supervisor.running))
        return (
          position.failure() ?? { exitCode: EXIT_CODE.failed, message: 'it was removed while it started' }
        )
      await leaveAccessFor(parts, [position])
      return null
    },
    async remove(name) {
      const position = positions.find(name)
      if (position === undefined) return `there is no position named ${name}`
      const [line = UNANSWERED] = await leave([position], renewals)
      positions.forget(position)
      await parts.socket.hide(position.config.store.path)
      return line
    },
    async reload(name, accepted) {
      const chosen = positions.all().filter(({ config }) => name === undefined || config.core.name === name)
      const answers = chosen.map((position) => position.reload(SHUTDOWN_MS, accepted))
      return (await Promise.all(answers)).filter((answer) => answer !== null)
    },
    command: async (name, command, who, why) =>
      (await positions.find(name)?.supervisor.ask({ method: 'command', command, who, why })) ?? null,
    summaries: summaries.read,
    showProblems: summaries.showProblems,
    shutdown: () => leave(positions.all(), renewals, parts.closeServices),
  }
}

/** A standby daemon does not vouch for the position. */
function isHeldHere({ supervisor }: HostedPosition): boolean {
  return supervisor.standby() === null
}

function vouchedBy({ config, supervisor, notifier, failure }: HostedPosition): Vouched {
  return {
    alert: config.alert,
    beat: async () => ({
      position: config.core.name,
      durableSeq: await supervisor.ask({ method: 'beat' }),
      ended: failure()?.message ?? null,
    }),
    notify: (notice) => notifier?.notify(notice),
  }
}

/** Saves this run's token and the socket for the command line of the same user. */
async function leaveAccessFor(
  { token, socket, log }: HostParts,
  positions: readonly HostedPosition[],
): Promise<void> {
  const configs = positions.map(({ config }) => config)
  if (token !== null) leaveToken(token, configs)
  for (const { core, store } of configs) {
    const problem = await socket.show(store.path)
    if (problem !== null)
      log.warn(`${core.name}: commands reach this daemon only through its port: ${problem}`)
  }
}

function isRunning({ failure }: HostedPosition): boolean {
  return failure() === null
}

/** Opens the log of the process and tries those of the positions, so that the start fails if one cannot be opened. */
function openLogs(
  settings: Pick<LoadedConfig, 'log'>,
  configs: readonly LoadedConfig[],
): ReturnType<typeof openLogFile> {
  for (const { file, log } of configs) {
    const problem = logFileProblem(log.file)
    if (problem !== null) return err(`${file}: ${problem}`)
  }
  return openLogFile(settings.log.file)
}

function listen(
  { http }: Pick<LoadedConfig, 'http'>,
  {
    ports,
    sources,
    summaries,
    ...shown
  }: Pick<ConsoleOptions, 'version' | 'research' | 'isFleet' | 'credentials'> & {
    readonly ports: readonly PositionPort[]
    readonly sources: () => readonly MetricsSource[]
    readonly summaries: Summaries
  },
  reportError: (error: unknown) => void,
): ReturnType<typeof startConsole> {
  return startConsole({
    ...shown,
    host: http.host,
    port: http.port,
    readsNeedToken: http.readsNeedToken,
    positions: ports,
    absent: summaries.absent,
    summaries: summaries.read,
    isStuck: hasStuckThread,
    scrape: createScrape(sources),
    reportError,
  })
}

/** Shuts positions down as configured, then sends notifications while time is left. */
async function leave(
  positions: readonly HostedPosition[],
  renewals: HostRenewals,
  closeOthers: () => Promise<unknown> = () => Promise.resolve(),
): Promise<readonly string[]> {
  const began = performance.now()
  const lines = await Promise.all(positions.map(({ supervisor }) => supervisor.shutdown(SHUTDOWN_MS)))
  await renewals.leave(positions.map(({ config }) => config.core.name))
  const { least, most } = LAST_NOTICES_MS
  const withinMs = Math.max(least, Math.min(most, WHOLE_SHUTDOWN_MS - (performance.now() - began)))
  const notified = positions.map(({ notifier }, index) =>
    notifier?.stopped(lines[index] ?? UNANSWERED, withinMs),
  )
  await Promise.all([...notified, closeOthers()])
  return lines
}
