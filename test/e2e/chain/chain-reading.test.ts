import { parseAbi } from 'viem'
import { describe, expect, test } from 'vitest'
import { EXCHANGE_ABI } from '../../../src/core/rfq/exchange-abi.ts'
import type { ChainReading, SeenBlock } from '../../../src/core/rfq/chain-reading.ts'
import type { RfqOrder } from '../../../src/core/rfq/rfq-order.ts'
import type { Chain } from '../../../src/custody/chain/chain.ts'
import { testChain } from '../../support/chain.ts'
import { needs } from '../../support/needs.ts'
import { allowAll, fillOn, opened, orderOn, settingsOn } from './chain-fixture.ts'

const ABI = parseAbi(EXCHANGE_ABI)

async function readingOf(
  chain: Chain,
  orders: readonly RfqOrder[],
  from: bigint | null = null,
  after: SeenBlock | null = null,
): Promise<ChainReading> {
  const reading = await chain.read(orders, from, after)
  if (!reading.ok) throw new Error(reading.error.message)
  return reading.value
}

describe.skipIf(needs('anvil'))('reading the real contract', () => {
  const started = testChain()

  test('an order no one touched is FILLABLE under the hash that the contract itself gives it', async () => {
    await allowAll(started())
    const chain = await opened(settingsOn(started()))
    const order = await orderOn(started(), 1n)
    const { orders, balances, allowances, gasPriceWei, head } = await readingOf(chain, [order])
    const { client, exchange, tokens, accounts } = started()
    const hash = await client.readContract({
      address: exchange,
      abi: ABI,
      functionName: 'getRfqOrderHash',
      args: [order],
    })
    expect(orders).toEqual([{ salt: 1n, hash, status: 'FILLABLE', takerFilled: 0n }])
    expect(balances.NTZS).toBe(await tokens.balance('NTZS', accounts.maker.address))
    expect(allowances.NTZS).toBe(10n ** 30n)
    expect(allowances.USDC).toBe(0n)
    expect(Object.keys(balances).sort()).toEqual(['NTZS', 'USDC', 'USDT'])
    expect(gasPriceWei).toBeGreaterThan(0n)
    expect(head.number).toBe(await client.getBlockNumber())
    await chain.close()
  })

  test('an order whose signature field the contract refuses would read INVALID without the placeholder', async () => {
    const { client, exchange } = started()
    const order = await orderOn(started(), 2n)
    const none = { signatureType: 2, v: 0, r: `0x${'0'.repeat(64)}`, s: `0x${'0'.repeat(64)}` } as const
    const [infos] = await client.readContract({
      address: exchange,
      abi: ABI,
      functionName: 'batchGetRfqOrderRelevantStates',
      args: [[order], [none]],
    })
    expect(infos[0]).toMatchObject({ status: 0, orderHash: `0x${'0'.repeat(64)}` })
    const chain = await opened(settingsOn(started()))
    expect((await readingOf(chain, [order])).orders[0]?.status).toBe('FILLABLE')
    await chain.close()
  })

  test('a partial fill stays FILLABLE, the rest makes it FILLED, and states, fills and balances fit together', async () => {
    const chain = await opened(settingsOn(started()))
    const order = await orderOn(started(), 3n)
    const before = await readingOf(chain, [order])
    const from = before.head.number + 1n
    const first = await fillOn(started(), order, 400_001n)
    const partial = await readingOf(chain, [order], from)
    expect(partial.orders[0]).toMatchObject({ status: 'FILLABLE', takerFilled: 400_001n })
    expect(partial.fills).toHaveLength(1)
    expect(partial.fills[0]).toMatchObject({
      salt: 3n,
      txHash: first,
      makerToken: order.makerToken,
      takerToken: order.takerToken,
      takerAmount: 400_001n,
      makerAmount: (400_001n * order.makerAmount) / order.takerAmount,
    })
    await fillOn(started(), order, 599_999n)
    const whole = await readingOf(chain, [order], from)
    expect(whole.orders[0]).toMatchObject({ status: 'FILLED', takerFilled: 1_000_000n })
    expect(whole.fills.map(({ takerAmount }) => takerAmount)).toEqual([400_001n, 599_999n])
    const given = whole.fills.reduce((sum, { makerAmount }) => sum + makerAmount, 0n)
    expect((before.balances.NTZS ?? 0n) - (whole.balances.NTZS ?? 0n)).toBe(given)
    expect((whole.balances.USDC ?? 0n) - (before.balances.USDC ?? 0n)).toBe(1_000_000n)
    const unknown = await readingOf(chain, [], from)
    expect(unknown.fills.map(({ salt }) => salt)).toEqual([null, null])
    expect(unknown.fills.map(({ key }) => key)).toEqual(whole.fills.map(({ key }) => key))
    await chain.close()
  })

  test('an order past its expiry by the chain’s clock is EXPIRED', async () => {
    const { snapshot, revert, advance } = started()
    const before = await snapshot()
    const chain = await opened(settingsOn(started()))
    const order = await orderOn(started(), 4n)
    await advance(3_601_000)
    const reading = await readingOf(chain, [order])
    expect(reading.orders[0]?.status).toBe('EXPIRED')
    expect(reading.head.t).toBe(await started().now())
    await revert(before)
    await chain.close()
  })

  test('a fill that a reorganisation takes away is gone from the next reading', async () => {
    const { snapshot, revert, mine } = started()
    const chain = await opened(settingsOn(started()))
    const order = await orderOn(started(), 5n)
    const { head } = await readingOf(chain, [order])
    const before = await snapshot()
    await fillOn(started(), order, 500_000n)
    const filled = await readingOf(chain, [order], head.number + 1n)
    expect(filled.fills).toHaveLength(1)
    expect(filled.orders[0]?.takerFilled).toBe(500_000n)
    await revert(before)
    await mine(2)
    const undone = await readingOf(chain, [order], head.number + 1n, filled.head)
    expect(undone.isReorganised).toBe(true)
    expect((await readingOf(chain, [order], null, undone.head)).isReorganised).toBeUndefined()
    expect((await readingOf(chain, [order], null, head)).isReorganised).toBeUndefined()
    expect(undone.head.number).toBeGreaterThan(filled.head.number)
    expect(undone.fills).toEqual([])
    expect(undone.orders[0]?.takerFilled).toBe(0n)
    await chain.close()
  })

  test('fills are found across chunks of blocks, each once', async () => {
    const chain = await opened(settingsOn(started(), { logsChunkBlocks: 2 }))
    const whole = await opened(settingsOn(started()))
    const order = await orderOn(started(), 6n)
    const { head } = await readingOf(chain, [])
    for (const amount of [1n, 2n, 3n]) {
      await fillOn(started(), order, amount)
      await started().mine(3)
    }
    const chunked = await readingOf(chain, [order], head.number + 1n)
    expect(chunked.fills.map(({ takerAmount }) => takerAmount)).toEqual([1n, 2n, 3n])
    expect(chunked.fills).toEqual((await readingOf(whole, [order], head.number + 1n)).fills)
    await chain.close()
    await whole.close()
  })

  test('1,000 open orders are read in one call', async () => {
    const requests: string[] = []
    const chain = await opened(settingsOn(started()), { onEndpoint: (_, outcome) => requests.push(outcome) })
    const first = await orderOn(started(), 10_000n)
    const orders = Array.from({ length: 1_000 }, (_, index) => ({ ...first, salt: 10_000n + BigInt(index) }))
    await readingOf(chain, orders)
    requests.length = 0
    const began = performance.now()
    const reading = await readingOf(chain, orders)
    const ms = performance.now() - began
    expect(reading.orders.every(({ status }) => status === 'FILLABLE')).toBe(true)
    expect(reading.orders.map(({ salt }) => salt)).toEqual(orders.map(({ salt }) => salt))
    // The head, the states, the fills, the wallet.
    expect(requests).toEqual(['ok', 'ok', 'ok', 'ok'])
    expect(ms).toBeLessThan(5_000)
    await chain.close()
  })
})
