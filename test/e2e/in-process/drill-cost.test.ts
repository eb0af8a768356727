import { expect, test } from 'vitest'
import { DRILLS } from '../../../src/simulator/drills/catalogue.ts'
import type { Drill } from '../../../src/simulator/drills/drill.ts'
import { playNight } from '../../../src/simulator/drills/play-drill.ts'

/** A night of which each round costs a dollar; it is safe at once, and the quote is down after so many rounds. */
async function play(downAfter: number, changes: Partial<Drill>, maxSafeMs: number) {
  let rounds = 0
  const market = { holdings: () => rounds, worth: (lost: number) => -BigInt(lost) * 10n ** 18n }
  const drill: Drill = {
    ...DRILLS['key-lost'](),
    eachSecond: async () => void (rounds += 1),
    isSafe: async () => true,
    isDown: async () => rounds >= downAfter,
    ...changes,
  }
  const night = { stage: { market, position: {} } as never, takerUsd: 1 }
  return playNight(drill, night, { maxSafeMs, maxNoticeMs: 1_000, maxCostUsd: null })
}

test('a night that is safe while its quote is live costs until the quote is down', async () => {
  const { safeMs, costUsd } = await play(3, {}, 60_000)
  expect(costUsd).toBe(3)
  expect(safeMs).toBeLessThan(500)
})

test('a quote that never comes down costs as long as the desk allows a night to last', async () => {
  const { safeMs, costUsd } = await play(Number.POSITIVE_INFINITY, {}, 500)
  expect(costUsd).toBeGreaterThanOrEqual(2)
  expect(safeMs).toBeLessThan(500)
})

test('a lost key leaves the quote live, and its cost counts on after the halt', () => {
  expect(DRILLS['key-lost']().isDown).toBeDefined()
})
