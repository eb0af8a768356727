import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { needs } from '../../support/needs.ts'
import { until } from '../daemon/until.ts'
import { chainTruth } from './chain-truth.ts'
import { openCustodyMarket } from './custody-market.ts'

/** TZS per USD: what a dollar is worth, and what the venue says it is. */
const TRUE_MID = 2_500
const CORRIDOR = { min: 2_300, max: 2_700 }
/** Inside the corridor a lie is believed where every rule on the mid is off; outside nothing is signed. */
const LIES = ['2695', '2305', '25', '2695', '250000', '2305'] as const
const LIMITS = {
  maxOrderUsd: 700,
  maxOutstandingUsd: 2_000,
  maxAtRiskUsdPerHour: 4_000,
  maxAtRiskUsdPerDay: 10_000,
}
const LIE_EVERY_MS = 6_000

test.skipIf(needs('anvil'))(
  'a venue that lies about its mid and fills at once takes no more of the wallet than the corridor and the hour allow',
  async () => {
    const market = await openCustodyMarket({
      venue: { solver: { fillEveryMs: 200, parts: 1 } },
      // The last wall alone: whatever else would stop a mid like this is off, and the orders are large.
      patch: {
        risk: {
          maxMidAgeMs: null,
          maxMidStepBps: null,
          maxMidMoveBpsPerHour: null,
          maxMidMoveBpsPerDay: null,
          priceCorridor: { min: `${CORRIDOR.min}`, max: `${CORRIDOR.max}` },
        },
      },
      ladder: { levels: 3, usd: 200 },
      rfq: { ...LIMITS, cancel: { policy: 'always' } },
    })
    market.venue.model.inject({ print: { mid: `${TRUE_MID}` } })
    const before = await chainTruth(market.chain, [])
    const daemon = market.start()
    await until('orders are signed', () => market.sent.length >= 3, {
      otherwise: async () => [daemon.errors(), (await daemon.state()).rfq],
    })
    const began = performance.now()
    for (const mid of LIES) {
      market.venue.model.inject({ print: { mid } })
      await pause(LIE_EVERY_MS)
      // The operator is deceived as well and vouches for whatever the venue says.
      await daemon.post('resume', { why: 'the venue says so' })
    }
    const hours = (performance.now() - began) / 3_600_000
    const truth = await chainTruth(market.chain, market.sent)

    // Every order that ever left the process, by its own numbers.
    const ntzs = market.chain.tokens.address.NTZS.toLowerCase()
    const priceOf = ({ makerToken, makerAmount, takerAmount }: (typeof market.sent)[number]['order']) =>
      makerToken === ntzs
        ? Number(makerAmount) / 1e12 / Number(takerAmount)
        : Number(takerAmount) / 1e12 / Number(makerAmount)
    const prices = market.sent.map(({ order }) => priceOf(order))
    expect(Math.min(...prices)).toBeGreaterThanOrEqual(CORRIDOR.min - 1e-6)
    expect(Math.max(...prices)).toBeLessThanOrEqual(CORRIDOR.max + 1e-6)

    const width = (CORRIDOR.max - CORRIDOR.min) / CORRIDOR.min
    const bound = width * (LIMITS.maxOutstandingUsd + LIMITS.maxAtRiskUsdPerHour * Math.max(1, hours))
    const worth = ({ balances }: typeof truth) =>
      Number(balances.NTZS) / 1e18 / TRUE_MID + Number(balances.USDC) / 1e6 + Number(balances.USDT) / 1e6
    const loss = worth(before) - worth(truth)
    const filledUsd = truth.fills.reduce(
      (sum, { makerToken, makerAmount, takerAmount }) =>
        sum + Number(makerToken === ntzs ? takerAmount : makerAmount) / 1e6,
      0,
    )
    process.stdout.write(
      `loss of the wallet under a lying mid: ${loss.toFixed(2)} USD of ${worth(before).toFixed(0)}, ` +
        `${filledUsd.toFixed(0)} USD filled in ${(hours * 60).toFixed(1)} min; ` +
        `bound: ${(width * 100).toFixed(1)} % x (${LIMITS.maxOutstandingUsd} live + ${LIMITS.maxAtRiskUsdPerHour} an hour) = ${bound.toFixed(0)} USD\n`,
    )
    expect(truth.fills.length).toBeGreaterThan(0)
    expect(filledUsd).toBeLessThanOrEqual(LIMITS.maxAtRiskUsdPerHour)
    expect(loss).toBeLessThanOrEqual(bound)
    await daemon.kill('SIGKILL')
    await market.close()
  },
  150_000,
)
