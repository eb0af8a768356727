import { ok, type Result } from '../base/result.ts'
import { formatProblem } from '../config/format-problem.ts'
import type { LoadedConfig } from '../config/loaded-config.ts'
import type { Changes } from '../config/with-changes.ts'
import type { Look, LookSince } from '../console/position-port.ts'
import { buildView } from '../view/build-view.ts'
import { runFeeds, type RunningFeeds } from '../feeds/run-feeds.ts'
import { createNoticeMapper } from '../notify/notice-mapper.ts'
import { unownedPairs } from '../money/counter-tokens.ts'
import { type Notice, troubleNotice } from '../notify/notice.ts'
import { openStore } from '../store/open-store.ts'
import type { PostedStore } from '../store/posted-store.ts'
import { readRequests } from '../store/requests-file.ts'
import { storeFiles } from '../store/store-files.ts'
import { createLog, type Log, openLogFile } from '../telemetry/log/log.ts'
import { createMetrics, type Metrics } from '../telemetry/metrics/metrics.ts'
import { createObserver, type Observe } from '../telemetry/create-observer.ts'
import { observeDecision, observeRequest } from '../telemetry/shell-measures.ts'
import type { VenueClient } from '../venue/client.ts'
import { systemClock, type SystemClock } from './clock.ts'
import { connectVenue, exchangeKey } from './connect-venue.ts'
import type { Custody, CustodyParts } from './open-custody.ts'
import { emergencyWiden } from './emergency-widen.ts'
import { createPerformer } from './performer.ts'
import { metricsOf } from './metrics-of.ts'
import { readiness } from '../view/readiness.ts'
import { recordPosition } from './record-position.ts'
import type { Recorder } from './recorder.ts'
import { loadAgain, loadAtBirth } from './load-at-birth.ts'
import { createNoticeRing, type NoticeRing } from './notice-ring.ts'
import { parametersOf } from './parameters-of.ts'
import { previewChanges } from './preview-changes.ts'
import { createReloader, type Reloader } from './reloader.ts'
import { runPosition, type RunningPosition } from './run-position.ts'
import { serveRelay, type RelayServer } from './serve-relay.ts'
import type { WorkerBirth, WorkerCall } from './worker-message.ts'

export type WorkerPosition = {
  /** Answers one call of the main thread; resolves with plain data. */
  readonly answer: (call: WorkerCall) => Promise<unknown>
}

type Fatal = (exitCode: number, message: string) => void

/** Whom a position speaks to outside of its worker. */
type Outside = {
  readonly fatal: Fatal
  readonly onSet: (set: Changes) => void
  readonly tell: (notice: Notice) => void
}

/** What a position is made of while it runs. */
type Machinery = {
  readonly config: LoadedConfig
  readonly log: Log
  readonly client: VenueClient
  readonly store: PostedStore
  readonly metrics: Metrics
  readonly position: RunningPosition
  readonly reloader: Reloader
  readonly feeds: RunningFeeds
  readonly notices: NoticeRing
  /** Null where nothing is recorded. */
  readonly recorder: Recorder | null
  /** Null with pooled capital. */
  readonly custody: Custody | null
  readonly relay: RelayServer
  readonly tell: Outside['tell']
}

/** What is not turned into Parquet by then the next start does; the exit line does not wait for it. */
const RECORDER_CLOSING_MS = 1_000
const PRUNE_EVERY_MS = 3_600_000
const DAY_MS = 86_400_000

/**
 * One position, from its configuration file to its running loop. Null when it cannot start: `fatal` has
 * then been told why, with the exit code that others script against.
 */
export async function startWorkerPosition(
  birth: WorkerBirth,
  fatal: Fatal,
  onSet: (set: Changes) => void = () => undefined,
  tell: (notice: Notice) => void = () => undefined,
): Promise<WorkerPosition | null> {
  const loaded = await loadAtBirth(birth)
  if (!loaded.ok) {
    fatal(2, loaded.error.map(formatProblem).join('\n'))
    return null
  }
  const config = loaded.value
  const log = openLog(config)
  const metrics = createMetrics(config.core.name)
  const client = await connectVenue(config, {
    onRequest: (route, outcome, seconds) => observeRequest(metrics, route, outcome, seconds),
    onMethod: (route, method) =>
      log.warn({ event: 'method', route, method }, `the venue refuses ${route} and takes ${method}`),
  })
  if (!client.ok) {
    fatal(4, client.error)
    return null
  }
  const store = await openStore(config.store.path)
  if (!store.ok) {
    await client.value.close()
    fatal(1, store.error.message)
    return null
  }
  const clock = systemClock()
  const custody = await takeCustody({ config, client: client.value, clock, log, metrics })
  if (!custody.ok) {
    await Promise.all([client.value.close(), store.value.close()])
    fatal(2, `${config.core.name}: ${custody.error}`)
    return null
  }
  warnOfPairs(config, log)
  const parts = {
    config,
    log,
    metrics,
    client: client.value,
    store: store.value,
    custody: custody.value,
    clock,
  }
  const machinery = await assemble(birth, parts, { fatal, onSet, tell })
  return { answer: (call) => answer(call, machinery) }
}

/** Whoever quotes what cannot be owned is told with every start. */
function warnOfPairs({ core }: LoadedConfig, log: Log): void {
  const unowned = core.rfq === null ? unownedPairs(core.quote.pairs) : []
  if (unowned.length === 0) return
  const words = `quote.pairs lets the venue fill us in ${unowned.join(' and ')}, which can be neither booked nor withdrawn`
  log.warn({ event: 'pairs', unowned }, words)
}

/** Every observation to the log and the counters, and what people may have to hear to whoever tells them. */
function observeAndTell(
  { config, log, metrics }: Pick<Machinery, 'config' | 'log' | 'metrics'>,
  tell: Outside['tell'],
): Observe {
  const observe = createObserver(log, metrics)
  if (config.notify === null) return observe
  const noticeOf = createNoticeMapper()
  return (observation) => {
    observe(observation)
    const notice = noticeOf(observation)
    if (notice !== null) tell(notice)
  }
}

/** The start has seen that the file can be opened; where a restart cannot, standard output has to do. */
function openLog({ core, log }: LoadedConfig): Log {
  const to = openLogFile(log.file)
  return createLog({ position: core.name, level: log.level, ...(to.ok ? { to: to.value } : {}) })
}

/** Keys and chain weigh more than all the rest: they are loaded only where they are needed. */
async function takeCustody(parts: CustodyParts): Promise<Result<Custody | null, string>> {
  if (parts.config.core.rfq === null) return ok(null)
  const { openCustody } = await import('./open-custody.ts')
  return openCustody(parts)
}

async function assemble(
  birth: WorkerBirth,
  parts: Omit<Machinery, 'position' | 'reloader' | 'feeds' | 'recorder' | 'notices' | 'relay' | 'tell'> & {
    readonly clock: SystemClock
  },
  { fatal, onSet, tell }: Outside,
): Promise<Machinery> {
  const { config, log, client, store, metrics, custody, clock } = parts
  const beat = new Int32Array(birth.heartbeat)
  let stop = (): void => undefined
  store.onFailure((failure) => {
    // What cannot be journalled is not decided: nothing more goes out but the safe quote.
    stop()
    log.fatal({ kind: failure.kind }, failure.message)
    tell(troubleNotice('critical', 'store', failure.message))
    void emergencyWiden(client, config, log).then(() => fatal(1, failure.message))
  })
  const onTrouble = (message: string) => tell(troubleNotice('warning', 'tape', message))
  const recorder = await recordPosition({ ...parts, onTrouble })
  const notices = createNoticeRing()
  const position = await runPosition({
    config,
    version: birth.version,
    store,
    clock,
    perform: createPerformer({ client, clock, mode: config.core.mode, custody }),
    observe: observeAndTell(parts, tell),
    observeDecision: (seconds) => observeDecision(metrics, seconds),
    record(seq, event, audit, state) {
      notices.add(seq, audit.observations)
      recorder?.record(seq, event, audit, state)
    },
    heartbeat: {
      enter: (seq) => void Atomics.store(beat, 0, seq & 0x7fffffff),
      leave: () => void Atomics.store(beat, 0, 0),
    },
    suspension: birth.suspension,
    alreadySent: readRequests(storeFiles(config.store.path).requests, Date.now()),
    loadStrategy: (choice) => loadAgain(config, choice),
  })
  stop = position.stop
  const relay = relayFor(parts, position)
  if (recorder !== null) store.onDurable(recorder.release)
  const feeds = runFeeds({ feeds: config.feeds, now: clock.now, submit: position.hear })
  pruneHourly(store, config)
  const { set = {}, changes: fromStart = {} } = birth
  const reloader = createReloader({
    config,
    fromStart,
    set,
    onSet,
    position,
    log,
    metrics,
    exchangeKey: (next) => exchangeKey(client, next),
  })
  return { ...parts, position, recorder, notices, reloader, feeds, relay, tell }
}

/** Trading goes on without it: commands then count by themselves. */
function relayFor(
  { config, client, log }: Pick<Machinery, 'config' | 'client' | 'log'>,
  position: RunningPosition,
): RelayServer {
  return serveRelay(storeFiles(config.store.path).relay, client, position, (error) =>
    log.warn({ err: error, event: 'relay' }, 'commands cannot read the venue through this daemon'),
  )
}

function pruneHourly(store: PostedStore, config: LoadedConfig): void {
  const prune = () => void store.prune(Date.now() - config.store.keepJournalDays * DAY_MS)
  prune()
  setInterval(prune, PRUNE_EVERY_MS).unref()
}

async function answer(call: WorkerCall, machinery: Machinery): Promise<unknown> {
  const { position, metrics, reloader } = machinery
  switch (call.method) {
    case 'view':
      return view(position)
    case 'metrics':
      return metricsOf(position, metrics, machinery.config.store.path)
    case 'ready':
      return readiness(position.state(), position.now())
    case 'look':
      return look(machinery, call.since)
    case 'reload':
      return reloader.reload('asked to', call.order)
    case 'parameters':
      return parametersOf(reloader)
    case 'preview':
      return previewChanges(reloader, position, call.changes)
    case 'command':
      return position.command(call.command, call.who, call.why)
    case 'shutdown':
      return shutdown(machinery, call.withinMs)
  }
}

function view(position: RunningPosition): ReturnType<typeof buildView> {
  return buildView(position.state(), position.now(), { seq: position.seq(), digest: position.digest() })
}

function look({ position, notices }: Machinery, since: LookSince): Look {
  return {
    view: since.seq === position.seq() ? null : view(position),
    notices: notices.since(since.notice),
    lastNotice: notices.last(),
  }
}

/** The exit line: what `quote.onExit` asked for and what the venue confirmed of it. */
async function shutdown(
  { position, reloader, feeds, store, client, config, log, recorder, relay, custody, tell }: Machinery,
  withinMs: number,
): Promise<string> {
  reloader.close()
  relay.close()
  await feeds.close()
  const report = await position.shutdown(withinMs)
  if (!report.settled) tell(troubleNotice('critical', 'exit-unconfirmed', report.text))
  await store.close()
  await recorder?.close(RECORDER_CLOSING_MS)
  await custody?.close()
  await client.close()
  const line = `${config.core.name}: ${report.text}`
  if (report.settled) log.info({ onExit: config.core.quote.onExit }, line)
  else log.error({ onExit: config.core.quote.onExit }, line)
  return line
}
