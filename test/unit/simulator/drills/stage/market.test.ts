import { afterEach, expect, test } from 'vitest'
import { configSchema } from '../../../../../src/daemon/config/schema/schema.ts'
import { SecretReference } from '../../../../../src/daemon/config/source/secret.ts'
import type { SandboxOptionsInput } from '../../../../../src/simulator/sandbox/options.ts'
import { type DrillMarket, openMarket } from '../../../../../src/simulator/drills/stage/market.ts'

const opened: DrillMarket[] = []
afterEach(async () => {
  await Promise.all(opened.splice(0).map((market) => market.close()))
})

async function open(like: SandboxOptionsInput = {}): Promise<DrillMarket> {
  const config = configSchema.parse({
    name: 'desk-1',
    venue: { baseUrl: 'https://venue.example', apiKey: new SecretReference('env', 'KEY') },
    strategy: { use: 'fixed-spread' },
    risk: { priceCorridor: { min: '2300', max: '2900' } },
  })
  const market = await openMarket(config, like)
  opened.push(market)
  expect(await market.asStranger('PATCH', '/api/v1/mm/spread', { bidBps: 60, askBps: 60 })).toBe(200)
  expect(await market.asStranger('POST', '/api/v1/mm/activate', { isActive: true })).toBe(200)
  await market.advance(10_000)
  expect(await market.quote()).toEqual({ isActive: true, bidBps: 60, askBps: 60 })
  return market
}

test('a taker who knows the market takes nothing at an honest quote', async () => {
  const market = await open()
  await market.exploit(100)
  market.moveTruth(40)
  await market.exploit(100)
  expect(market.fillCount()).toBe(0)
})

test.each([
  [200, 'bid'],
  [-200, 'ask'],
] as const)(
  'when the market moves by %d bps, a taker who knows it takes the %s, and the night has a cost',
  async (bps, _side) => {
    const market = await open()
    const before = market.holdings()
    market.moveTruth(bps)
    await market.exploit(100)
    expect(market.fillCount()).toBe(1)
    const cost = Number((market.worth(before) - market.worth(market.holdings())) / 10n ** 12n) / 1e6
    // 100 USD at 200 bps less 60 of the quote and 10 of the fee, which we do not earn.
    expect(cost).toBeGreaterThan(1)
    expect(cost).toBeLessThan(1.6)
  },
)

test('a venue that was learned does as the real one, with the key and the capital of the drill', async () => {
  const like = { protocolFeeBps: 100, feeFrom: 'pool', apiKey: 'mm_live_of_somebody' } as const
  const [learned, usual] = [await open(like), await open()]
  expect(learned.capitalUsd()).toBe(usual.capitalUsd())
  const earned = async (market: DrillMarket) => {
    const before = market.holdings()
    await market.take('ask', 100)
    return Number((market.worth(market.holdings()) - market.worth(before)) / 10n ** 12n) / 1e6
  }
  // The pool bears the fee: one per cent of the payout stays with the position instead of a tenth that leaves it.
  expect((await earned(learned)) - (await earned(usual))).toBeCloseTo(100 * (1 - 0.006) * 0.01, 2)
})

test('an ordinary taker pays the spread: the cost is below zero', async () => {
  const market = await open()
  const before = market.holdings()
  expect(await market.take('ask', 100)).toBe(true)
  expect(await market.take('bid', 100)).toBe(true)
  expect(market.worth(market.holdings()) > market.worth(before)).toBe(true)
})

test('the feed shows the market, and the venue what it has published', async () => {
  const market = await open()
  market.moveTruth(100)
  const rate = async () =>
    ((await (await fetch(market.feedUrl)).json()) as { rates: { TZS: number } }).rates.TZS
  expect(await rate()).toBe(2_626)
  await market.publishTruth()
  market.moveTruth(-100)
  expect(await rate()).toBeCloseTo(2_599.74, 6)
})
