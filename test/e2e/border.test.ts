import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { PositionView } from '../../src/daemon/view/position-view.ts'
import { openMarket, quoteOf, type Market } from './daemon/open-market.ts'
import { type RunningDaemon } from './daemon/running-daemon.ts'
import { takeFiles } from './daemon/take-files.ts'
import { until } from './daemon/until.ts'

/** Waits for a view of which `is` says yes. */
const viewOnce = (
  daemon: RunningDaemon,
  what: string,
  is: (view: PositionView) => boolean,
): Promise<PositionView> =>
  until(
    what,
    async () => {
      const view = await daemon.state()
      return is(view) && view
    },
    { otherwise: () => daemon.state() },
  )

async function trading(market: Market): Promise<RunningDaemon> {
  const daemon = market.start()
  await market.quoted(60, 70)
  await viewOnce(daemon, 'it trades on complete books', (view) => {
    return view.reconciliation.state === 'reconciled' && view.quote.status === 'confirmed'
  })
  return daemon
}

const fixed = (bidBps: number, askBps: number) => ({
  strategy: { use: 'fixed-spread', params: { bidBps, askBps } },
})

describe('at the border with the venue', { timeout: 150_000 }, () => {
  const risk = { errorCyclesThreshold: 3, unexplainedGraceMs: 1_500, onHalt: 'safe' } as const
  let market: Market
  let daemon: RunningDaemon

  beforeAll(async () => {
    market = await openMarket({}, { risk })
    daemon = await trading(market)
  })

  afterAll(async () => {
    await daemon.kill('SIGTERM')
    await market.close()
  })

  test('malformed, cut off, HTML and 5xx answers and time-outs leave the ledger alone; it recovers by itself', async () => {
    const before = await daemon.state()
    for (const kind of ['malformed', 'html', 'truncated', '500', '503', 'timeout-after', 'reset-after']) {
      market.venue.model.inject({ faults: { routes: [{ route: '*', chance: { [kind]: 1 } }] } })
      const { requestsFailed } = await daemon.state()
      const view = await viewOnce(
        daemon,
        `${kind} is a failure`,
        (seen) => seen.requestsFailed >= requestsFailed + 3,
      )
      expect({ kind, balances: view.balances }).toEqual({ kind, balances: before.balances })
    }
    const { reasons } = await viewOnce(daemon, 'errors in a row', (view) => view.tradingState === 'REDUCING')
    expect(reasons.join()).toContain('error-cycles')
    market.venue.model.inject({ faults: { routes: [] } })
    const after = await viewOnce(daemon, 'it recovers', (view) => view.tradingState === 'ACTIVE')
    await market.quoted(60, 70)
    expect(after.balances).toEqual(before.balances)
    expect(after.startedAt).toBe(before.startedAt)
  })

  test('an outage is waited out, and the quote is read back when it is over', async () => {
    market.venue.model.inject({ outage: { ms: 3_600_000 } })
    await viewOnce(daemon, 'the outage is felt', (view) => view.tradingState !== 'ACTIVE')
    expect((await daemon.get('/healthz')).status).toBe(200)
    market.venue.model.inject({ outage: { ms: 0 } })
    await viewOnce(daemon, 'it is over', (view) => {
      return view.tradingState === 'ACTIVE' && view.quote.status === 'confirmed'
    })
    await market.quoted(60, 70)
    expect((await daemon.get('/readyz')).status).toBe(200)
  })

  test('The quote at the venue is never assumed: a dropped PATCH answer makes the quote unknown until it is read back, whether or not it was applied', async () => {
    market.venue.model.inject({ faults: { lostPatch: { chance: 0.6, applied: 0.5 } } })
    market.folder.configure({ risk, ...fixed(81, 92) })
    await takeFiles(daemon)
    await market.quoted(81, 92)
    const view = await viewOnce(
      daemon,
      'it knows',
      ({ quote }) => quote.status === 'confirmed' && quote.bidBps === 81,
    )
    expect(view.quote).toMatchObject({ bidBps: 81, askBps: 92 })
    market.venue.model.inject({ faults: { lostPatch: { chance: 0, applied: 0 } } })
    market.folder.configure({ risk })
    await takeFiles(daemon)
    await market.quoted(60, 70)
  })

  test('a mid that jumps over the bound is answered with the safe quote, and one that returns with the old quote', async () => {
    market.venue.model.inject({ jump: { bps: 400 } })
    const view = await viewOnce(daemon, 'the step is seen', ({ reasons }) =>
      reasons.join().includes('mid-step'),
    )
    expect(view.tradingState).toBe('REDUCING')
    await until('no narrow side stands', () => {
      const { bidBps, askBps, quoteBid, quoteAsk } = market.venue.model.state.ours
      return (!quoteBid || bidBps === 500) && (!quoteAsk || askBps === 500)
    })
    market.venue.model.inject({ print: { mid: 2568.1584 } })
    await market.quoted(60, 70)
    expect((await daemon.state()).tradingState).toBe('ACTIVE')
  })

  test('a mid that is too old or not quotable is answered with the safe quote until a good one comes', async () => {
    market.venue.model.inject({ freeze: true, print: { mid: 2570 } })
    market.folder.configure({ risk: { ...risk, maxMidAgeMs: 4_000 } })
    await takeFiles(daemon)
    await viewOnce(daemon, 'it is stale', ({ reasons }) => reasons.join().includes('mid-age'))
    await market.quoted(500, 500)
    // The venue's clock shows whole seconds: at the limit one more answer may make the mid younger than it is.
    await until('it is not ready', async () => (await daemon.get('/readyz')).status === 503)
    market.folder.configure({ risk })
    await takeFiles(daemon)
    await market.quoted(60, 70)
    market.venue.model.inject({ notQuotable: { ms: 3_600_000 } })
    await viewOnce(daemon, 'it is not quotable', ({ reasons }) => reasons.join().includes('not-quotable'))
    await market.quoted(500, 500)
    market.venue.model.inject({ notQuotable: { ms: 0 } })
    await market.quoted(60, 70)
  })

  test('money that leaves without a word is a GAP at once and HALTED after the grace; booked by the operator it trades on', async () => {
    market.venue.model.inject({ steal: { asset: 'USDC', amount: '123.456789', from: 'pool' } })
    const gap = await viewOnce(
      daemon,
      'the gap is seen',
      ({ reconciliation }) => reconciliation.state === 'break',
    )
    expect(gap.reconciliation.unreconciled).toEqual({ USDC: '-123.456789' })
    await viewOnce(daemon, 'it is halted', ({ tradingState }) => tradingState === 'HALTED')
    await market.quoted(500, 500)
    const refused = await daemon.post('resume', { why: 'never mind' })
    expect(refused.status).toBe(409)
    expect(JSON.stringify(refused.body)).toContain('--book adjustment')
    const order = { who: 'asha', why: 'stolen', book: 'adjustment' }
    expect((await daemon.post('resume', { ...order, expect: '-1 USDC' })).status).toBe(409)
    expect((await daemon.post('resume', { ...order, expect: '-123.456789 USDC' })).status).toBe(200)
    const view = await viewOnce(daemon, 'it trades on', ({ reconciliation, tradingState }) => {
      return reconciliation.state === 'reconciled' && tradingState === 'ACTIVE'
    })
    await market.quoted(60, 70)
    expect(view.balances.USDC).toBe('11876.543211')
    expect(view.pnl?.residual).toEqual({ tzs: '0', usd: '0' })
    expect((await quoteOf(market.venue)).isActive).toBe(true)
  })
})

describe.concurrent('the budget of requests', { timeout: 150_000 }, () => {
  test('429 shrinks the budget, and the venue never counts more than its limit in a minute', async () => {
    // The venue allows 12 a minute, the configuration believes in 60: the venue's word counts.
    await using market = await openMarket(
      { requestsPerMinute: 12 },
      { venue: { requestsPerMinute: 60, publicUrl: null }, pacing: { reservePerMinute: 5 } },
    )
    await using daemon = market.start()
    await market.quoted(60, 70)
    const refused = () => market.venue.model.state.counters['refused by the key limit'] ?? 0
    const view = await viewOnce(daemon, 'the budget shrinks', ({ budget }) => budget.effective < 60)
    expect(view.budget.limit).toBe(60)
    const first = refused()
    expect(first).toBeGreaterThan(0)
    const { lastSeq } = view
    // Retry-After is honoured: what was in flight together may be refused together, and then it is silent.
    await new Promise((resolve) => setTimeout(resolve, 3_000))
    expect(refused() - first).toBeLessThanOrEqual(1)
    expect((await daemon.state()).lastSeq - lastSeq).toBeLessThan(60)
  })

  test('the default budget of 60 a minute is never overdrawn, whatever happens in the minute', async () => {
    await using market = await openMarket(
      { requestsPerMinute: 60, speed: 60 },
      { venue: { requestsPerMinute: 60 } },
    )
    for (const kill of [0, 1, 2]) {
      const daemon = market.start()
      await daemon.url()
      await new Promise((resolve) => setTimeout(resolve, 2_000))
      await daemon.kill(kill === 2 ? 'SIGTERM' : 'SIGKILL')
    }
    expect(market.venue.model.state.counters['refused by the key limit'] ?? 0).toBe(0)
  })
})
