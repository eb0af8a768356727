import { parseAbi } from 'viem'
import { describe, expect, test } from 'vitest'
import { EXCHANGE_ABI } from '../../../src/core/rfq/exchange-abi.ts'
import { accountOf, chainOrder, signOrder } from '../../support/chain-order.ts'
import { testChain } from '../../support/chain.ts'
import { needs } from '../../support/needs.ts'

const ABI = parseAbi(EXCHANGE_ABI)

describe.skipIf(needs('anvil'))('a simulated chain', () => {
  const chain = testChain()

  test("has Base's id, the real exchange at its real address and a head that is now", async () => {
    const { client, exchange, now } = chain()
    expect(await client.getChainId()).toBe(8_453)
    const implementation = await client.readContract({
      address: exchange,
      abi: ABI,
      functionName: 'getFunctionImplementation',
      args: ['0xaa77476c'],
    })
    expect(BigInt(implementation)).toBeGreaterThan(0n)
    expect(Math.abs((await now()) - Date.now())).toBeLessThan(5_000)
  })

  test("the exchange's hash of an order is the one viem signs", async () => {
    const { order, hash: signed } = await signOrder(chain(), chainOrder(chain()))
    const hash = await chain().client.readContract({
      address: chain().exchange,
      abi: ABI,
      functionName: 'getRfqOrderHash',
      args: [order],
    })
    expect(hash).toBe(signed)
  })

  test('the tokens are at the registry’s addresses with their real decimals and funded accounts', async () => {
    const { tokens, client, accounts } = chain()
    const abi = parseAbi([
      'function decimals() view returns (uint8)',
      'function symbol() view returns (string)',
    ])
    const decimals = { NTZS: 18, USDC: 6, USDT: 6 } as const
    for (const asset of ['NTZS', 'USDC', 'USDT'] as const) {
      const at = { address: tokens.address[asset], abi }
      expect(await client.readContract({ ...at, functionName: 'decimals' })).toBe(decimals[asset])
      expect(await client.readContract({ ...at, functionName: 'symbol' })).toBe(asset)
      expect(await tokens.balance(asset, accounts.solver.address)).toBeGreaterThan(0n)
    }
    expect(await tokens.balance('NTZS', accounts.maker.address)).toBe(40_000_000n * 10n ** 18n)
    expect(await tokens.balance('USDC', accounts.maker.address)).toBe(12_000n * 10n ** 6n)
    expect(await tokens.allowance('USDC', accounts.maker.address, chain().exchange)).toBe(0n)
  })

  test('an order signed by the maker is filled by the solver, to the last unit', async () => {
    const { tokens, client, accounts, exchange, snapshot, revert } = chain()
    const before = await snapshot()
    const { order, signature } = await signOrder(chain(), chainOrder(chain()))
    await tokens.approve('NTZS', accounts.maker.address, exchange, order.makerAmount)
    const hash = await client.writeContract({
      account: accountOf(accounts.solver.key),
      address: exchange,
      abi: ABI,
      functionName: 'fillRfqOrder',
      args: [order, signature, 400_001n],
    })
    expect((await client.waitForTransactionReceipt({ hash })).status).toBe('success')
    const given = (400_001n * order.makerAmount) / order.takerAmount
    expect(await tokens.balance('NTZS', accounts.maker.address)).toBe(40_000_000n * 10n ** 18n - given)
    expect(await tokens.balance('USDC', accounts.maker.address)).toBe(12_000n * 10n ** 6n + 400_001n)
    await revert(before)
    expect(await tokens.balance('NTZS', accounts.maker.address)).toBe(40_000_000n * 10n ** 18n)
  })

  test('its clock can be moved forward', async () => {
    const before = await chain().now()
    await chain().advance(3_600_000)
    expect((await chain().now()) - before).toBeGreaterThanOrEqual(3_600_000)
  })
})
