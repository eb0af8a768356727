import { readFileSync } from 'node:fs'
import { err, ok, type Result } from '../../base/result.ts'
import type { Ms } from '../../base/time.ts'
import { readSecret, SecretReference } from '../../config/source/secret.ts'
import { type Link, openLink } from '../link.ts'
import { createLeaseRows, type LeaseRows } from '../position/lease-rows.ts'
import { createAllPositions, type AllPositions } from './all-positions.ts'
import { openSealedBroadcast } from './open-sealed-broadcast.ts'
import { openKeptFile } from './kept-file.ts'
import { createGuardHeartbeat } from './heartbeat.ts'
import { type LeasePoll, pollLeaseRows } from './poll-lease-rows.ts'
import { createReport, type Report } from './report.ts'
import { type GuardServer, serveGuard } from './server.ts'
import type { GuardSettings, PositionSettings, SecretPlace } from './settings.ts'
import { createVenueHand } from './venue-hand.ts'
import { type Clock, watchPosition } from './watch-position.ts'

export type RunningGuard = {
  readonly url: string
  readonly positions: AllPositions
  readonly report: Report
  readonly close: () => Promise<void>
}

const TICK_MS: Ms = 100
const MOST_BYTES = 1_024 * 1_024
const CONNECTIONS = 8

/** Starts the guard: its numbers from disk, one connection pool a venue, the server, and a tick ten times a second. */
export async function runGuard(
  settings: GuardSettings,
  report = createReport(settings.program),
): Promise<Result<RunningGuard, string>> {
  const kept = openKeptFile(settings.folder)
  if (!kept.ok) return kept
  // Not the time of day, which may be set. It stands still while the machine sleeps, so that the guard never acts too soon.
  const clock: Clock = { now: () => performance.now(), wall: () => Date.now() }
  let hasChanged = false
  const links = new Map<string, Link>()
  const linkOf = (origin: string): Link => {
    const link = links.get(origin) ?? openLink(origin, { maxBytes: MOST_BYTES, connections: CONNECTIONS })
    links.set(origin, link)
    return link
  }
  const rows = rowsOf(settings, clock)
  const watched = settings.positions.map((position) =>
    watchPosition({
      settings: position,
      kept: kept.value.of(position.name),
      openHand: (traffic) => {
        const link = linkOf(position.origin)
        return createVenueHand({ settings: position, link, apiKey: () => keyOf(position), traffic })
      },
      report,
      clock,
      onChange: () => (hasChanged = true),
      rows: rows.get(position.name) ?? null,
      sealed: openSealedBroadcast(position, { linkOf, report, clock, secretAt }),
    }),
  )
  const positions = createAllPositions({
    positions: new Map(watched.map((position, index) => [settings.positions[index]?.name ?? '', position])),
    kept: kept.value,
    report,
    clock,
    hasChanged() {
      const had = hasChanged
      hasChanged = false
      return had
    },
  })
  const server = await serveGuard({ settings, positions, tokens: () => tokensOf(settings), wall: clock.wall })
  if (!server.ok) return server
  const polls = await readRows(settings, { rows, report, clock })
  const beat = heartbeatOf(settings, { positions, report, clock })
  const timer = setInterval(() => {
    positions.tick()
    void beat()
  }, TICK_MS)
  return ok({
    url: server.value.url,
    positions,
    report,
    close: () => closeAll(timer, links, server.value, polls),
  })
}

/** Of the positions whose store is in PostgreSQL. */
function rowsOf({ positions }: GuardSettings, { now }: Clock): ReadonlyMap<string, LeaseRows> {
  const inPostgres = positions.filter(({ database }) => database !== null)
  return new Map(inPostgres.map(({ name }) => [name, createLeaseRows(now)]))
}

/** One poll a database; the client of PostgreSQL is loaded only where a store is there. */
async function readRows(
  { positions }: GuardSettings,
  {
    rows,
    report,
    clock,
  }: { readonly rows: ReadonlyMap<string, LeaseRows>; readonly report: Report; readonly clock: Clock },
): Promise<readonly LeasePoll[]> {
  if (rows.size === 0) return []
  const { openLeaseReader } = await import('../../store/postgres/read-leases.ts')
  const byUrl = Map.groupBy(
    positions.flatMap((position) => {
      const { name, database, configFile } = position
      const known = rows.get(name)
      if (database === null || known === undefined) return []
      const url = typeof database === 'string' ? ok(database) : secretAt(database, configFile)
      if (url.ok) return [{ url: url.value, name, known }]
      known.couldNotRead(url.error)
      report.log('warn', name, `the lease rows in PostgreSQL cannot be read: ${url.error}`)
      return []
    }),
    ({ url }) => url,
  )
  return Array.from(byUrl, ([url, found]) =>
    pollLeaseRows({
      reader: openLeaseReader(url),
      positions: new Map(found.map(({ name, known }) => [name, known])),
      now: clock.now,
      report,
    }),
  )
}

function heartbeatOf(
  { heartbeats }: GuardSettings,
  parts: { readonly positions: AllPositions; readonly report: Report; readonly clock: Clock },
): () => Promise<unknown> {
  return createGuardHeartbeat({
    heartbeats: heartbeats.map(({ place, configFile, everyMs, suffixes }) => ({
      url: () => secretAt(place, configFile),
      everyMs,
      suffixes,
    })),
    obstacle: parts.positions.obstacle,
    report: parts.report,
    clock: parts.clock,
  })
}

async function closeAll(
  timer: NodeJS.Timeout,
  links: ReadonlyMap<string, Link>,
  server: GuardServer,
  polls: readonly LeasePoll[],
): Promise<void> {
  clearInterval(timer)
  await Promise.all(polls.map((end) => end()))
  for (const link of links.values()) link.close()
  await server.close()
}

function keyOf({ apiKey, configFile }: PositionSettings): Result<string, string> {
  return secretAt(apiKey, configFile)
}

/** The token that is configured, or those that running daemons have left; none where none can be read now. */
function tokensOf({ token, positions }: GuardSettings): readonly string[] {
  if (token.kind !== 'made') {
    const read = secretAt(token, positions[0]?.configFile ?? '')
    return read.ok ? [read.value] : []
  }
  return token.files.flatMap((file) => {
    try {
      return [readFileSync(file, 'utf8')]
    } catch {
      // Its daemon has not started yet.
      return []
    }
  })
}

function secretAt({ kind, where }: SecretPlace, configFile: string): Result<string, string> {
  const read = readSecret(new SecretReference(kind, where), configFile, process.env)
  return read.ok ? ok(read.value.reveal()) : err(read.error)
}
