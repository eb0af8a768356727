import { closeSync } from 'node:fs'
import { err, type Result } from '../../base/result.ts'
import type { Credential } from '../../console/auth/credentials.ts'
import type { PositionPort } from '../../console/position-port.ts'
import { startConsole } from '../../console/server/server.ts'
import type { LoadedConfig } from '../../config/load/loaded-config.ts'
import { createLog, type Log, openLogFile } from '../../telemetry/log/log.ts'
import { createScrape } from '../../telemetry/metrics/metrics.ts'
import { createHistoryService } from '../history/service.ts'
import { hostNotifiers, type HostNotifiers } from './notifications/host-notifiers.ts'
import { keepPrivate } from './keep-private.ts'
import { createCredentials, leaveToken } from './operator-token.ts'
import { createPositionClient } from './position-client.ts'
import { supervisePosition, UNANSWERED, type Supervisor } from './supervisor.ts'

export type Host = {
  /** Where the console listens. */
  readonly url: string
  /** Resolves with the exit code when the last position has ended for good. */
  readonly ended: Promise<number>
  readonly reload: () => void
  /** Leaves every position as configured; one line each with what the venue confirmed. */
  readonly shutdown: () => Promise<readonly string[]>
}

export type HostFailure = { readonly exitCode: number; readonly message: string }

const STRATEGY_TIMEOUT_MS = 1_000
/** SIGTERM has to be over in ten seconds. */
const SHUTDOWN_MS = 7_500
const WHOLE_SHUTDOWN_MS = 9_400
/** How long notifications may still be sent on the way out. */
const LAST_WORDS_MS = { least: 300, most: 2_000 }

/**
 * The process: one supervised worker a position and one HTTP server for all. A position that cannot run
 * takes no other with it; the process ends when none is left.
 */
export async function runHost(
  configs: readonly LoadedConfig[],
  version: string,
  onFatal: (name: string, message: string) => void,
): Promise<Host | HostFailure> {
  const [first] = configs
  if (first === undefined) return { exitCode: 2, message: 'at least one configuration is needed' }
  const opened = openLogs(configs)
  if (!opened.ok) return { exitCode: 2, message: opened.error }
  const log = createLog({ position: null, level: first.log.level, to: opened.value })
  for (const mended of keepPrivate(configs)) log.warn(mended)
  const credentials = createCredentials(first)
  // Filled below: nothing is asked of the venue before this process has its port.
  const ports: PositionPort[] = []
  const console = await listen(first, { version, ports, credentials: credentials.all }, (error) =>
    log.error({ err: error }, 'the console failed'),
  )
  if (!console.ok) return { exitCode: 1, message: console.error }
  const lifecycles = trackLifecycles(configs)
  const { supervisors, notifiers } = await superviseAll(configs, version, log, (name, failure, notified) => {
    onFatal(name, failure.message)
    lifecycles.terminated(name, failure, notified)
  })
  const history = createHistoryService()
  ports.push(
    ...configs.flatMap(({ store }, index) => {
      const supervisor = supervisors[index]
      return supervisor === undefined
        ? []
        : [createPositionClient(supervisor, history.pastOf(store.path), notifiers.get(supervisor.name))]
    }),
  )
  const running = await Promise.all(supervisors.map((supervisor) => supervisor.running))
  if (!running.includes(true)) {
    await Promise.all([console.value.close(), history.close()])
    return lifecycles.failure()
  }
  if (credentials.made !== null)
    leaveToken(
      credentials.made,
      configs.filter((_, index) => running[index] === true),
    )
  return {
    url: console.value.url,
    ended: lifecycles.ended,
    reload: () => {
      for (const supervisor of supervisors) void supervisor.ask({ method: 'reload' }, SHUTDOWN_MS)
    },
    shutdown: () =>
      leave(supervisors, notifiers, () => Promise.all([console.value.close(), history.close()])),
  }
}

/** The descriptor of the first one's; the others are opened again by who writes to them. */
function openLogs([first, ...others]: readonly LoadedConfig[]): Result<number, string> {
  for (const { file, log } of others) {
    const opened = openLogFile(log.file)
    if (!opened.ok) return err(`${file}: ${opened.error}`)
    if (log.file !== null) closeSync(opened.value)
  }
  const opened = openLogFile(first?.log.file ?? null)
  return opened.ok ? opened : err(`${first?.file ?? ''}: ${opened.error}`)
}

function listen(
  { http }: LoadedConfig,
  what: {
    readonly version: string
    readonly ports: readonly PositionPort[]
    readonly credentials: readonly Credential[]
  },
  reportError: (error: unknown) => void,
): ReturnType<typeof startConsole> {
  return startConsole({
    host: http.host,
    port: http.port,
    credentials: what.credentials,
    positions: what.ports,
    version: what.version,
    scrape: createScrape(),
    reportError,
  })
}

type Fatal = (name: string, failure: HostFailure, notified: Promise<void>) => void

/** A supervisor for each position, and its notifier; each of them calls the other. */
async function superviseAll(
  configs: readonly LoadedConfig[],
  version: string,
  log: Log,
  onFatal: Fatal,
): Promise<{ readonly supervisors: readonly Supervisor[]; readonly notifiers: HostNotifiers }> {
  const supervisors: Supervisor[] = []
  const notifiers = await hostNotifiers(configs, {
    version,
    log,
    look: async (name) => {
      const supervisor = supervisors.find((one) => one.name === name)
      return (await supervisor?.ask({ method: 'view' })) ?? null
    },
  })
  for (const { core, file, changes } of configs) {
    const notifier = notifiers.get(core.name)
    const supervisor = supervisePosition({
      name: core.name,
      configFile: file,
      changes,
      version,
      strategyTimeoutMs: STRATEGY_TIMEOUT_MS,
      onLog: (level, message) => log[level](message),
      onFatal: (exitCode, message) =>
        onFatal(core.name, { exitCode, message }, notifier?.terminated(message) ?? Promise.resolve()),
      ...(notifier === undefined ? {} : { onNotify: notifier.notify, onRestart: notifier.restarting }),
    })
    void supervisor.running.then((isRunning) => {
      if (isRunning) notifier?.started()
    })
    supervisors.push(supervisor)
  }
  return { supervisors, notifiers }
}

/** Which positions have ended for good. The process ends with the first failure, after the last notification was sent. */
function trackLifecycles(configs: readonly LoadedConfig[]) {
  const alive = new Set(configs.map((config) => config.core.name))
  const ended = Promise.withResolvers<number>()
  const notifications: Promise<void>[] = []
  let first: HostFailure | null = null
  return {
    ended: ended.promise,
    terminated(name: string, failure: HostFailure, notified: Promise<void>): void {
      first ??= failure
      alive.delete(name)
      notifications.push(notified)
      const { exitCode } = first
      if (alive.size === 0) void Promise.all(notifications).then(() => ended.resolve(exitCode))
    },
    /** Why there is nothing to run; resolves once the notifications were sent. */
    async failure(): Promise<HostFailure> {
      await Promise.all(notifications)
      return first ?? { exitCode: 1, message: 'no position could be started' }
    },
  }
}

/** Leaves every position as configured, and then sends notifications as far as there is time. */
async function leave(
  supervisors: readonly Supervisor[],
  notifiers: HostNotifiers,
  closeOthers: () => Promise<unknown> = () => Promise.resolve(),
): Promise<readonly string[]> {
  const began = performance.now()
  const lines = await Promise.all(supervisors.map((supervisor) => supervisor.shutdown(SHUTDOWN_MS)))
  const { least, most } = LAST_WORDS_MS
  const withinMs = Math.max(least, Math.min(most, WHOLE_SHUTDOWN_MS - (performance.now() - began)))
  const notified = supervisors.map(({ name }, index) =>
    notifiers.get(name)?.stopped(lines[index] ?? UNANSWERED, withinMs),
  )
  await Promise.all([...notified, closeOthers()])
  return lines
}
