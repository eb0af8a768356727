import { expect, test } from 'vitest'
import { recalibrate } from '../../../src/research/jobs/recalibrate/recalibrate.ts'
import { orderOf, twoMarkets } from '../../unit/research/jobs/recalibrate/two-markets.ts'

const SEEDS = Array.from({ length: 20 }, (_, i) => 101 + i)

async function adoptedOf(patienceBps: number): Promise<number> {
  let adopted = 0
  for (const seed of SEEDS)
    if ((await recalibrate(orderOf(twoMarkets(seed, patienceBps)))).verdict === 'adopt') adopted += 1
  return adopted
}

// 5 % of 20 is one; four or more of 20 happen once in sixty.
test('of twenty markets whose takers stay the same, a new calibration is adopted in at most three', async () => {
  expect(await adoptedOf(60)).toBeLessThanOrEqual(3)
}, 600_000)

test('of twenty markets whose takers become less patient, it is adopted in at least six', async () => {
  expect(await adoptedOf(25)).toBeGreaterThanOrEqual(6)
}, 600_000)
