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
  // Before the first quote can stand: a signal that finds no handler ends the process on the spot.
  const signal = signalled()
  // Nor may a reader of these lines that has gone away end who trades.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined)
  let reload = (): void => undefined
  process.on('SIGHUP', () => reload())
  const starting = runHost(configs, version, (name, message) =>
    process.stderr.write(`${name}: ${message.split('\n').map(printable).join('\n')}\n`),
  )
  const host = await Promise.race([starting, signal.then(() => endOfPatience())])
  if (host === null) {
    process.stdout.write('ended while starting: the quote at the venue is unchanged\n')
    process.exit(EXIT_CODE.ok)
  }
  if ('exitCode' in host) return fail({ json: false }, host.exitCode, host.message)
  process.stdout.write(
    `${JSON.stringify({ msg: 'listening', url: host.url, positions: configs.map((c) => c.core.name) })}\n`,
  )

  reload = host.reload
  const exitCode = await Promise.race([host.ended, signal])
  if (exitCode === null) {
    for (const line of await host.shutdown()) process.stdout.write(`${line}\n`)
  }
  for (const line of onLeft()) process.stdout.write(`${line}\n`)
  process.exit(exitCode ?? EXIT_CODE.ok)
}

/** A start that a signal interrupts may still come to its end, so that it is left in good order. */
const START_PATIENCE_MS = 1_000

/** Resolves with null when a start that was interrupted has had its time. Longer, and its venue is silent. */
function endOfPatience(): Promise<null> {
  return new Promise((resolve) => setTimeout(resolve, START_PATIENCE_MS, null))
}

/** Resolves with null at SIGTERM or SIGINT; a second one is harmless, the way out is already bounded. */
function signalled(): Promise<null> {
  return new Promise((resolve) => {
    process.on('SIGTERM', () => resolve(null))
    process.on('SIGINT', () => resolve(null))
  })
}
