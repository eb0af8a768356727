import { availableParallelism } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { seededRandom } from '../../../src/base/random.ts'
import { startManyKeyVenue } from '../../support/many-key-venue.ts'
import { expectEqualBooks } from '../daemon/compare-books.ts'
import { replayStore } from '../daemon/replay-store.ts'
import { endDaemons, runDaemon } from '../daemon/running-daemon.ts'
import { stoppableWorld } from '../daemon/stoppable-world.ts'
import { until } from '../daemon/until.ts'
import { startsOf } from './journal-of.ts'
import { manyPositions } from './many-positions.ts'

afterAll(endDaemons)

/** There is a worker a core: three share each, as far as a test may take. */
const POSITIONS = Math.min(12, 3 * availableParallelism())
const KILLS = 9
/** Kills fall into the start, around its end, and into trading. */
const AFTER_START_MS = 1_000
const SEED = 31
/** Skews with every fill, so that writes are in flight most of the time. */
const SKEWING = { use: 'inventory-skew', params: { halfSpreadBps: 40, maxSkewBps: 25 } }

test(
  'by kill -9 at random points under flow, no store of positions on shared workers loses what its position has acted on, and each replays to its digests',
  { timeout: 300_000 },
  async () => {
    const random = seededRandom(SEED, 'kill points')
    const stops: (() => void)[] = []
    const many = await manyPositions(
      POSITIONS,
      () => ({
        strategy: SKEWING,
        risk: {
          maxMidAgeMs: null,
          priceCorridor: { min: '1000', max: '10000' },
          unexplainedGraceMs: 60_000,
          errorCyclesThreshold: 1_000,
          maxMidStepBps: null,
          maxMidMoveBpsPerHour: null,
          maxMidMoveBpsPerDay: null,
        },
        quote: { minRequoteIntervalMs: 0, requoteThresholdBps: 0 },
        pacing: { fillsIntervalMs: 200, balancesIntervalMs: 400 },
        log: { level: 'info' },
      }),
      {},
      (count) =>
        startManyKeyVenue(
          count,
          { speed: 100, opening: { NTZS: '400000000000', USDC: '120000000', USDT: '40000000' } },
          (startMs, index) => {
            const { world, stop } = stoppableWorld('normal', SEED + index, startMs, {
              alone: true,
              retailFactor: 40,
            })
            stops.push(stop)
            return world
          },
        ),
    )
    const files = many.configs.map(({ file }) => file)
    let startMs = 0
    for (let kill = 0; kill < KILLS; kill += 1) {
      const daemon = runDaemon({ configs: files })
      const began = performance.now()
      // Every third one comes up first, however slow the machine is: its death finds all of them trading.
      if (kill % 3 === 0) {
        await daemon.url()
        startMs = performance.now() - began
        await pause(Math.floor(random() * AFTER_START_MS))
      } else {
        await pause(Math.floor(random() * (startMs + AFTER_START_MS)))
      }
      expect({ ...(await daemon.kill('SIGKILL')), errors: daemon.errors() }).toEqual({
        code: null,
        signal: 'SIGKILL',
        errors: '',
      })
    }

    const last = runDaemon({ configs: files })
    await last.url()
    for (const stop of stops) stop()
    for (const [index, name] of many.names.entries()) {
      const model = many.venue.modelOf(many.venue.keys[index] ?? '')
      const view = await until(
        `the reconciliation of ${name} after the last kill`,
        async () => {
          const seen = await last.state(name)
          const all = model.book().ours.fills.length
          return seen.reconciliation.state === 'reconciled' && seen.fills.total === all && seen
        },
        { withinMs: 60_000, otherwise: () => last.state(name) },
      )
      expect(view.reconciliation.unreconciled).toEqual({})
      expect(view.tradingState).not.toBe('HALTED')
      await expectEqualBooks(model, storeOf(index), view)
      // Enough happened for all of this to mean something.
      expect(view.fills.total).toBeGreaterThan(5)

      expect(startsOf(storeOf(index))).toBeGreaterThan(KILLS / 3)
    }
    await last.kill('SIGTERM')
    for (const file of files) expect(await replayStore(file)).toMatchObject({ equal: true, warnings: [] })

    function storeOf(index: number): string {
      return many.configs[index]?.store.path ?? ''
    }
  },
)
