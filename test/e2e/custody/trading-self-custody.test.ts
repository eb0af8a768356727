import { getAbiItem, parseAbi } from 'viem'
import { describe, expect, test } from 'vitest'
import { EXCHANGE_ABI } from '../../../src/core/rfq/exchange-abi.ts'
import type { OrderView } from '../../../src/daemon/view/rfq-view.ts'
import { needs } from '../../support/needs.ts'
import { runMizani } from '../daemon/run-mizani.ts'
import { type RunningDaemon } from '../daemon/running-daemon.ts'
import { until } from '../daemon/until.ts'
import { expectBooksOfChain } from './books-of-chain.ts'
import { chainTruth } from './chain-truth.ts'
import { askVenue, openCustodyMarket, type CustodyMarket } from './custody-market.ts'
import { freePort } from '../../support/free-port.ts'

const ABI = parseAbi(EXCHANGE_ABI)

describe
  .skipIf(needs('anvil'))
  .concurrent('a market is made with signed orders', { timeout: 120_000 }, () => {
    test('that are filled, replaced, cancelled and left to expire, and chain, venue and books agree', async () => {
      const port = await freePort()
      const market = await openCustodyMarket({
        venue: { solver: { policy: 'never' } },
        rfq: { cancel: { policy: 'always' } },
        patch: {
          http: { port },
          inventory: { limits: { USDC: { min: '11600' } } },
          risk: {
            maxMidAgeMs: null,
            maxMidStepBps: null,
            maxMidMoveBpsPerHour: null,
            maxMidMoveBpsPerDay: null,
          },
        },
      })
      const daemon = market.start()
      const ladder = await standing(daemon, 6)
      expect(market.sent).toHaveLength(6)
      expect(ladder.map(({ side, usd }) => `${side} ${usd}`).toSorted()).toEqual([
        'ask 200',
        'ask 400',
        'ask 600',
        'bid 200',
        'bid 400',
        'bid 600',
      ])

      // An ask whole, a bid in two parts.
      const [ask, bid] = [find(ladder, 'ask', '200'), find(ladder, 'bid', '400')]
      await fill(market, ask)
      await fill(market, bid, 100_000n * 10n ** 18n)
      await fill(market, bid, 1n)
      await until('three fills', async () => (await daemon.state()).fills.total === 3)
      const filled = await expectBooksOfChain(market, daemon)
      expect(filled.rfq?.orders.find(({ salt }) => salt === bid.salt)?.remainingUsd).toMatch(/^360\./)
      const metrics = String((await daemon.get('/metrics')).body)
      expect(metrics).toMatch(/^mizani_rfq_fills_total\{.*\} 3$/m)
      expect(metrics).toMatch(/^mizani_rfq_signed_total\{.*\} [67]$/m)
      expect(metrics).toMatch(/^mizani_rfq_sign_seconds_count\{.*\} [67]$/m)
      for (const name of [
        'open{side="bid"',
        'promised{token="USDC"',
        'free{token="NTZS"',
        'rejected_total{code=',
      ])
        expect(metrics).toContain(`mizani_rfq_${name}`)
      expect(metrics).toMatch(/^mizani_chain_lag_seconds\{.*\} [\d.]+$/m)
      expect(metrics).toMatch(/^mizani_gas_spent_eth_total/m)

      // The mid moves: everything is taken back, and stands anew around the new mid.
      market.venue.model.inject({ jump: { bps: 30 } })
      const before = new Set(market.sent.map(({ order }) => order.salt.toString()))
      const moved = await standing(daemon, 6, ({ salt }) => !before.has(salt))
      expect(Number(find(moved, 'bid', '200').priceTzs)).toBeCloseTo(2_507.5 * 1.004, 2)
      await gone(market, (salt) => before.has(salt))

      // One by its salt, over HTTP; then all, by the command line. New ones take their places.
      const one = find(moved, 'ask', '600')
      expect((await daemon.post('cancelOrders', { salts: [one.salt], why: 'to see' })).status).toBe(200)
      await gone(market, (salt) => salt === one.salt)
      const others = await standing(daemon, 6, ({ salt }) => salt !== one.salt)
      expect(others.filter(({ salt }) => moved.some((order) => order.salt === salt))).toHaveLength(5)
      const told = await runMizani(
        ['rfq', 'cancel-all', '--config', market.config, '--reason', 'to see', '--json'],
        market.env,
      )
      // Taken on, and not confirmed before the chain shows the end.
      expect(told).toMatchObject({ code: 4, out: expect.stringContaining('NOT confirmed') })
      const all = new Set(others.map(({ salt }) => salt))
      await gone(market, (salt) => all.has(salt))

      // Dollars fall under their minimum: the side that spends them closes, the other stays.
      const bids = await standing(daemon, 6, ({ salt }) => !all.has(salt))
      await fill(market, find(bids, 'bid', '600'))
      await until(
        'asks alone',
        async () => {
          const { rfq } = await daemon.state()
          return (
            rfq?.orders.length === 3 &&
            rfq.orders.every(({ side, phase }) => side === 'ask' && phase === 'open')
          )
        },
        { otherwise: () => daemon.state() },
      )
      await gone(market, (salt) => bids.some((order) => order.side === 'bid' && order.salt === salt))

      // A halt takes the pair back in one transaction below a salt.
      const pairsBefore = await pairCancels(market)
      await daemon.post('halt', { why: 'to see' })
      await until('nothing is owed', async () => (await daemon.state()).rfq?.orders.length === 0)
      await gone(market, () => true)
      expect(await pairCancels(market)).toEqual([...pairsBefore, 'NTZS'])
      const halted = await expectBooksOfChain(market, daemon)
      expect(halted.fills.total).toBe(4)
      expect(halted.rfq?.promised).toEqual({ NTZS: '0', USDC: '0', USDT: '0' })
      expect((await askVenue(market.venue, 'GET', '/account')).status).toBe(200)

      // The way out takes them back too.
      await daemon.post('resume', { why: 'seen' })
      await standing(daemon, 3)
      const { code } = await daemon.kill('SIGTERM')
      expect({ code, said: daemon.errors() }).toEqual({ code: 0, said: '' })
      expect(daemon.output()).toMatch(/^desk-1: no open orders/m)
      await gone(market, () => true)

      // Or leaves them, and the next process knows them until the chain's own time is past their expiry.
      market.configure({ quote: { onExit: 'keep', minRequoteIntervalMs: 0 } })
      const keeping = market.start()
      const left = await standing(keeping, 3)
      // Those that the way out took back wait for their confirmations first.
      await until('nothing else is owed', async () => (await keeping.state()).rfq?.orders.length === 3, {
        otherwise: () => keeping.state(),
      })
      expect((await keeping.kill('SIGTERM')).code).toBe(0)
      expect(keeping.output()).toMatch(/^desk-1: 3 orders are/m)
      const again = market.start()
      const kept = (await again.state()).rfq?.orders.filter(isStanding) ?? []
      expect(kept.map(({ salt }) => salt)).toEqual(left.map(({ salt }) => salt))
      await market.chain.advance(100_000)
      await until('what expired is let go', async () => (await again.state()).rfq?.orders.length === 0, {
        otherwise: () => again.state(),
      })
      const last = await expectBooksOfChain(market, again)
      expect(last.rfq?.counts.expired).toBe(3)
      expect(last.rfq?.blocked).toMatch(/clock is \d+\.\d s ahead/)
      await again.kill('SIGTERM')
      await market.close()
    })
  })

/** For a command that has to find the daemon. */

/** Accepted, and not taken back on the chain already. */
const isStanding = ({ phase, status }: OrderView) => phase === 'open' && status !== 'CANCELLED'

/** Waits until exactly so many orders stand, accepted, and are all that is owed but for what is ending. */
async function standing(
  daemon: RunningDaemon,
  count: number,
  which: (order: OrderView) => boolean = () => true,
): Promise<readonly OrderView[]> {
  return until(
    `${count} orders stand`,
    async () => {
      const { rfq } = await daemon.state()
      const open = rfq?.orders.filter(isStanding) ?? []
      const isAll = rfq?.orders.every(({ phase }) => phase !== 'placing') ?? false
      return isAll && open.length === count && open.every(which) && open
    },
    { otherwise: async () => [daemon.errors(), (await daemon.state()).rfq] },
  )
}

function find(orders: readonly OrderView[], side: 'bid' | 'ask', usd: string): OrderView {
  const found = orders.find((order) => order.side === side && order.usd === usd)
  if (found === undefined) throw new Error(`no ${side} of ${usd} among ${JSON.stringify(orders)}`)
  return found
}

/** The solver fills so much of an order, in units of its own token; everything unless said otherwise. */
async function fill({ venue }: CustodyMarket, { hash }: OrderView, takerAmount?: bigint): Promise<void> {
  const answer = await fetch(`${venue.url}/sandbox/chain/fill`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      orderHash: hash,
      ...(takerAmount === undefined ? {} : { takerAmount: `${takerAmount}` }),
    }),
  })
  const text = await answer.text()
  if (!text.includes('"filled":true')) throw new Error(text)
}

/** Waits until none of these can be filled on the chain any longer. */
async function gone({ chain, sent }: CustodyMarket, which: (salt: string) => boolean): Promise<void> {
  const theirs = sent.filter(({ order }) => which(order.salt.toString()))
  expect(theirs.length).toBeGreaterThan(0)
  await until('the chain fills them no more', async () =>
    (await chainTruth(chain, theirs)).orders.every(({ status }) => status !== 'FILLABLE'),
  )
}

/** The tokens whose orders were taken back below a salt. */
async function pairCancels({ chain }: CustodyMarket): Promise<string[]> {
  const event = getAbiItem({ abi: ABI, name: 'PairCancelledRfqOrders' })
  const logs = await chain.client.getLogs({ address: chain.exchange, event, fromBlock: 0n, strict: true })
  return logs.map(({ args }) => (args.makerToken === chain.tokens.address.NTZS ? 'NTZS' : 'dollars'))
}
