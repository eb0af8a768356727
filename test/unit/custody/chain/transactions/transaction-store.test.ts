import { mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  openTransactionStore,
  type TrackedTransaction,
  type TransactionStore,
} from '../../../../../src/custody/chain/transactions/transaction-store.ts'

const folder = mkdtempSync(join(tmpdir(), 'transactions-'))

const OWNER = { chainId: 8_453, account: `0x${'a'.repeat(40)}` } as const

function kept(nonce: number, more: Partial<TrackedTransaction> = {}): TrackedTransaction {
  const version = {
    hash: '0xab',
    raw: '0x02f8',
    maxFeePerGas: 2n ** 70n,
    maxPriorityFeePerGas: 0n,
    sentAt: 17,
  }
  return {
    nonce,
    purpose: 'cancel',
    to: '0x01',
    data: '0x',
    gas: 50_000n,
    versions: [version as TrackedTransaction['versions'][0]],
    mined: null,
    isGasTold: false,
    ...more,
  }
}

async function opened(path: string | null): Promise<TransactionStore> {
  const store = await openTransactionStore(path, OWNER)
  if (!store.ok) throw new Error(store.error)
  return store.value
}

describe('transactions under way', () => {
  test('the next process finds all transactions under way, in the order of their nonces', async () => {
    const path = join(folder, 'kept.json')
    const store = await opened(path)
    expect(store.all()).toEqual([])
    const mined = { hash: '0xab', block: 2n ** 60n, isReverted: true } as const
    for (const one of [kept(8), kept(7, { mined }), kept(8, { purpose: 'approve' }), kept(9)])
      await store.put(one)
    await store.remove(9)
    expect((await opened(path)).all()).toEqual([kept(7, { mined }), kept(8, { purpose: 'approve' })])
    expect(readdirSync(folder)).toEqual(['kept.json'])
  })

  test('a store without a file keeps transactions in memory only', async () => {
    const store = await opened(null)
    await store.put(kept(1))
    expect(store.all()).toEqual([kept(1)])
    expect((await opened(null)).all()).toEqual([])
  })

  test('a damaged transaction file is refused and stays unchanged, wherever it is cut or changed', async () => {
    const path = join(folder, 'damaged.json')
    const store = await opened(path)
    await store.put(kept(1))
    const whole = readFileSync(path, 'utf8').trimEnd()
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: whole.length - 1 }), async (length) => {
        writeFileSync(path, whole.slice(0, length))
        const again = await openTransactionStore(path, OWNER)
        expect(again).toMatchObject({ ok: false, error: expect.stringContaining('damaged') })
        expect(readFileSync(path, 'utf8')).toBe(whole.slice(0, length))
      }),
      { numRuns: 50 },
    )
    const changes = [
      whole.replace('"nonce":1', '"nonce":1.5'),
      whole.replace('"raw":"0x02f8"', '"raw":"hello"'),
      whole.replace('"version":1', '"version":2'),
      whole.replace(/"versions":\[.*?\]/, '"versions":[]'),
      whole.replace('"mined":null', '"mined":{}'),
      '[]',
      'null',
    ]
    for (const text of changes) {
      expect(text).not.toBe(whole)
      writeFileSync(path, text)
      expect(await openTransactionStore(path, OWNER)).toMatchObject({ ok: false })
    }
  })

  test('transactions of another wallet or chain are refused by name until they are final', async () => {
    const path = join(folder, 'foreign.json')
    const former = await opened(path)
    await former.put(kept(1))
    const owner = { ...OWNER, chainId: 56 }
    expect(await openTransactionStore(path, owner)).toMatchObject({
      ok: false,
      error: `${path} has 1 transactions of wallet ${OWNER.account} on chain 8453 that are not final, but this is wallet ${OWNER.account} on chain 56; run with the former rfq section until they are final, or inspect the file before you move it away`,
    })
    await former.remove(1)
    const other = await openTransactionStore(path, owner)
    if (!other.ok) throw new Error(other.error)
    await other.value.exclusively(() => other.value.put(kept(2)))
    expect((await openTransactionStore(path, owner)).ok).toBe(true)
    expect((await openTransactionStore(path, OWNER)).ok).toBe(false)
  })

  test('a transaction that cannot be written is not kept in memory either', async () => {
    const path = join(folder, 'folder')
    mkdirSync(path)
    expect(await openTransactionStore(path, OWNER)).toMatchObject({
      ok: false,
      error: `${path} cannot be read (EISDIR)`,
    })
    const missing = await opened(join(folder, 'missing', 'file.json'))
    expect(await missing.put(kept(1))).toMatchObject({ ok: false, error: expect.stringContaining('ENOENT') })
    expect(missing.all()).toEqual([])
  })
})
