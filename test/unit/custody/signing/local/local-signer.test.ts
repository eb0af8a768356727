import { inspect } from 'node:util'
import {
  encodeFunctionData,
  erc20Abi,
  keccak256,
  parseTransaction,
  recoverTransactionAddress,
  type Hex,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import { openLocalSigner } from '../../../../../src/custody/signing/local/local-signer.ts'
import type { OrderSigner } from '../../../../../src/custody/signing/order-signer.ts'
import { hashRfqOrder } from '../../../../../src/custody/signing/order-hash.ts'
import { loadWasmEngine, type WasmEngine } from '../../../../../src/custody/signing/local/wasm-engine.ts'
import {
  BASE,
  CANCEL,
  DOLLAR,
  EXCHANGE,
  KEY,
  MAKER,
  privateKey,
  signableOrder,
  signingWall,
} from '../../../../support/signing-fixture.ts'

async function engine(): Promise<WasmEngine> {
  const loaded = await loadWasmEngine()
  if (!loaded.ok) throw new Error(loaded.error)
  return loaded.value
}

async function signer(how: 'fast' | 'reference'): Promise<OrderSigner> {
  const opened = openLocalSigner(privateKey(), signingWall().wall, how === 'fast' ? await engine() : null)
  if (!opened.ok) throw new Error(opened.error)
  return opened.value
}

describe('a signer with its key here', () => {
  test('signs the same with the fast engine and without', async () => {
    const fast = await (await signer('fast')).sign(signableOrder())
    const reference = await (await signer('reference')).sign(signableOrder())
    expect(fast).toEqual(reference)
    expect(fast).toMatchObject({
      ok: true,
      value: { hash: hashRfqOrder(signableOrder(), BASE).orderHash, signature: { signatureType: 2 } },
    })
  })

  test('refuses what is not its own, and what cannot be hashed, without throwing', async () => {
    const { sign } = await signer('fast')
    expect(await sign(signableOrder({ maker: DOLLAR }))).toMatchObject({
      ok: false,
      error: { code: 'SIGN_WRONG_MAKER' },
    })
    const nonsense = signableOrder({ makerAmount: 'many' as unknown as bigint })
    expect(await sign(nonsense)).toMatchObject({ ok: false, error: { isVoid: true } })
    expect(await sign({} as unknown as Parameters<typeof sign>[0])).toMatchObject({
      ok: false,
      error: { code: 'SIGN_MALFORMED', isVoid: true },
    })
  })

  test('is not opened with an engine that signs differently from the reference', async () => {
    const good = await engine()
    const hedged = { ...good, sign: (hash: Uint8Array) => good.sign(hash, new Uint8Array(32).fill(7)) }
    expect(openLocalSigner(privateKey(), signingWall().wall, hedged)).toEqual({
      ok: false,
      error: 'the fast signing engine signs differently from the reference, so it is not used',
    })
  })

  test('answers with a void failure when its engine breaks while it runs', async () => {
    const good = await engine()
    let calls = 0
    const breaking: WasmEngine = {
      ...good,
      sign: (hash, key) => {
        calls += 1
        if (calls > 1) throw new Error(`broke with ${Buffer.from(key).toString('hex')}`)
        return good.sign(hash, key)
      },
    }
    const opened = openLocalSigner(privateKey(), signingWall().wall, breaking)
    if (!opened.ok) throw new Error(opened.error)
    const signed = await opened.value.sign(signableOrder())
    expect(signed).toEqual({
      ok: false,
      error: { code: 'SIGN_FAILED', message: 'not signed: the signing engine failed', isVoid: true },
    })
  })

  test('shows nothing of its key to anyone who prints it', async () => {
    for (const how of ['fast', 'reference'] as const) {
      const shown = await signer(how)
      const signed = await shown.sign(signableOrder())
      const printed = [
        inspect(shown, { depth: 20, showHidden: true, showProxy: true }),
        inspect(shown.account, { depth: 20, showHidden: true }),
        inspect(signed, { depth: 20 }),
        JSON.stringify(shown),
        JSON.stringify(shown.account),
        String(shown.sign),
        String(shown.account.signTransaction),
      ].join('\n')
      expect(printed.toLowerCase()).not.toContain(KEY.slice(2, 12))
      expect(printed).not.toContain(BigInt(KEY).toString())
    }
  })
})

describe('the fast engine', () => {
  const keccak = (bytes: Uint8Array) => keccak256(bytes, 'bytes')

  test('that does not load says so and gives no engine', async () => {
    const loaded = await loadWasmEngine(() => Promise.reject(new TypeError('WebAssembly is off')))
    expect(loaded).toEqual({ ok: false, error: 'the fast signing engine did not load (TypeError)' })
  })

  test('that answers a known question wrongly is refused', async () => {
    const silent = { keccak256: () => new Uint8Array(32), sign: () => new Uint8Array(65) }
    expect(await loadWasmEngine(() => Promise.resolve(silent))).toMatchObject({
      error: expect.stringContaining('hashes'),
    })
    const forging = { keccak256: keccak, sign: () => new Uint8Array(65) }
    expect(await loadWasmEngine(() => Promise.resolve(forging))).toMatchObject({
      error: expect.stringContaining('signs'),
    })
  })
})

describe('transactions of the same wallet', () => {
  const approve = (spender: Hex) =>
    encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [spender, 5n] })
  const transaction = {
    type: 'eip1559',
    chainId: 8_453,
    nonce: 3,
    gas: 60_000n,
    maxFeePerGas: 10n,
    maxPriorityFeePerGas: 1n,
    to: EXCHANGE,
    data: CANCEL,
  } as const

  test.each([
    ['a cancellation', {}],
    ['an approval of the exchange', { to: DOLLAR, data: approve(EXCHANGE) }],
    ['nothing to itself, which uses a nonce up', { to: MAKER, data: undefined }],
  ])('%s is signed as viem signs it', async (_what, change) => {
    const { account } = await signer('fast')
    const signed = await account.signTransaction({ ...transaction, ...change })
    expect(signed).toBe(await privateKeyToAccount(KEY).signTransaction({ ...transaction, ...change }))
    expect(
      (await recoverTransactionAddress({ serializedTransaction: signed as `0x02${string}` })).toLowerCase(),
    ).toBe(MAKER)
    expect(parseTransaction(signed)).toMatchObject({ chainId: 8_453, nonce: 3 })
  })

  test('the old form of transactions is signed as viem signs it', async () => {
    const { account } = await signer('reference')
    const legacy = {
      type: 'legacy',
      chainId: 8_453,
      nonce: 0,
      gas: 60_000n,
      gasPrice: 10n,
      to: EXCHANGE,
      data: CANCEL,
    } as const
    expect(await account.signTransaction(legacy)).toBe(await privateKeyToAccount(KEY).signTransaction(legacy))
  })

  test.each([
    ['another chain', { chainId: 1 }, 'chain 1'],
    ['no chain', { chainId: undefined as unknown as number }, 'chain undefined'],
    ['coins', { value: 1n }, 'send coins'],
    ['a stranger', { to: `0x${'99'.repeat(20)}` as const }, 'neither the exchange nor a configured token'],
    ['a new contract', { to: undefined }, 'a new contract'],
    [
      'an approval of someone else',
      { to: DOLLAR, data: approve(MAKER) },
      'calls a token but does not approve',
    ],
    [
      'a transfer of tokens',
      {
        to: DOLLAR,
        data: encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [EXCHANGE, 5n] }),
      },
      'calls a token but does not approve',
    ],
    ['a token without a call', { to: DOLLAR, data: undefined }, 'calls a token but does not approve'],
    ['code of its own', { to: MAKER }, 'calls the wallet itself'],
  ])('%s is refused', async (_what, change, says) => {
    const { account } = await signer('fast')
    await expect(account.signTransaction({ ...transaction, ...change })).rejects.toThrow(says)
  })

  test('messages and other typed data are signed for no one', async () => {
    const { account } = await signer('fast')
    await expect(account.signMessage({ message: 'hello' })).rejects.toThrow('only orders and transactions')
    await expect(
      account.signTypedData({ domain: {}, types: { A: [] }, primaryType: 'A', message: {} }),
    ).rejects.toThrow('only orders and transactions')
  })
})
