import { onTestFinished } from 'vitest'
import { loadConfig } from '../../../src/daemon/config/load/load-config.ts'
import type { LoadedConfig } from '../../../src/daemon/config/load/loaded-config.ts'
import type { HostFailure } from '../../../src/daemon/runtime/host/hosted-positions.ts'
import { runHost, type Host, type HostOptions } from '../../../src/daemon/runtime/host/run-host.ts'
import { strategiesFolder } from '../../../src/daemon/runtime/position/strategy-registry.ts'
import { writePositions, type WrittenPositions } from './written-positions.ts'

export type ManyPositions = WrittenPositions & {
  readonly configs: readonly LoadedConfig[]
  /** What stands at the venue of that position: [bid, ask]. */
  readonly quoteOf: (name: string) => readonly [number, number]
}

/** Positions at keys of their own of one venue; `patchOf` changes the configuration of one. They go when the test is over. */
export async function manyPositions(...given: Parameters<typeof openPositions>): Promise<ManyPositions> {
  const many = await openPositions(...given)
  onTestFinished(many.close)
  return many
}

async function openPositions(...given: Parameters<typeof writePositions>): Promise<ManyPositions> {
  const written = await writePositions(...given)
  const { venue, names, files } = written
  return {
    ...written,
    configs: await Promise.all(files.map(loaded)),
    quoteOf(name) {
      const { ours } = venue.modelOf(venue.keys[names.indexOf(name)] ?? '').state
      return [ours.bidBps, ours.askBps]
    },
  }
}

async function loaded(file: string): Promise<LoadedConfig> {
  // As the commands do: the strategy is evaluated in a thread of its own, and this one stays as it is.
  const config = await loadConfig(file, process.env, {
    strategiesFolder: strategiesFolder(),
    probe: { timeLimitMs: 60_000, only: 'load' },
  })
  if (!config.ok) throw new Error(JSON.stringify(config.error))
  return config.value
}

/** The positions in this process; they are left when the test is over. */
export async function runMany(
  configs: readonly LoadedConfig[],
  options: HostOptions = {},
): Promise<Host & { readonly fatal: readonly string[] }> {
  const fatal: string[] = []
  const host: Host | HostFailure = await runHost(
    configs,
    'test',
    (name, message) => void fatal.push(`${name}: ${message}`),
    options,
  )
  if ('exitCode' in host) throw new Error(host.message)
  onTestFinished(async () => void (await host.shutdown()))
  return { ...host, fatal }
}
