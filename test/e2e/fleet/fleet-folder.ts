import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startSandbox, type SandboxServer } from '../../../src/simulator/sandbox/server/server.ts'
import { BUSY_VENUE } from '../daemon/position-folder.ts'

export type FleetFolder = {
  readonly path: string
  readonly log: string
  readonly defaults: (more?: string, port?: number) => void
  /** Writes `name.yaml` as an editor does: beside it first, then by a rename. */
  readonly position: (name: string, venue: SandboxServer, more?: string) => string
  readonly write: (file: string, text: string) => string
  readonly take: (file: string) => void
  readonly remove: () => void
}

/** The folder of a fleet beside its stores and its log. */
export function fleetFolder(): FleetFolder {
  const root = mkdtempSync(join(tmpdir(), 'mizani-fleet-'))
  const path = mkdtempSync(join(root, 'fleet-'))
  const log = join(root, 'log')
  const write = (file: string, text: string) => {
    const to = join(path, file)
    writeFileSync(`${to}.swp`, text)
    renameSync(`${to}.swp`, to)
    return to
  }
  return {
    path,
    log,
    write,
    defaults: (more = 'fleet: {}\n', port = 0) =>
      void write('defaults.yaml', defaultsText(root, log, port) + more),
    position: (name, { url }, more = '') =>
      write(
        `${name}.yaml`,
        `name: ${name}\nvenue: { baseUrl: '${url}', apiKey: !env MIZANI_API_KEY }\n${more}`,
      ),
    take: (file) => rmSync(join(path, file)),
    remove: () => rmSync(root, { recursive: true, force: true }),
  }
}

function defaultsText(root: string, log: string, port: number): string {
  return `venue: { requestsPerMinute: 6000, requestTimeoutMs: 1000, clock: virtual }
strategy: { use: fixed-spread, params: { bidBps: 60, askBps: 70 } }
risk: { maxMidAgeMs: null, priceCorridor: { min: '1000', max: '10000' } }
quote: { minRequoteIntervalMs: 0, safeBps: 400 }
pacing: { fillsIntervalMs: 200, rateIntervalMs: 300, balancesIntervalMs: 500, accountIntervalMs: 1000, quoteCheckIntervalMs: 1000 }
store: { path: ${join(root, 'stores')} }
http: { port: ${port}, token: !env MIZANI_HTTP_TOKEN }
log: { file: ${log} }
`
}

export function openVenue(): Promise<SandboxServer> {
  return startSandbox({ ...BUSY_VENUE, isActive: true, activationDelayMs: 50 })
}
