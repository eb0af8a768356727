import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { encodeJson } from '../../../src/base/codec.ts'
import type { CoreConfig } from '../../../src/core/engine/model/config.ts'
import { createBatchWalker } from '../../../src/research/backtest/simulation/batch-walker.ts'
import { SimulatedEngine } from '../../../src/research/backtest/simulation/engine-driver.ts'
import { MarketRows } from '../../../src/research/backtest/simulation/replay-rows.ts'
import { RunDigest } from '../../../src/research/backtest/simulation/run-digest.ts'
import { Scheduler } from '../../../src/research/backtest/simulation/scheduler.ts'
import { createRunState } from '../../../src/research/backtest/simulation/state.ts'
import { listeningTrail, MID, partsOf, sourceOf, type Trial } from '../../support/backtest-tape.ts'
import { WATCHERS } from '../../support/backtest-strategies.ts'
import { coreConfig } from '../../support/core-config.ts'
import { pureStrategy } from '../../support/test-strategy.ts'
import { happenings, tapeOf } from './any-tape.ts'

const { risk, quote } = coreConfig()
const TZS = 10n ** 36n

/** Limits of which some are reached by the tapes below. */
const limits: fc.Arbitrary<Partial<CoreConfig>> = fc
  .record({
    maxMidStepBps: fc.constantFrom(null, 40, 150),
    maxMidMoveBpsPerHour: fc.constantFrom(null, 60, 200),
    maxMidMoveBpsPerDay: fc.constantFrom(null, 90),
    priceCorridor: fc.constantFrom(null, { min: (MID * 996n) / 1_000n, max: (MID * 1_005n) / 1_000n }),
    maxLossTzs: fc.option(fc.bigInt({ min: 1n, max: 4_000_000n }).map((tzs) => tzs * TZS)),
    maxDrawdownTzs: fc.option(fc.bigInt({ min: 1n, max: 4_000_000n }).map((tzs) => tzs * TZS)),
    maxMidAgeMs: fc.constantFrom(null, 1_800_000, 5_400_000),
    maxFillsPerMinute: fc.constantFrom(null, 1),
    ditherBps: fc.constantFrom(0, 0, 7),
  })
  .map(({ ditherBps, ...bounds }) => ({
    risk: { ...risk, ...bounds },
    quote: { ...quote, ditherBps, ditherPeriodMs: 900_000 },
  }))

const strategies = {
  ...WATCHERS,
  'plots what it reads, and one name at every second fill': () =>
    pureStrategy(({ mid, recentFills: { length: fills } }) => ({
      bidBps: 60,
      askBps: 60,
      reasons: ['the same at every mid'],
      plot: { mid, ...(fills % 2 === 0 ? { fills } : {}) },
    })),
}

/** Everything that a run shows, and its core's state at the end. */
async function run(rows: ReturnType<typeof tapeOf>, trial: Trial, absorbs: boolean) {
  const { trail, told } = listeningTrail()
  const source = sourceOf(rows)
  const digest = new RunDigest()
  const state = createRunState(partsOf(source, { ...trial, trail }), digest)
  const engine = new SimulatedEngine(state, absorbs)
  const scheduler = new Scheduler(state, engine)
  const market = new MarketRows(state, engine, scheduler)
  const walk = createBatchWalker(market)
  for await (const batch of source.batches()) walk(batch)
  scheduler.runUntil(market.lastAt())
  engine.catchUp(market.lastAt())
  const { fills, quoteUpdates, midsAccepted } = state
  const counts = { fills, quoteUpdates, midsAccepted, clamps: state.clamps.list() }
  return { told, counts, digest: digest.end(), core: encodeJson(engine.state()) }
}

describe('a backtest that absorbs what changes no decision equals one that processes every event', () => {
  for (const [name, strategyOf] of Object.entries(strategies)) {
    test(name, async () => {
      await fc.assert(
        fc.asyncProperty(happenings(900_000, 60), limits, async (list, core) => {
          const rows = tapeOf(list, 400_000)
          const absorbed = await run(rows, { core, strategy: strategyOf() }, true)
          expect(absorbed).toEqual(await run(rows, { core, strategy: strategyOf() }, false))
        }),
        { numRuns: 12 },
      )
    })
  }
})
