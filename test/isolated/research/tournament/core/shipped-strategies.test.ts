import { readdirSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { loadVariant } from '../../../../../src/research/jobs/tournament/participants.ts'
import { drawWorld, prepareScenario } from '../../../../../src/research/scenarios/draw/world.ts'
import { playWorld } from '../../../../../src/research/scenarios/play/play-world.ts'
import { CoreParticipant } from '../../../../../src/research/tournament/core/core-participant.ts'
import { createCalendar } from '../../../../../src/daemon/runtime/position/calendar.ts'
import { shippedScenario } from '../../../../support/shipped-scenario.ts'

const SKEW = { use: 'inventory-skew', params: { halfSpreadBps: 45, offBeyond: 1 } }
const PARAMS: Readonly<Record<string, Record<string, unknown>>> = {
  'fixed-spread': { bidBps: 60, askBps: 60 },
  schedule: {
    strategy: SKEW,
    windows: [{ name: 'night', cron: '* 20-23 * * *', params: { halfSpreadBps: 90 } }],
  },
  competitive: { strategy: SKEW },
  'toxicity-guard': { strategy: SKEW },
  weekend: { strategy: SKEW },
}
const names = readdirSync('strategies').map((file) => file.replace(/\.ts$/, ''))

describe('a strategy that ships', () => {
  test.each(names)('%s plays a toxic market of a week without being suspended, and trades', async (use) => {
    const loaded = await loadVariant({ use, params: PARAMS[use] ?? {} }, 'config/tournament.yaml')
    if (!loaded.ok) throw new Error(loaded.error)
    const world = drawWorld(prepareScenario(shippedScenario('toxic-taker'), 7), 3)
    const core = new CoreParticipant(loaded.value, 25, createCalendar())
    // A participant throws where its strategy was suspended or its core halted.
    const result = playWorld(world, core.decide, { tauBps: 25 })
    expect(Number.isFinite(result.pnlUsd)).toBe(true)
    expect(result.fills.retail + result.fills.informed).toBeGreaterThan(10)
  })
})
