import { afterAll, describe, expect, test } from 'vitest'
import { TOKENS } from '../../src/sandbox/market/tokens.ts'
import { expectEqualBooks } from './daemon/compare-books.ts'
import { openMarket, quoteOf } from './daemon/open-market.ts'
import { endDaemons, runDaemon } from './daemon/running-daemon.ts'
import { stoppableWorld } from './daemon/stoppable-world.ts'
import { startSandbox } from '../../src/sandbox/server/server.ts'
import { BUSY_VENUE, MORNING, positionFolder } from './daemon/position-folder.ts'
import { until } from './daemon/until.ts'

afterAll(endDaemons)

describe.concurrent('a market is made', { timeout: 150_000 }, () => {
  test('by `npm run -s mizani -- run`, which passes SIGTERM on and ends with the daemon', async () => {
    const market = await openMarket({ isActive: false })
    const daemon = runDaemon({ configs: [market.config], npm: true })
    await market.quoted(60, 70)
    await daemon.url()
    expect(daemon.output()).toContain('"positions":["desk-1"]')
    await daemon.kill('SIGTERM')
    await until('the safe quote', async () => (await quoteOf(market.venue)).bidBps === 500)
    expect(daemon.output()).toMatch(/^desk-1: widened .* confirmed/m)
    await market.close()
  })

  test('in the observed dialect with the fee from the position: the daemon infers the fee model, and the books agree to the last unit', async () => {
    const { world, stop } = stoppableWorld('normal', 5, MORNING)
    const options = { ...BUSY_VENUE, startMs: MORNING, speed: 200, seed: 5 }
    const venue = await startSandbox(
      { ...options, dialect: 'observed', feeFrom: 'position', bidFormula: 'divide' },
      world,
    )
    const folder = positionFolder(venue.url)
    const config = folder.configure({
      venue: { tokens: { [TOKENS.NTZS.address]: 'NTZS' } },
      strategy: { use: 'inventory-skew', params: { halfSpreadBps: 50, maxSkewBps: 40 } },
    })
    const daemon = runDaemon({ configs: [config] })
    await until('ten fills', async () => (await daemon.state()).fills.total >= 10, {
      otherwise: () => daemon.state(),
    })
    stop()
    const view = await until(
      'the books are proven complete',
      async () => {
        const seen = await daemon.state()
        const all = venue.model.book().ours.fills.length
        return seen.reconciliation.state === 'reconciled' && seen.fills.total === all && seen
      },
      { otherwise: () => daemon.state() },
    )
    expect(view.feeModel).toBe('from-position')
    expect(view.pnl?.residual).toEqual({ tzs: '0', usd: '0' })
    await expectEqualBooks(venue.model, folder.store, view)
    await daemon.kill('SIGTERM')
    await venue.close()
    folder.remove()
  })

  test('in a dry run nothing changes at the venue, though it decides and journals', async () => {
    const market = await openMarket(
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
    await market.close()
  })
})
