import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/base/time.ts'
import { createDice, type Dice } from './dice.ts'
import { drawConfig, withPriceBounds } from './draw-config.ts'
import { drawVenue } from './draw-venue.ts'
import type { WorldOptions } from './world-options.ts'

const FIRST_DAY = Date.UTC(2026, 2, 2)

/** One day of one world. Every kind of trouble is off in some worlds, so that each is also seen alone. */
export function drawWorld(seed: number): WorldOptions {
  const dice = createDice(seed, 'options')
  const requestsPerMinute = dice.pick([12, 15, 20, 20, 30, 60])
  const startMs = FIRST_DAY + dice.between(0, 13) * DAY_MS + dice.between(0, 23) * HOUR_MS
  const requestTimeoutMs = dice.pick([3_000, 5_000, 10_000])
  const slowTimeoutMs = dice.pick([8_000, 30_000, 120_000])
  const world: WorldOptions = {
    seed,
    venue: drawVenue(dice, seed, startMs, requestsPerMinute),
    config: withPriceBounds(
      drawConfig(dice, requestsPerMinute, Math.max(requestTimeoutMs, slowTimeoutMs) + 5_000),
      createDice(seed, 'price bounds'),
    ),
    lengthMs: DAY_MS,
    quietMs: 40 * MINUTE_MS,
    network: {
      thereMs: dice.between(1, 200),
      thereJitterMs: dice.pick([0, 50, 700]),
      backMeanMs: dice.pick([5, 80, 400]),
      text: dice.happens(0.06),
    },
    daemon: {
      clockSkewMs: dice.pick([0, 0, -90_000, 90_000, 3_600_000]),
      clockStepMs: dice.pick([0, 0, 500, 20_000]),
      requestTimeoutMs,
      slowTimeoutMs,
      journalMs: dice.pick([0, 2, 20]),
      tickLateMs: dice.pick([0, 3]),
      snapshotEveryEvents: dice.between(200, 2_000),
      crashesPerDay: some(dice, 0.6, 12),
      downMeanMs: dice.pick([100, 5_000, 120_000]),
    },
    people: {
      commandsPerDay: some(dice, 0.6, 20),
      resumeAfterMeanMs: dice.between(2, 40) * MINUTE_MS,
      reloadsPerDay: some(dice, 0.4, 8),
      dashboardPerDay: some(dice, 0.3, 6),
    },
    mischief: {
      depositsPerDay: some(dice, 0.3, 3),
      theftsPerDay: some(dice, 0.15, 2),
      midJumpsPerDay: some(dice, 0.3, 3),
      notQuotablePerDay: some(dice, 0.3, 3),
      outagesPerDay: some(dice, 0.3, 5),
      shortfallsPerDay: some(dice, 0.2, 4),
      suspensionsPerDay: some(dice, 0.15, 3),
      revocationsPerDay: some(dice, 0.1, 1),
      // Drawn last, so that every other choice of a seed stays what it was.
      liesPerDay: some(dice, 0.3, 4),
      clockJumpsPerDay: some(dice, 0.3, 4),
    },
  }
  return onOneClock(world)
}

/** Where our clock is the venue's, the two are held against each other. */
function onOneClock(world: WorldOptions): WorldOptions {
  const { clockSkewMs, clockStepMs } = world.daemon
  if (clockSkewMs !== 0 || clockStepMs !== 0) return world
  return { ...world, config: { ...world.config, venueClock: 'real' } }
}

function some(dice: Dice, chance: number, most: number): number {
  return dice.happens(chance) ? 1 + Math.floor(dice.next() * most) : 0
}
