import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, describe, expect, test } from 'vitest'
import { seededRandom } from '../../src/base/random.ts'
import { startSandbox } from '../../src/sandbox/server/server.ts'
import { TOKENS } from '../../src/sandbox/market/tokens.ts'
import { openReader } from '../../src/store/open-reader.ts'
import { expectEqualBooks } from './daemon/compare-books.ts'
import { BUSY_VENUE, positionFolder } from './daemon/position-folder.ts'
import { replayStore } from './daemon/replay-store.ts'
import { endDaemons, runDaemon } from './daemon/running-daemon.ts'
import { stoppableWorld } from './daemon/stoppable-world.ts'
import { until } from './daemon/until.ts'

// Two positions at two venues, one a dialect, killed 25 times each while takers trade several times a second
// and the venue drops answers, repeats rows, shows them late and in disorder.

afterAll(endDaemons)

const KILLS = 25
/** A start takes half a second on a quiet machine and several on a busy one: kills fall around its end. */
const AFTER_START_MS = 500
const START = Date.UTC(2026, 2, 2, 6)

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

describe('No unit is lost or counted twice', { timeout: 240_000 }, () => {
  test.concurrent.each([
    { dialect: 'contract', feeFrom: 'position', seed: 11 },
    { dialect: 'observed', feeFrom: 'pool', seed: 12 },
  ] as const)(
    'by kill -9 at 25 random points under load, $dialect dialect, fee from the $feeFrom: no fill is lost and none counted twice',
    async ({ dialect, feeFrom, seed }) => {
      const { world, stop } = stoppableWorld('normal', seed, START, { alone: true, retailFactor: 20 })
      const venue = await startSandbox(
        {
          ...BUSY_VENUE,
          startMs: START,
          // The venue remembers 100 fills: at this speed those of about 40 s, which even two slow starts are within.
          speed: 150,
          seed,
          dialect,
          feeFrom,
          faults: structuredClone(FAULTS) as never,
          opening: { NTZS: '400000000000', USDC: '120000000', USDT: '40000000' },
        },
        world,
      )
      const folder = positionFolder(venue.url)
      const config = folder.configure({
        venue: { requestTimeoutMs: 250, tokens: { [TOKENS.NTZS.address]: 'NTZS' } },
        // Skews with every fill, so that quotes are in flight most of the time.
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
      })
      const random = seededRandom(seed, 'kill points')
      let startMs = 0
      for (let kill = 0; kill < KILLS; kill += 1) {
        const daemon = runDaemon({ configs: [config] })
        const began = performance.now()
        // Every third one is let come up first, however slow the machine is: its death finds it trading.
        if (kill % 3 === 0) {
          await daemon.url()
          startMs = performance.now() - began
          await pause(Math.floor(random() * AFTER_START_MS))
        } else {
          await pause(Math.floor(random() * (startMs + AFTER_START_MS)))
        }
        expect({ ...(await daemon.kill('SIGKILL')), said: daemon.errors() }).toEqual({
          code: null,
          signal: 'SIGKILL',
          said: '',
        })
      }

      const last = runDaemon({ configs: [config] })
      await last.url()
      venue.model.inject({ faults: { routes: [] } })
      stop()
      const view = await until(
        'the books are proven complete after the last kill',
        async () => {
          const seen = await last.state()
          const all = venue.model.book().ours.fills.length
          return seen.reconciliation.state === 'reconciled' && seen.fills.total === all && seen
        },
        { withinMs: 40_000, otherwise: () => last.state() },
      )
      expect(view.tradingState).not.toBe('HALTED')
      expect(view.reconciliation.unreconciled).toEqual({})
      expect(view.feeModel).toBe(feeFrom === 'position' ? 'from-position' : 'none')
      await expectEqualBooks(venue.model, folder.store, view)
      // Enough happened for all of this to mean something.
      expect(view.fills.total).toBeGreaterThan(50)
      expect(startsOf(folder.store)).toBeGreaterThan(KILLS / 3)

      await last.kill('SIGTERM')
      const twice = [await replayStore(config), await replayStore(config)]
      expect(twice[0]).toEqual(twice[1])
      await venue.close()
      folder.remove()
    },
  )
})

/** How many processes lived long enough to write their first event. */
function startsOf(store: string): number {
  const reader = openReader(store)
  if (!reader.ok) throw new Error(reader.error.message)
  let starts = 0
  for (const { event } of reader.value.journal(1)) if (event.type === 'started') starts += 1
  reader.value.close()
  return starts
}
