import { err, ok, type Result } from '../../base/result.ts'
import { DAY_MS, HOUR_MS } from '../../base/time.ts'
import { formatProblem } from '../../config/source/problem.ts'
import type { LoadedConfig } from '../../config/load/loaded-config.ts'
import { runFeeds } from '../../feeds/run-feeds.ts'
import { createNoticeMapper, positionNotice } from '../../notify/notice.ts'
import { unownedPairs } from '../../money/asset.ts'
import { openStore } from '../../store/journal/open-store.ts'
import type { StoreFailure } from '../../store/failure.ts'
import type { StandBy } from '../../store/postgres/take-position.ts'
import { holdTerms } from '../../store/postgres/terms.ts'
import type { PostedStore } from '../../store/journal/posted-store.ts'
import { readRequests } from '../../store/requests-file.ts'
import { storeFiles } from '../../store/store-files.ts'
import { createLog, type Log } from '../../telemetry/log/log.ts'
import { createMetrics } from '../../telemetry/metrics/metrics.ts'
import { createObserver, type Observe } from '../../telemetry/observer.ts'
import { type PositionSummary, summarisePosition } from '../../view/position-summary.ts'
import { observeDecision, observeRequest } from '../../telemetry/shell-measures.ts'
import { systemClock, type SystemClock } from '../position/clock.ts'
import { connectVenue, exchangeKey } from '../effects/connect-venue.ts'
import type { Custody, CustodyParts } from '../effects/custody.ts'
import { allGates, openPositionHold } from '../lease/position-hold.ts'
import { endFormerLease, openPositionLease } from '../lease/position-lease.ts'
import { widenAfter } from '../effects/emergency-widen.ts'
import { createPerformer } from '../effects/perform.ts'
import { openWalletWatch } from '../effects/wallet-watch.ts'
import { recordPosition } from '../recording/record-position.ts'
import { createRecentNotices } from '../history/notices.ts'
import { strategyLoader } from '../position/strategy-registry.ts'
import { reviewChallenger } from '../review/review-challenger.ts'
import { reviewConformance } from '../review/review-conformance.ts'
import { reviewScorecard } from '../review/review-scorecard.ts'
import { createReloader, type Reloader } from './reloader.ts'
import { runPosition } from '../position/run-position.ts'
import { relayFor } from './relay.ts'
import type { PositionAnswers, PositionCall, PositionInit } from './messages.ts'
import { answerCall, type PositionOutputs, type PositionServices, tearDown } from './position-services.ts'
import type { ThreadServices } from './thread-services.ts'
import {
  noteHeldStore,
  openTreasuryIfUsed,
  reloadBoth,
  runTreasuryBeside,
} from '../treasury/beside-position.ts'
import { loadInitialConfig } from './initial-config.ts'

export type WorkerPosition = {
  /** Answers one call of the main thread; resolves with plain data. */
  readonly answer: (call: PositionCall) => Promise<PositionAnswers[PositionCall['method']]>
  readonly summary: () => PositionSummary
  /** See `tearDown`. */
  readonly tearDown: () => Promise<void>
}

const PRUNE_EVERY_MS = HOUR_MS

/**
 * One position, from its configuration file to its running loop. Null when it cannot start; `fatal` has then been
 * called with the reason. Rejects where the start itself breaks; then nothing of the position is left open.
 */
export async function startWorkerPosition(
  init: PositionInit,
  thread: ThreadServices,
  outputs: PositionOutputs,
): Promise<WorkerPosition | null> {
  const loaded = await loadInitialConfig(init)
  if (!loaded.ok) {
    outputs.fatal(2, loaded.error.map(formatProblem).join('\n'))
    return null
  }
  const closing: (() => Promise<unknown>)[] = []
  try {
    const leases = {
      lease: openPositionLease(init.lease, loaded.value),
      hold: openPositionHold(loaded.value),
    }
    const opened = await openServices(loaded.value, thread, leases, outputs, (close) => closing.push(close))
    if (!opened.ok) {
      await closeAll(closing)
      if (!outputs.ended.aborted) outputs.fatal(opened.error.exitCode, opened.error.message)
      return null
    }
    const services = await assemble(init, thread, opened.value, outputs)
    const { position } = services
    return {
      answer: (call) => answerCall(call, services),
      summary: () => summarisePosition(position.state(), position.now(), position.seq()),
      tearDown: () => tearDown(services),
    }
  } catch (error) {
    await closeAll(closing)
    throw error
  }
}

/** In the reverse of the order in which they were opened. */
async function closeAll(closing: readonly (() => Promise<unknown>)[]): Promise<void> {
  for (const close of closing.toReversed()) await close()
}

type StartFailure = { readonly exitCode: number; readonly message: string }

/** What has to be open before the core is recovered; gives `onOpened` what closes each part of it. */
async function openServices(
  config: LoadedConfig,
  thread: ThreadServices,
  { lease, hold }: Pick<PositionServices, 'lease' | 'hold'>,
  { standsBy, ended }: Pick<PositionOutputs, 'standsBy' | 'ended'>,
  onOpened: (close: () => Promise<unknown>) => void,
): Promise<Result<OpenedServices, StartFailure>> {
  const log = createLog({
    position: config.core.name,
    level: config.log.level,
    to: thread.logTo(config.log.file),
  })
  const metrics = createMetrics(config.core.name)
  const gate = allGates([lease, hold].flatMap((one) => (one === null ? [] : [one.gate])))
  const client = await connectVenue(config, {
    ...(gate === undefined ? {} : { gate }),
    onRequest: (route, outcome, seconds) => observeRequest(metrics, route, outcome, seconds),
    onMethod: (route, method) =>
      log.warn({ event: 'method', route, method }, `the venue refuses ${route} and takes ${method}`),
  })
  if (!client.ok) return err({ exitCode: 4, message: client.error })
  onOpened(() => client.value.close())
  const store = await openStore(config.store.place, {
    thread: thread.journal,
    standBy: { onHeld: standingBy({ config, log }, standsBy), signal: ended },
    ...(hold === null ? {} : { terms: holdTerms(hold.terms), lease: hold.buffer }),
  })
  if (!store.ok) return err({ exitCode: 1, message: store.error.message })
  onOpened(store.value.abandon)
  const clock = systemClock()
  const custody = await openCustodyIfUsed({ config, client: client.value, clock, log, metrics, hold })
  if (!custody.ok) return err({ exitCode: 2, message: `${config.core.name}: ${custody.error}` })
  onOpened(async () => custody.value?.close())
  warnOfPairs(config, log)
  const parts = { client: client.value, store: store.value, custody: custody.value }
  return ok({ config, log, metrics, clock, lease, hold, ...parts })
}

/** Another daemon holds the position: this one waits, and sends the venue nothing. */
function standingBy(
  parts: Pick<OpenedServices, 'config' | 'log'>,
  standsBy: PositionOutputs['standsBy'],
): StandBy['onHeld'] {
  let told = ''
  return (held, lives) => {
    if (lives) void noteHeldStore(parts)
    if (held === told) return
    told = held
    parts.log.info({ event: 'standby' }, `standing by for the position: ${held}`)
    standsBy(held)
  }
}

/** Warns with every start of pairs whose tokens cannot be owned. */
function warnOfPairs({ core }: LoadedConfig, log: Log): void {
  const unowned = core.rfq === null ? unownedPairs(core.quote.pairs) : []
  if (unowned.length === 0) return
  const words = `quote.pairs lets the venue fill us in ${unowned.join(' and ')}, which can be neither booked nor withdrawn`
  log.warn({ event: 'pairs', unowned }, words)
}

/** Every observation goes to the log and the counters, and as a notice to the notifier where it has one. */
function observeAndNotify(
  { config, log, metrics }: Pick<PositionServices, 'config' | 'log' | 'metrics'>,
  notify: PositionOutputs['notify'],
): Observe {
  const observe = createObserver(log, metrics)
  if (config.notify === null) return observe
  const noticeOf = createNoticeMapper()
  return (observation) => {
    observe(observation)
    const notice = noticeOf(observation)
    if (notice !== null) notify(notice)
  }
}

/** The code for keys and chain is larger than all the rest: it is loaded only where it is needed. */
async function openCustodyIfUsed(parts: CustodyParts): Promise<Result<Custody | null, string>> {
  if (parts.config.core.rfq === null) return ok(null)
  const { openCustody } = await import('../effects/custody.ts')
  return openCustody(parts)
}

/** What is open before the core is recovered. */
type OpenedServices = Pick<
  PositionServices,
  'config' | 'log' | 'metrics' | 'client' | 'store' | 'custody' | 'lease' | 'hold'
> & { readonly clock: SystemClock }

/**
 * What cannot be journalled is not decided: nothing more goes out but the safe quote. A daemon that was deposed sends not even
 * that, and starts again to stand by.
 */
function leaveWithoutStore(
  failure: StoreFailure,
  { log, client, config }: OpenedServices,
  { notify, fatal, crashed }: Pick<PositionOutputs, 'notify' | 'fatal' | 'crashed'>,
): void {
  const { kind, message } = failure
  log.fatal({ kind }, message)
  notify(positionNotice('store', message))
  if (kind === 'locked') crashed(message)
  else void widenAfter(failure, client, config, log).then(() => fatal(1, message))
}

async function assemble(
  init: PositionInit,
  thread: ThreadServices,
  opened: OpenedServices,
  { fatal, onSet, notify, crashed }: PositionOutputs,
): Promise<PositionServices> {
  const { config, log, client, store, metrics, custody, clock } = opened
  let stop = (): void => undefined
  store.onFailure((failure) => {
    stop()
    leaveWithoutStore(failure, opened, { notify, fatal, crashed })
  })
  const opening = await openTreasuryIfUsed({ ...opened, version: thread.version, notify })
  const onTrouble = (message: string) => notify(positionNotice('tape', message))
  const recorder = await recordPosition({ ...opened, tapes: thread.tapes, onTrouble })
  const notices = createRecentNotices()
  const position = await runPosition({
    config,
    version: thread.version,
    store,
    clock,
    perform: createPerformer({ client, clock, mode: config.core.mode, custody }),
    observe: observeAndNotify(opened, notify),
    observeDecision: (seconds) => observeDecision(metrics, seconds),
    record(seq, event, audit, state) {
      notices.add(seq, audit.observations)
      recorder?.record(seq, event, audit, state)
      opening?.record(seq, audit.observations)
    },
    onCrash: crashed,
    heartbeat: thread.heartbeat(),
    suspension: init.suspension,
    alreadySent: readRequests(storeFiles(config.store.path).requests, Date.now()),
    loadStrategy: strategyLoader(config),
  })
  stop = position.stop
  if (opened.lease === null) endFormerLease(position)
  else opened.lease.attach(position)
  opened.hold?.attach(position)
  const relay = relayFor(opened, position)
  if (recorder !== null) store.onDurable(recorder.release)
  const feeds = runFeeds({ feeds: config.feeds, now: clock.now, submit: position.submitReading })
  const walletWatch = await openWalletWatch({ ...opened, submit: position.submitReading, notify })
  const stopPruning = pruneHourly(store, config)
  const treasury = await runTreasuryBeside(opening, position, { log, notify, metrics })
  const reloader = createReloader({
    config,
    fromStart: init.changes ?? {},
    set: init.set ?? {},
    onSet,
    position: reloadBoth(position, treasury),
    log,
    metrics,
    exchangeKey: (next) => exchangeKey(client, next),
  })
  const reviews = startReviews({ ...opened, notify }, reloader, thread)
  const inputs = { feeds, walletWatch, relay, reloader, stopPruning, ...reviews }
  return { ...opened, ...inputs, position, recorder, notices, treasury, notify }
}

/** What is compared beside trading, with the configuration that runs at that time. */
function startReviews(
  parts: Pick<OpenedServices, 'log' | 'metrics' | 'clock'> & Pick<PositionOutputs, 'notify'>,
  { current: config }: Pick<Reloader, 'current'>,
  { reviews: threads }: Pick<ThreadServices, 'reviews'>,
): Pick<PositionServices, 'scorecard' | 'challenger' | 'conformance'> {
  const review = { ...parts, config, now: parts.clock.now, threads }
  return {
    scorecard: reviewScorecard(review),
    challenger: reviewChallenger(review),
    conformance: reviewConformance(review),
  }
}

function pruneHourly(store: PostedStore, config: LoadedConfig): () => void {
  const prune = () => void store.prune(Date.now() - config.store.keepJournalDays * DAY_MS)
  prune()
  const timer = setInterval(prune, PRUNE_EVERY_MS).unref()
  return () => clearInterval(timer)
}
