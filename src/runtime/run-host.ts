import { openSync } from 'node:fs'
import type { PositionPort } from '../console/position-port.ts'
import { startConsole } from '../console/start-console.ts'
import type { LoadedConfig } from '../config/loaded-config.ts'
import { createLog } from '../telemetry/create-log.ts'
import { createScrape } from '../telemetry/create-scrape.ts'
import { createHistoryDesk } from './history-desk.ts'
import { operatorToken } from './operator-token.ts'
import { positionPort } from './position-port.ts'
import { supervisePosition } from './supervise-position.ts'

export type Host = {
  /** Where the console listens. */
  readonly url: string
  /** Resolves when the last position is gone for good, with the exit code. */
  readonly ended: Promise<number>
  readonly reload: () => void
  /** Leaves every position as configured; one line each with what the venue confirmed. */
  readonly shutdown: () => Promise<readonly string[]>
}

export type HostFailure = { readonly exitCode: number; readonly message: string }

const STRATEGY_TIMEOUT_MS = 1_000
/** SIGTERM has to be over in ten seconds. */
const SHUTDOWN_MS = 7_500

/**
 * The process: one supervised worker a position and one HTTP server for all. A position that cannot run
 * takes no other with it; the process ends when none is left.
 */
export async function runHost(
  configs: readonly LoadedConfig[],
  version: string,
  onFatal: (name: string, message: string) => void,
): Promise<Host | HostFailure> {
  const [first, ...others] = configs
  if (first === undefined) return { exitCode: 2, message: 'at least one configuration is needed' }
  const to = first.log.file === null ? {} : { to: openSync(first.log.file, 'a') }
  const log = createLog({ position: null, level: first.log.level, ...to })
  const alive = new Set(configs.map((config) => config.core.name))
  let end: (exitCode: number) => void = () => undefined
  let failure: HostFailure | null = null
  const ended = new Promise<number>((resolve) => (end = resolve))
  const supervisors = configs.map((config) =>
    supervisePosition({
      name: config.core.name,
      configFile: config.file,
      changes: config.changes,
      version,
      strategyTimeoutMs: STRATEGY_TIMEOUT_MS,
      onNotice: (level, message) => log[level](message),
      onFatal(exitCode, message) {
        onFatal(config.core.name, message)
        failure ??= { exitCode, message }
        alive.delete(config.core.name)
        if (alive.size === 0) end(failure.exitCode)
      },
    }),
  )
  const running = await Promise.all(supervisors.map((supervisor) => supervisor.running))
  if (!running.includes(true)) return failure ?? { exitCode: 1, message: 'no position could be started' }
  const history = createHistoryDesk()
  const ports = configs.flatMap(({ store }, index) => {
    const supervisor = supervisors[index]
    return supervisor === undefined ? [] : [positionPort(supervisor, history.pastOf(store.path))]
  })
  const console = await listen([first, ...others], version, ports, (error) =>
    log.error({ err: error }, 'the console failed'),
  )
  if (!console.ok) {
    await Promise.all(supervisors.map((supervisor) => supervisor.shutdown(SHUTDOWN_MS)))
    return { exitCode: 1, message: console.error }
  }
  return {
    url: console.value.url,
    ended,
    reload: () => {
      for (const supervisor of supervisors) void supervisor.ask({ method: 'reload' }, SHUTDOWN_MS)
    },
    async shutdown() {
      const lines = await Promise.all(supervisors.map((supervisor) => supervisor.shutdown(SHUTDOWN_MS)))
      await console.value.close()
      await history.close()
      return lines
    },
  }
}

function listen(
  configs: readonly [LoadedConfig, ...LoadedConfig[]],
  version: string,
  ports: readonly PositionPort[],
  reportError: (error: unknown) => void,
): ReturnType<typeof startConsole> {
  const [{ http }] = configs
  return startConsole({
    host: http.host,
    port: http.port,
    token: operatorToken(configs),
    positions: ports,
    version,
    scrape: createScrape(),
    reportError,
  })
}
