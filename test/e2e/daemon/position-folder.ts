import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Sections of a configuration, laid over the ones that every test starts from. */
export type ConfigPatch = Readonly<Record<string, unknown>>

export type PositionFolder = {
  readonly path: string
  readonly store: string
  /** The configuration's file, written anew with these sections. */
  readonly configure: (patch?: ConfigPatch) => string
  readonly write: (name: string, text: string) => string
  readonly remove: () => void
}

/**
 * A folder of its own for a position: configuration, strategies, store. The defaults ask the venue often,
 * so that a test waits for seconds and not for minutes; the sandbox must allow it (`BUSY_VENUE`). Twice as often cost a twentieth
 * of a core for each daemon that waits.
 */
export function positionFolder(venueUrl: string, name = 'desk-1'): PositionFolder {
  const path = mkdtempSync(join(tmpdir(), 'mizani-e2e-'))
  const store = join(path, 'data')
  const file = join(path, 'mizani.yaml')
  const write = (to: string, text: string) => {
    const written = join(path, to)
    writeFileSync(written, text)
    return written
  }
  return {
    path,
    store,
    write,
    configure(patch = {}) {
      const merged = merge(standardSections(name, venueUrl, store), patch)
      // JSON is YAML; only the tags have to stand outside of quotes.
      write('mizani.yaml', JSON.stringify(merged, null, 2).replaceAll(/"(!(?:env|file) [^"]+)"/g, '$1'))
      return file
    },
    remove: () => rmSync(path, { recursive: true, force: true }),
  }
}

/** When a market begins in which someone has to trade: a Monday, at nine in Dar es Salaam. At night hardly anybody does. */
export const MORNING = Date.UTC(2026, 2, 2, 6)

/** What the sandbox allows to the daemons of these tests. */
export const BUSY_VENUE = {
  requestsPerMinute: 6_000,
  publicRequestsPerMinute: 6_000,
  retailFactor: 20,
} as const

function standardSections(name: string, venueUrl: string, store: string): Record<string, unknown> {
  return {
    name,
    venue: {
      baseUrl: venueUrl,
      apiKey: '!env MIZANI_API_KEY',
      requestsPerMinute: 6_000,
      requestTimeoutMs: 1_000,
      clock: 'virtual',
    },
    strategy: { use: 'fixed-spread', params: { bidBps: 60, askBps: 70 } },
    risk: { maxMidAgeMs: null, priceCorridor: { min: '1000', max: '10000' } },
    quote: { minRequoteIntervalMs: 0 },
    pacing: {
      fillsIntervalMs: 400,
      rateIntervalMs: 500,
      balancesIntervalMs: 1_000,
      accountIntervalMs: 2_000,
      quoteCheckIntervalMs: 2_000,
    },
    store: { path: store },
    http: { port: 0, token: '!env MIZANI_HTTP_TOKEN' },
  }
}

function merge(base: Record<string, unknown>, patch: ConfigPatch): Record<string, unknown> {
  const merged = { ...base }
  for (const [key, value] of Object.entries(patch)) {
    const before = merged[key]
    // A strategy's parameters belong to one strategy: they are replaced, not mixed.
    merged[key] = key !== 'strategy' && isSection(before) && isSection(value) ? merge(before, value) : value
  }
  return merged
}

function isSection(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
