import { describe, expect, test } from 'vitest'
import { loadVariant } from '../../../../../src/research/jobs/tournament/participants.ts'
import { drawWorld, prepareScenario } from '../../../../../src/research/scenarios/draw/world.ts'
import { playWorld } from '../../../../../src/research/scenarios/play/play-world.ts'
import { CoreParticipant } from '../../../../../src/research/tournament/core/core-participant.ts'
import { DAY_MS, HOUR_MS } from '../../../../../src/base/time.ts'
import {
  balancesRow,
  MID,
  quoteRow,
  rateRow,
  rivalRow,
  runTape,
  START,
} from '../../../../support/backtest-tape.ts'
import { shippedScenario } from '../../../../support/shipped-scenario.ts'

async function loadOptimal() {
  const loaded = await loadVariant({ use: 'optimal', params: {} }, 'config/tournament.yaml')
  if (!loaded.ok) throw new Error(loaded.error)
  return loaded.value
}

const alone = prepareScenario(shippedScenario('normal', { rivals: { followBps: [], staticBps: [] } }), 90)

describe('optimal where no one else quotes', () => {
  test('earns in a world at least 95 % of what the best constant spread earns', async () => {
    const seeds = [4_400_001, 4_400_002, 4_400_003, 4_400_004]
    const worlds = seeds.map((seed) => drawWorld(alone, seed))
    const strategy = await loadOptimal()
    const sum = (play: (world: (typeof worlds)[number]) => number) =>
      worlds.reduce((total, world) => total + play(world), 0)
    const constants = [60, 80, 100, 120].map((bps) =>
      sum((world) => playWorld(world, () => ({ bidBps: bps, askBps: bps }), { tauBps: null }).pnlUsd),
    )
    const earned = sum((world) => {
      const core = new CoreParticipant(strategy, 25, () => false, { from: 'firstWeek', ditherBps: 0 })
      return playWorld(world, core.decide, { tauBps: 25 }).pnlUsd
    })
    expect(earned).toBeGreaterThan(0.95 * Math.max(...constants))
  })

  test('spends in a backtest at most 1 % of the time at the safe quote, and without rivals returns from it', async () => {
    for (const rival of [null, 400]) {
      const days = 3
      const hours = Array.from({ length: 24 * days }, (_, hour) => START + hour * HOUR_MS)
      const rows = hours.flatMap((t) => [
        rateRow(t, MID),
        ...(rival === null ? [] : [rivalRow(t, 'bid', rival), rivalRow(t, 'ask', rival)]),
      ])
      const tape = [rateRow(START, MID), balancesRow(START), quoteRow(START, 60, 60), ...rows]
      const { told } = await runTape(tape, { strategy: await loadOptimal() })
      const quotes = told.quotes.map(({ t, bidBps }) => ({ t, isSafe: bidBps === null || bidBps === 500 }))
      const safeMs = quotes.reduce(
        (sum, { t, isSafe }, index) => (isSafe ? sum + (quotes[index + 1]?.t ?? t) - t : sum),
        0,
      )
      // It looks each half hour.
      expect(quotes.filter(({ isSafe }) => isSafe).length).toBeGreaterThan(24 * days)
      expect(safeMs).toBeLessThan(0.01 * days * DAY_MS)
    }
  })
})
