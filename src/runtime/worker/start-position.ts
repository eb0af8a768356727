import { answerCall, type Outside, type PositionServices } from './position-services.ts'
import { ok, type Result } from '../../base/result.ts'
import { formatProblem } from '../../config/source/problem.ts'
import type { LoadedConfig } from '../../config/load/loaded-config.ts'
import type { Changes } from '../../config/reload/changes.ts'
import { runFeeds } from '../../feeds/run-feeds.ts'
import { createNoticeMapper } from '../../notify/notice-mapper.ts'
import { unownedPairs } from '../../money/asset.ts'
import { type Notice, positionNotice } from '../../notify/notice.ts'
import { openStore } from '../../store/journal/open-store.ts'
import type { PostedStore } from '../../store/journal/posted-store.ts'
import { readRequests } from '../../store/requests-file.ts'
import { storeFiles } from '../../store/store-files.ts'
import { createLog, type Log, openLogFile } from '../../telemetry/log/log.ts'
import { createMetrics } from '../../telemetry/metrics/metrics.ts'
import { createObserver, type Observe } from '../../telemetry/create-observer.ts'
import { observeDecision, observeRequest } from '../../telemetry/shell-measures.ts'
import { systemClock, type SystemClock } from '../position/clock.ts'
import { connectVenue, exchangeKey } from '../effects/connect-venue.ts'
import type { Custody, CustodyParts } from '../effects/custody.ts'
import { emergencyWiden } from '../effects/emergency-widen.ts'
import { createPerformer } from '../effects/perform.ts'
import { recordPosition } from '../recording/record-position.ts'
import { loadInitialConfig } from './initial-config.ts'
import { createRecentNotices } from '../history/notices.ts'
import { strategyLoader } from '../position/strategy-registry.ts'
import { createReloader } from './reloader.ts'
import { createHeartbeat } from '../position/heartbeat.ts'
import { runPosition, type RunningPosition } from '../position/run-position.ts'
import { serveRelay, type RelayServer } from './relay.ts'
import type { PositionAnswers, PositionCall, WorkerInit } from './messages.ts'

export type WorkerPosition = {
  /** Answers one call of the main thread; resolves with plain data. */
  readonly answer: (call: PositionCall) => Promise<PositionAnswers[PositionCall['method']]>
}

export type Fatal = (exitCode: number, message: string) => void

const PRUNE_EVERY_MS = 3_600_000
const DAY_MS = 86_400_000

/**
 * One position, from its configuration file to its running loop. Null when it cannot start: `fatal` has
 * then been told why, with the exit code that others script against.
 */
export async function startWorkerPosition(
  birth: WorkerInit,
  fatal: Fatal,
  onSet: (set: Changes) => void = () => undefined,
  tell: (notice: Notice) => void = () => undefined,
): Promise<WorkerPosition | null> {
  const loaded = await loadInitialConfig(birth)
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
  const custody = await openCustodyIfUsed({ config, client: client.value, clock, log, metrics })
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
  return { answer: (call) => answerCall(call, machinery) }
}

/** Whoever quotes what cannot be owned is told with every start. */
function warnOfPairs({ core }: LoadedConfig, log: Log): void {
  const unowned = core.rfq === null ? unownedPairs(core.quote.pairs) : []
  if (unowned.length === 0) return
  const words = `quote.pairs lets the venue fill us in ${unowned.join(' and ')}, which can be neither booked nor withdrawn`
  log.warn({ event: 'pairs', unowned }, words)
}

/** Every observation to the log and the counters, and what people may have to hear to whoever tells them. */
function observeAndNotify(
  { config, log, metrics }: Pick<PositionServices, 'config' | 'log' | 'metrics'>,
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
async function openCustodyIfUsed(parts: CustodyParts): Promise<Result<Custody | null, string>> {
  if (parts.config.core.rfq === null) return ok(null)
  const { openCustody } = await import('../effects/custody.ts')
  return openCustody(parts)
}

async function assemble(
  birth: WorkerInit,
  parts: Omit<
    PositionServices,
    'position' | 'reloader' | 'feeds' | 'recorder' | 'notices' | 'relay' | 'tell'
  > & {
    readonly clock: SystemClock
  },
  { fatal, onSet, tell }: Outside,
): Promise<PositionServices> {
  const { config, log, client, store, metrics, custody, clock } = parts
  let stop = (): void => undefined
  store.onFailure((failure) => {
    // What cannot be journalled is not decided: nothing more goes out but the safe quote.
    stop()
    log.fatal({ kind: failure.kind }, failure.message)
    tell(positionNotice('store', failure.message))
    void emergencyWiden(client, config, log).then(() => fatal(1, failure.message))
  })
  const onTrouble = (message: string) => tell(positionNotice('tape', message))
  const recorder = await recordPosition({ ...parts, onTrouble })
  const notices = createRecentNotices()
  const position = await runPosition({
    config,
    version: birth.version,
    store,
    clock,
    perform: createPerformer({ client, clock, mode: config.core.mode, custody }),
    observe: observeAndNotify(parts, tell),
    observeDecision: (seconds) => observeDecision(metrics, seconds),
    record(seq, event, audit, state) {
      notices.add(seq, audit.observations)
      recorder?.record(seq, event, audit, state)
    },
    heartbeat: createHeartbeat(birth.heartbeat),
    suspension: birth.suspension,
    alreadySent: readRequests(storeFiles(config.store.path).requests, Date.now()),
    loadStrategy: strategyLoader(config),
  })
  stop = position.stop
  const relay = relayFor(parts, position)
  if (recorder !== null) store.onDurable(recorder.release)
  const feeds = runFeeds({ feeds: config.feeds, now: clock.now, submit: position.submitReference })
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
  { config, client, log }: Pick<PositionServices, 'config' | 'client' | 'log'>,
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
