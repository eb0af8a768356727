import { createServer, type AddressInfo } from 'node:net'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { err, errorText, ok, type Result } from '../../../base/result.ts'
import type { Ms } from '../../../base/time.ts'
import type { SandboxOptionsInput } from '../../sandbox/options.ts'
import type { PositionView } from '../../../daemon/view/position-view.ts'
import { type DrilledPosition, hasGuard } from '../model/drilled-position.ts'
import { stuckPayment } from '../model/stuck-payment.ts'
import { type Processes, openProcesses } from './processes.ts'
import { drilledConfig, drilledText } from './drilled-config.ts'
import { createLauncher, type Launcher, type Program } from './launcher.ts'
import { type DrillMarket, openMarket } from './market.ts'
import { type Receiver, startReceiver } from './receiver.ts'

export type StageOptions = {
  readonly program: Program
  /** Overrides of the simulated venue's behaviour. */
  readonly like: SandboxOptionsInput
  /** True if the daemon's store is on a small separate disk. */
  readonly hasSmallDisk?: boolean
  /** The desk's treasury runs, and the payment rails that it uses hang. */
  readonly hasHangingRails?: boolean
}

/** The stage of one bad night: a venue, the desk's processes and the people they notify, in a temporary folder. */
export type Stage = Processes & {
  readonly position: DrilledPosition
  readonly market: DrillMarket
  readonly receiver: Receiver
  readonly storeFolder: string
  /** Sets the wall clock of the desk's processes to this offset. */
  readonly setClock: (offsetMs: number) => void
  /** Lets that much time pass for all parties while the daemon is down (kill -9), then starts it again. */
  readonly passTime: (ms: Ms) => Promise<void>
}

const READY_MS = 120_000
const POLL_MS = 200

/** Opens everything and waits until the position quotes with reconciled books; closes it all on failure. */
export async function openStage(
  position: DrilledPosition,
  { program, like, hasSmallDisk = false, hasHangingRails = false }: StageOptions,
): Promise<Result<Stage, string>> {
  const stuck = hasHangingRails ? stuckPayment(position.config) : null
  const market = await openMarket(position.config, like, stuck).catch((error: unknown) => errorText(error))
  if (typeof market === 'string') return err(`the simulated venue did not start: ${market}`)
  const folder = mkdtempSync(join(tmpdir(), 'mizani-drill-'))
  const storeFolder = join(folder, 'store')
  mkdirSync(storeFolder)
  const receiver = await startReceiver()
  const clockFile = join(folder, 'clock-offset-ms')
  const setClock = (offsetMs: number) => writeFileSync(clockFile, String(offsetMs))
  setClock(0)
  const guardPort = hasGuard(position) ? await freePort() : null
  const receiverUrl = receiver.url
  const around = {
    venueUrl: market.url,
    feedUrl: market.feedUrl,
    receiverUrl,
    storeFolder,
    guardPort,
    rfq: market.chain?.section ?? null,
    partner: hasHangingRails ? market.partner : null,
  }
  const config = join(folder, 'drill.yaml')
  writeFileSync(config, drilledText(drilledConfig(position, around)))
  const launcher = createLauncher({ program, config, clockFile, storeFolder, receiverUrl, hasSmallDisk })
  const closeRest = closeOnce(folder, launcher, [receiver, market])
  const desk = await openProcesses(launcher, guardPort !== null)
  if (!desk.ok) {
    await closeRest()
    return desk
  }
  async function close(): Promise<void> {
    if (desk.ok) await desk.value.close()
    await closeRest()
  }
  const passTime = passerOfTime(desk.value, market, setClock)
  const stage: Stage = {
    ...desk.value,
    position,
    market,
    receiver,
    storeFolder,
    setClock,
    passTime,
    close,
  }
  const why = await untilQuoting(stage)
  if (why === null) return ok(stage)
  await close()
  return err(why)
}

/** Advances the clocks of the machine, the venue and the chain together; the venue publishes the market's rate unless its mid is frozen. */
function passerOfTime(
  { daemon, restart }: Processes,
  market: DrillMarket,
  setClock: Stage['setClock'],
): Stage['passTime'] {
  let passedMs: Ms = 0
  return async (ms) => {
    await daemon().kill('SIGKILL')
    passedMs += ms
    setClock(passedMs)
    await market.advance(ms)
    if (!market.isFrozen()) await market.publishTruth()
    const restarted = await restart()
    if (!restarted.ok) throw new Error(`the daemon did not start again: ${restarted.error}`)
  }
}

/** Closes and removes everything, even if a signal ends the drill's process early; nothing is awaited then. */
function closeOnce(
  folder: string,
  launcher: Launcher,
  servers: readonly { readonly close: () => Promise<void> }[],
): () => Promise<void> {
  const abandon = () => {
    launcher.abandon()
    rmSync(folder, { recursive: true, force: true, maxRetries: 10 })
  }
  process.once('exit', abandon)
  return async () => {
    process.off('exit', abandon)
    for (const server of servers) await server.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Returns a free port: both processes need the guard's port before either starts. */
async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

/**
 * Returns whether the venue shows the position's quote, or in self-custody fillable orders, and nothing is in doubt.
 */
async function isQuoting(
  market: DrillMarket,
  seen: PositionView | null,
  isGuarded: boolean,
): Promise<boolean> {
  if (seen?.reconciliation.state !== 'reconciled' || seen.tradingState !== 'ACTIVE') return false
  if (isGuarded && seen.guard?.watch !== 'held') return false
  if (market.chain !== null) return seen.rfq?.orders.some(({ phase }) => phase === 'open') === true
  return seen.quote.status === 'confirmed' && (await market.quote()).isActive
}

async function untilQuoting(stage: Stage): Promise<string | null> {
  const deadline = performance.now() + READY_MS
  let seen: PositionView | null = null
  while (performance.now() < deadline && !stage.daemon().hasEnded()) {
    seen = await stage.view()
    if (await isQuoting(stage.market, seen, stage.guard() !== null)) return null
    await pause(POLL_MS)
  }
  if (stage.daemon().hasEnded()) return `the daemon ended before it quoted: ${stage.daemon().complaint()}`
  const reasons = seen?.reasons.join('; ') ?? 'it does not answer'
  return `the position did not quote within ${READY_MS / 1_000} s: ${reasons === '' ? 'no reason is shown' : reasons}`
}
