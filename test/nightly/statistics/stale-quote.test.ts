import { expect, test } from 'vitest'
import { drawWorld, prepareScenario } from '../../../src/research/scenarios/draw/world.ts'
import { dayOfHour } from '../../../src/research/scenarios/draw/calendar.ts'
import type { WorldFill } from '../../../src/research/scenarios/play/participant.ts'
import { playWorld } from '../../../src/research/scenarios/play/play-world.ts'
import { shippedScenario } from '../../support/shipped-scenario.ts'

const WORLDS = 700
const POOL_USD = 15_000
/** Tuesday's to Thursday's intervals: from an update to the one of the next day. */
const WEEKDAYS = [1, 2, 3]

test('a stale quote of 40 bps loses .3586 bps of the pool a day and side to informed takers (Laplace closed form, gap at the start of sd 16.84), and so it does in the simulated market', () => {
  const scenario = shippedScenario('normal', {
    rate: { sigmaBps: 21.3, driftSdBpsPerDay: 0 },
    publication: { kappa: 1, noiseBps: 0 },
    retail: { askPerDay: 0, bidPerDay: 0 },
    informed: { looksPerDay: 8, errorBps: 0, marginBps: 20 },
    rivals: { followBps: [], staticBps: [], undercut: false },
  })
  const prepared = prepareScenario(scenario, 91)
  const losses: number[] = []
  for (let seed = 1; seed <= WORLDS; seed++) {
    const world = drawWorld(prepared, seed)
    const fills: WorldFill[] = []
    playWorld(
      world,
      ({ news }) => {
        for (const one of news) if (one.what === 'fill') fills.push(one)
        return { bidBps: 40, askBps: 40 }
      },
      { tauBps: null, refillsAtUpdates: true },
    )
    losses.push(lossIn(fills, world.rate))
  }
  const sideDays = 2 * 13 * WEEKDAYS.length
  const perSideDay = losses.map((usd) => (usd / POOL_USD / sideDays) * 10_000)
  const mean = perSideDay.reduce((sum, loss) => sum + loss, 0) / WORLDS
  const sd = Math.sqrt(perSideDay.reduce((sum, loss) => sum + (loss - mean) ** 2, 0) / (WORLDS - 1))
  const se = sd / Math.sqrt(WORLDS)
  expect(se).toBeLessThan(0.015)
  expect(Math.abs(mean - 0.3586)).toBeLessThan(3 * se)
})

/** USD that informed takers won in the intervals that count. */
function lossIn(fills: readonly WorldFill[], rate: Float64Array): number {
  return fills.reduce((sum, { hour, side, usd, bps, midBps }) => {
    // An interval begins at 07:00: what trades before belongs to the day before.
    if (!WEEKDAYS.includes(dayOfHour(hour - 7.0001) % 7)) return sum
    const gap = (rate[Math.floor(hour)] ?? 0) - midBps
    return sum - (usd * (side === 'ask' ? gap + bps : bps - gap)) / 10_000
  }, 0)
}
