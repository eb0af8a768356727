import type { Ms } from '../../../base/time.ts'
import type { LoadedConfig } from '../../config/load/loaded-config.ts'
import type { AcceptedTexts } from '../../config/load/parse-config.ts'
import type { OperatorAnswer, PositionNews } from '../../console/position-port.ts'
import type { WalletWatch } from '../../../custody/chain/watch-wallet.ts'
import type { RunningFeeds } from '../../feeds/run-feeds.ts'
import { type Notice, positionNotice } from '../../notify/notice.ts'
import { isBoxFull, openProposals } from '../../../core/engine/model/proposal-state.ts'
import type { PostedStore } from '../../../store/journal/posted-store.ts'
import type { Log } from '../../telemetry/log/log.ts'
import { type MetricFamily, renderMetrics } from '../../telemetry/metrics/exposition.ts'
import type { Metrics } from '../../telemetry/metrics/metrics.ts'
import type { VenuePort } from '../../../venue/port.ts'
import { buildView, type PositionView, readiness } from '../../view/position-view.ts'
import type { TreasuryReading } from '../../view/treasury-reading.ts'
import type { Custody } from '../effects/custody.ts'
import type { RecentNotices } from '../history/recent-notices.ts'
import type { PositionHold } from '../lease/position-hold.ts'
import type { PositionLease } from '../lease/position-lease.ts'
import type { createResultReader } from '../position/result-files.ts'
import type { RunningPosition } from '../position/run-position.ts'
import type { PositionRecorder } from '../recording/recorder.ts'
import type { RunningTreasury } from '../treasury/run-treasury.ts'
import { answerCommand, durably } from './answer-command.ts'
import { type Left, leaveToStandby } from './leave-to-standby.ts'
import type { PositionAnswers, PositionCall, PositionCalls, PositionMethod } from './messages.ts'
import { parametersOf } from './parameters.ts'
import { prepareProposal } from './prepare-proposal.ts'
import { coreUnder, previewChanges } from './preview-changes.ts'
import type { RelayServer } from './relay.ts'
import { freeBytes } from './watch-disk.ts'
import type { Reloader } from './reloader.ts'

/** Reloads the configuration of a standby; see `WaitingConfig`. */
export type StandbyReload = (cause: string, accepted?: AcceptedTexts) => Promise<OperatorAnswer>

/** What a position sends from its worker, besides answers. */
export type PositionOutputs = {
  /** The position cannot continue; users script against the exit code. */
  readonly fatal: (exitCode: number, message: string) => void
  readonly notify: (notice: Notice) => void
  /**
   * Another daemon holds the position (`held` is a clause that names it), and this one waits to take over; it accepts no call but `reload`.
   */
  readonly standsBy: (held: string, reload: StandbyReload) => void
  /** This daemon now holds the position: calls wait until it runs. */
  readonly takesOver: () => void
  /** Aborted when the position is removed, which ends a wait to take over. */
  readonly ended: AbortSignal
  /** The core or a listener threw `error`: the position has stopped and is torn down. */
  readonly crashed: (error: unknown) => void
}

/** Rows that the recorder has not converted to Parquet by then are left to the next start, so that the exit line is not delayed. */
const RECORDER_CLOSING_MS: Ms = 1_000

/** The parts of a running position. */
export type PositionServices = {
  readonly config: LoadedConfig
  readonly log: Log
  readonly client: VenuePort
  readonly store: PostedStore
  readonly metrics: Metrics
  readonly position: RunningPosition
  readonly reloader: Reloader
  readonly feeds: RunningFeeds
  /** Null = no chain is watched. */
  readonly walletWatch: WalletWatch | null
  readonly notices: RecentNotices
  /** Null = recording is off. */
  readonly recorder: PositionRecorder | null
  /** The last results of research commands in the store's folder. */
  readonly results: ReturnType<typeof createResultReader>
  /** Null = pooled capital. */
  readonly custody: Custody | null
  /** Null = no guard. */
  readonly lease: PositionLease | null
  /** Null = the store is a folder. */
  readonly hold: PositionHold | null
  readonly relay: RelayServer
  /** Null = not configured, or it could not start. */
  readonly treasury: RunningTreasury | null
  readonly stopHousekeeping: () => void
  readonly notify: PositionOutputs['notify']
}

type Answers = {
  readonly [Name in PositionMethod]: (
    services: PositionServices,
    call: PositionCalls[Name],
  ) => PositionAnswers[Name] | Promise<PositionAnswers[Name]>
}

const ANSWERS: Answers = {
  view,
  metrics: metricsOf,
  ready: ({ position }) => readiness(position.state(), position.now()),
  beat: ({ store }) => store.durableSeq(),
  look,
  reload: async ({ position, reloader }, { request, accepted }) =>
    durably(position, await reloader.reload('asked to', request, accepted)),
  parameters: ({ reloader }) => parametersOf(reloader),
  preview: ({ position, reloader }, { changes }) => previewChanges(reloader, position, changes),
  command: answerCommand,
  lease({ lease }, { news }) {
    lease?.take(news)
    return null
  },
  treasuryView: readTreasury,
  treasuryOrder: ({ treasury }, { order, by, who }) => treasury?.order(order, by, who) ?? NO_TREASURY,
  proposals: ({ position }) => position.state().proposals.all,
  propose: async (services, call) => durably(services.position, await propose(services, call)),
  answerProposal: ({ position }, { order, who, why }) =>
    durably(position, position.proposal(order, who, why)),
  shutdown,
}

/** Answers one call of the main thread with plain data. */
export async function answerCall(
  call: PositionCall,
  services: PositionServices,
): Promise<PositionAnswers[PositionMethod]> {
  // Each function accepts only its own method's call.
  return ANSWERS[call.method](services, call as never)
}

function view({ position, reloader, results, client }: PositionServices): PositionView {
  const chain = { seq: position.seq(), digest: position.digest() }
  const core = buildView(position.state(), position.now(), chain, position.lastQuestion())
  return {
    ...core,
    ...results(reloader.current(), position.now()),
    simulation: client.simulation?.() ?? null,
  }
}

const NO_TREASURY: OperatorAnswer = {
  accepted: false,
  answer: 'no treasury runs for this position: see treasury in the configuration, and the log',
}

function readTreasury({ treasury, position }: PositionServices): TreasuryReading | null {
  const state = treasury?.state() ?? null
  if (treasury === null || state === null) return null
  const [plan, webhooks, bankFormats] = [treasury.plan(), treasury.webhooks(), treasury.bankFormats()]
  return { now: position.now(), state, plan, webhooks, bankFormats }
}

/** Refuses a proposal that could not be executed as given before it is journalled. */
async function propose(
  services: PositionServices,
  { asked, id, token, who, why }: PositionCalls['propose'],
): Promise<OperatorAnswer> {
  const { position, reloader, treasury } = services
  const prepared = await prepareProposal(asked, {
    isBoxFull: isBoxFull(position.state().proposals, token),
    openProposals: openProposals(position.state().proposals).length,
    preview: (changes) => previewChanges(reloader, position, changes),
    running: () => reloader.current().core,
    configUnder: (changes) => coreUnder(reloader, changes),
    treasury: treasury?.state() ?? null,
  })
  if (!prepared.ok) return { accepted: false, answer: prepared.error }
  return position.proposal({ name: 'add', id, ...prepared.value, token }, who, why)
}

function look(services: PositionServices, { since }: PositionCalls['look']): PositionNews {
  const { position, notices } = services
  return {
    view: since.seq === position.seq() ? null : view(services),
    notices: notices.since(since.notice),
    lastNotice: notices.last(),
  }
}

function closeInputs(services: PositionServices): void {
  const { reloader, relay } = services
  reloader.close()
  relay.close()
  services.stopHousekeeping()
}

/**
 * Tears a position down as abruptly as the death of its thread: nothing more is decided or sent, and events that are not yet in the journal
 * are lost. Resolves when its files are free for the next start.
 */
export async function tearDown(services: PositionServices): Promise<void> {
  const { position, feeds, walletWatch, store, client, recorder, custody, treasury } = services
  position.stop()
  services.lease?.close()
  services.hold?.close()
  const left = treasury?.close()
  const abandoned = store.abandon()
  closeInputs(services)
  await Promise.all([feeds.close(), walletWatch?.close(), client.close(), custody?.close(), left, abandoned])
  await recorder?.close(RECORDER_CLOSING_MS)
}

/**
 * Shuts down and returns the exit line: what `quote.onExit` requested and what the venue confirmed. If another daemon stands by, the
 * position stays in the market and is handed to it.
 */
async function shutdown(
  services: PositionServices,
  { withinMs }: PositionCalls['shutdown'],
): Promise<string> {
  const { position, feeds, walletWatch, store, client, config, log, recorder, custody, notify } = services
  closeInputs(services)
  // Close the treasury first: its orders would delay a position that is leaving the market.
  const inputs = [feeds.close(), walletWatch?.close(), services.treasury?.close()]
  const [isStoodBy] = await Promise.all([store.isStoodBy(), ...inputs])
  const report = isStoodBy
    ? await leaveToStandby(services, withinMs)
    : { ...(await position.shutdown(withinMs)), isHandedOver: false }
  services.lease?.leave(howLeft(report))
  if (!report.settled) notify(positionNotice('exit-unconfirmed', report.text))
  services.hold?.close()
  // Close the clients before the store: none of our writes may be in flight when another daemon begins.
  await Promise.all([client.close(), custody?.close()])
  await store.close()
  await recorder?.close(RECORDER_CLOSING_MS)
  const line = `${config.core.name}: ${report.text}`
  if (report.settled) log.info({ onExit: config.core.quote.onExit }, line)
  else log.error({ onExit: config.core.quote.onExit }, line)
  return line
}

function howLeft({ settled, isHandedOver }: Left): 'as-configured' | 'handed-over' | 'unsettled' {
  if (isHandedOver) return 'handed-over'
  return settled ? 'as-configured' : 'unsettled'
}

/** Returns the position's current metrics, after setting every gauge. */
async function metricsOf(services: PositionServices): Promise<readonly MetricFamily[]> {
  const { position, metrics, config } = services
  const storeFreeBytes = await freeBytes(config.store.path)
  const state = position.state()
  const { chain } = state.rfq
  metrics.showView(view(services))
  metrics.showSurroundings({
    clockOffsetMs: {
      venue: state.orders.venueOffsetMs,
      // A block older than its reading is normal; a block from the future is a clock error.
      chain: chain === null ? null : Math.max(0, chain.head.t - chain.readAt),
    },
    storeFreeBytes,
  })
  const treasury = readTreasury(services)
  if (treasury === null) return renderMetrics([metrics])
  // Loaded lazily: a position without a treasury loads none of its code.
  const { createTreasuryMetrics } = await import('../../telemetry/metrics/treasury-metrics.ts')
  const { treasuryFigures } = await import('../../view/treasury/treasury-figures.ts')
  const { registry, show } = createTreasuryMetrics()
  show(treasuryFigures(treasury))
  return renderMetrics([metrics, { registry, position: metrics.position }])
}
