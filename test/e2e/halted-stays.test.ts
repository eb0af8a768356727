import { expect, test } from 'vitest'
import type { PositionView } from '../../src/daemon/view/position-view.ts'
import { openMarket, quoteOf } from './daemon/open-market.ts'
import { type RunningDaemon } from './daemon/running-daemon.ts'
import { until } from './daemon/until.ts'

function viewWhere(daemon: RunningDaemon, what: string, holds: (view: PositionView) => boolean) {
  return until(what, async () => holds(await daemon.state()), { otherwise: () => daemon.state() })
}

test('HALTED stays until a person lifts it', { timeout: 120_000 }, async () => {
  await using market = await openMarket({}, { risk: { onHalt: 'safe' } })
  const first = market.start()
  await market.quoted(60, 70)
  expect((await first.post('halt', { why: 'odd prices' })).status).toBe(200)
  await market.quoted(500, 500)
  await first.kill('SIGKILL')

  const second = market.start()
  await viewWhere(second, 'it comes back HALTED', ({ tradingState, reasons }) => {
    return tradingState === 'HALTED' && reasons.join().includes('odd prices')
  })
  // Whatever else is asked for leaves it: an activation, a new configuration, a stranger, the end of the process.
  expect((await second.post('activate', { why: 'hurry' })).status).toBe(409)
  market.folder.configure({
    risk: { onHalt: 'safe' },
    strategy: { use: 'fixed-spread', params: { bidBps: 20, askBps: 20 } },
  })
  expect((await second.post('reload', { why: 'another strategy' })).status).toBe(200)
  expect((await second.post('resume', { why: 'let me' }, 'not-the-token-of-anybody-here')).status).toBe(401)
  await second.kill('SIGTERM')

  await using third = market.start()
  await viewWhere(third, 'it is HALTED still', ({ tradingState }) => tradingState === 'HALTED')
  expect(await quoteOf(market.venue)).toMatchObject({ bidBps: 500, askBps: 500 })
  expect((await third.post('resume', { why: 'looked at' })).status).toBe(200)
  await market.quoted(20, 20)
  await viewWhere(third, 'it trades', ({ tradingState }) => tradingState === 'ACTIVE')
})
