import { expect, it } from 'vitest'
import type { SimulationResult } from './simulate.ts'
import { createTally, type Tally } from './tally.ts'

/** What a quarter of the worlds must have seen at least, or the invariants were never put to the test. */
const LEAST: Partial<Tally> = {
  fills: 2_000,
  patches: 2_000,
  activations: 100,
  withdrawals: 1,
  crashes: 50,
  commands: 100,
  reloads: 20,
  dashboard: 10,
  mischief: 50,
  lies: 20,
  clockJumps: 8,
  failures: 1_000,
  gaps: 10,
  foreignHands: 1,
  halts: 10,
  feeModels: 2,
  readingsProven: 5_000,
}

/** Registers the test that the worlds which have run were no worlds in which nothing happens. */
export function expectVariety(results: readonly SimulationResult[]): void {
  if (process.env['MIZANI_WORLD_SEED'] !== undefined) return
  it('something of everything has happened in these days', () => {
    const sum = createTally()
    for (const { tally } of results) {
      for (const name of Object.keys(sum) as (keyof Tally)[]) sum[name] += tally[name]
    }
    const tooFew = (Object.entries(LEAST) as [keyof Tally, number][])
      .filter(([name, least]) => sum[name] < least)
      .map(([name, least]) => `${name}: ${sum[name]}, at least ${least} expected`)
    expect(tooFew).toEqual([])
    expect(results.filter(({ reconciliation }) => reconciliation === 'reconciled').length).toBeGreaterThan(
      results.length / 2,
    )
  })
}
