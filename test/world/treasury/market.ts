import type { Ms } from '../../../src/base/time.ts'
import { zeroAmounts } from '../../../src/base/money/asset.ts'
import { RATE_ONE } from '../../../src/base/money/rate.ts'
import type { World } from '../../../src/simulator/sandbox/world/world.ts'
import type { Dice } from '../dice.ts'

const STEP_MS = 10 * 60_000
const USD = 10n ** 6n

/**
 * A price that wanders, and takers who drain the shillings on some days and the dollars on others. One rival quotes beside
 * us; from time to time better than we do, so that a swap is worth its spread.
 */
export function drawMarket(dice: Dice, startMs: Ms): World {
  const drift = dice.pick([-0.5, -0.3, -0.1, 0.1, 0.3])
  const most = dice.pick([500, 2_000, 6_000])
  let at = startMs + STEP_MS
  let count = 0
  return {
    openingMid: 2_500n * RATE_ONE,
    openingPrintedAt: startMs - 60_000,
    competitors: [
      {
        name: 'rival',
        bidBps: 60,
        askBps: 60,
        amounts: { ...zeroAmounts(), NTZS: 10n ** 27n, USDC: 10n ** 12n, USDT: 10n ** 12n },
      },
    ],
    peekAt: () => at,
    next(seenMid) {
      const now = at
      count += 1
      if (count % 3 !== 0) at += 1
      else at += STEP_MS - 2
      if (count % 3 === 1)
        return { at: now, type: 'print', mid: seenMid + BigInt(dice.between(-3, 3)) * RATE_ONE }
      const worth = dice.next() + drift
      if (count % 3 === 2 && Math.abs(worth) > 0.2) {
        const dollars = BigInt(Math.ceil(Math.abs(worth) * most)) * USD
        const [from, to] = worth > 0 ? (['USDC', 'NTZS'] as const) : (['NTZS', 'USDC'] as const)
        const amountIn = from === 'USDC' ? dollars : (dollars * 10n ** 12n * seenMid) / RATE_ONE
        return { at: now, type: 'swap', taker: 'taker', from, to, amountIn, maxSpreadBps: 1_000 }
      }
      const bps = dice.pick([20, 60, 60, 60])
      return { at: now, type: 'competitorQuote', name: 'rival', bidBps: bps, askBps: bps }
    },
  }
}
