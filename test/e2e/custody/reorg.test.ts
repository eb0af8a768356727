import { describe, expect, test } from 'vitest'
import { needs } from '../../support/needs.ts'
import { logLines } from '../daemon/log-lines.ts'
import { until } from '../daemon/until.ts'
import { chainTruth } from './chain-truth.ts'
import { openCustodyMarket } from './custody-market.ts'
import { expectBooksOfChain } from './books-of-chain.ts'

describe.skipIf(needs('anvil'))('a reorganised chain', { timeout: 100_000 }, () => {
  test('takes fills back by name, lets them be made again, and the books equal it at the end', async () => {
    const market = await openCustodyMarket({
      venue: { solver: { policy: 'never' } },
      rfq: { confirmations: 8 },
    })
    const { chain, venue } = market
    const daemon = market.start()
    const ladder = await until('six orders', async () => {
      const { rfq } = await daemon.state()
      return rfq?.orders.filter(({ phase }) => phase === 'open').length === 6 && rfq.orders
    })
    const fill = async (index: number, takerAmount: bigint) => {
      const answer = await fetch(`${venue.url}/sandbox/chain/fill`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ orderHash: ladder[index]?.hash, takerAmount: takerAmount.toString() }),
      })
      expect(await answer.json()).toMatchObject({ filled: true })
    }
    const [ask, bid] = [
      ladder.findIndex(({ side }) => side === 'ask'),
      ladder.findIndex(({ side }) => side === 'bid'),
    ]
    await fill(bid, 10n ** 23n)
    const before = await chain.snapshot()
    await fill(ask, 50_000_000n)
    await fill(bid, 10n ** 23n)
    const booked = await until('three fills', async () => {
      const view = await daemon.state()
      return view.fills.total === 3 && view
    })
    const block = await chain.client.getBlockNumber({ cacheTime: 0 })
    await chain.revert(before)
    await chain.mine(Number(block - (await chain.client.getBlockNumber({ cacheTime: 0 }))) + 1)
    const undone = () => logLines(daemon.output()).filter(({ event }) => event === 'orderFillUndone')
    await until('two fills are undone', () => undone().length === 2, { otherwise: () => daemon.state() })
    const lost = booked.fills.last.slice(0, 2).map(({ id }) => id)
    expect(new Set(undone().map(({ key }) => key))).toEqual(new Set(lost))
    const back = await daemon.state()
    expect(back.rfq?.orders.find(({ salt }) => salt === ladder[ask]?.salt)?.remainingUsd).toBe('200')

    // Made again, one of them otherwise.
    await fill(ask, 50_000_000n)
    await fill(bid, 5n * 10n ** 22n)
    const { fills } = await chainTruth(chain, [])
    expect(fills).toHaveLength(3)
    await until('all is booked', async () => {
      const { rfq } = await daemon.state()
      return rfq?.orders.find(({ salt }) => salt === ladder[ask]?.salt)?.remainingUsd === '150'
    })
    const view = await expectBooksOfChain(market, daemon, lost)
    expect(view.fills.last.map(({ id }) => id)).toEqual(expect.arrayContaining(fills.map(({ key }) => key)))
    await daemon.kill('SIGTERM')
    await market.close()
  })
})
