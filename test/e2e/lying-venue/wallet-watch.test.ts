import { expect, test } from 'vitest'
import { TRANSFER } from '../../../src/custody/chain/reading/read-logs.ts'
import { MAKER, NTZS, scriptedNode, USDC } from '../../unit/custody/chain/scripted-node.ts'
import { until } from '../daemon/until.ts'
import { openLyingMarket, stateWhere, trading } from './lying-market.ts'

const word = (hex: string) => `0x${hex.slice(2).padStart(64, '0')}`
const THIEF = `0x${'7'.repeat(40)}`
const THEFT_TX = `0x${'c'.repeat(64)}`

/** What a block of this node shows once the theft is in it. */
const theftIn = (block: string) => ({
  address: USDC,
  topics: [TRANSFER, word(MAKER), word(THIEF)],
  data: word('0x4c4b40'),
  blockNumber: block,
  transactionHash: THEFT_TX,
  logIndex: '0x2',
  removed: false,
})

test('a theft from the wallet of pooled capital is reported from the chain within seconds, while every answer of the venue hides it', async () => {
  const logs: object[] = []
  const node = await scriptedNode({
    script: (method) => {
      // Its newest block is always of now.
      node.nodeState.headTimeMs = Math.floor(Date.now() / 1_000) * 1_000
      return method === 'eth_getLogs' ? logs : undefined
    },
  })
  const market = await openLyingMarket(
    {},
    {
      chain: {
        chainId: 8453,
        wallet: MAKER,
        pools: [`0x${'9'.repeat(40)}`],
        tokens: { NTZS, USDC },
        urls: [node.url],
        pollMs: 500,
      },
    },
  )
  try {
    const daemon = market.start()
    await trading(market, daemon)
    await until('the chain is read', () => node.asked.includes('eth_getLogs'))
    expect(daemon.output()).not.toContain('foreign')
    node.nodeState.head = 101n
    logs.push(theftIn('0x65'))
    const since = performance.now()
    const view = await stateWhere(daemon, 'the theft is named', ({ reasons }) =>
      reasons.some((reason) => reason.includes(THEFT_TX)),
    )
    expect(performance.now() - since).toBeLessThan(5_000)
    expect(view.reasons.join(' ')).toMatch(new RegExp(`5 USDC .* ${THIEF}`, 'i'))
    expect(view.reconciliation.state).toBe('reconciled')
    expect((await daemon.post('resume', { why: 'it was a colleague' })).status).toBe(200)
    await stateWhere(daemon, 'it trades again', ({ tradingState }) => tradingState === 'ACTIVE')
    expect(await daemon.kill('SIGTERM')).toMatchObject({ code: 0 })
  } finally {
    await market.close()
    await node.close()
  }
}, 120_000)
