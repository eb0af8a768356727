import { readFileSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { needs } from '../../support/needs.ts'
import { until } from '../daemon/until.ts'
import { chainTruth } from './chain-truth.ts'
import { openCustodyMarket } from './custody-market.ts'

test.skipIf(needs('anvil'))(
  'a strategy that is edited between two lives makes no one forget what the old one promised',
  async () => {
    const market = await openCustodyMarket({ venue: { solver: { policy: 'never' } } })
    const { ladder, chain } = market
    const first = market.start()
    await until('six orders', async () => {
      const { rfq } = await first.state()
      return rfq?.orders.filter(({ phase }) => phase === 'open').length === 6
    })
    await first.kill('SIGKILL')
    const { orders } = await chainTruth(chain, market.sent)
    // Half as large: anyone who replays the journal with this code believes that half of it was promised.
    writeFileSync(
      ladder,
      readFileSync(ladder, 'utf8').replaceAll('usd: usd * (level + 1)', 'usd: (usd * (level + 1)) / 2'),
    )
    const second = market.start()
    const { rfq } = await second.state()
    // By salt: where the first life ended before the venue's answer was in the journal, the chain gives the hash later.
    const salts = new Set(rfq?.orders.map(({ salt }) => salt))
    expect(orders.filter(({ order }) => !salts.has(order.salt.toString()))).toEqual([])
    const usd = new Map(rfq?.orders.map((order) => [order.salt, order.usd]))
    const promisedUsd = orders.map(({ order }) => Number(usd.get(order.salt.toString())))
    expect(promisedUsd.toSorted((a, b) => a - b)).toEqual([200, 200, 400, 400, 600, 600])
    await second.kill('SIGKILL')
    await market.close()
  },
)
