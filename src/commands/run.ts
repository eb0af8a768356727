import type { LoadedConfig } from '../config/loaded-config.ts'
import { runHost } from '../runtime/run-host.ts'
import { EXIT_CODE } from './exit-code.ts'
import { loadOrExplain } from './load-or-explain.ts'
import { fail } from './say.ts'
import { version } from './version.ts'

const VOICE = { json: false }

/** The daemon, in the foreground, until a signal ends it. */
export async function run(options: { readonly config: readonly string[] }): Promise<void> {
  const configs: LoadedConfig[] = []
  for (const file of options.config) {
    const config = await loadOrExplain(file, VOICE)
    if (config !== null) configs.push(config)
  }
  if (configs.length < options.config.length) return
  const clash = clashOf(configs)
  if (clash !== null) return fail(VOICE, EXIT_CODE.usage, clash)

  // Before the first quote can stand: a signal that finds no handler ends the process on the spot.
  const signal = signalled()
  let reload = (): void => undefined
  process.on('SIGHUP', () => reload())
  const starting = runHost(configs, version, (name, message) => process.stderr.write(`${name}: ${message}\n`))
  const host = await Promise.race([starting, signal.then(() => endOfPatience())])
  if (host === null) {
    process.stdout.write('ended while starting: the quote stands at the venue as it was\n')
    process.exit(EXIT_CODE.ok)
  }
  if ('exitCode' in host) return fail(VOICE, host.exitCode, host.message)
  process.stdout.write(
    `${JSON.stringify({ msg: 'listening', url: host.url, positions: configs.map((c) => c.core.name) })}\n`,
  )

  reload = host.reload
  const exitCode = await Promise.race([host.ended, signal])
  if (exitCode === null) {
    for (const line of await host.shutdown()) process.stdout.write(`${line}\n`)
    process.exit(EXIT_CODE.ok)
  }
  process.exit(exitCode)
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

/** Positions of one process share one HTTP server, and nothing else. */
function clashOf(configs: readonly LoadedConfig[]): string | null {
  const names = configs.map((config) => config.core.name)
  const stores = configs.map((config) => config.store.path)
  const twice = (values: readonly string[]) => values.find((value, index) => values.indexOf(value) !== index)
  const name = twice(names)
  if (name !== undefined) return `two configurations are named ${name}; each position needs a name of its own`
  const store = twice(stores)
  if (store !== undefined)
    return `two configurations use the store ${store}; each position needs a store of its own`
  const [first] = configs
  const other = configs.find((c) => c.http.host !== first?.http.host || c.http.port !== first.http.port)
  if (other === undefined) return null
  return `${other.file}: http differs from ${first?.file ?? ''}; positions of one process share one HTTP server`
}
