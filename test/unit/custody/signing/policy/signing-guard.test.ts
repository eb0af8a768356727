import { existsSync, mkdtempSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { encodeFunctionData, erc20Abi } from 'viem'
import { describe, expect, test } from 'vitest'
import { err, ok } from '../../../../../src/base/result.ts'
import { HOUR_MS } from '../../../../../src/base/time.ts'
import type { RfqOrder } from '../../../../../src/core/rfq/rfq-order.ts'
import { createOrderSigner } from '../../../../../src/custody/signing/create-order-signer.ts'
import type { SignedRecord } from '../../../../../src/custody/signing/policy/policy-state.ts'
import type { SharedMemory } from '../../../../../src/custody/signing/policy/shared-memory.ts'
import { openPolicyStore } from '../../../../../src/custody/signing/policy/policy-store.ts'
import { referenceSignHash } from '../../../../../src/custody/signing/local/local-signer.ts'
import {
  BASE,
  CANCEL,
  DOLLAR,
  MAKER,
  NOW,
  policyStore,
  privateKey,
  signableOrder,
  signingWall,
  SOLVER,
  untouchedAt,
  usd,
  type WallParts,
} from '../../../../support/signing-fixture.ts'

const DOLLAR_ORDER = usd(1)

function newPath(): string {
  return join(mkdtempSync(join(tmpdir(), 'mizani-policy-')), 'signer.sqlite')
}

/** A signer behind a wall, which notes every hash that reaches the key. */
function signer(parts: WallParts = {}) {
  const signHash = referenceSignHash(privateKey())
  const reached: string[] = []
  const { wall, store } = signingWall(parts)
  const { sign } = createOrderSigner(MAKER, wall, (_preimage, hash) => {
    reached.push(Buffer.from(hash).toString('hex'))
    return ok(signHash(hash))
  })
  return { sign, store, reached }
}

const codeOf = async (signing: ReturnType<ReturnType<typeof signer>['sign']>) => {
  const signed = await signing
  return signed.ok ? 'signed' : signed.error.code
}

describe('The signer refuses what is outside its own terms', () => {
  test('an order is counted on disk before the key sees its hash', async () => {
    const path = newPath()
    const { wall } = signingWall({ path })
    const onDisk: unknown[] = []
    const { sign } = createOrderSigner(MAKER, wall, (_preimage, hash) => {
      const other = new DatabaseSync(path, { readOnly: true })
      onDisk.push(...other.prepare('SELECT salt FROM signed').all())
      other.close()
      return ok(referenceSignHash(privateKey())(hash))
    })
    expect(await codeOf(sign(signableOrder({ salt: 7n })))).toBe('signed')
    expect(onDisk).toEqual([{ salt: '7' }])
  })

  test('nothing reaches the key if the signer’s own file cannot be written', async () => {
    const { sign, store, reached } = signer({ path: newPath() })
    store.close()
    expect(await codeOf(sign(signableOrder()))).toBe('SIGN_STATE_FAILED')
    expect(reached).toEqual([])
  })

  test('nothing is signed nor counted once the position may be another daemon’s, asked after the reading of the chain', async () => {
    let isHeld = true
    const { sign, reached, store } = signer({
      isHeld: () => isHeld,
      readOrders: () => {
        isHeld = false
        return Promise.resolve(ok(untouchedAt(NOW)))
      },
    })
    expect(await codeOf(sign(signableOrder()))).toBe('SIGN_NOT_HELD')
    expect(reached).toEqual([])
    expect(store.state.signed.size).toBe(0)
  })

  test('concurrent orders are checked one after another, so that no two of them use the same capacity', async () => {
    const { sign } = signer({ policy: { maxOutstandingUsd: 2n * DOLLAR_ORDER } })
    const order = (salt: bigint) => signableOrder({ salt, expiry: BigInt(NOW / 1_000) + 60n + salt })
    const codes = await Promise.all([1n, 2n, 3n, 4n].map((salt) => codeOf(sign(order(salt)))))
    expect(codes).toEqual(['signed', 'signed', 'SIGN_OUTSTANDING_LIMIT', 'SIGN_OUTSTANDING_LIMIT'])
  })

  test('the signer signs the order that it checked, even if the caller changes it meanwhile', async () => {
    const order = { ...signableOrder() }
    const { sign } = signer()
    const signing = sign(order)
    order.makerAmount = 1_000_000n * 10n ** 18n
    const signed = await signing
    expect(signed).toMatchObject({ ok: true, value: { order: { makerAmount: 2_500n * 10n ** 18n } } })
    const honest = await signer().sign(signableOrder())
    expect(signed).toEqual(honest)
  })

  test('the signer refuses an order for another exchange', async () => {
    const { sign, reached } = signer()
    expect(await codeOf(sign(signableOrder(), { ...BASE, chainId: 1 }))).toBe('SIGN_WRONG_DOMAIN')
    expect(await codeOf(sign(signableOrder(), { ...BASE, exchange: SOLVER }))).toBe('SIGN_WRONG_DOMAIN')
    expect(reached).toEqual([])
  })

  test('the value of an order that certainly was not signed is released, and its salt never', async () => {
    const { wall, store } = signingWall()
    const failing = createOrderSigner(MAKER, wall, () =>
      err({ code: 'SIGN_FAILED', message: 'no', isVoid: true }),
    )
    const unclear = createOrderSigner(MAKER, wall, () =>
      err({ code: 'SIGN_REMOTE_TIMEOUT', message: 'no', isVoid: false }),
    )
    await failing.sign(signableOrder({ salt: 5n }))
    expect([store.state.signed.size, store.state.lastSalt]).toEqual([0, 5n])
    expect(await codeOf(failing.sign(signableOrder({ salt: 5n })))).toBe('SIGN_SALT_REUSED')
    await unclear.sign(signableOrder({ salt: 6n }))
    expect([...store.state.signed.keys()]).toEqual(['6'])
  })

  test('the signer refuses every order until the first reading of the chain', async () => {
    let chain: ReturnType<typeof untouchedAt> | null = null
    const readOrders = () => Promise.resolve(chain === null ? err('no endpoint answers') : ok(chain))
    const { sign, reached } = signer({ readOrders })
    expect(await codeOf(sign(signableOrder()))).toBe('SIGN_CHAIN_UNSEEN')
    expect(reached).toEqual([])
    chain = untouchedAt(NOW)
    expect(await codeOf(sign(signableOrder()))).toBe('signed')
  })

  test('the signer refuses orders once the last reading is older than rfq.maxChainLagMs', async () => {
    let now = NOW
    let isSilent = false
    const readOrders = () => Promise.resolve(isSilent ? err('silent') : ok(untouchedAt(now)))
    const { sign } = signer({ now: () => now, readOrders })
    expect(await codeOf(sign(signableOrder({ salt: 1n })))).toBe('signed')
    isSilent = true
    now += 30_000
    expect(await codeOf(sign(signableOrder({ salt: 2n, expiry: BigInt(now / 1_000) + 60n })))).toBe('signed')
    now += 1
    expect(await codeOf(sign(signableOrder({ salt: 3n, expiry: BigInt(NOW / 1_000) + 91n })))).toBe(
      'SIGN_CHAIN_UNSEEN',
    )
  })

  test('the signer reads the states of the orders that it signed, and of no others', async () => {
    const asked: bigint[][] = []
    let now = NOW
    const readOrders = (orders: readonly RfqOrder[]) => {
      asked.push(orders.map(({ salt }) => salt))
      return Promise.resolve(ok(untouchedAt(now)))
    }
    const { sign } = signer({ now: () => now, readOrders })
    await sign(signableOrder({ salt: 1n }))
    await sign(signableOrder({ salt: 2n, expiry: BigInt(NOW / 1_000) + 61n }))
    now += 6_000
    await sign(signableOrder({ salt: 3n }))
    expect(asked).toEqual([[], [1n, 2n]])
  })

  test('takers that fill at once take no more within an hour than rfq.maxAtRiskUsdPerHour', async () => {
    let now = NOW
    const filled = new Map<bigint, bigint>()
    const readOrders = (orders: readonly RfqOrder[]) =>
      Promise.resolve(
        ok({
          head: { number: BigInt(now), hash: '0x00' as const, t: now },
          orders: orders.map(({ salt, takerAmount }) => ({
            salt,
            hash: '0x00' as const,
            status: 'FILLED' as const,
            takerFilled: filled.get(salt) ?? takerAmount,
          })),
        }),
      )
    const { sign } = signer({
      now: () => now,
      readOrders,
      policy: { maxOutstandingUsd: usd(5), maxAtRiskUsdPerHour: usd(10), maxAtRiskUsdPerDay: usd(25) },
    })
    const signedAt: number[] = []
    for (let salt = 1n; now < NOW + 26 * HOUR_MS; salt++) {
      const code = await codeOf(sign(signableOrder({ salt, expiry: BigInt(Math.floor(now / 1_000)) + 60n })))
      if (code === 'signed') signedAt.push(now)
      now += 30_000
    }
    const within = (from: number, ms: number) => signedAt.filter((t) => t >= from && t < from + ms).length
    for (const t of signedAt) {
      expect(within(t, HOUR_MS)).toBeLessThanOrEqual(10)
      expect(within(t, 24 * HOUR_MS)).toBeLessThanOrEqual(25)
    }
    expect(within(NOW, 24 * HOUR_MS)).toBe(25)
  })
})

/** What several machines share, in memory: PostgreSQL does the same in test/e2e/store/signer-rows.test.ts. */
function shared(change: { solver?: typeof SOLVER; stopAt?: number; records?: readonly SignedRecord[] } = {}) {
  const row = { solver: change.solver ?? null, stopAt: change.stopAt ?? null }
  const asked: string[] = []
  const failing = new Set<string>()
  const answer = <T>(what: string, value: T) => {
    asked.push(what)
    return Promise.resolve(failing.has(what) ? err(`${what} failed`) : ok(value))
  }
  const memory: SharedMemory = {
    read: () => answer('read', { ...row }),
    offer: () => answer('offer', null),
    records: () => answer('records', change.records ?? []),
    keep: (records, forgotten) =>
      answer(`keep ${records.map(({ order }) => order.salt).join()} forget ${forgotten.join()}`, null),
  }
  return { memory, row, asked, failing }
}

describe('A signer of a position that several machines may hold', () => {
  const STRANGER = `0x${'77'.repeat(20)}` as const
  const next = (salt: bigint) => signableOrder({ salt, takerAmount: 1_000_000n + salt })

  test('signs for the solver that was pinned on another machine, and for no other one', async () => {
    const { memory } = shared({ solver: SOLVER })
    const { sign } = signer({ solver: null, shared: memory })
    expect(await codeOf(sign(next(1n)))).toBe('signed')
    expect(await codeOf(sign({ ...next(2n), taker: STRANGER, txOrigin: STRANGER }))).toBe('SIGN_WRONG_SOLVER')
  })

  test('signs nothing where this machine, its configuration or another machine name different solvers', async () => {
    const { memory } = shared({ solver: STRANGER })
    expect(await codeOf(signer({ shared: memory }).sign(next(1n)))).toBe('SIGN_WRONG_SOLVER')
    const configured = signer({ solver: null, policy: { solver: SOLVER }, shared: memory })
    expect(await codeOf(configured.sign(next(1n)))).toBe('SIGN_WRONG_SOLVER')
  })

  test('stops with a stop from any machine, from the next signature on, and the earlier stop holds', async () => {
    const { memory, row } = shared()
    const { sign, store, reached } = signer({ shared: memory })
    expect(await codeOf(sign(next(1n)))).toBe('signed')
    row.stopAt = NOW
    expect(await codeOf(sign(next(2n)))).toBe('SIGN_STOPPED')
    store.setStopAt(NOW + 60_000)
    expect(await codeOf(sign(next(2n)))).toBe('SIGN_STOPPED')
    row.stopAt = null
    expect(await codeOf(sign(next(2n)))).toBe('signed')
    store.setStopAt(NOW)
    row.stopAt = NOW + 60_000
    expect(await codeOf(sign(next(3n)))).toBe('SIGN_STOPPED')
    expect(reached).toHaveLength(2)
  })

  test('signs nothing while it cannot read what others have set or signed, or leave what it signs itself', async () => {
    const { memory, failing } = shared()
    const { sign, store, reached } = signer({ shared: memory })
    for (const what of ['offer', 'records', 'read', 'keep 1 forget ']) {
      failing.add(what)
      expect(await codeOf(sign(next(1n)))).toBe('SIGN_STATE_FAILED')
      expect(store.state.signed.size).toBe(0)
      failing.clear()
    }
    expect(await codeOf(sign(next(2n)))).toBe('signed')
    expect(reached).toHaveLength(1)
  })

  test('counts what another machine has signed within its limits, and uses no salt of it', async () => {
    const unfilled = { filledUsd: 0n, endedAtBlock: null, endedAt: null }
    const theirs = { order: next(5n), usd: usd(4_999), signedAt: NOW - 1_000, ...unfilled }
    const { memory } = shared({ records: [theirs] })
    const { sign } = signer({ shared: memory })
    expect(await codeOf(sign(next(4n)))).toBe('SIGN_OUTSTANDING_LIMIT')
    expect(
      await codeOf(signer({ shared: memory, policy: { maxOutstandingUsd: usd(9_000) } }).sign(next(4n))),
    ).toBe('SIGN_SALT_REUSED')
  })

  test('is asked whether it holds the position after it has left the order for others, and takes that back', async () => {
    let isHeld = true
    const { memory, asked } = shared()
    const keep: SharedMemory['keep'] = (...what) => {
      isHeld = false
      return memory.keep(...what)
    }
    const { sign, store, reached } = signer({ shared: { ...memory, keep }, isHeld: () => isHeld })
    expect(await codeOf(sign(next(1n)))).toBe('SIGN_NOT_HELD')
    expect(asked.slice(-2)).toEqual(['keep 1 forget ', 'keep  forget 1'])
    expect([store.state.signed.size, reached.length]).toEqual([0, 0])
  })

  test('takes orders back, and raises no allowance, while it cannot read what others have set', async () => {
    const { memory, failing } = shared()
    failing.add('read')
    const { wall } = signingWall({ shared: memory })
    const refusalOf = (to: typeof SOLVER, data: typeof SOLVER) =>
      wall.transactionRefusal({ chainId: BASE.chainId, to, data, type: 'eip1559' }, MAKER)
    expect(await refusalOf(BASE.exchange, CANCEL)).toBeNull()
    const approve = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [BASE.exchange, 1n] })
    expect(await refusalOf(DOLLAR, approve)).toContain('(read failed)')
    failing.clear()
    expect(await refusalOf(DOLLAR, approve)).toBeNull()
  })
})

describe("the signer's own file", () => {
  test('after a restart the signer’s file restores salt, live orders, solver and stop', async () => {
    const path = newPath()
    const first = signer({ path })
    await first.sign(signableOrder({ salt: 7n }))
    first.store.setStopAt(NOW + 1)
    first.store.close()
    const again = policyStore(path, null)
    expect(again.state).toMatchObject({ solver: SOLVER, stopAt: NOW + 1, lastSalt: 7n })
    expect(again.state.signed.get('7')).toMatchObject({ usd: usd(1), order: signableOrder({ salt: 7n }) })
    again.close()
  })

  test('a command stops the signer of a running process from its next signature on', async () => {
    const path = newPath()
    const { sign, reached } = signer({ path })
    expect(await codeOf(sign(signableOrder({ salt: 1n })))).toBe('signed')
    const command = openPolicyStore(path, { wallet: MAKER, ...BASE }, 'note')
    if (!command.ok) throw new Error(command.error)
    command.value.setStopAt(NOW)
    command.value.close()
    expect(await codeOf(sign(signableOrder({ salt: 2n, takerAmount: 1_000_001n })))).toBe('SIGN_STOPPED')
    expect(reached).toHaveLength(1)
  })

  test('a second signing process with the same file is refused', () => {
    const path = newPath()
    const first = policyStore(path)
    const second = openPolicyStore(path, { wallet: MAKER, ...BASE })
    expect(second).toMatchObject({
      ok: false,
      error: expect.stringContaining('another process'),
    })
    first.close()
    const third = openPolicyStore(path, { wallet: MAKER, ...BASE })
    expect(third).toMatchObject({ ok: true })
    if (third.ok) third.value.close()
  })

  test('the signer’s file pins wallet, chain and exchange, and refuses a configuration of others', () => {
    const path = newPath()
    policyStore(path).close()
    for (const other of [{ wallet: SOLVER }, { chainId: 56 }, { exchange: SOLVER }])
      expect(openPolicyStore(path, { wallet: MAKER, ...BASE, ...other })).toMatchObject({
        ok: false,
        error: expect.stringContaining('the signatures of'),
      })
  })

  test('only its owner can read the signer’s file, whose mode is corrected', () => {
    const path = newPath()
    policyStore(path).close()
    expect(existsSync(`${path}.lock`)).toBe(true)
    for (const file of [path, `${path}.lock`]) expect(statSync(file).mode & 0o777).toBe(0o600)
  })

  test('a stop that is no time stops the signer at once', async () => {
    const path = newPath()
    policyStore(path).close()
    const edited = new DatabaseSync(path)
    edited.exec("INSERT INTO meta (key, value) VALUES ('stopAt', 'soon')")
    edited.close()
    expect(await codeOf(signer({ path }).sign(signableOrder()))).toBe('SIGN_STOPPED')
  })
})
