import { erc20Abi, parseAbi } from 'viem'
import { describe, expect, test } from 'vitest'
import { EXCHANGE_ABI } from '../../../src/core/rfq/exchange-abi.ts'
import { formatTokens, zeroAmounts } from '../../../src/base/money/asset.ts'
import { conservationGap } from '../../support/conservation-gap.ts'
import { accountOf, chainOrder, orderBody, signOrder } from '../../support/chain-order.ts'
import { allowMaker, chainVenue } from '../../support/chain-venue.ts'
import { needs } from '../../support/needs.ts'

const ASSETS = ['NTZS', 'USDC', 'USDT'] as const

describe.skipIf(needs('anvil'))('the wallet of a venue on a chain', () => {
  const venue = chainVenue({ opening: { NTZS: '5000000.000000000000000001', USDC: '900.5', USDT: '70' } })

  async function onChain(owner: `0x${string}` = venue().chain.accounts.maker.address) {
    const { tokens } = venue().chain
    const amounts = await Promise.all(ASSETS.map((asset) => tokens.balance(asset, owner)))
    return Object.fromEntries(ASSETS.map((asset, index) => [asset, amounts[index] as bigint] as const))
  }

  /** Both ways of looking, and the venue's own sum of everything. */
  async function expectAgreement(): Promise<void> {
    const { json } = await venue().ask('GET', '/balances')
    const held = await onChain()
    const book = venue().server.model.book()
    for (const asset of ASSETS) expect(book.ours.wallet[asset]).toBe(held[asset])
    expect(conservationGap(book)).toEqual(zeroAmounts())
    if (book.ours.isActive) return
    const told = [json['ntzs'], json['usdc'], json['usdt']]
    expect(told).toEqual(ASSETS.map((asset) => formatTokens(held[asset] ?? 0n, asset)))
  }

  test('opens with what the options say, on the chain and at the venue', async () => {
    expect(await onChain()).toEqual({
      NTZS: 5_000_000n * 10n ** 18n + 1n,
      USDC: 900_500_000n,
      USDT: 70_000_000n,
    })
    await expectAgreement()
  })

  test('sweeps move the tokens on the chain, and not the maker’s count of transactions', async () => {
    const { chain, ask } = venue()
    const before = await onChain()
    expect((await ask('POST', '/activate', { isActive: true })).status).toBe(200)
    expect(await onChain()).toEqual({ NTZS: 0n, USDC: 0n, USDT: 0n })
    expect(await onChain(chain.accounts.pool.address)).toEqual(before)
    await expectAgreement()
    expect((await ask('POST', '/activate', { isActive: false })).status).toBe(200)
    expect(await onChain()).toEqual(before)
    await expectAgreement()
    expect(await chain.client.getTransactionCount({ address: chain.accounts.maker.address })).toBe(0)
  })

  test('takes a transfer of the partner API, and gives a withdrawal to a partner’s user, on the chain as well', async () => {
    const { ask, server } = venue()
    const { partner } = server.model
    const [key] = partner.partners.values()
    const user = key?.users.get(key.ownerId ?? '')
    const ofPartner = (path: string, body: object) =>
      fetch(`${server.url}/v1${path}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key?.key ?? ''}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }).then(async (response) => (await response.json()) as Record<string, unknown>)
    await ask('POST', '/activate', { isActive: false })
    const before = await onChain()
    const given = { token: 'ntzs', amount: '70000', toAddress: user?.walletAddress }
    expect((await ask('POST', '/withdraw', given)).status).toBe(200)
    expect((await onChain()).NTZS).toBe((before.NTZS ?? 0n) - 70_000n * 10n ** 18n)
    const toAddress = server.model.options.walletAddress
    const sent = await ofPartner('/transfers', { fromUserId: user?.id, amountTzs: 30_000, toAddress })
    expect(sent).toMatchObject({ status: 'completed', amountTzs: 30_000 })
    expect((await onChain()).NTZS).toBe((before.NTZS ?? 0n) - 40_000n * 10n ** 18n)
    const receipt = await venue().chain.client.getTransactionReceipt({
      hash: sent['txHash'] as `0x${string}`,
    })
    expect(receipt.status).toBe('success')
    await expectAgreement()
  })

  test('a swap in the pool comes back with the next sweep', async () => {
    const { ask } = venue()
    await ask('PATCH', '/spread', { bidBps: 100, askBps: 100 })
    await ask('POST', '/activate', { isActive: true })
    const swapped = await ask('POST', '/sandbox/swap', { from: 'USDC', to: 'NTZS', amount: '10' })
    expect(swapped.json).toMatchObject({ filled: true, ours: true })
    await ask('POST', '/activate', { isActive: false })
    expect((await onChain())['USDC']).toBe(910_500_000n)
    await expectAgreement()
  })

  test('a withdrawal is a transaction of that hash', async () => {
    const { chain, ask } = venue()
    const toAddress = chain.accounts.stranger.address
    const sent = await ask('POST', '/withdraw', { token: 'usdc', toAddress, amount: '100.000001' })
    expect(sent).toMatchObject({ status: 200, json: { status: 'confirmed' } })
    const hash = sent.json['txHash'] as `0x${string}`
    expect((await chain.client.getTransactionReceipt({ hash })).status).toBe('success')
    expect(await chain.tokens.balance('USDC', toAddress)).toBe(100_000_001n)
    expect(venue().server.model.book().ours.transfers.at(-1)?.txHash).toBe(hash)
    await expectAgreement()
  })

  test('what moves on the chain by itself is in the venue’s books: dust in, tokens out', async () => {
    const { chain } = venue()
    const { maker, taker, stranger } = chain.accounts
    await chain.tokens.transfer('USDT', taker.address, maker.address, 3n)
    await expectAgreement()
    const account = accountOf(maker.key)
    const call = { account, abi: erc20Abi, functionName: 'transfer' } as const
    const hash = await chain.client.writeContract({
      ...call,
      address: chain.tokens.address.NTZS,
      args: [stranger.address, 17n],
    })
    await chain.client.waitForTransactionReceipt({ hash })
    await expectAgreement()
    const kinds = venue()
      .server.model.book()
      .ours.transfers.map(({ kind }) => kind)
    expect(kinds.slice(-2)).toEqual(['deposit', 'stolen-from-wallet'])
  })

  test('what the operator injects moves on the chain', async () => {
    const { ask, chain } = venue()
    await ask('POST', '/sandbox/inject', { externalTransfer: { asset: 'NTZS', amount: '12.5' } })
    await expectAgreement()
    await ask('POST', '/sandbox/inject', { steal: { asset: 'USDC', amount: '1.25', from: 'wallet' } })
    await expectAgreement()
    expect(await chain.tokens.balance('USDC', chain.accounts.stranger.address)).toBe(101_250_001n)
  })

  test('a fill is in the book with its hash, and a reorganised chain takes it out again', async () => {
    const { chain, ask, server } = venue()
    await ask('PUT', '/custody', { enabled: true })
    await allowMaker(chain)
    const signed = await signOrder(chain, chainOrder(chain))
    expect((await ask('POST', '/rfq/orders', orderBody(signed))).status).toBe(200)
    const before = await chain.snapshot()
    const held = await onChain()
    const filled = await ask('POST', '/sandbox/chain/fill', { orderHash: signed.hash, takerAmount: '10' })
    expect(server.model.book().ours.orderFills).toMatchObject([
      { orderHash: signed.hash, takerAmount: 10n, makerAsset: 'NTZS', txHash: filled.json['txHash'] },
    ])
    await expectAgreement()
    await chain.revert(before)
    await chain.mine()
    await ask('GET', '/balances')
    expect(server.model.book().ours.orderFills).toEqual([])
    expect(await onChain()).toEqual(held)
    await expectAgreement()
  })

  test('a fill that the solver made by itself is found by its event', async () => {
    const { chain, server } = venue()
    const { order, signature, hash } = await signOrder(chain, chainOrder(chain, { salt: 2n }))
    const account = accountOf(chain.accounts.solver.key)
    const abi = parseAbi(EXCHANGE_ABI)
    const call = { account, address: chain.exchange, abi, functionName: 'fillRfqOrder' } as const
    const sent = await chain.client.writeContract({ ...call, args: [order, signature, order.takerAmount] })
    await chain.client.waitForTransactionReceipt({ hash: sent })
    await expectAgreement()
    expect(server.model.book().ours.orderFills.at(-1)).toMatchObject({ orderHash: hash, txHash: sent })
  })
})

describe.skipIf(needs('anvil'))('a venue whose wallet is not the usual one', () => {
  const other = '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65'
  const venue = chainVenue({
    walletAddress: other,
    isActive: true,
    rfq: { solverWallet: '0x9965507D1a55bcC2695C58ba16FB37d819B0A4dc' },
    solver: { policy: 'never', listsFills: true },
  })
  const KEY = '0x47e179ec197488593b187f80a00eb0da91f1b9d0b13f8733639f19c30a34926a'

  test('a chain venue opens with its capital in the pool, and lists fills of orders if configured to', async () => {
    const { chain, ask } = venue()
    const { tokens, accounts, exchange } = chain
    expect(await tokens.balance('USDC', other)).toBe(0n)
    expect(await tokens.balance('USDC', accounts.pool.address)).toBe(12_000_000_000n)
    await ask('POST', '/activate', { isActive: false })
    await ask('PUT', '/custody', { enabled: true })
    expect(await tokens.balance('USDC', other)).toBe(12_000_000_000n)
    await tokens.approve('USDC', other, exchange, 10n ** 12n)
    const solver = '0x9965507D1a55bcC2695C58ba16FB37d819B0A4dc'
    const order = chainOrder(chain, {
      maker: other,
      taker: solver,
      txOrigin: solver,
      makerToken: tokens.address.USDC,
      takerToken: tokens.address.NTZS,
      makerAmount: 1_000_000n,
      takerAmount: 2_600n * 10n ** 18n,
    })
    const signed = await signOrder(chain, order, KEY)
    expect((await ask('POST', '/rfq/orders', orderBody(signed))).status).toBe(200)
    const filled = await ask('POST', '/sandbox/chain/fill', { orderHash: signed.hash })
    expect(filled.json).toMatchObject({ filled: true })
    const { json } = await ask('GET', '/fills')
    expect(json['fills']).toMatchObject([
      {
        fromToken: 'NTZS',
        toToken: 'USDC',
        amountIn: '2600',
        amountOut: '1',
        txHash: filled.json['txHash'],
      },
    ])
  })
})
