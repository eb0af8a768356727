import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { type RunningDaemon } from '../daemon/running-daemon.ts'
import { openLyingMarket, stateWhere, trading, untilSafe, type LyingMarket } from './lying-market.ts'
import { sharedMarket } from './shared-market.ts'

const BALANCES = 'GET /api/v1/mm/balances'
const FILLS = 'GET /api/v1/mm/fills'

/** The grace of these tests; the share of it until the halt is the product's own 30 s. */
const QUICK = { risk: { unexplainedGraceMs: 3_000 } } as const

/** Takers who never stop: a dollar every so often, until the test is over. */
function flow(market: LyingMarket, everyMs = 250): () => Promise<void> {
  const over = new AbortController()
  const running = (async () => {
    while (!over.signal.aborted) {
      await market.swap('USDC', 'NTZS', '1')
      await pause(everyMs)
    }
  })()
  return async () => {
    over.abort()
    await running
  }
}

async function untilHalted(daemon: RunningDaemon, withinMs: number) {
  return stateWhere(daemon, 'HALTED', ({ tradingState }) => tradingState === 'HALTED', withinMs)
}

describe.concurrent('A difference cannot hide under flow', { timeout: 180_000 }, () => {
  test('a leak of 1 bp of each fill is a break though flow never stops: the safe quote, and HALTED within 90 seconds', async () => {
    await using market = await openLyingMarket({}, QUICK)
    await using daemon = market.start()
    await trading(market, daemon)
    let leaked = 0
    const count = () => market.venue.model.book().ours.fills.length
    const from = count()
    // A bp of a dollar is 100 base units.
    market.lie(BALANCES, (body) => {
      leaked = (count() - from) * 1e-4
      return { ...body, usdc: (Number(body['usdc']) - leaked).toFixed(6) }
    })
    const since = performance.now()
    const stop = flow(market)
    const safeAfter = await untilSafe(market, daemon, since)
    const view = await untilHalted(daemon, 90_000)
    expect(performance.now() - since).toBeLessThan(90_000)
    expect(safeAfter).toBeLessThan(45_000)
    expect(view.reconciliation.state).toBe('break')
    expect(leaked).toBeGreaterThan(0)
    await stop()
  })

  describe.concurrent('of one daemon, one after the other', () => {
    const shared = sharedMarket()

    // The first of them: a row that was read is not to vanish.
    test(
      'rows that come 8 seconds after the balances under steady flow neither widen nor halt',
      { concurrent: false },
      async () => {
        // The grace is the shipped one: it is what lets late rows explain.
        const { market, daemon } = shared()
        market.lie(FILLS, (body) => {
          const before = Date.now() - 8_000
          const fills = body['fills'] as readonly { createdAt: string }[]
          return { ...body, fills: fills.filter((row) => Date.parse(row.createdAt) <= before) }
        })
        const stop = flow(market)
        const until = performance.now() + 25_000
        while (performance.now() < until) {
          const view = await daemon.state()
          expect(view.tradingState).toBe('ACTIVE')
          expect(market.venue.model.state.ours).toMatchObject({ bidBps: 60, askBps: 70 })
          await pause(250)
        }
        await stop()
        await stateWhere(daemon, 'every fill is booked and proven', ({ fills, reconciliation }) => {
          return (
            fills.total === market.venue.model.book().ours.fills.length &&
            reconciliation.state === 'reconciled'
          )
        })
      },
    )

    test(
      '300 rows of fills are not the contract: none is booked, and the daemon continues from the next honest answer',
      { concurrent: false },
      async () => {
        const { market, daemon } = shared()
        const row = (at: number) => ({
          id: `made-up-${at}`,
          fromToken: 'USDC',
          toToken: 'NTZS',
          amountIn: '1',
          amountOut: '2500',
          feesEarned: '0',
          txHash: `0x${'0'.repeat(64)}`,
          createdAt: new Date().toISOString(),
        })
        market.lie(FILLS, (body) => ({ ...body, fills: Array.from({ length: 300 }, (_, at) => row(at)) }))
        const { requestsFailed: failed, fills: before } = await daemon.state()
        await stateWhere(daemon, 'the answers are refused', ({ requestsFailed }) => requestsFailed > failed)
        expect((await daemon.state()).fills.total).toBe(before.total)
        market.truth()
        await market.swap('USDC', 'NTZS', '1')
        await stateWhere(daemon, 'the honest fill is booked', ({ fills, reconciliation }) => {
          return fills.total === before.total + 1 && reconciliation.state === 'reconciled'
        })
      },
    )

    test(
      'money that no fill could take is notified within 5 seconds and halts after two readings',
      { concurrent: false },
      async () => {
        const { market, daemon } = shared()
        const since = performance.now()
        market.venue.model.inject({ steal: { asset: 'USDC', amount: '4000', from: 'pool' } })
        const safeAfter = await untilSafe(market, daemon, since)
        await untilHalted(daemon, 20_000)
        // The next balances are read within the poll's period; from there on it is a matter of requests.
        expect(safeAfter).toBeLessThan(5_000)
      },
    )
  })
})
