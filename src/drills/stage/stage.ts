import { randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { err, ok, type Result } from '../../base/result.ts'
import type { PositionView } from '../../view/position-view.ts'
import type { DrilledPosition } from '../model/drilled-position.ts'
import { type DaemonProcess, preloadUrl, startDaemon } from './daemon.ts'
import { onSmallDisk } from './disk.ts'
import { DRILL_ENV, drilledConfig, drilledText } from './drilled-config.ts'
import { DRILL_KEY, type DrillMarket, openMarket } from './market.ts'
import { type Receiver, startReceiver } from './receiver.ts'

/** How `mizani` itself is started: the program that runs the drill runs the drilled daemon. */
export type Program = { readonly execPath: string; readonly launcher: string }

export type StageOptions = {
  readonly program: Program
  /** The daemon's store is on a small disk of its own. */
  readonly hasSmallDisk?: boolean
}

/** One bad night: a venue, the desk's daemon and the people it tells, in a folder that is thrown away. */
export type Stage = {
  readonly position: DrilledPosition
  readonly market: DrillMarket
  readonly receiver: Receiver
  readonly storeFolder: string
  /** The daemon that runs now; after a restart another one. */
  readonly daemon: () => DaemonProcess
  readonly view: () => Promise<PositionView | null>
  readonly restart: () => Promise<Result<void, string>>
  /** Sets the wall clock of the daemon so far off. */
  readonly setClock: (offsetMs: number) => void
  readonly close: () => Promise<void>
}

/** What the daemon's process may see of this one's environment: nothing that holds a key. */
const PASSED_ON = ['PATH', 'TMPDIR', 'LANG', 'LC_ALL', 'NODE_COMPILE_CACHE'] as const
const READY_MS = 60_000
const LOOK_MS = 200

/** Opens everything and waits until the position quotes with reconciled books; closes all of it where that fails. */
export async function openStage(
  position: DrilledPosition,
  options: StageOptions,
): Promise<Result<Stage, string>> {
  const folder = mkdtempSync(join(tmpdir(), 'mizani-drill-'))
  const storeFolder = join(folder, 'store')
  mkdirSync(storeFolder)
  const market = await openMarket(position.config)
  const receiver = await startReceiver()
  const clockFile = join(folder, 'clock-offset-ms')
  const setClock = (offsetMs: number) => writeFileSync(clockFile, String(offsetMs))
  setClock(0)
  const around = { venueUrl: market.url, feedUrl: market.feedUrl, receiverUrl: receiver.url, storeFolder }
  const config = join(folder, 'drill.yaml')
  writeFileSync(config, drilledText(drilledConfig(position, around)))
  const ends: (() => void)[] = []
  const close = closeOnce(folder, ends, [receiver, market])
  const launch = launcherOf(options, { config, clockFile, ends, ...around })
  const first = await launch()
  if (!first.ok) {
    await close()
    return err(`the daemon did not start: ${first.error}`)
  }
  let daemon = first.value
  const stage: Stage = {
    position,
    market,
    receiver,
    storeFolder,
    daemon: () => daemon,
    view: () => daemon.view(),
    async restart() {
      const next = await launch()
      if (!next.ok) return next
      daemon = next.value
      return ok(undefined)
    },
    setClock,
    async close() {
      await daemon.kill('SIGKILL')
      await close()
    },
  }
  const why = await untilQuoting(stage)
  if (why === null) return ok(stage)
  await stage.close()
  return err(why)
}

/** Closes and removes everything, also where the drill's own process ends before (a signal): that waits for nothing. */
function closeOnce(
  folder: string,
  ends: readonly (() => void)[],
  servers: readonly { readonly close: () => Promise<void> }[],
): () => Promise<void> {
  const abandon = () => {
    for (const end of ends) end()
    rmSync(folder, { recursive: true, force: true, maxRetries: 10 })
  }
  process.once('exit', abandon)
  return async () => {
    process.off('exit', abandon)
    for (const server of servers) await server.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

type Around = {
  readonly config: string
  readonly clockFile: string
  readonly storeFolder: string
  readonly receiverUrl: string
  /** Takes how to end each process that is started. */
  readonly ends: (() => void)[]
}

/** Starts the daemon on this stage, the first time and again. */
function launcherOf(
  { program, hasSmallDisk = false }: StageOptions,
  { config, clockFile, storeFolder, receiverUrl, ends }: Around,
): () => Promise<Result<DaemonProcess, string>> {
  const token = randomBytes(24).toString('hex')
  const plain = daemonCommand(program, config, clockFile)
  return () =>
    startDaemon({
      command: hasSmallDisk ? onSmallDisk(plain, storeFolder) : plain,
      env: { ...passedOn(), ...secretsOf(token, receiverUrl) },
      cwd: process.cwd(),
      token,
      onSpawn: (end) => void ends.push(end),
    })
}

async function untilQuoting(stage: Stage): Promise<string | null> {
  const deadline = performance.now() + READY_MS
  let seen: PositionView | null = null
  while (performance.now() < deadline && !stage.daemon().hasEnded()) {
    seen = await stage.view()
    const { isActive } = await stage.market.quote()
    const isConfirmed = seen?.quote.status === 'confirmed' && seen.reconciliation.state === 'reconciled'
    if (isActive && isConfirmed && seen?.tradingState === 'ACTIVE') return null
    await pause(LOOK_MS)
  }
  if (stage.daemon().hasEnded()) return `the daemon ended before it quoted: ${stage.daemon().complaint()}`
  const reasons = seen?.reasons.join('; ') ?? 'it does not answer'
  return `the position did not quote within ${READY_MS / 1_000} s: ${reasons === '' ? 'no reason is shown' : reasons}`
}

function daemonCommand(
  { execPath, launcher }: Program,
  config: string,
  clockFile: string,
): readonly [string, ...string[]] {
  const preload = ['--import', preloadUrl(clockFile, process.pid)]
  return [execPath, '--disable-sigusr1', ...preload, launcher, 'run', '--config', config]
}

function passedOn(): Record<string, string> {
  return Object.fromEntries(
    PASSED_ON.flatMap((name) => {
      const value = process.env[name]
      return value === undefined ? [] : [[name, value]]
    }),
  )
}

function secretsOf(token: string, receiverUrl: string): Record<string, string> {
  return {
    [DRILL_ENV.key]: DRILL_KEY,
    [DRILL_ENV.token]: token,
    [DRILL_ENV.receiver]: receiverUrl,
    [DRILL_ENV.hmac]: randomBytes(24).toString('hex'),
  }
}
