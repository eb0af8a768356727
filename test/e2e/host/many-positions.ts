import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { loadConfig } from '../../../src/config/load/load-config.ts'
import type { LoadedConfig } from '../../../src/config/load/loaded-config.ts'
import type { HostFailure } from '../../../src/runtime/host/hosted-positions.ts'
import { runHost, type Host, type HostOptions } from '../../../src/runtime/host/run-host.ts'
import { strategiesFolder } from '../../../src/runtime/position/strategy-registry.ts'
import { startManyKeyVenue, type ManyKeyVenue } from '../../support/many-key-venue.ts'
import type { ConfigPatch } from '../daemon/position-folder.ts'

export type ManyPositions = {
  readonly folder: string
  readonly venue: ManyKeyVenue
  readonly names: readonly string[]
  readonly configs: readonly LoadedConfig[]
  /** What stands at the venue of that position: [bid, ask]. */
  readonly quoteOf: (name: string) => readonly [number, number]
  readonly logFile: string
}

/** Positions at keys of their own of one venue; `patchOf` changes the configuration of one. They go when the test is over. */
export async function manyPositions(...given: Parameters<typeof openPositions>): Promise<ManyPositions> {
  const many = await openPositions(...given)
  onTestFinished(many.close)
  return many
}

/** The same for whoever closes them. */
export async function openPositions(
  count: number,
  patchOf: (index: number) => ConfigPatch = () => ({}),
  files: Readonly<Record<string, string>> = {},
  open: (count: number) => Promise<ManyKeyVenue> = startManyKeyVenue,
): Promise<ManyPositions & { readonly close: () => Promise<void> }> {
  const venue = await open(count)
  const folder = mkdtempSync(join(tmpdir(), 'mizani-many-'))
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  const names = venue.keys.map((_, index) => `desk-${index}`)
  const logFile = join(folder, 'log')
  const configs = await Promise.all(
    venue.keys.map((key, index) => {
      const file = join(folder, `${names[index]}.yaml`)
      process.env[`MIZANI_KEY_${index}`] = key
      const sections = {
        name: names[index],
        venue: {
          baseUrl: venue.url,
          apiKey: `!env MIZANI_KEY_${index}`,
          requestsPerMinute: 6_000,
          clock: 'virtual',
        },
        strategy: { use: 'fixed-spread', params: { bidBps: 60, askBps: 70 } },
        risk: { maxMidAgeMs: null, priceCorridor: { min: '1000', max: '10000' } },
        quote: { minRequoteIntervalMs: 0 },
        pacing: { fillsIntervalMs: 500, rateIntervalMs: 500, balancesIntervalMs: 1_000 },
        store: { path: join(folder, `${names[index]}.data`) },
        http: { port: 0 },
        log: { file: logFile, level: 'warn' },
        ...patchOf(index),
      }
      writeFileSync(file, JSON.stringify(sections).replaceAll(/"(!env [^"]+)"/g, '$1'))
      return loaded(file)
    }),
  )
  return {
    folder,
    venue,
    names,
    configs,
    logFile,
    quoteOf(name) {
      const { ours } = venue.modelOf(venue.keys[names.indexOf(name)] ?? '').state
      return [ours.bidBps, ours.askBps]
    },
    async close() {
      await venue.close()
      rmSync(folder, { recursive: true, force: true })
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
