import { describe, expect, test } from 'vitest'
import { openMarket, quoteOf } from './daemon/open-market.ts'
import { runDaemon } from './daemon/running-daemon.ts'
import { tradeTenFills } from './daemon/trade-ten-fills.ts'
import { until } from './daemon/until.ts'

describe.concurrent('a market is made', { timeout: 150_000 }, () => {
  test('by `npx mizani run`, which passes SIGTERM on and ends with the daemon', async () => {
    await using market = await openMarket({ isActive: false })
    const daemon = runDaemon({ configs: [market.config], npm: true })
    await market.quoted(60, 70)
    await daemon.url()
    expect(daemon.output()).toContain('"positions":["desk-1"]')
    await daemon.kill('SIGTERM')
    await until('the safe quote', async () => (await quoteOf(market.venue)).bidBps === 500)
    expect(daemon.output()).toMatch(/^desk-1: widened .* confirmed/m)
  })

  test('with the fee from the position: the daemon infers the fee model, and the books agree to the last unit', async () => {
    const traded = await tradeTenFills({ feeFrom: 'position', bidFormula: 'divide' })
    expect(traded.view.feeModel).toBe('from-position')
    await traded.daemon.kill('SIGTERM')
    await traded.close()
  })

  test('in a dry run nothing changes at the venue, though it decides and journals', async () => {
    await using market = await openMarket(
      { isActive: false, spread: { bidBps: 123, askBps: 234 } },
      { mode: 'dry-run' },
    )
    const daemon = market.start()
    const view = await until('it has decided', async () => {
      const seen = await daemon.state()
      return seen.quote.target?.bidBps === 60 && seen.reconciliation.state === 'reconciled' && seen
    })
    expect(view.mode).toBe('dry-run')
    expect((await daemon.post('activate')).status).toBe(409)
    expect((await daemon.post('halt', { why: 'to see' })).status).toBe(200)
    expect((await daemon.kill('SIGTERM')).code).toBe(0)
    expect(await quoteOf(market.venue)).toEqual({ bidBps: 123, askBps: 234, isActive: false })
    expect(market.venue.model.book().ours.transfers).toEqual([])
  })
})
