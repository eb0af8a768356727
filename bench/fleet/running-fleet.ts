import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { startDaemon, type Daemon } from '../live/daemon.ts'
import { type FleetForm, type FleetPaths, positionName, writeFleet } from './fleet-folder.ts'
import { makeCertificate, startVenue, type FleetVenue } from './start-venue.ts'
import type { VenueInit } from './venue-messages.ts'

/** A fleet that runs at a venue, both processes of their own, and every position of it ready. */
export type RunningFleet = {
  readonly pid: number
  readonly url: string
  readonly venue: FleetVenue
  readonly isTls: boolean
  readonly paths: FleetPaths
  readonly names: readonly string[]
  /** From spawning the process to the first 200 of /readyz, which is when every position is ready. */
  readonly readyMs: number
}

export type FleetRun = Pick<FleetForm, 'positions' | 'pace' | 'strategy'> & {
  /** Over TLS where there is an openssl to make the certificate; else over plain HTTP. */
  readonly tls: boolean
  /** Default: none. */
  readonly takerEveryMs?: VenueInit['takerEveryMs']
  /** The built program and its environment; default: the sources. */
  readonly built?: { readonly program: string; readonly env: Readonly<Record<string, string>> }
}

const READY_WITHIN_MS = 600_000
const LOOK_EVERY_MS = 250

/** Starts a venue and a fleet, waits until all is ready, measures, and takes everything down, whatever happened. */
export async function withFleet<Result>(
  { tls, takerEveryMs = null, built, ...form }: FleetRun,
  measure: (fleet: RunningFleet) => Promise<Result>,
): Promise<Result> {
  const { positions } = form
  const root = mkdtempSync(join(tmpdir(), 'mizani-fleet-bench-'))
  const made = tls ? makeCertificate(root) : null
  let venue: FleetVenue | null = null
  let daemon: Daemon | null = null
  try {
    venue = await startVenue({ positions, tls: made, takerEveryMs })
    const port = await freePort()
    const paths = writeFleet(root, { ...form, venueUrl: venue.url, port })
    const env = { ...built?.env, ...(made === null ? {} : { NODE_EXTRA_CA_CERTS: made.certificate }) }
    daemon = startDaemon(['fleet', paths.folder], env, built?.program)
    const url = `http://127.0.0.1:${port}`
    const readyMs = await whenReady(url, daemon, paths.log)
    const names = Array.from({ length: positions }, (_, index) => positionName(index))
    return await measure({ pid: daemon.pid, url, venue, isTls: made !== null, paths, names, readyMs })
  } finally {
    await daemon?.end()
    venue?.end()
    rmSync(root, { recursive: true, force: true, maxRetries: 5 })
  }
}

async function whenReady(url: string, daemon: Daemon, log: string): Promise<number> {
  for (;;) {
    const answer = await fetch(`${url}/readyz`).catch(() => null)
    const text = (await answer?.text()) ?? ''
    const sinceSpawnMs = Date.now() - daemon.spawnedAt
    if (answer?.ok === true) return sinceSpawnMs
    if (daemon.hasEnded() || sinceSpawnMs > READY_WITHIN_MS) {
      const printed = daemon.lines.slice(-5).map((line) => JSON.stringify(line))
      const logged = readIfThere(log).slice(-2_000)
      throw new Error(`the fleet is not ready: ${text.slice(0, 500)}\n${printed.join('\n')}\n${logged}`)
    }
    await pause(LOOK_EVERY_MS)
  }
}

function readIfThere(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return 'no log was written'
  }
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}
