import { expect, test } from 'vitest'
import { until } from '../daemon/until.ts'
import { openLyingMarket, stateWhere, trading, untilSafe } from './lying-market.ts'

const BALANCES = 'GET /api/v1/mm/balances'
const FILLS = 'GET /api/v1/mm/fills'

test('balances with a figure that cannot be read end readiness at once, then require the safe quote, then halt', async () => {
  await using market = await openLyingMarket({}, { risk: { maxUnreadableMs: 20_000, onHalt: 'safe' } })
  await using daemon = market.start()
  await trading(market, daemon)
  expect((await daemon.get('/readyz')).status).toBe(200)
  market.lie(BALANCES, (body) => ({ ...body, usdc: 'about 50000' }))
  const since = performance.now()
  const { reconciliation } = await stateWhere(daemon, 'it is not reconciled', (view) => {
    return view.reconciliation.state !== 'reconciled'
  })
  expect(reconciliation.unreadable).toEqual([expect.stringMatching(/GET \/balances: 200.*usdc/)])
  const ready = await daemon.get('/readyz')
  expect(ready.status).toBe(503)
  expect(JSON.stringify(ready.body)).toMatch(/GET \/balances.*usdc/)
  await untilSafe(market, daemon, since)
  await stateWhere(daemon, 'HALTED', ({ tradingState }) => tradingState === 'HALTED')
  market.truth()
  await stateWhere(daemon, 'reconciled', (view) => view.reconciliation.state === 'reconciled')
})

test('a row of fills that cannot be read ends readiness until a person resumes, also over a restart', async () => {
  await using market = await openLyingMarket()
  let daemon = market.start()
  await trading(market, daemon)
  market.lie(FILLS, (body) => ({
    ...body,
    fills: [{ id: 'strange', amountIn: 'some' }, ...(body['fills'] as object[])],
  }))
  const unreadable = await until('the row is shown', async () => {
    const { reconciliation } = await daemon.state()
    return reconciliation.unreadable.length > 0 && reconciliation.unreadable
  })
  expect(unreadable).toEqual([expect.stringContaining('row #strange')])
  // It is accepted once a reading after it equals the ledger.
  await until('a resume accepts the row', async () => {
    const { body } = await daemon.post('resume', { why: 'the venue explained it' })
    return (body as { answer: string }).answer.includes('accepted without booking: row #strange')
  })
  await until('it is ready', async () => (await daemon.get('/readyz')).status === 200)
  await daemon.kill('SIGTERM')
  daemon = market.start()
  await until('it is ready again', async () => (await daemon.get('/readyz')).status === 200, {
    withinMs: 60_000,
  })
  await daemon.kill('SIGTERM')
})
