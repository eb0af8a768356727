import type { OperatorAnswer, PositionPort } from '../../console/position-port.ts'
import { acceptedTexts } from '../../config/load/parse-config.ts'
import type { LoadedConfig } from '../../config/load/loaded-config.ts'
import type { Log } from '../../telemetry/log/log.ts'
import type { MetricsSource } from '../../telemetry/metrics/scrape.ts'
import {
  createStandbyMetrics,
  type SharedPosition,
  standbyMetricsSource,
} from '../../telemetry/metrics/standby-metrics.ts'
import { absentSummary, type PositionSummary } from '../../view/position-summary.ts'
import type { HistoryService } from '../history/history-service.ts'
import type { HostRenewals } from '../lease/renew-leases.ts'
import { lastWriteText, widenFromOutside } from '../effects/emergency-widen.ts'
import type { NotifyPositionParts, PositionNotifier } from './notifications/position-notifier.ts'
import { createStopQueue, createConsolePort } from './console-port.ts'
import type { WorkerPool } from './worker-pool.ts'
import { supervisePosition, type Supervisor, type SupervisorSettings, UNANSWERED } from './supervisor.ts'
import { SECOND_MS, type Ms } from '../../../base/time.ts'

export type HostFailure = { readonly exitCode: number; readonly message: string }

/** A position of this process: its configuration, its supervisor, and what the console queries. */
export type HostedPosition = {
  readonly config: LoadedConfig
  readonly supervisor: Supervisor
  readonly notifier: PositionNotifier | undefined
  readonly port: PositionPort
  /** Reloads its configuration; a position of a fleet takes `accepted`. Resolves with null if it does not answer. */
  readonly reload: (withinMs: Ms, accepted?: LoadedConfig) => Promise<OperatorAnswer | null>
  /** Why it ended permanently; null = still active. */
  readonly failure: () => HostFailure | null
}

export type HostedPositions = {
  /** The positions that run, start, or ended without being removed, in the order they were added. */
  readonly all: () => readonly HostedPosition[]
  readonly find: (name: string) => HostedPosition | undefined
  /** Returns one summary per position: the current one, or the last one if it does not answer in time. */
  readonly summaries: () => Promise<readonly PositionSummary[]>
  readonly metrics: () => readonly MetricsSource[]
  /** Whether any position runs or starts. */
  readonly anyAlive: () => boolean
  /** Starts a position; resolves when it runs or has failed. Replaces a failed position of the same name. */
  readonly add: (config: LoadedConfig) => Promise<HostedPosition>
  readonly forget: (position: HostedPosition) => void
  /** Resolves once the notifications of ended positions were sent or timed out. */
  readonly notified: () => Promise<unknown>
}

type HostedPositionsParts = {
  readonly version: string
  readonly log: Log
  readonly history: Pick<HistoryService, 'pastOf'>
  readonly workers: WorkerPool
  /** The console's ports; kept up to date here. */
  readonly ports: PositionPort[]
  readonly onFatal: (name: string, failure: HostFailure) => void
  readonly renewals: HostRenewals
}

/** Lists and fleet limits are recomputed every second. */
const SUMMARY_MS = 800
/** Time limit for sending the last report of an ended position. */
const LAST_NOTICES_MS: Ms = 3 * SECOND_MS

/** Creates the positions of one process: each has a supervisor, a port and, if a channel is configured, a notifier. */
export function createHostedPositions(parts: HostedPositionsParts): HostedPositions {
  const { ports } = parts
  const positions: HostedPosition[] = []
  const standbys = standbyMetricsSource(createStandbyMetrics(), () => sharedOf(positions))
  const left = createLeft()
  let beingMade = 0

  function forget(position: HostedPosition): void {
    for (const [list, one] of [
      [positions, position],
      [ports, position.port],
    ] as const) {
      const at = (list as readonly unknown[]).indexOf(one)
      if (at !== -1) list.splice(at, 1)
    }
  }

  return {
    all: () => positions,
    summaries: rememberSummaries(positions, parts.workers),
    // Notifications are counted even while a position does not answer, when they matter most.
    metrics: () => [
      ...parts.workers.metrics(),
      standbys,
      ...positions.flatMap(({ notifier }) =>
        notifier === undefined ? [] : [{ positions: 0, read: notifier.metrics }],
      ),
    ],
    find: (name) => positions.find(({ config }) => config.core.name === name),
    anyAlive: () => beingMade > 0 || positions.some(({ failure }) => failure() === null),
    async add(config) {
      const before = positions.find((one) => one.config.core.name === config.core.name)
      if (before !== undefined) forget(before)
      beingMade += 1
      const position = await left
        .close(before?.notifier)
        .then(() => startPosition(config, parts, left.add))
        .finally(() => (beingMade -= 1))
      positions.push(position)
      ports.push(position.port)
      await position.supervisor.running
      return position
    },
    forget(position) {
      forget(position)
      left.drop(position.notifier)
    },
    notified: left.closeAll,
  }
}

/** The notifiers of ended positions; they send reminders as long as the process lives. */
function createLeft() {
  const left = new Set<PositionNotifier>()

  async function close(notifier: PositionNotifier): Promise<void> {
    if (left.delete(notifier)) await notifier.stopped(UNANSWERED, LAST_NOTICES_MS)
  }

  return {
    add: (notifier: PositionNotifier): void => void left.add(notifier),
    drop: (notifier: PositionNotifier | undefined): void =>
      void (notifier !== undefined && left.delete(notifier)),
    /** Closes the old notifier before the position restarts: both keep their alerts in one file. */
    close: (notifier: PositionNotifier | undefined) =>
      notifier === undefined ? Promise.resolve() : close(notifier),
    closeAll: () => Promise.all([...left].map(close)),
  }
}

/** Starts a supervisor and a notifier, which call each other. */
async function startPosition(
  config: LoadedConfig,
  { version, log, history, workers, onFatal, renewals }: HostedPositionsParts,
  onGone: (notifier: PositionNotifier) => void,
): Promise<HostedPosition> {
  const { core, file, changes, store } = config
  let texts = config.sources.defaults === null ? null : acceptedTexts(config.sources)
  let supervisor: Supervisor | null = null
  let failure: HostFailure | null = null
  let hasRun = false
  const notifier = await openNotifier(config, {
    version,
    log: log.child({ position: core.name }),
    look: async () => (await supervisor?.ask({ method: 'view' })) ?? null,
    ...(config.treasury !== null && {
      treasury: async () => (await supervisor?.ask({ method: 'treasuryView' })) ?? null,
    }),
  })
  const leases = renewals.of(config)
  const lease = leases?.register(core.name, (news) => void supervisor?.ask({ method: 'lease', news })) ?? null
  const stops = createStopQueue(store.path)
  const settings: SupervisorSettings = {
    name: core.name,
    isolate: config.isolate,
    withChain: core.rfq !== null || config.chain !== null,
    init: () => ({
      configFile: file,
      changes,
      ...(texts !== null && { texts }),
      stops: stops.open(),
      ...(lease !== null && { lease }),
    }),
    onRunning() {
      leases?.started(core.name)
      if (supervisor !== null) void stops.deliver(supervisor)
      if (!hasRun) notifier?.started()
      hasRun = true
    },
    onLog: (level, message) => log[level](message),
    makeSafe: async () => lastWriteText(await widenFromOutside(config, log), config),
    onFatal(exitCode, message) {
      failure = { exitCode, message }
      notifier?.terminated(message)
      if (notifier !== undefined) onGone(notifier)
      onFatal(core.name, failure)
    },
    ...(notifier === undefined ? {} : { onNotify: notifier.notify, onRestart: notifier.restarting }),
  }
  const supervised = (supervisor = supervisePosition(settings, workers))
  const port = createConsolePort(supervised, history.pastOf(store.place), notifier ?? null, stops)
  const reload: HostedPosition['reload'] = async (withinMs, next) => {
    const accepted = next === undefined ? null : acceptedTexts(next.sources)
    const call = { method: 'reload', ...(accepted !== null && { accepted }) } as const
    const answer = await supervised.ask(call, withinMs)
    if (answer?.accepted === true && accepted !== null) texts = accepted
    return answer
  }
  return { config, supervisor: supervised, notifier, port, reload, failure: () => failure }
}

/** Loads the notification code only if a channel is configured. */
async function openNotifier(
  config: LoadedConfig,
  parts: Omit<NotifyPositionParts, 'config' | 'notify'>,
): Promise<PositionNotifier | undefined> {
  const { notify } = config
  if (notify === null) return undefined
  const { notifyPosition } = await import('./notifications/position-notifier.ts')
  return notifyPosition({ config, notify, ...parts })
}

function sharedOf(positions: readonly HostedPosition[]): readonly SharedPosition[] {
  return positions.map(({ config, supervisor }) => ({
    name: config.core.name,
    standsBy: supervisor.standby() !== null,
  }))
}

function rememberSummaries(
  positions: readonly HostedPosition[],
  workers: Pick<WorkerPool, 'summaries'>,
): HostedPositions['summaries'] {
  const last = new WeakMap<HostedPosition, PositionSummary>()
  return async () => {
    const shown = new Map((await workers.summaries(SUMMARY_MS)).map((one) => [one.name, one]))
    return positions.map((position) => {
      const { name, health, standby } = position.supervisor
      const summary = shown.get(name)
      const before = last.get(position) ?? null
      const held = standby()
      // Another daemon trades, so this one needs no attention.
      if (held !== null) return absentSummary(name, held, before, 'info')
      if (summary === undefined || position.failure() !== null)
        return absentSummary(name, health().why ?? 'the position does not answer', before)
      last.set(position, summary)
      return summary
    })
  }
}
