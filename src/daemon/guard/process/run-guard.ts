import { readFileSync } from 'node:fs'
import { databaseProblem } from '../../../base/outgoing.ts'
import { err, ok, type Result } from '../../../base/result.ts'
import type { Ms } from '../../../base/time.ts'
import { readSecret, SecretReference } from '../../config/source/secret.ts'
import { type Link, openLink } from '../link.ts'
import { createLeaseRows, type LeaseRows } from '../position/lease-rows.ts'
import { createAllPositions, type AllPositions } from './all-positions.ts'
import { type GuardFile, openKeptFile } from './kept-file.ts'
import { createGuardHeartbeat } from './heartbeat.ts'
import { type LeasePoll, pollLeaseRows } from './poll-lease-rows.ts'
import { openKeptAlerts } from '../notices/kept-alerts.ts'
import type { LogLine, SendNotices } from '../notices/notice.ts'
import { createOutbox } from '../notices/outbox.ts'
import { createReport, type GuardReport, logToOutput, type Report } from '../notices/report.ts'
import { sendByProgram } from '../notices/send-by-program.ts'
import { type GuardServer, serveGuard } from './server.ts'
import type { GuardSettings, PositionSettings, SecretPlace } from './settings.ts'
import { createGuardVenue } from './guard-venue.ts'
import type { WatchClock } from './watch-parts.ts'
import { type WatchedPosition, watchPosition } from './watch-position.ts'
import { runEvery } from '../../../base/threads/timing.ts'
import { GUARD_DIALECTS } from '../../../venue/wire/kinds.ts'

export type RunningGuard = {
  readonly url: string
  readonly positions: AllPositions
  readonly report: GuardReport
  readonly close: () => Promise<void>
}

/** Destinations of log lines and notices; replaced only in tests. */
export type Sinks = { readonly log: LogLine; readonly send: SendNotices }

const TICK_MS: Ms = 100
const MOST_BYTES = 1_024 * 1_024
const LEAST_CONNECTIONS = 8
const MOST_CONNECTIONS = 1_000

/** Starts the guard: loads the lease numbers, opens one connection pool per venue and the server, and ticks ten times a second. */
export async function runGuard(
  settings: GuardSettings,
  { log, send }: Sinks = { log: logToOutput, send: sendByProgram(settings.program) },
): Promise<Result<RunningGuard, string>> {
  const kept = openKeptFile(settings.folder)
  if (!kept.ok) return kept
  // Not the time of day, which may be set. This clock stops while the machine sleeps, so that the guard never acts too soon.
  const clock: WatchClock = { now: () => performance.now(), wall: () => Date.now() }
  const report = createReport({
    positions: settings.positions,
    log,
    alerts: openKeptAlerts(settings.folder, log),
    outbox: createOutbox({ send, log, now: clock.now }),
    wall: clock.wall,
  })
  const { links, linkOf } = venueLinks(settings)
  const rows = rowsOf(settings, clock)
  const positions = watchAll(settings, { kept: kept.value, report, clock, rows, linkOf })
  const server = await serveGuard({ settings, positions, tokens: () => tokensOf(settings), wall: clock.wall })
  if (!server.ok) return server
  const polls = await readRows(settings, { rows, report, clock })
  const beat = heartbeatOf(settings, { positions, report, clock })
  notifyOfUnwatched(settings, report)
  const timer = runEvery(() => {
    positions.tick()
    report.tick()
    return beat()
  }, TICK_MS)
  return ok({
    url: server.value.url,
    positions,
    report,
    close: () => closeAll(timer, links, server.value, polls),
  })
}

type WatchAllParts = {
  readonly kept: GuardFile
  readonly report: GuardReport
  readonly clock: WatchClock
  readonly rows: ReadonlyMap<string, LeaseRows>
  readonly linkOf: (origin: string) => Link
}

function watchAll(
  { positions, unwatched }: GuardSettings,
  { kept, report, clock, rows, linkOf }: WatchAllParts,
): AllPositions {
  let hasChanged = false
  const watch = (settings: PositionSettings): WatchedPosition =>
    watchPosition({
      settings,
      kept: kept.of(settings.name),
      openClient: (traffic) =>
        createGuardVenue({
          settings,
          dialect: GUARD_DIALECTS[settings.venueKind],
          link: linkOf(settings.origin),
          apiKey: () => keyOf(settings),
          traffic,
        }),
      report,
      clock,
      onChange: () => (hasChanged = true),
      rows: rows.get(settings.name) ?? null,
    })
  return createAllPositions({
    positions: new Map(positions.map((settings) => [settings.name, watch(settings)])),
    kept,
    report,
    unwatched,
    clock,
    hasChanged() {
      const had = hasChanged
      hasChanged = false
      return had
    },
  })
}

/** Opens one pool per venue. Each position has at most one request in flight and never waits for another position's request. */
function venueLinks({ positions }: GuardSettings): {
  readonly links: ReadonlyMap<string, Link>
  readonly linkOf: (origin: string) => Link
} {
  const links = new Map<string, Link>()
  return {
    links,
    linkOf(origin) {
      const users = positions.filter((position) => position.origin === origin).length
      const connections = Math.min(Math.max(users, LEAST_CONNECTIONS), MOST_CONNECTIONS)
      const link = links.get(origin) ?? openLink(origin, { maxBytes: MOST_BYTES, connections })
      links.set(origin, link)
      return link
    },
  }
}

/** Notifies through the first position's channels: those of the invalid file cannot be read. */
function notifyOfUnwatched({ unwatched, positions: [first] }: GuardSettings, report: Report): void {
  if (first === undefined) return
  for (const { file, why } of unwatched) report.notify('guard-unwatched', first, `${file}: ${why}`)
}

/** Returns the lease rows of the positions whose store is in PostgreSQL. */
function rowsOf({ positions }: GuardSettings, { now }: WatchClock): ReadonlyMap<string, LeaseRows> {
  const inPostgres = positions.filter(({ database }) => database !== null)
  return new Map(inPostgres.map(({ name, renewMs }) => [name, createLeaseRows(now, renewMs)]))
}

/** Starts one poll per database; the PostgreSQL client is loaded only if a store uses it. */
async function readRows(
  { positions }: GuardSettings,
  {
    rows,
    report,
    clock,
  }: { readonly rows: ReadonlyMap<string, LeaseRows>; readonly report: Report; readonly clock: WatchClock },
): Promise<readonly LeasePoll[]> {
  if (rows.size === 0) return []
  const { openLeaseReader } = await import('../../../store/postgres/read-leases.ts')
  const byUrl = Map.groupBy(
    positions.flatMap((position) => {
      const { name, database, allowPlainDatabase = false, configFile } = position
      const known = rows.get(name)
      if (database === null || known === undefined) return []
      const url = typeof database === 'string' ? ok(database) : secretAt(database, configFile)
      const problem = url.ok ? databaseProblem(url.value, allowPlainDatabase, process.env) : url.error
      if (url.ok && problem === null) return [{ url: url.value, name, known }]
      known.couldNotRead(problem ?? '')
      report.log('warn', name, `the lease rows in PostgreSQL cannot be read: ${problem}`)
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
  parts: { readonly positions: AllPositions; readonly report: Report; readonly clock: WatchClock },
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

/** Returns the configured token, or the tokens that running daemons have left; empty if none is readable now. */
function tokensOf({ token, positions }: GuardSettings): readonly string[] {
  if (token.kind !== 'made') {
    const read = secretAt(token, positions[0]?.configFile ?? '')
    return read.ok ? [read.value] : []
  }
  return token.files.flatMap((file) => {
    try {
      return [readFileSync(file, 'utf8')]
    } catch {
      // The daemon has not started yet.
      return []
    }
  })
}

function secretAt({ kind, where }: SecretPlace, configFile: string): Result<string, string> {
  const read = readSecret(new SecretReference(kind, where), configFile, process.env)
  return read.ok ? ok(read.value.reveal()) : err(read.error)
}
