import type { LoadedConfig } from '../../daemon/config/load/loaded-config.ts'
import { type Host, type HostOptions, runHost } from '../../daemon/runtime/host/run-host.ts'
import { EXIT_CODE } from '../../base/exit-code.ts'
import { fail, writeJson, writeLine, writeNote } from '../output/print.ts'
import { version } from '../../base/text/version.ts'

/** A service that runs next to the positions. */
export type Companion = {
  /** On SIGHUP, instead of reading every configuration again. */
  readonly reload: () => void
  /** Before the positions are left. */
  readonly close: () => Promise<void>
}

type ServeOptions = HostOptions & {
  /** The last lines, printed after the venue's confirmation. */
  readonly onLeft?: () => readonly string[]
  /** Called once the positions run as far as possible. */
  readonly accompany?: (host: Host) => Companion
  /** A position has ended for good. */
  readonly onFatal?: (name: string, message: string) => void
}

/** Runs positions in the foreground until a signal ends it, and then the process with it. */
export async function servePositions(
  configs: readonly LoadedConfig[],
  { onLeft = () => [], accompany, onFatal, ...options }: ServeOptions = {},
): Promise<void> {
  // Before the first quote: a signal without a handler ends the process at once.
  const signal = signalled()
  // A closed pipe must not end a process that trades.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined)
  let reload = (): void => undefined
  process.on('SIGHUP', () => reload())
  const reportFatal = (name: string, message: string): void => {
    writeNote(`${name}: ${message}`)
    onFatal?.(name, message)
  }
  const starting = runHost(configs, version, reportFatal, options)
  const host = await Promise.race([starting, signal.then(() => startTimeout())])
  if (host === null) {
    writeLine('ended while starting: the quote at the venue is unchanged')
    process.exit(EXIT_CODE.ok)
  }
  if ('exitCode' in host) return fail({ json: false }, host.exitCode, host.message)
  if (process.stdout.isTTY) writeLine(`console  ${host.url}   (\`mizani console\` signs a browser in)`)
  else writeJson({ msg: 'listening', url: host.url, positions: configs.map((c) => c.core.name) })
  const endStatusLine = await statusLine(host)

  const companion = accompany?.(host)
  reload = companion?.reload ?? (() => void host.reload())
  const exitCode = await Promise.race([host.ended, signal])
  endStatusLine()
  await companion?.close()
  if (exitCode === null) {
    for (const line of await host.shutdown()) writeLine(line)
  }
  for (const line of onLeft()) writeLine(line)
  process.exit(exitCode ?? EXIT_CODE.ok)
}

/** The packages that draw it are loaded only on a terminal. */
async function statusLine(host: Host): Promise<() => void> {
  if (!process.stdout.isTTY) return () => undefined
  const { showStatusLine } = await import('./status-line.ts')
  return showStatusLine(host)
}

/** An interrupted start may still complete within this time, so that it shuts down in order. */
const START_TIMEOUT_MS = 1_000

/** Resolves with null after that time: a longer start waits for a venue that does not answer. */
function startTimeout(): Promise<null> {
  return new Promise((resolve) => setTimeout(resolve, START_TIMEOUT_MS, null))
}

/** Resolves with null at SIGTERM or SIGINT; a second signal changes nothing, the shutdown is bounded. */
function signalled(): Promise<null> {
  return new Promise((resolve) => {
    process.on('SIGTERM', () => resolve(null))
    process.on('SIGINT', () => resolve(null))
  })
}
