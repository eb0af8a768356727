import type { LoadedConfig } from '../../config/load/loaded-config.ts'
import { runHost } from '../../runtime/host/run-host.ts'
import { EXIT_CODE } from '../exit-code.ts'
import { fail, printable } from '../output/print.ts'
import { version } from '../version.ts'

/**
 * Runs positions in the foreground until a signal ends it, and then the process with it. `onLeft` has the
 * last lines, after what the venue confirmed.
 */
export async function servePositions(
  configs: readonly LoadedConfig[],
  onLeft: () => readonly string[] = () => [],
): Promise<void> {
  // Before the first quote: a signal without a handler ends the process at once.
  const signal = signalled()
  // A closed pipe must not end a process that trades.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined)
  let reload = (): void => undefined
  process.on('SIGHUP', () => reload())
  const starting = runHost(configs, version, (name, message) =>
    process.stderr.write(`${name}: ${message.split('\n').map(printable).join('\n')}\n`),
  )
  const host = await Promise.race([starting, signal.then(() => startTimeout())])
  if (host === null) {
    process.stdout.write('ended while starting: the quote at the venue is unchanged\n')
    process.exit(EXIT_CODE.ok)
  }
  if ('exitCode' in host) return fail({ json: false }, host.exitCode, host.message)
  process.stdout.write(
    `${JSON.stringify({ msg: 'listening', url: host.url, positions: configs.map((c) => c.core.name) })}\n`,
  )

  reload = () => void host.reload()
  const exitCode = await Promise.race([host.ended, signal])
  if (exitCode === null) {
    for (const line of await host.shutdown()) process.stdout.write(`${line}\n`)
  }
  for (const line of onLeft()) process.stdout.write(`${line}\n`)
  process.exit(exitCode ?? EXIT_CODE.ok)
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
