import { DAY_MS } from '../../src/base/time.ts'
import { drawWorld } from './draw-world.ts'
import type { WorldOptions } from './world-options.ts'

const DAYS = 30

/**
 * A month of the ordinary market for `simulate`: a restart a day, a person now and then, answers that get
 * lost. What the bench runs to see whether memory stays flat; every event's invariants are checked as well.
 */
export function drawMonth(seed: number): WorldOptions {
  const { config, venue, network, quietMs, ...rest } = drawWorld(seed)
  const { opening: _opening, ...where } = venue
  return {
    ...rest,
    quietMs,
    network: { ...network, text: false },
    lengthMs: DAYS * DAY_MS,
    venue: {
      ...where,
      scenario: 'normal',
      isActive: false,
      paysSlippageFloor: false,
      faults: {
        latency: { meanMs: 50 },
        routes: [{ route: '*', chance: { 'timeout-after': 0.002, '500': 0.002, malformed: 0.001 } }],
        fills: { duplicate: 0.01, reordered: 0.05 },
      },
    },
    config: {
      ...config,
      mode: 'live',
      activation: 'auto',
      strategy: {
        use: 'inventory-skew',
        params: { halfSpreadBps: 60, maxSkewBps: 80, offBeyond: 0.9 },
        sourceHash: 'world inventory-skew',
      },
      inventory: { target: 0.5, limits: {} },
      risk: {
        ...config.risk,
        maxLossTzs: null,
        maxDrawdownTzs: null,
        maxVolumePerDayUsd: null,
        maxMidAgeMs: null,
      },
    },
    daemon: { ...rest.daemon, crashesPerDay: 1, downMeanMs: 5_000, slowTimeoutMs: 120_000 },
    people: { commandsPerDay: 1, resumeAfterMeanMs: 600_000, reloadsPerDay: 0, dashboardPerDay: 0 },
    mischief: {
      depositsPerDay: 0,
      theftsPerDay: 0,
      midJumpsPerDay: 0,
      notQuotablePerDay: 0,
      outagesPerDay: 0,
      shortfallsPerDay: 0,
      suspensionsPerDay: 0,
      revocationsPerDay: 0,
      liesPerDay: 0,
      clockJumpsPerDay: 0,
    },
  }
}
