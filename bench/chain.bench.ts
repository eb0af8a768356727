import { openChain } from '../src/custody/chain/open-chain.ts'
import { CHAIN_DEFAULTS } from '../src/custody/chain/chain.ts'
import type { Hex } from '../src/core/rfq/rfq-order.ts'
import { startChain } from '../src/simulator/sandbox/chain/start-chain.ts'
import { chainOrder } from '../test/support/chain-order.ts'
import { spreadOfSamples } from './harness/spread-of-samples.ts'
import { shortOr } from './harness/short.ts'

const ORDERS = shortOr(20, 1_000)
const READINGS = shortOr(2, 20)
const MEBIBYTE = 2 ** 20

/**
 * One reading of a block with the states of a thousand open orders, in one call of the real contract on a
 * local chain: asked over HTTP, decoded, checked against the hashes of our own, with fills, balances and
 * allowances of the same block. A new block comes before each. The first reading hashes every order once.
 */
export default async function chainBench(): Promise<Record<string, unknown>> {
  const local = await startChain()
  const { maker } = local.accounts
  const lower = (text: string) => text.toLowerCase() as Hex
  const tokens = {
    NTZS: lower(local.tokens.address.NTZS),
    USDC: lower(local.tokens.address.USDC),
    USDT: lower(local.tokens.address.USDT),
  }
  const settings = {
    chainId: local.chainId,
    exchange: lower(local.exchange),
    maker: lower(maker.address),
    tokens,
  }
  const chain = await openChain(
    { ...CHAIN_DEFAULTS, ...settings, urls: [local.url] },
    { account: null, now: () => Date.now(), transactionsFile: null },
  )
  if (!chain.ok) throw new Error(chain.error)
  const orders = Array.from({ length: ORDERS }, (_, at) => chainOrder(local, { salt: BigInt(at + 1) }))
  const read = async (fillsFrom: bigint | null): Promise<number> => {
    await local.mine()
    const began = performance.now()
    const reading = await chain.value.read(orders, fillsFrom)
    if (!reading.ok) throw new Error(reading.error.message)
    if (reading.value.orders.some(({ status }) => status !== 'FILLABLE'))
      throw new Error('an order is not open')
    return performance.now() - began
  }
  try {
    const first = await read(null)
    const samples: number[] = []
    const cpu = process.cpuUsage()
    for (let nth = 0; nth < READINGS; nth++) samples.push(await read(1n))
    const { user, system } = process.cpuUsage(cpu)
    return {
      orders: ORDERS,
      firstMs: Math.round(first),
      readingMs: spreadOfSamples(samples),
      ownCpuMs: Math.round((user + system) / 1_000 / READINGS),
      rssMiB: Math.round(process.memoryUsage.rss() / MEBIBYTE),
    }
  } finally {
    await chain.value.close()
    await local.close()
  }
}
