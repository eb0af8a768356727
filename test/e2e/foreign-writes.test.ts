import { expect, test } from 'vitest'
import { openMarket, type Market } from './daemon/open-market.ts'
import { API_KEY } from './daemon/running-daemon.ts'
import { until } from './daemon/until.ts'

/** The second user of the key, who knows nothing of the daemon. */
async function secondUser(market: Market, method: string, path: string, body: object): Promise<number> {
  const answer = await fetch(`${market.venue.url}/api/v1/mm${path}`, {
    method,
    headers: { authorization: `Bearer ${API_KEY}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  await answer.text()
  return answer.status
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

test('a deactivation by a second user of the key is reported within 5 s, and the daemon does not undo it', async () => {
  await using market = await openMarket({}, { pacing: { accountIntervalMs: 500 } })
  await using daemon = market.start()
  await market.quoted(60, 70)
  await until('the daemon is ready', async () => (await daemon.get('/readyz')).status === 200)
  const began = performance.now()
  expect(await secondUser(market, 'POST', '/activate', { isActive: false })).toBe(200)
  await until('the log has it', () => daemon.output().includes('foreign-write'))
  expect(performance.now() - began).toBeLessThan(5_000)
  const seen = await daemon.state()
  expect(seen.tradingState).toBe('REDUCING')
  expect(seen.reasons.join()).toContain('position was deactivated')
  await pause(3_000)
  expect(market.venue.model.state.ours.isActive).toBe(false)
  await daemon.post('activate', { why: 'it was the night shift' })
  await market.quoted(60, 70)
})

test('a second user of the key sets another spread: the safe quote stands until a person resumes', async () => {
  // A taker that comes before the read-back is filled at 10 bps, for which another rule halts.
  const risk = { maxFillPriceDeviationBps: null }
  await using market = await openMarket({}, { pacing: { quoteCheckIntervalMs: 500 }, risk })
  await using daemon = market.start()
  await market.quoted(60, 70)
  await until('the daemon knows it', async () => (await daemon.state()).quote.status === 'confirmed')
  const spread = { bidBps: 10, askBps: 10, quoteBid: true, quoteAsk: true }
  expect(await secondUser(market, 'PATCH', '/spread', spread)).toBe(200)
  await market.quoted(500, 500)
  await until('the state names the foreign spread', async () =>
    (await daemon.state()).reasons.join().includes('10 bps on the'),
  )
  await daemon.post('resume', { why: 'it was the night shift' })
  await market.quoted(60, 70)
})

test('a fill in a token that no one can own stops the trading within seconds', async () => {
  await using market = await openMarket({}, { risk: { unexplainedGraceMs: 1_000 } })
  await using daemon = market.start()
  await market.quoted(60, 70)
  await until(
    'the books are proven',
    async () => (await daemon.state()).reconciliation.state === 'reconciled',
  )
  market.venue.model.inject({ thirdToken: { symbol: 'TGBP', amountIn: '100', ntzs: '340000' } })
  await until('trading is halted with the difference', async () => {
    const { tradingState, reconciliation } = await daemon.state()
    return tradingState === 'HALTED' && reconciliation.unreconciled.NTZS === '-340000'
  })
})
