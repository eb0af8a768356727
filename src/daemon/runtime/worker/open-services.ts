import { EXIT_CODE } from '../../../base/exit-code.ts'
import { err, ok, type Result } from '../../../base/result.ts'
import type { LoadedConfig } from '../../config/load/loaded-config.ts'
import { unownedPairs } from '../../../base/money/asset.ts'
import { openStore } from '../../../store/journal/open-store.ts'
import type { StandBy } from '../../../store/postgres/take-position.ts'
import { createLog, type Log } from '../../telemetry/log/log.ts'
import { createMetrics, observeRequest } from '../../telemetry/metrics/metrics.ts'
import { connectVenue, exchangeKey, selfCustodyOf } from '../effects/connect-venue.ts'
import type { Custody, CustodyParts } from '../effects/custody.ts'
import { emergencyWiden } from '../effects/emergency-widen.ts'
import { allGates, storeOptions } from '../lease/position-hold.ts'
import { systemClock, type SystemClock } from '../position/clock.ts'
import type { FollowedTreasury } from '../treasury/following/follow-treasury.ts'
import { standByWithTreasury, type TreasuryBeforeTakeOver } from '../treasury/beside-position.ts'
import type { PositionOutputs, PositionServices } from './answer-calls.ts'
import type { ThreadServices } from './thread-services.ts'
import type { WaitingConfig, WrongConfig } from './waiting-config.ts'

/** The services that are opened before the core is recovered. */
export type OpenedServices = Pick<
  PositionServices,
  'config' | 'log' | 'metrics' | 'client' | 'store' | 'custody' | 'lease' | 'hold'
> & {
  readonly clock: SystemClock
  /** The treasury state folded from its journal while the daemon stood by; null = it did not stand by, or has no treasury. */
  readonly followed: FollowedTreasury | null
}

type StartFailure = { readonly exitCode: number; readonly message: string }

type OpenServicesParts = Pick<PositionServices, 'config' | 'lease' | 'hold'> & {
  readonly waiting: WaitingConfig
  readonly thread: ThreadServices
}

type Outputs = Pick<PositionOutputs, 'standsBy' | 'takesOver' | 'ended' | 'notify'>

/** Opens the services, and waits while another daemon holds the position. `onOpened` receives the function that closes each part. */
export async function openServices(
  { config: first, waiting, thread, lease, hold }: OpenServicesParts,
  outputs: Outputs,
  onOpened: (close: () => Promise<unknown>) => void,
): Promise<Result<OpenedServices, StartFailure>> {
  const log = createLog({
    position: first.core.name,
    level: first.log.level,
    to: thread.logTo(first.log.file),
  })
  const metrics = createMetrics(first.core.name)
  const gate = allGates([lease, hold].flatMap((one) => (one === null ? [] : [one.gate])))
  const connected = await connectVenue(first, {
    ...(gate === undefined ? {} : { gate }),
    onRequest: (route, outcome, seconds) => observeRequest(metrics, route, outcome, seconds),
    onMethod: (route, method) =>
      log.warn({ event: 'method', route, method }, `the venue refuses ${route} and accepts ${method}`),
  })
  if (!connected.ok) return err({ exitCode: EXIT_CODE.unconfirmed, message: connected.error })
  const client = connected.value
  onOpened(() => client.close())
  const opened = { log, metrics, client, lease, hold }
  const standing = standingBy({ ...opened, config: first, waiting }, outputs)
  onOpened(async () => standing.end())
  const store = await openStore(first.store.place, {
    thread: thread.journal,
    standBy: { onHeld: standing.onHeld, signal: outputs.ended },
    ...storeOptions(hold),
  })
  if (!store.ok)
    return err({
      exitCode: EXIT_CODE.failed,
      message: `${store.error.message}. Nothing was sent to the venue: a quote that is live there stays live; \`mizani deactivate --now\` ends it and needs no store`,
    })
  onOpened(store.value.abandon)
  standing.end()
  outputs.takesOver()
  const granted = await waiting.granted()
  if (!granted.ok) return err(await leaveSafe(granted.error, { ...opened, config: first }))
  hold?.starting()
  const config = granted.value
  const clock = systemClock()
  const custody = await openCustodyIfUsed({ config, client, clock, log, metrics, hold })
  if (!custody.ok) return err({ exitCode: EXIT_CODE.usage, message: `${config.core.name}: ${custody.error}` })
  onOpened(async () => custody.value?.close())
  warnOfPairs(config, log)
  const followed = standing.treasury()?.followed() ?? null
  return ok({ ...opened, config, clock, followed, store: store.value, custody: custody.value })
}

type Standing = Pick<OpenedServices, 'config' | 'log' | 'metrics' | 'client'> & {
  readonly waiting: WaitingConfig
}

/** While another daemon holds the position, this one waits, prepares to take over, and sends nothing to the venue. */
function standingBy(parts: Standing, { standsBy, notify }: Outputs) {
  const { log, metrics, client, waiting } = parts
  let reported = ''
  let treasury: TreasuryBeforeTakeOver | null = null
  const onHeld: StandBy['onHeld'] = (held, lives) => {
    if (reported === '') treasury = standByWithTreasury(parts)
    if (lives) treasury?.sawHolderLive()
    if (held === reported) return
    reported = held
    log.info({ event: 'standby' }, `standing by for the position: ${held}`)
    standsBy(held, waiting.reload)
    waiting.standBy({ log, metrics, notify, exchangeKey: (next) => exchangeKey(client, next) })
  }
  return { onHeld, treasury: () => treasury, end: () => treasury?.end() }
}

/**
 * The former holder's quote is still live, and the current configuration is unreadable; the daemon does not trade on limits that are no
 * longer in a file. The safe quote needs no limits: it is set, and the position is left to a daemon that can read them.
 */
async function leaveSafe(
  { message, mayStartAgain }: WrongConfig,
  { log, client, config }: Pick<OpenedServices, 'log' | 'client' | 'config'>,
): Promise<StartFailure> {
  log.fatal({ why: message }, 'taken over with a wrong configuration: only the safe quote is sent')
  await emergencyWiden(client, config, log)
  const words = `${config.core.name}: it has taken the position over and does not trade, because its configuration is wrong: ${message}`
  return { exitCode: mayStartAgain ? EXIT_CODE.failed : EXIT_CODE.usage, message: words }
}

/** Warns at every start about pairs whose tokens cannot be owned. */
function warnOfPairs({ core }: LoadedConfig, log: Log): void {
  const unowned = core.rfq === null ? unownedPairs(core.quote.pairs) : []
  if (unowned.length === 0) return
  const words = `quote.pairs lets the venue fill us in ${unowned.join(' and ')}, which can be neither booked nor withdrawn`
  log.warn({ event: 'pairs', unowned }, words)
}

/** The code for keys and chain is larger than the rest of the daemon, so it is loaded only if needed. */
async function openCustodyIfUsed(
  parts: Omit<CustodyParts, 'client'> & Pick<OpenedServices, 'client'>,
): Promise<Result<Custody | null, string>> {
  if (parts.config.core.rfq === null) return ok(null)
  const client = selfCustodyOf(parts.client)
  if (!client.ok) return client
  const { openCustody } = await import('../effects/custody.ts')
  return openCustody({ ...parts, client: client.value })
}
