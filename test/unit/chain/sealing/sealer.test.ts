import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { decodeFunctionData, parseAbi, parseTransaction, toHex, type LocalAccount } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { ok } from '../../../../src/base/result.ts'
import { CHAIN_DEFAULTS } from '../../../../src/chain/chain.ts'
import type { RpcEndpoint } from '../../../../src/chain/rpc/rpc-endpoint.ts'
import { createSealer, type Sealer } from '../../../../src/chain/sealing/sealer.ts'
import { leastSaltAt } from '../../../../src/rfq/build-order.ts'
import { EXCHANGE_ABI } from '../../../../src/rfq/exchange-abi.ts'
import { parseSealed, type SealedCancels } from '../../../../src/rfq/sealed/sealed-cancels.ts'
import { CHAIN_ID, EXCHANGE, NTZS, USDC } from '../scripted-node.ts'

const account = privateKeyToAccount(`0x${'1'.repeat(64)}`)
const folder = mkdtempSync(join(tmpdir(), 'sealer-'))
const T = 1_800_000_000_000
const open: Sealer[] = []

beforeEach(() => void vi.useFakeTimers({ now: T, toFake: ['Date', 'setInterval', 'clearInterval'] }))
afterEach(async () => {
  for (const one of open.splice(0)) await one.close()
  vi.useRealTimers()
})
afterAll(() => rmSync(folder, { recursive: true }))

let files = 0

/** A sealer on a chain that shows these nonces, on a virtual clock. */
function sealing(given: { readonly file?: string; readonly account?: LocalAccount } = {}) {
  const file = given.file ?? join(folder, `seal-${(files += 1)}.json`)
  const chain = { latest: 7, pending: 7, isDown: false, feature: toHex(1, { size: 32 }), looks: 0 }
  const ours: number[] = []
  const trouble: string[] = []
  const endpoint: RpcEndpoint = {
    label: 'node.example',
    async ask() {
      chain.looks += 1
      const results = [toHex(chain.latest), toHex(chain.pending), chain.feature]
      if (chain.isDown)
        return ok(
          results.map(() => ({ ok: false, error: { code: -32_000, message: 'down', data: null } }) as const),
        )
      return ok(results.map((result) => ({ ok: true, value: result }) as const))
    },
    close: async () => undefined,
  }
  const sealer = createSealer({
    file,
    maxLifeMs: 600_000,
    onTrouble: (words) => trouble.push(words),
    account: given.account ?? account,
    settings: {
      ...CHAIN_DEFAULTS,
      chainId: CHAIN_ID,
      exchange: EXCHANGE,
      maker: account.address.toLowerCase() as '0x',
      tokens: { NTZS, USDC },
      urls: [],
    },
    pool: { first: (use) => use(endpoint) },
    ownNonces: () => ours,
    now: () => Date.now(),
  })
  open.push(sealer)
  const seal = (): SealedCancels => {
    const read = parseSealed(readFileSync(file, 'utf8'))
    if (read === null) throw new Error('no seal')
    return read
  }
  const nonces = () => [...new Set(seal().transactions.map(({ nonce }) => nonce))]
  return { sealer, chain, ours, trouble, file, seal, nonces }
}

const saltNow = () => leastSaltAt(Date.now())

/** Time passes, and what begins meanwhile has ended. */
async function pass(ms: number, { sealer }: { readonly sealer: Sealer }): Promise<void> {
  vi.advanceTimersByTime(ms)
  // What was begun stands before this in the sealer's queue.
  await sealer.beforeSend(0)
}

describe('The sealer', () => {
  test('has what ends an order on disk before the order may be signed, for its owner alone', async () => {
    const { sealer, seal, file } = sealing()
    expect(await sealer.cover(saltNow())).toBeNull()
    expect(statSync(file).mode & 0o777).toBe(0o600)
    const { minValidSalt, transactions, usefulUntil } = seal()
    expect([minValidSalt > saltNow(), usefulUntil]).toEqual([true, T + 30_000 + 600_000])
    for (const { raw, nonce, maxFeePerGas } of transactions) {
      const sent = parseTransaction(raw)
      expect(sent).toMatchObject({ to: EXCHANGE, nonce, maxFeePerGas, chainId: CHAIN_ID })
      expect(sent.value ?? 0n).toBe(0n)
      const { functionName, args } = decodeFunctionData({
        abi: parseAbi(EXCHANGE_ABI),
        data: sent.data ?? '0x',
      })
      expect([functionName, args?.[2]]).toEqual(['batchCancelPairRfqOrders', [minValidSalt, minValidSalt]])
    }
  })

  test('signs nothing before an order is to be signed, and nothing more while the last seal suffices', async () => {
    const one = sealing()
    await pass(60_000, one)
    expect([existsSync(one.file), one.chain.looks]).toEqual([false, 0])
    await one.sealer.cover(saltNow())
    const before = readFileSync(one.file, 'utf8')
    vi.setSystemTime(T + 60_000 + 10_000)
    expect(await one.sealer.cover(saltNow())).toBeNull()
    expect(readFileSync(one.file, 'utf8')).toBe(before)
  })

  test('renews ahead of time, so that an order seldom waits, and at once for an order beyond the last seal', async () => {
    const one = sealing()
    await one.sealer.cover(saltNow())
    const { minValidSalt } = one.seal()
    vi.setSystemTime(T + 20_000)
    expect(await one.sealer.cover(saltNow())).toBeNull()
    await pass(0, one)
    expect(one.seal().minValidSalt).toBeGreaterThan(minValidSalt)
    vi.setSystemTime(T + 500_000)
    expect(await one.sealer.cover(saltNow())).toBeNull()
    expect(one.seal().minValidSalt).toBe(leastSaltAt(T + 530_000))
  })

  test('covers two nonces more before a transaction of ours leaves, and without asking the chain', async () => {
    const one = sealing()
    await one.sealer.cover(saltNow())
    const { looks } = one.chain
    await one.sealer.beforeSend(7)
    expect(one.nonces()).toEqual([7, 8, 9])
    await one.sealer.beforeSend(8)
    expect([one.nonces(), one.chain.looks]).toEqual([[7, 8, 9, 10], looks])
  })

  test('seals anew after a transaction of the wallet, whoever sent it, within ten seconds', async () => {
    const one = sealing()
    await one.sealer.cover(saltNow())
    Object.assign(one.chain, { latest: 9, pending: 9 })
    await pass(10_000, one)
    expect(one.nonces()).toEqual([9, 10])
  })

  test('counts a transaction of ours that no node shows yet', async () => {
    const one = sealing()
    one.ours.push(7)
    await one.sealer.cover(saltNow())
    expect(one.nonces()).toEqual([7, 8, 9])
  })

  test('goes by the last nonces while the chain does not answer, and refuses before it has seen any', async () => {
    const one = sealing()
    one.chain.isDown = true
    expect(await one.sealer.cover(saltNow())).toContain('node.example')
    expect(existsSync(one.file)).toBe(false)
    one.chain.isDown = false
    expect(await one.sealer.cover(saltNow())).toBeNull()
    one.chain.isDown = true
    vi.setSystemTime(T + 300_000)
    expect(await one.sealer.cover(saltNow())).toBeNull()
    expect(one.seal().minValidSalt).toBe(leastSaltAt(T + 330_000))
  })

  test('refuses where the exchange cannot cancel several pairs at once', async () => {
    const one = sealing()
    one.chain.feature = toHex(0, { size: 32 })
    expect(await one.sealer.cover(saltNow())).toContain('0x0f0e8cf7')
  })

  test('refuses orders while the signer seals nothing, and also those that the last seal covers', async () => {
    let signs = true
    const one = sealing({
      account: {
        ...account,
        signTransaction: (...args) =>
          signs ? account.signTransaction(...args) : Promise.reject(new Error('stopped')),
      },
    })
    await one.sealer.cover(saltNow())
    signs = false
    one.chain.pending = 8
    await one.sealer.beforeSend(7)
    expect(one.trouble[0]).toContain('did not sign')
    expect(await one.sealer.cover(saltNow())).toContain('did not sign')
    signs = true
    expect(await one.sealer.cover(saltNow())).toBeNull()
    expect(one.nonces()).toEqual([7, 8, 9])
  })

  test('goes on from the seal of the run before, whose salt may be on the chain', async () => {
    const before = sealing()
    await before.sealer.cover(leastSaltAt(T + 200_000))
    const { minValidSalt } = before.seal()
    const after = sealing({ file: before.file })
    expect(await after.sealer.cover(saltNow())).toBeNull()
    expect(after.seal().minValidSalt).toBe(minValidSalt)
  })
})
