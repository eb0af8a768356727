import { EXIT_CODE } from '../../../base/exit-code.ts'
import { DAY_MS, HOUR_MS, type Ms } from '../../../base/time.ts'
import { formatProblem } from '../../config/source/problem.ts'
import { dateOf } from '../../../base/http/answer.ts'
import { getOnce } from '../../../base/http/client.ts'
import { runFeeds } from '../../feeds/run-feeds.ts'
import { createNoticeMapper, positionNotice } from '../../notify/notice.ts'
import { readRequests } from '../../../store/requests-file.ts'
import { storeFiles } from '../../../store/store-files.ts'
import { createObserver, type Observe } from '../../telemetry/observer.ts'
import { type PositionSummary, summarisePosition } from '../../view/position-summary.ts'
import type { LoadedConfig } from '../../config/load/loaded-config.ts'
import { exchangeKey } from '../effects/connect-venue.ts'
import { openPositionHold } from '../lease/position-hold.ts'
import { endFormerLease, openPositionLease } from '../lease/position-lease.ts'
import { leaveWithoutStore } from '../effects/emergency-widen.ts'
import { createPerformer } from '../effects/effect-performer.ts'
import { openWalletWatch } from '../effects/wallet-watch.ts'
import { recordPosition } from '../recording/record-position.ts'
import { createRecentNotices } from '../history/recent-notices.ts'
import { writeSavedSignerStop } from './answer-command.ts'
import { removeSavedStops, readSavedStops, type SavedStop } from '../position/saved-stops.ts'
import { strategyLoader } from '../position/strategy-registry.ts'
import { createResultReader } from '../position/result-files.ts'
import { createReloader } from './reloader.ts'
import { type RunningPosition, runPosition } from '../position/run-position.ts'
import { serveRelay } from './relay.ts'
import type { PositionAnswers, PositionCall, PositionInit, PositionMethod } from './messages.ts'
import { answerCall, type PositionOutputs, type PositionServices, tearDown } from './answer-calls.ts'
import type { ThreadServices } from './thread-services.ts'
import type { OpenedTreasury } from '../treasury/open-treasury.ts'
import { openTreasuryIfUsed, reloadBoth, runTreasuryBeside } from '../treasury/beside-position.ts'
import { loadInitialConfig, createWaitingConfig } from './waiting-config.ts'
import { type OpenedServices, openServices } from './open-services.ts'
import { watchDisk } from './watch-disk.ts'
import { watchStandby } from './watch-standby.ts'
import { runEvery } from '../../../base/threads/timing.ts'

export type LaunchedPosition = {
  /** Answers one call of the main thread; resolves with plain data. */
  readonly answer: (call: PositionCall) => Promise<PositionAnswers[PositionMethod]>
  readonly summary: () => PositionSummary
  /** See `tearDown`. */
  readonly tearDown: () => Promise<void>
}

const PRUNE_EVERY_MS = HOUR_MS

/**
 * Starts one position, from its configuration file to its running loop. Resolves with null if it cannot start; `fatal` was then called with
 * the reason. Rejects if the start throws; nothing of the position is left open then.
 */
export async function launchPosition(
  init: PositionInit,
  thread: ThreadServices,
  outputs: PositionOutputs,
): Promise<LaunchedPosition | null> {
  const loaded = await loadInitialConfig(init)
  if (!loaded.ok) {
    outputs.fatal(EXIT_CODE.usage, loaded.error.map(formatProblem).join('\n'))
    return null
  }
  const closing: (() => Promise<unknown>)[] = []
  try {
    const leases = {
      lease: openPositionLease(init.lease, loaded.value),
      hold: openPositionHold(loaded.value),
    }
    const waiting = createWaitingConfig(init, loaded.value)
    closing.push(async () => void waiting.end())
    const parts = { config: loaded.value, waiting, thread, ...leases }
    const opened = await openServices(parts, outputs, (close) => closing.push(close))
    if (!opened.ok) {
      await closeAll(closing)
      if (!outputs.ended.aborted) outputs.fatal(opened.error.exitCode, opened.error.message)
      return null
    }
    const services = await assemble(init, thread, opened.value, outputs)
    const { position, reloader } = services
    // The reloader takes the current state of the files as read, so changes during the start need a reload.
    if (waiting.end()) void reloader.reload('the files changed while the position started')
    return {
      answer: (call) => answerCall(call, services),
      summary: () => ({
        ...summarisePosition(position.state(), position.now(), position.seq()),
        simulation: opened.value.client.simulation?.() ?? null,
      }),
      tearDown: () => tearDown(services),
    }
  } catch (error) {
    await closeAll(closing)
    throw error
  }
}

/** Closes in reverse order of opening. */
async function closeAll(closing: readonly (() => Promise<unknown>)[]): Promise<void> {
  for (const close of closing.toReversed()) await close()
}

/** Sends every observation to the log and the counters, and as a notice to the notifier if it has one. */
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

async function assemble(
  init: PositionInit,
  thread: ThreadServices,
  opened: OpenedServices,
  { fatal, notify, crashed }: PositionOutputs,
): Promise<PositionServices> {
  const { config, log, client, store, metrics, clock } = opened
  let stop = (): void => undefined
  let current = (): LoadedConfig => config
  store.onFailure((failure) => {
    stop()
    void leaveWithoutStore(failure, { ...opened, config: current() }, { notify, fatal, crashed })
  })
  const opening = await openTreasuryIfUsed({ ...opened, version: thread.version, notify })
  const onTrouble = (message: string) => notify(positionNotice('tape', message))
  const recorder = await recordPosition({ ...opened, tapes: thread.tapes, onTrouble })
  const notices = createRecentNotices()
  const listeners = { notices, recorder, treasury: opening }
  const kept = readSavedStops(config.store.path)
  const stops = [...(init.stops ?? []), ...kept]
  await writeSavedSignerStop(config, stops)
  const position = await runOpened(opened, { init, stops, thread, listeners, notify, crashed })
  stop = position.stop
  if (kept.length > 0 && (await position.whenDurable())) removeSavedStops(kept)
  client.useLearned?.(position.state().capabilities ?? {})
  current = () => position.begun.config
  attachLeases(opened, position)
  const relay = serveRelay(storeFiles(config.store.path).relay, client, position, (error) =>
    log.warn({ err: error, event: 'relay' }, 'commands cannot read the venue through this daemon'),
  )
  if (recorder !== null) store.onDurable(recorder.release)
  const feeds = runFeeds({ feeds: config.feeds, now: clock.now, submit: position.submitReading })
  const walletWatch = await openWalletWatch({ ...opened, submit: position.submitReading, notify })
  const stopHousekeeping = startHousekeeping(opened, notify)
  const treasury = await runTreasuryBeside(opening, position, { log, notify, metrics })
  const reloader = createReloader({
    begun: position.begun,
    fromStart: init.changes ?? {},
    position: reloadBoth(position, treasury),
    log,
    metrics,
    exchangeKey: (next) => exchangeKey(client, next),
  })
  current = reloader.current
  const inputs = { feeds, walletWatch, relay, reloader, stopHousekeeping }
  const results = createResultReader()
  return { ...opened, ...inputs, position, recorder, notices, treasury, notify, results }
}

type RunOpened = Pick<PositionOutputs, 'notify' | 'crashed'> & {
  readonly init: PositionInit
  readonly stops: readonly SavedStop[]
  readonly thread: ThreadServices
  /** The listeners also receive replayed events. */
  readonly listeners: Pick<PositionServices, 'notices' | 'recorder'> & {
    readonly treasury: OpenedTreasury | null
  }
}

function runOpened(
  opened: OpenedServices,
  { init, stops, thread, listeners, notify, crashed }: RunOpened,
): Promise<RunningPosition> {
  const { config, client, clock, custody, hold, metrics, store } = opened
  const { notices, recorder, treasury } = listeners
  return runPosition({
    config,
    version: thread.version,
    store,
    clock,
    venueTime: () => readVenueTime(config),
    perform: createPerformer({ client, clock, mode: config.core.mode, custody }),
    observe: observeAndNotify(opened, notify),
    observeDecision: (seconds) => metrics.decisionSeconds.observe(seconds),
    record(seq, event, audit, state) {
      hold?.starting()
      notices.add(seq, audit.observations)
      recorder?.record(seq, event, audit, state)
      treasury?.record(seq, audit.observations)
    },
    onCrash: crashed,
    heartbeat: thread.heartbeat(),
    suspension: init.suspension,
    stops,
    alreadySent: readRequests(storeFiles(config.store.path).requests, Date.now()),
    loadStrategy: strategyLoader(config),
  })
}

const VENUE_TIME = { timeoutMs: 2_000, maxBytes: 1_024, onTooLarge: 'cut' } as const

/** Returns the time from the header of any answer of the venue, even a refusal; null = the venue does not answer, or simulates time. */
async function readVenueTime({ core, venue }: LoadedConfig): Promise<Ms | null> {
  if (core.venueClock === 'virtual') return null
  const answer = await getOnce(venue.baseUrl, VENUE_TIME)
  return answer.ok ? dateOf(answer.value.headers) : null
}

function attachLeases({ lease, hold }: OpenedServices, position: RunningPosition): void {
  if (lease === null) endFormerLease(position)
  else lease.attach(position)
  hold?.attach(position)
}

/** Prunes the journal every hour, and watches the disk and the standby. Returns a function that ends all. */
function startHousekeeping(
  { store, config, log }: OpenedServices,
  notify: PositionOutputs['notify'],
): () => void {
  const prune = () => void store.prune(Date.now() - config.store.keepJournalDays * DAY_MS)
  prune()
  const timer = runEvery(prune, PRUNE_EVERY_MS).unref()
  const watches = [
    watchStandby({ isStoodBy: store.isStoodBy, notify, log }),
    watchDisk({ config, notify, log }),
  ]
  return () => {
    clearInterval(timer)
    for (const stop of watches) stop()
  }
}
