import { encodeFunctionData, toHex } from 'viem'
import { describe, expect, test } from 'vitest'
import { type ChainRpc, sendAs } from '../../../src/simulator/sandbox/chain/rpc.ts'
import { fillOrder } from '../../../src/simulator/sandbox/chain/solver.ts'
import { EXCHANGE } from '../../../src/simulator/sandbox/chain/order-states.ts'
import { chainOrder, signOrder } from '../../support/chain-order.ts'
import { testChain } from '../../support/chain.ts'
import { needs } from '../../support/needs.ts'

describe.skipIf(needs('anvil'))('the solver’s fill of an order', () => {
  const chain = testChain()

  async function allowed(salt: bigint) {
    const { tokens, accounts, exchange } = chain()
    for (const [asset, owner] of [
      ['NTZS', accounts.maker.address],
      ['USDC', accounts.solver.address],
    ] as const)
      await tokens.approve(asset, owner, exchange, 10n ** 30n)
    return signOrder(chain(), chainOrder(chain(), { salt }))
  }

  test('moves what the exchange says, once', async () => {
    const { accounts, tokens, rpc } = chain()
    const signed = await allowed(11n)
    const before = await tokens.balance('NTZS', accounts.maker.address)
    const done = await fillOrder(rpc, signed, 500_000n, accounts.solver.address)
    if (!done.ok) throw new Error(JSON.stringify(done.error))
    expect(done.value.takerAmount).toBe(500_000n)
    expect(before - (await tokens.balance('NTZS', accounts.maker.address))).toBe(done.value.makerAmount)
  })

  test('that the exchange refuses is refused by its word, and nothing is sent', async () => {
    const { rpc, accounts } = chain()
    const signed = await allowed(12n)
    const sent: string[] = []
    const listening: ChainRpc = (method, params) => {
      sent.push(method)
      return rpc(method, params)
    }
    const done = await fillOrder(listening, signed, 1n, accounts.stranger.address)
    expect(done).toMatchObject({ ok: false, error: { error: expect.stringMatching(/Error$/) } })
    expect(sent).toEqual(['eth_call'])
  })

  test('that comes a block after the cancellation is refused, and no one has lost a unit', async () => {
    const { rpc, accounts, exchange, tokens } = chain()
    const signed = await allowed(13n)
    const maker = accounts.maker.address
    const before = await tokens.balance('NTZS', maker)
    const overtaken: ChainRpc = async (method, params = []) => {
      if (method !== 'eth_sendTransaction') return rpc(method, params)
      const data = encodeFunctionData({ abi: EXCHANGE, functionName: 'cancelRfqOrder', args: [signed.order] })
      await sendAs(rpc, { from: maker, to: exchange, data })
      // Gas is given: no estimate finds out before it is in a block.
      return rpc(method, [{ ...(params[0] as object), gas: toHex(500_000) }])
    }
    const done = await fillOrder(overtaken, signed, 1_000n, accounts.solver.address)
    expect(done).toEqual({ ok: false, error: { error: 'Reverted', orderStatus: null } })
    expect(await tokens.balance('NTZS', maker)).toBe(before)
  })

  test('rejects where the chain does not answer: no one knows what became of it', async () => {
    const { accounts } = chain()
    const signed = await allowed(14n)
    const silent: ChainRpc = async () => {
      throw new TypeError('fetch failed')
    }
    await expect(fillOrder(silent, signed, 1n, accounts.solver.address)).rejects.toThrow('fetch failed')
  })
})
