import { expect, test } from 'vitest'
import { DAY_MS, HOUR_MS } from '../../src/base/time.ts'
import { createVenueModel } from '../../src/simulator/sandbox/model.ts'
import { createWorld } from '../../src/simulator/sandbox/world/create-world.ts'
import type { VenueFill } from '../../src/simulator/sandbox/market/provider.ts'
import type { World } from '../../src/simulator/sandbox/world/world.ts'
import { shippedScenario } from '../support/shipped-scenario.ts'

const WORLDS = 1_000
const DAYS = 84
const POOL_USD = 15_000
/** Monday 2026-08-03, 00:00 UTC. */
const MONDAY = 1_785_715_200_000
/** Tuesday's to Thursday's intervals: from an update to the one of the next day. */
const WEEKDAYS = [2, 3, 4]

test('a stale quote of 40 bps loses .3586 bps of the pool a day and side (Laplace closed form, gap at the start of sd 16.84) at the simulated venue itself, through its accounts and router', () => {
  const scenario = shippedScenario('normal', {
    rate: { sigmaBps: 21.3, driftSdBpsPerDay: 0 },
    publication: { kappa: 1, noiseBps: 0 },
    retail: { askPerDay: 0, bidPerDay: 0 },
    informed: { looksPerDay: 8, errorBps: 0, marginBps: 20 },
    rivals: { followBps: [], staticBps: [], undercut: false },
  })
  const losses: number[] = []
  for (let seed = 1; seed <= WORLDS; seed++) {
    const world = createWorld({ scenario, seed, start: MONDAY, restocking: 'updates' })
    const model = createVenueModel(
      {
        seed,
        startMs: MONDAY,
        isActive: true,
        protocolFeeBps: 0,
        opening: { NTZS: '38522376', USDC: '15000', USDT: '0' },
        spread: { bidBps: 40, askBps: 40 },
      },
      world,
    )
    model.advanceTo(MONDAY + DAYS * DAY_MS)
    losses.push(model.book().ours.fills.reduce((sum, fill) => sum + lossOf(fill, world), 0))
  }
  const sideDays = 2 * (DAYS / 7) * WEEKDAYS.length
  const perSideDay = losses.map((usd) => (usd / POOL_USD / sideDays) * 10_000)
  const mean = perSideDay.reduce((sum, loss) => sum + loss, 0) / WORLDS
  const sd = Math.sqrt(perSideDay.reduce((sum, loss) => sum + (loss - mean) ** 2, 0) / (WORLDS - 1))
  const se = sd / Math.sqrt(WORLDS)
  expect(se).toBeLessThan(0.015)
  expect(Math.abs(mean - 0.3586)).toBeLessThan(3 * se)
})

/** USD that the taker of a fill won at the true rate of its moment, in the intervals that count. */
function lossOf({ at, side, amountIn, amountOut }: VenueFill, world: World): number {
  // An interval begins at 07:00: what trades before belongs to the day before.
  if (!WEEKDAYS.includes(new Date(at - 7 * HOUR_MS).getUTCDay())) return 0
  const rate = Number(world.marketRateAt?.(at)) / 1e18
  return side === 'ask'
    ? Number(amountOut) / 1e18 / rate - Number(amountIn) / 1e6
    : Number(amountOut) / 1e6 - Number(amountIn) / 1e18 / rate
}
