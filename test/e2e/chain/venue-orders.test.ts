import { parseAbi } from 'viem'
import { describe, expect, test } from 'vitest'
import { EXCHANGE_ABI } from '../../../src/core/rfq/exchange-abi.ts'
import type { RfqOrder } from '../../../src/core/rfq/rfq-order.ts'
import { accountOf, chainOrder, orderBody, signOrder } from '../../support/chain-order.ts'
import { allowMaker, chainVenue } from '../../support/chain-venue.ts'
import { needs } from '../../support/needs.ts'

const ABI = parseAbi([...EXCHANGE_ABI, 'function registerAllowedOrderSigner(address signer, bool allowed)'])
const CURVE_ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
const NOWHERE = `0x${'12'.repeat(20)}` as const

describe.skipIf(needs('anvil'))('orders at the venue on a chain', () => {
  const venue = chainVenue()
  let salt = 100n

  async function submit(change: Partial<RfqOrder> = {}, more: object = {}) {
    salt += 1n
    const signed = await signOrder(venue().chain, chainOrder(venue().chain, { salt, ...change }))
    const reply = await venue().ask('POST', '/rfq/orders', { ...orderBody(signed), ...more })
    return { ...signed, reply }
  }

  async function asMaker(functionName: 'cancelRfqOrder', args: [RfqOrder]): Promise<void>
  async function asMaker(
    functionName: 'cancelPairRfqOrders',
    args: [`0x${string}`, `0x${string}`, bigint],
  ): Promise<void>
  async function asMaker(
    functionName: 'registerAllowedOrderSigner',
    args: [`0x${string}`, boolean],
  ): Promise<void>
  async function asMaker(functionName: string, args: readonly unknown[]): Promise<void> {
    const { client, exchange, accounts } = venue().chain
    const account = accountOf(accounts.maker.key)
    const call = { account, address: exchange, abi: ABI, functionName, args } as Parameters<
      typeof client.writeContract
    >[0]
    const hash = await client.writeContract(call)
    expect((await client.waitForTransactionReceipt({ hash })).status).toBe('success')
  }

  function fill(orderHash: string, takerAmount?: bigint) {
    return venue().ask('POST', '/sandbox/chain/fill', {
      orderHash,
      ...(takerAmount === undefined ? {} : { takerAmount: takerAmount.toString() }),
    })
  }

  test('before self-custody is enabled, and while capital is pooled, the answers are 409', async () => {
    expect((await submit()).reply).toMatchObject({ status: 409, json: { code: 'NOT_SELF_CUSTODY' } })
    await venue().ask('POST', '/activate', { isActive: true })
    const pooled = await venue().ask('PUT', '/custody', { enabled: true })
    expect(pooled).toMatchObject({ status: 409, json: { code: 'pooled_capital_active' } })
    await venue().ask('POST', '/activate', { isActive: false })
    expect((await venue().ask('PUT', '/custody', { enabled: true })).status).toBe(200)
    await allowMaker(venue().chain)
  })

  test('a good order is taken, in both ways of signing, and its hash is the contract’s', async () => {
    const { chain, ask } = venue()
    for (const signatureType of [2, 3] as const) {
      salt += 1n
      const signed = await signOrder(
        chain,
        chainOrder(chain, { salt }),
        chain.accounts.maker.key,
        signatureType,
      )
      const reply = await ask('POST', '/rfq/orders', orderBody(signed))
      expect(reply).toMatchObject({ status: 200, json: { orderHash: signed.hash, orderStatus: 'FILLABLE' } })
    }
  })

  test('BAD_ORDER', async () => {
    const { reply } = await submit({ makerAmount: 0n })
    expect(reply).toMatchObject({ status: 400, json: { code: 'BAD_ORDER' } })
  })

  test('BAD_SIGNATURE: of someone else, of another order, malformed, with a high s, with v 0', async () => {
    const { chain, ask } = venue()
    const good = await signOrder(chain, chainOrder(chain, { salt: 7n }))
    const stranger = await signOrder(chain, good.order, chain.accounts.stranger.key)
    const { signature } = good
    const highS = `0x${(CURVE_ORDER - BigInt(signature.s)).toString(16).padStart(64, '0')}` as const
    const bodies = [
      orderBody(stranger),
      orderBody({ order: { ...good.order, salt: 8n }, signature }),
      { ...orderBody(good), signature: { ...signature, r: '0x12' } },
      orderBody({ ...good, signature: { ...signature, s: highS, v: signature.v === 27 ? 28 : 27 } }),
      orderBody({ ...good, signature: { ...signature, v: signature.v - 27 } }),
      orderBody({ ...good, signature: { ...signature, signatureType: 1 } }),
    ]
    for (const body of bodies) {
      expect(await ask('POST', '/rfq/orders', body)).toMatchObject({
        status: 400,
        json: { code: 'BAD_SIGNATURE' },
      })
    }
    expect((await ask('POST', '/rfq/orders', orderBody(good))).status).toBe(200)
  })

  test('a signer whom the maker registered with the contract is still not the maker', async () => {
    const { chain, ask } = venue()
    const { address, key } = chain.accounts.stranger
    await asMaker('registerAllowedOrderSigner', [address, true])
    const signed = await signOrder(chain, chainOrder(chain, { salt: 9n }), key)
    const reply = await ask('POST', '/rfq/orders', orderBody(signed))
    expect(reply.json).toMatchObject({ code: 'BAD_SIGNATURE' })
    expect(reply.json['error']).toMatch(/does not recover/)
    await asMaker('registerAllowedOrderSigner', [address, false])
  })

  test('an order that is filled in parts stays fillable until its last unit', async () => {
    const { ask } = venue()
    const { hash, order, signature } = await submit()
    const first = await fill(hash, 400_001n)
    expect(first.json).toMatchObject({
      filled: true,
      takerAmount: '400001',
      makerAmount: ((400_001n * order.makerAmount) / order.takerAmount).toString(),
    })
    expect((await ask('POST', '/rfq/orders', orderBody({ order, signature }))).status).toBe(200)
    expect((await stateOf(hash))['takerFilled']).toBe('400001')
    expect((await fill(hash)).json).toMatchObject({ filled: true, takerAmount: '600002' })
    const again = await ask('POST', '/rfq/orders', orderBody({ order, signature }))
    expect(again).toMatchObject({ status: 409, json: { code: 'ORDER_NOT_FILLABLE', orderStatus: 'FILLED' } })
    expect((await fill(hash, 1n)).json).toEqual({
      filled: false,
      error: 'OrderNotFillableError',
      orderStatus: 'FILLED',
    })
  })

  test('ORDER_NOT_FILLABLE: cancelled by itself and with its pair', async () => {
    const { chain, ask } = venue()
    const single = await submit()
    await asMaker('cancelRfqOrder', [single.order])
    const pair = { makerToken: chain.tokens.address.NTZS, takerToken: chain.tokens.address.USDT }
    const paired = await submit(pair)
    await asMaker('cancelPairRfqOrders', [pair.makerToken, pair.takerToken, paired.order.salt + 1n])
    for (const signed of [single, paired]) {
      expect(await ask('POST', '/rfq/orders', orderBody(signed))).toMatchObject({
        status: 409,
        json: { code: 'ORDER_NOT_FILLABLE', orderStatus: 'CANCELLED' },
      })
      expect((await fill(signed.hash)).json).toMatchObject({ filled: false, orderStatus: 'CANCELLED' })
      expect((await stateOf(signed.hash))['status']).toBe('CANCELLED')
    }
    expect((await submit(pair)).reply.status).toBe(200)
  })

  test('a fill without allowance or balance is refused by the contract, and the order lives', async () => {
    const { chain } = venue()
    const { tokens, accounts, exchange } = chain
    await tokens.approve('NTZS', accounts.maker.address, exchange, 0n)
    const { hash, reply } = await submit()
    expect(reply.status).toBe(200)
    expect(await stateOf(hash)).toMatchObject({ status: 'FILLABLE', fillable: '0' })
    expect((await fill(hash)).json).toMatchObject({ filled: false })
    await tokens.approve('NTZS', accounts.maker.address, exchange, 10n ** 36n)
    expect((await fill(hash)).json).toMatchObject({ filled: true })
  })

  test('an order that no one took is not filled', async () => {
    expect((await fill(`0x${'00'.repeat(32)}`)).status).toBe(404)
    expect((await venue().ask('POST', '/sandbox/chain/fill', { hash: 1 })).status).toBe(400)
  })

  test('a hundred orders at once are judged each by itself', async () => {
    const replies = await Promise.all(
      Array.from({ length: 100 }, (_, index) =>
        submit(index % 10 === 0 ? { taker: NOWHERE } : {}).then(({ reply }) => reply.status),
      ),
    )
    expect(replies.map((status) => status === 200)).toEqual(replies.map((_, index) => index % 10 !== 0))
  })

  // The last ones: the chain's clock does not go back, and a chain that is gone does not come back.
  test('ORDER_NOT_FILLABLE EXPIRED, where the chain’s clock is ahead of the venue’s', async () => {
    const { hash, order, signature } = await submit({ expiry: BigInt(Math.floor(Date.now() / 1_000) + 90) })
    await venue().ask('POST', '/sandbox/chain/advance', { ms: 120_000 })
    const reply = await venue().ask('POST', '/rfq/orders', orderBody({ order, signature }))
    expect(reply).toMatchObject({ status: 409, json: { code: 'ORDER_NOT_FILLABLE', orderStatus: 'EXPIRED' } })
    expect((await fill(hash)).json).toMatchObject({ filled: false, orderStatus: 'EXPIRED' })
  })

  test('CHAIN_UNAVAILABLE once the chain is gone, and the venue answers everything else', async () => {
    await venue().chain.close()
    expect((await submit()).reply).toMatchObject({ status: 503, json: { code: 'CHAIN_UNAVAILABLE' } })
    expect((await venue().ask('GET', '/balances')).status).toBe(200)
    expect((await venue().ask('GET', '/sandbox/state')).status).toBe(200)
    const fillReply = await fill([...venue().server.model.state.orders.keys()].at(-1) ?? '')
    expect(fillReply).toMatchObject({ status: 503 })
  })

  async function stateOf(orderHash: string): Promise<Record<string, unknown>> {
    const { json } = await venue().ask('GET', '/sandbox/state')
    const orders = json['orders'] as Record<string, unknown>[]
    return orders.find(({ hash }) => hash === orderHash) ?? {}
  }
})
