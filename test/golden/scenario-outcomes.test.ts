import { expect, test } from 'vitest'
import { scenarioNames } from '../../src/commands/research/tournament/read-tournament.ts'
import { drawWorld, prepareScenario, type World } from '../../src/scenarios/draw/world.ts'
import type { WorldResult } from '../../src/scenarios/play/participant.ts'
import { playWorld } from '../../src/scenarios/play/play-world.ts'
import { shippedScenario } from '../support/shipped-scenario.ts'

const GRID = [20, 40, 60, 100, 150, 250]
const TRAINING = Array.from({ length: 4 }, (_, index) => 1 + index)
const TEST = Array.from({ length: 16 }, (_, index) => 3_000_001 + index)
const DAYS = 90

function playConstant(world: World, bps: number): WorldResult {
  return playWorld(world, () => ({ bidBps: bps, askBps: bps }), { tauBps: null })
}

/** Share of the test seeds in which the constant that was best on the training seeds loses. */
function losingShare(name: string): number {
  const prepared = prepareScenario(shippedScenario(name), DAYS)
  const training = TRAINING.map((seed) => drawWorld(prepared, seed))
  const means = GRID.map((bps) => {
    const results = training.map((world) => playConstant(world, bps))
    const fills = results.reduce((sum, { fills: { retail, informed } }) => sum + retail + informed, 0)
    const trades = fills >= DAYS * TRAINING.length
    return trades ? results.reduce((sum, { pnlUsd }) => sum + pnlUsd, 0) : -Infinity
  })
  const best = GRID[means.indexOf(Math.max(...means))] ?? 0
  const losses = TEST.filter((seed) => playConstant(drawWorld(prepared, seed), best).pnlUsd < 0)
  return losses.length / TEST.length
}

test('the best constant spread, tuned on training seeds, loses money in a third of the test seeds in four scenarios or more, and earns in calm, normal and undercut', () => {
  const shares = new Map(scenarioNames().map((name) => [name, losingShare(name)]))
  const hostile = [...shares].filter(([, share]) => share >= 1 / 3).map(([name]) => name)
  for (const name of ['api-outage', 'appreciation', 'devaluation', 'weekend']) expect(hostile).toContain(name)
  for (const name of ['calm', 'normal', 'undercut']) expect([name, shares.get(name)]).toEqual([name, 0])
})
