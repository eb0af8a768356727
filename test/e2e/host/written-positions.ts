import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startManyKeyVenue, type ManyKeyVenue } from '../../support/many-key-venue.ts'
import type { ConfigPatch } from '../daemon/position-folder.ts'

/** Positions as files: what starts them loads them. */
export type WrittenPositions = {
  readonly folder: string
  readonly venue: ManyKeyVenue
  readonly names: readonly string[]
  /** The configurations, and the stores that they name. */
  readonly files: readonly string[]
  readonly stores: readonly string[]
  readonly logFile: string
  readonly close: () => Promise<void>
}

/** Positions at keys of their own of one venue; `patchOf` changes the configuration of one. */
export async function writePositions(
  count: number,
  patchOf: (index: number) => ConfigPatch = () => ({}),
  texts: Readonly<Record<string, string>> = {},
  open: (count: number) => Promise<ManyKeyVenue> = startManyKeyVenue,
): Promise<WrittenPositions> {
  const venue = await open(count)
  const folder = mkdtempSync(join(tmpdir(), 'mizani-many-'))
  for (const [name, text] of Object.entries(texts)) writeFileSync(join(folder, name), text)
  const names = venue.keys.map((_, index) => `desk-${index}`)
  const stores = names.map((name) => join(folder, `${name}.data`))
  const logFile = join(folder, 'log')
  const files = venue.keys.map((key, index) => {
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
      store: { path: stores[index] },
      http: { port: 0 },
      log: { file: logFile, level: 'warn' },
      ...patchOf(index),
    }
    writeFileSync(file, JSON.stringify(sections).replaceAll(/"(!env [^"]+)"/g, '$1'))
    return file
  })
  return {
    folder,
    venue,
    names,
    files,
    stores,
    logFile,
    async close() {
      await venue.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
