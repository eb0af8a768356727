import { expect } from 'vitest'
import { seededRandom } from '../../../src/base/random.ts'
import type { SandboxOptionsInput } from '../../../src/simulator/sandbox/options.ts'
import type { PositionView } from '../../../src/daemon/view/position-view.ts'
import { startSandbox } from '../../../src/simulator/sandbox/server/server.ts'
import { TOKENS } from '../../../src/simulator/sandbox/market/tokens.ts'
import { expectEqualBooks } from '../daemon/compare-books.ts'
import { BUSY_VENUE, MORNING, positionFolder } from '../daemon/position-folder.ts'
import { replayStore } from '../daemon/replay-store.ts'
import { runDaemon, type RunningDaemon } from '../daemon/running-daemon.ts'
import { stoppableWorld } from '../daemon/stoppable-world.ts'
import { until } from '../daemon/until.ts'
import { startsOf } from '../host/journal-of.ts'
import { closing, killAtRandomPoints, killNow, type KillRun, type KillsSeen } from './kill-run.ts'
import { holdsUnread } from './unread-fills.ts'

/** A start takes half a second on a quiet machine and several on a busy one: kills fall around its end. */
const AFTER_START_MS = 500
/** Before the first of the drawn kills the position has something to lose, however slow the machine is. */
const FIRST_FILLS = 5
const FAULTS = {
  latency: { meanMs: 1_500 },
  fills: { duplicate: 0.1, late: 0.15, lateMeanMs: 100_000, reordered: 0.15 },
  lostPatch: { chance: 0.25, applied: 0.5 },
  slowPatch: { chance: 0.1, delayMs: 30_000 },
  routes: [
    { route: 'GET /fills', chance: { malformed: 0.03, 'timeout-after': 0.02, truncated: 0.03 } },
    { route: 'GET *', chance: { '500': 0.03, 'reset-after': 0.02, html: 0.02 } },
    { route: 'PATCH /spread', chance: { '500-after': 0.05, 'reset-before': 0.05 } },
  ],
} as const

/** A strategy that answers each fill, so that writes are under way most of the time; and nothing that halts it meanwhile. */
export const SKEWING = {
  strategy: { use: 'inventory-skew', params: { halfSpreadBps: 40, maxSkewBps: 25 } },
  risk: {
    unexplainedGraceMs: 60_000,
    errorCyclesThreshold: 1_000,
    maxMidStepBps: null,
    maxMidMoveBpsPerHour: null,
    maxMidMoveBpsPerDay: null,
  },
  quote: { requoteThresholdBps: 0 },
  pacing: { fillsIntervalMs: 100, balancesIntervalMs: 200 },
}

const SECTIONS = {
  venue: { requestTimeoutMs: 250, tokens: { [TOKENS.NTZS.address]: 'NTZS' } },
  ...SKEWING,
}

export type PoolKills = KillRun & Pick<SandboxOptionsInput, 'feeFrom'>

/**
 * A position is killed while takers trade several times a second and the venue drops answers, repeats rows, shows them late and
 * in disorder. Throws where a fill is lost or counted twice, or where the journal does not replay to its digests.
 */
export async function killPool(run: PoolKills): Promise<KillsSeen> {
  const { seed, feeFrom = 'position' } = run
  const pool = await openPool(run)
  const { folder, config, venue } = pool
  const filled = (least: number) =>
    until(`${least} fills at the venue`, () => venue.model.book().ours.fills.length >= least, {
      withinMs: 120_000,
    })
  return closing(
    { folder: folder.path, start: () => runDaemon({ configs: [config] }), close: pool.close },
    async (start) => {
      const first = start()
      await filled(FIRST_FILLS)
      await killNow(first, 'the first one')
      await killAtRandomPoints(start, run, AFTER_START_MS, seededRandom(seed, 'kill points'))
      const last = start()
      await last.url()
      // Kills that all fell into starts have left little for the books to prove.
      await filled(2 * run.kills + 1)
      venue.model.inject({ faults: { routes: [] } })
      pool.stop()
      const view = await provenView(pool, last)
      expect(view.feeModel).toBe(feeFrom === 'position' ? 'from-position' : 'none')
      await expectEqualBooks(venue.model, folder.store, view)
      const starts = startsOf(folder.store)
      await last.kill('SIGTERM')
      await expectReplays(config)
      return { fills: view.fills.total, 'starts that reached the journal': starts }
    },
  )
}

/** A position under flow, at a venue whose answers are lost and spoilt. */
export async function openPool({ feeFrom = 'position', seed }: Omit<PoolKills, 'kills' | 'onKill'>) {
  let isHeld = () => false
  const { world, stop } = stoppableWorld('normal', seed, MORNING, {
    alone: true,
    retailFactor: 60,
    isHeld: () => isHeld(),
  })
  const venue = await startSandbox(
    {
      ...BUSY_VENUE,
      startMs: MORNING,
      speed: 100,
      seed,
      feeFrom,
      faults: structuredClone(FAULTS) as never,
      opening: { NTZS: '400000000000', USDC: '120000000', USDT: '40000000' },
    },
    world,
  )
  const folder = positionFolder(venue.url)
  isHeld = holdsUnread(() => venue.model.state.ours.fills.length, folder.store)
  const config = folder.configure(SECTIONS)
  async function close(): Promise<void> {
    await venue.close()
    folder.remove()
  }
  return { venue, folder, config, stop, close }
}

/** What the daemon shows once its books are proven and have every fill of the venue. */
export async function provenView(
  { venue }: Pick<Awaited<ReturnType<typeof openPool>>, 'venue'>,
  last: RunningDaemon,
): Promise<PositionView> {
  const view = await until(
    'the books are proven complete after the last kill',
    async () => {
      const seen = await last.state()
      const all = venue.model.book().ours.fills.length
      return seen.reconciliation.state === 'reconciled' && seen.fills.total === all && seen
    },
    { withinMs: 90_000, otherwise: () => last.state() },
  )
  expect(view.tradingState).not.toBe('HALTED')
  expect(view.reconciliation.unreconciled).toEqual({})
  return view
}

/** The whole journal decides what was decided, twice the same. */
export async function expectReplays(config: string): Promise<void> {
  const twice = [await replayStore(config), await replayStore(config)]
  expect(twice[0]).toEqual(twice[1])
  expect(twice[0]?.equal).toBe(true)
}
