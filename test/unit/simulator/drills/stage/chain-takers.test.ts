import { expect, test } from 'vitest'
import type { Received } from '../../../../../src/simulator/drills/stage/order-fills.ts'
import { createChainTakers, type DrillTakers } from '../../../../../src/simulator/drills/stage/takers.ts'

type Wallet = { readonly filled: unknown[]; readonly lost: Received[]; readonly takers: DrillTakers }

/** A chain with one order on each side; those of `refused` can no longer be filled. */
function wallet(refused: readonly string[] = []): Wallet {
  const filled: unknown[] = []
  const lost: Received[] = []
  const takers = createChainTakers({
    paying: async () => ['0xpays', '0xless'],
    fillable: async (side) => [`0x${side}`, '0xworse'],
    async fill(hash, usd) {
      filled.push([hash, usd])
      return refused.includes(hash) ? null : { asset: 'USDC', amount: 5_000_000n }
    },
    lose: async (received) => void lost.push(received),
  })
  return { filled, lost, takers }
}

test('an ordinary taker fills the best order of a side for the sum that it has, at a loss of its own or not', async () => {
  const { takers, filled, lost } = wallet()
  expect(await takers.take('ask', 50)).toBe(true)
  expect(await takers.take('bid', 20)).toBe(true)
  expect(filled).toEqual([
    ['0xask', 50],
    ['0xbid', 20],
  ])
  expect(lost).toEqual([])
})

test('a taker who knows the market fills the order that pays most, whole', async () => {
  const { takers, filled } = wallet()
  await takers.exploit(50)
  expect(filled).toEqual([['0xpays', undefined]])
})

test('of what a fill brings two per cent are lost once the wallet leaks, and nothing of a fill that was refused', async () => {
  const { takers, lost } = wallet(['0xbid'])
  await takers.leak(200)
  expect(await takers.take('bid', 20)).toBe(false)
  expect(lost).toEqual([])
  await takers.take('ask', 20)
  expect(lost).toEqual([{ asset: 'USDC', amount: 100_000n }])
})
