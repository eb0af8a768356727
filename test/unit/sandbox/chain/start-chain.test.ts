import { hashTypedData, parseAbi } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import { EXCHANGE_ABI } from '../../../../src/rfq/exchange-abi.ts'
import type { StartedChain } from '../../../../src/sandbox/chain/start-chain.ts'
import { testChain } from '../../../support/chain.ts'
import { needs } from '../../../support/needs.ts'

const ABI = parseAbi(EXCHANGE_ABI)

describe.skipIf(needs('anvil'))('a chain in a box', () => {
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
    const order = orderOn(chain())
    const hash = await chain().client.readContract({
      address: chain().exchange,
      abi: ABI,
      functionName: 'getRfqOrderHash',
      args: [order],
    })
    expect(hash).toBe(hashTypedData(typedData(chain(), order)))
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
    const order = orderOn(chain())
    await tokens.approve('NTZS', accounts.maker.address, exchange, order.makerAmount)
    await tokens.approve('USDC', accounts.solver.address, exchange, order.takerAmount)
    const signed = await privateKeyToAccount(accounts.maker.key).signTypedData(typedData(chain(), order))
    const signature = {
      signatureType: 2,
      v: Number(`0x${signed.slice(130)}`),
      r: `0x${signed.slice(2, 66)}`,
      s: `0x${signed.slice(66, 130)}`,
    } as const
    const hash = await client.writeContract({
      account: privateKeyToAccount(accounts.solver.key),
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

const TYPES = {
  RfqOrder: [
    { name: 'makerToken', type: 'address' },
    { name: 'takerToken', type: 'address' },
    { name: 'makerAmount', type: 'uint128' },
    { name: 'takerAmount', type: 'uint128' },
    { name: 'maker', type: 'address' },
    { name: 'taker', type: 'address' },
    { name: 'txOrigin', type: 'address' },
    { name: 'pool', type: 'bytes32' },
    { name: 'expiry', type: 'uint64' },
    { name: 'salt', type: 'uint256' },
  ],
} as const

function orderOn({ tokens, accounts }: StartedChain) {
  return {
    makerToken: tokens.address.NTZS,
    takerToken: tokens.address.USDC,
    makerAmount: 2_600_000_000_000_000_000_007n,
    takerAmount: 1_000_003n,
    maker: accounts.maker.address,
    taker: accounts.solver.address,
    txOrigin: accounts.solver.address,
    pool: `0x${'0'.repeat(64)}`,
    expiry: BigInt(Math.floor(Date.now() / 1_000) + 86_400),
    salt: 1n,
  } as const
}

function typedData({ chainId, exchange }: StartedChain, message: ReturnType<typeof orderOn>) {
  const domain = { name: 'ZeroEx', version: '1.0.0', chainId, verifyingContract: exchange }
  return { domain, types: TYPES, primaryType: 'RfqOrder', message } as const
}
