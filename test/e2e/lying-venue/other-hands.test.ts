import { describe, expect, test } from 'vitest'
import { quoteOf } from '../daemon/open-market.ts'
import { until } from '../daemon/until.ts'
import { openLyingMarket, stateWhere, trading, untilSafe } from './lying-market.ts'
import { sharedMarket } from './shared-market.ts'

const MM = '/api/v1/mm'

describe.concurrent('Someone else with our key is noticed and named', { timeout: 120_000 }, () => {
  test('a venue that keeps another spread than it was asked to while safety is wanted is left: five repairs, then nothing stands', async () => {
    await using market = await openLyingMarket()
    await using daemon = market.start()
    await trading(market, daemon)
    // It answers each PATCH as asked and holds what it likes.
    const { ours } = market.venue.model.state
    market.proxy.rules.onRequest = ({ method, path }) => {
      if (method === 'GET' && path.startsWith(`${MM}/quote`)) Object.assign(ours, { bidBps: 20, askBps: 20 })
      return 'pass'
    }
    expect((await daemon.post('pause', { why: 'safety' })).status).toBe(200)
    await until('nothing stands', async () => !(await quoteOf(market.venue)).isActive, {
      otherwise: async () => JSON.stringify(await daemon.state()),
    })
    await untilSafe(market, daemon, performance.now())
  })

  describe.concurrent('to one daemon, one after the other', () => {
    const shared = sharedMarket()

    test(
      'a deactivation that no one here sent stays: it is notified within 5 seconds and only a person activates again',
      { concurrent: false },
      async () => {
        const { market, daemon } = shared()
        const from = daemon.output().length
        expect(await market.stranger('POST', `${MM}/activate`, { isActive: false })).toBe(200)
        const since = performance.now()
        await until('people are notified', () => daemon.output().slice(from).includes('foreign'), {
          otherwise: () => daemon.output().slice(-3_000),
        })
        // The account is read once a second here; 5 s is from the answer that shows it.
        expect(performance.now() - since).toBeLessThan(6_500)
        for (let look = 0; look < 20; look += 1) {
          expect((await quoteOf(market.venue)).isActive).toBe(false)
          await new Promise((resolve) => setTimeout(resolve, 150))
        }
        expect((await daemon.post('activate', { why: 'it was a colleague' })).status).toBe(200)
        await stateWhere(
          daemon,
          'it trades again',
          (view) => view.isActive === true && view.tradingState === 'ACTIVE',
        )
      },
    )

    test(
      'one refused key is looked at twice, five seconds apart, before it is called lost',
      { concurrent: false },
      async () => {
        const { market, daemon } = shared()
        let refusals = 0
        market.lie(`GET ${MM}/balances`, (body) => {
          refusals += 1
          if (refusals > 1) return body
          return {
            answer: {
              status: 401,
              headers: { 'content-type': 'application/json' },
              text: '{"code":"UNAUTHORIZED"}',
            },
          }
        })
        await until('it asked again', () => refusals > 4)
        expect((await daemon.state()).tradingState).not.toBe('HALTED')
        market.lie(`GET ${MM}/`, () => ({
          answer: {
            status: 401,
            headers: { 'content-type': 'application/json' },
            text: '{"code":"UNAUTHORIZED"}',
          },
        }))
        await stateWhere(daemon, 'HALTED', ({ tradingState }) => tradingState === 'HALTED')
      },
    )

    test(
      'a wallet address that changes halts: what comes home would come home to someone else',
      { concurrent: false },
      async () => {
        const { market, daemon } = shared()
        const since = performance.now()
        market.lie(`GET ${MM}/account`, (body) => ({
          ...body,
          walletAddress: '0x000000000000000000000000000000000000dEaD',
        }))
        const view = await stateWhere(daemon, 'HALTED', ({ tradingState }) => tradingState === 'HALTED')
        expect(view.reasons.join(' ')).toMatch(/wallet/i)
        expect(performance.now() - since).toBeLessThan(10_000)
      },
    )
  })
})
