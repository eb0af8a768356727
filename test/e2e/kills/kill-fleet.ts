import { expect } from 'vitest'
import { seededRandom } from '../../../src/base/random.ts'
import { startManyKeyVenue } from '../../support/many-key-venue.ts'
import { expectEqualBooks } from '../daemon/compare-books.ts'
import { replayStore } from '../daemon/replay-store.ts'
import { runDaemon, type RunningDaemon } from '../daemon/running-daemon.ts'
import { stoppableWorld } from '../daemon/stoppable-world.ts'
import { until } from '../daemon/until.ts'
import { startsOf } from '../host/journal-of.ts'
import { writePositions } from '../host/written-positions.ts'
import { closing, killAtRandomPoints, killNow, type KillRun, type KillsSeen } from './kill-run.ts'
import { SKEWING } from './kill-pool.ts'

/** Kills fall into the start, around its end, and into trading. */
const AFTER_START_MS = 1_000
const LEAST_FILLS = 5

const SECTIONS = {
  strategy: SKEWING.strategy,
  risk: { ...SKEWING.risk, maxMidAgeMs: null, priceCorridor: { min: '1000', max: '10000' } },
  quote: { minRequoteIntervalMs: 0, requoteThresholdBps: 0 },
  pacing: { fillsIntervalMs: 200, balancesIntervalMs: 400 },
  log: { level: 'info' },
}

/**
 * A process of several positions on shared workers is killed under flow. Throws where a position has lost what it has acted on, or
 * where its journal does not replay to its digests. Of what is counted, a figure is that of the position with the least.
 */
export async function killFleet(run: KillRun & { readonly positions: number }): Promise<KillsSeen> {
  const { fleet, stopTrading } = await openFleet(run.positions, run.seed)
  const { files, stores } = fleet
  return closing({ ...fleet, start: () => runDaemon({ configs: files }) }, async (start) => {
    await tradeFirst(fleet, start())
    await killAtRandomPoints(start, run, AFTER_START_MS, seededRandom(run.seed, 'kill points'))
    const last = start()
    await last.url()
    stopTrading()
    const fills: number[] = []
    for (const index of files.keys()) fills.push(await fillsReconciled(fleet, index, last))
    await last.kill('SIGTERM')
    for (const file of files) expect(await replayStore(file)).toMatchObject({ equal: true, warnings: [] })
    const starts = stores.map((store) => startsOf(store))
    return {
      'fills of the least busy position': Math.min(...fills),
      'starts that reached every journal': Math.min(...starts),
    }
  })
}

/** Before the first of the drawn kills every position has something to lose, however slow the machine is. */
async function tradeFirst({ venue }: Fleet, daemon: RunningDaemon): Promise<void> {
  const fills = () => venue.keys.map((key) => venue.modelOf(key).book().ours.fills.length)
  await until('every position has traded', () => fills().every((count) => count > LEAST_FILLS), {
    withinMs: 120_000,
    otherwise: fills,
  })
  await killNow(daemon, 'the first one')
}

type Fleet = Awaited<ReturnType<typeof writePositions>>

async function openFleet(positions: number, seed: number) {
  const stops: (() => void)[] = []
  const fleet = await writePositions(
    positions,
    () => SECTIONS,
    {},
    (count) =>
      startManyKeyVenue(
        count,
        // Activated by its daemon: takers that traded before a ledger is open would leave fills that are not in it.
        {
          isActive: false,
          activationDelayMs: 50,
          speed: 50,
          opening: { NTZS: '400000000000', USDC: '120000000', USDT: '40000000' },
        },
        (startMs, index) => {
          const { world, stop } = stoppableWorld('normal', seed + index, startMs, {
            alone: true,
            retailFactor: 40,
          })
          stops.push(stop)
          return world
        },
      ),
  )
  const stopTrading = () => stops.forEach((stop) => stop())
  return { fleet, stopTrading }
}

/** How many fills the position has, all of its venue's, with books that agree. */
async function fillsReconciled(
  { stores, names, venue }: Fleet,
  index: number,
  last: RunningDaemon,
): Promise<number> {
  const model = venue.modelOf(venue.keys[index] ?? '')
  const name = names[index] ?? ''
  const view = await until(
    `the reconciliation of ${name} after the last kill`,
    async () => {
      const seen = await last.state(name)
      const all = model.book().ours.fills.length
      return seen.reconciliation.state === 'reconciled' && seen.fills.total === all && seen
    },
    { withinMs: 120_000, otherwise: () => last.state(name) },
  )
  expect(view.reconciliation.unreconciled).toEqual({})
  expect(view.tradingState).not.toBe('HALTED')
  await expectEqualBooks(model, stores[index] ?? '', view)
  return view.fills.total
}
