import { expect, test } from 'vitest'
import { expectBooksOfChain } from '../e2e/custody/books-of-chain.ts'
import { askVenue, openCustodyMarket } from '../e2e/custody/custody-market.ts'
import { until } from '../e2e/daemon/until.ts'
import { needs } from '../support/needs.ts'

test.skipIf(needs('anvil'))(
  'the shipped ladder trades in self-custody with signed orders, and chain, venue and books agree after a halt',
  async () => {
    const market = await openCustodyMarket({
      venue: { solver: { fillEveryMs: 500, parts: 1, listsFills: true }, seed: 3 },
      patch: {
        strategy: { use: 'rfq-ladder', params: { levels: 3, levelUsd: 300, stables: ['USDC'] } },
        risk: { maxMidAgeMs: null },
      },
    })
    const daemon = market.start()
    await until('eight fills', async () => (await daemon.state()).fills.total >= 8, {
      otherwise: async () => [daemon.errors(), await daemon.state()],
    })
    await daemon.post('halt', { why: 'enough' })
    await until('no order is outstanding', async () => (await daemon.state()).rfq?.orders.length === 0, {
      otherwise: () => daemon.state(),
    })
    const view = await expectBooksOfChain(market, daemon)
    const rows = (await askVenue(market.venue, 'GET', '/fills')).text
    for (const { id } of view.fills.last) expect(rows).toContain(id.split(':')[0])
    await daemon.kill('SIGTERM')
    await market.close()
  },
  300_000,
)
