import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseGwei } from 'viem'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { decodeJson, encodeJson } from '../../../src/base/codec.ts'
import type { TransactionEvent } from '../../../src/custody/chain/transactions/sender-parts.ts'
import type { TransactionVersion } from '../../../src/custody/chain/transactions/transaction-store.ts'
import type { Hex } from '../../../src/core/rfq/rfq-order.ts'
import { testChain } from '../../support/chain.ts'
import { needs } from '../../support/needs.ts'
import { fillOn, makerOf, opened, orderOn, settingsOn } from './chain-fixture.ts'
import { chainProxy } from './chain-proxy.ts'

const folder = mkdtempSync(join(tmpdir(), 'chain-'))

describe.skipIf(needs('anvil'))('transactions of the maker', () => {
  const started = testChain()
  const nonceNow = () =>
    started().client.getTransactionCount({ address: started().accounts.maker.address, blockTag: 'pending' })

  afterEach(async () => {
    await started().rpc('evm_setAutomine', [true])
  })

  test('a cancelled order reads CANCELLED, and its gas is reported once and exactly', async () => {
    const gas: [bigint, string][] = []
    const events: TransactionEvent[] = []
    const chain = await opened(settingsOn(started(), { replaceAfterMs: 1_000 }), {
      account: makerOf(started()),
      onGas: (...told) => gas.push(told),
      onTransaction: (event) => events.push(event),
    })
    const [first, second, third] = await Promise.all([1n, 2n, 3n].map((salt) => orderOn(started(), salt)))
    if (first === undefined || second === undefined || third === undefined) throw new Error('no orders')
    const one = await chain.cancel({ kind: 'each', orders: [first] })
    const two = await chain.cancel({ kind: 'each', orders: [second, third] })
    if (!one.ok || !two.ok) throw new Error('not sent')
    expect(two.value.nonce).toBe(one.value.nonce + 1)
    await expect
      .poll(async () => {
        const reading = await chain.read([first, second, third], null)
        return reading.ok && reading.value.orders.map(({ status }) => status)
      })
      .toEqual(Array(3).fill('CANCELLED'))
    await vi.waitFor(() => expect(gas).toHaveLength(2), 5_000)
    const receipt = await started().client.getTransactionReceipt({ hash: one.value.txHash })
    expect(gas[0]).toEqual([receipt.gasUsed * receipt.effectiveGasPrice, 'cancel'])
    await started().mine(3)
    await vi.waitFor(() => expect(events.filter(({ kind }) => kind === 'final')).toHaveLength(2), 5_000)
    expect(gas).toHaveLength(2)
    await chain.close()
  })

  test('a pair cancel kills every order below its salt and none above', async () => {
    const chain = await opened(settingsOn(started()), { account: makerOf(started()) })
    const orders = await Promise.all([10n, 11n, 12n].map((salt) => orderOn(started(), salt)))
    const [{ makerToken, takerToken }] = orders as [(typeof orders)[number]]
    const sent = await chain.cancel({ kind: 'pair', makerToken, takerToken, minValidSalt: 12n })
    expect(sent.ok).toBe(true)
    const statuses = async () => {
      const reading = await chain.read(orders, null)
      return reading.ok ? reading.value.orders.map(({ status }) => status) : reading.error
    }
    // A node says that it has a transaction before it has mined it.
    await expect.poll(statuses).toEqual(['CANCELLED', 'CANCELLED', 'FILLABLE'])
    const lower = await chain.cancel({ kind: 'pair', makerToken, takerToken, minValidSalt: 5n })
    expect(lower).toMatchObject({
      ok: false,
      error: { kind: 'refused', code: 'CancelSaltTooLowError', outcome: 'failed', retriable: false },
    })
    expect(lower.ok ? '' : lower.error.message).toContain('minValidSalt 5, oldMinValidSalt 12')
    await chain.close()
  })

  test('a cancel of someone else’s order is refused by name and never sent', async () => {
    const chain = await opened(settingsOn(started()), { account: makerOf(started()) })
    const before = await nonceNow()
    const order = { ...(await orderOn(started(), 20n)), maker: started().accounts.taker.address }
    const sent = await chain.cancel({ kind: 'each', orders: [order] })
    expect(sent).toMatchObject({ ok: false, error: { code: 'OnlyOrderMakerAllowed' } })
    expect(await nonceNow()).toBe(before)
    await chain.close()
  })

  test('sends at the same time use a nonce each, and the same call is under way only once', async () => {
    const chain = await opened(settingsOn(started()), { account: makerOf(started()) })
    await started().rpc('evm_setAutomine', [false])
    const orders = await Promise.all([30n, 31n, 32n].map((salt) => orderOn(started(), salt)))
    const sent = await Promise.all(
      [...orders, ...orders].map((order) => chain.cancel({ kind: 'each', orders: [order] })),
    )
    const nonces = sent.map((one) => (one.ok ? one.value.nonce : one.error.message))
    const first = Math.min(...nonces.map(Number))
    expect(nonces).toEqual([first, first + 1, first + 2, first, first + 1, first + 2])
    await started().mine()
    const reading = await chain.read(orders, null)
    expect(reading.ok && reading.value.orders.every(({ status }) => status === 'CANCELLED')).toBe(true)
    await chain.close()
  })

  test('a stuck transaction is replaced under the same nonce with at least an eighth more, and only one counts', async () => {
    const events: TransactionEvent[] = []
    const gas: bigint[] = []
    const file = join(folder, 'stuck.json')
    const chain = await opened(settingsOn(started(), { replaceAfterMs: 600 }), {
      account: makerOf(started()),
      transactionsFile: file,
      onTransaction: (event) => events.push(event),
      onGas: (wei) => gas.push(wei),
    })
    await started().rpc('evm_setAutomine', [false])
    const order = await orderOn(started(), 40n)
    const sent = await chain.cancel({ kind: 'each', orders: [order] })
    if (!sent.ok) throw new Error(sent.error.message)
    await vi.waitFor(() => expect(events.map(({ kind }) => kind)).toContain('replaced'), 5_000)
    const { client } = started()
    const replacement = events.find(({ kind }) => kind === 'replaced')
    const after = await client.getTransaction({ hash: replacement?.txHash ?? '0x' })
    expect(after.nonce).toBe(sent.value.nonce)
    const text = readFileSync(file, 'utf8')
    const kept = decodeJson(text) as { transactions: [{ versions: TransactionVersion[] }] }
    const [{ versions }] = kept.transactions
    expect(versions.length).toBeGreaterThanOrEqual(2)
    const [first, second] = versions as [TransactionVersion, TransactionVersion]
    expect(second.maxFeePerGas * 8n).toBeGreaterThanOrEqual(first.maxFeePerGas * 9n)
    expect(versions.map(({ maxFeePerGas }) => maxFeePerGas)).toContain(after.maxFeePerGas)
    await started().mine()
    await vi.waitFor(() => expect(events.map(({ kind }) => kind)).toContain('mined'), 5_000)
    expect(gas).toHaveLength(1)
    const reading = await chain.read([order], null)
    expect(reading.ok && reading.value.orders[0]?.status).toBe('CANCELLED')
    await chain.close()
  })

  test('above the cap nothing is sent, and a waiting transaction is not replaced beyond it', async () => {
    const dear = await opened(settingsOn(started(), { maxFeeGwei: 0.001 }), { account: makerOf(started()) })
    const order = await orderOn(started(), 50n)
    const refused = await dear.cancel({ kind: 'each', orders: [order] })
    expect(refused).toMatchObject({ ok: false, error: { code: 'GAS_TOO_HIGH', outcome: 'failed' } })
    await dear.close()
    const events: TransactionEvent[] = []
    const { baseFeePerGas } = await started().client.getBlock()
    const maxFeeGwei = Number(baseFeePerGas) / 1e9 + 0.01
    const chain = await opened(settingsOn(started(), { maxFeeGwei, replaceAfterMs: 500 }), {
      account: makerOf(started()),
      onTransaction: (event) => events.push(event),
    })
    await started().rpc('evm_setAutomine', [false])
    const sent = await chain.cancel({ kind: 'each', orders: [order] })
    if (!sent.ok) throw new Error(sent.error.message)
    await vi.waitFor(() => expect(events.map(({ kind }) => kind)).toContain('fee-capped'), 5_000)
    expect(events.map(({ kind }) => kind)).not.toContain('replaced')
    const { maxFeePerGas = 0n } = await started().client.getTransaction({ hash: sent.value.txHash })
    expect(maxFeePerGas).toBeLessThanOrEqual(parseGwei(maxFeeGwei.toFixed(9)))
    await started().mine()
    await chain.close()
  })

  test('a transaction that a reorganisation takes out of its block is sent again', async () => {
    const events: TransactionEvent[] = []
    const chain = await opened(settingsOn(started(), { replaceAfterMs: 1_000 }), {
      account: makerOf(started()),
      onTransaction: (event) => events.push(event),
    })
    const order = await orderOn(started(), 60n)
    const before = await started().snapshot()
    const sent = await chain.cancel({ kind: 'each', orders: [order] })
    expect(sent.ok).toBe(true)
    await vi.waitFor(() => expect(events.map(({ kind }) => kind)).toContain('mined'), 5_000)
    await started().revert(before)
    const gone = await chain.read([order], null)
    await vi.waitFor(() => expect(events.map(({ kind }) => kind)).toContain('sent-again'), 5_000)
    const again = await chain.read([order], null)
    expect(gone.ok && again.ok && again.value.orders[0]?.status).toBe('CANCELLED')
    await chain.close()
  })

  test('a wallet without ETH says so, and nothing is sent', async () => {
    const { rpc, accounts } = started()
    const before = await started().snapshot()
    await rpc('anvil_setBalance', [accounts.maker.address, '0x1'])
    const chain = await opened(settingsOn(started()), { account: makerOf(started()) })
    const sent = await chain.cancel({ kind: 'each', orders: [await orderOn(started(), 70n)] })
    expect(sent).toMatchObject({ ok: false, error: { code: 'NO_GAS_FUNDS', outcome: 'failed' } })
    expect(sent.ok ? '' : sent.error.message).toMatch(/ETH .*for gas/)
    await started().revert(before)
    await chain.close()
  })

  test('approve allows exactly the amount, sends nothing where it is so, and an order can be filled with it', async () => {
    const chain = await opened(settingsOn(started()), { account: makerOf(started()) })
    const { tokens, accounts, exchange } = started()
    const order = await orderOn(started(), 80n)
    const done = await chain.approve('NTZS', order.makerAmount)
    expect(done).toMatchObject({ ok: true, value: { txHash: expect.stringMatching(/^0x[0-9a-f]{64}$/) } })
    expect(await tokens.allowance('NTZS', accounts.maker.address, exchange)).toBe(order.makerAmount)
    const nonce = await nonceNow()
    expect(await chain.approve('NTZS', order.makerAmount)).toEqual({ ok: true, value: null })
    expect(await nonceNow()).toBe(nonce)
    await tokens.approve('USDC', accounts.solver.address, exchange, order.takerAmount)
    await fillOn(started(), order, order.takerAmount)
    const wallet = await chain.wallet()
    expect(wallet.ok && wallet.value.allowances.NTZS).toBe(0n)
    const endless = await chain.approve('NTZS', (1n << 256n) - 1n)
    expect(endless).toMatchObject({ ok: false, error: { code: 'AMOUNT_OUT_OF_RANGE' } })
    expect(await chain.approve('USDT.bnb', 1n)).toMatchObject({ ok: false, error: { code: 'UNKNOWN_TOKEN' } })
    await chain.close()
  })

  test('a token that wants 0 first is set to 0 and then to the amount', async () => {
    const { tokens, accounts, exchange, url } = started()
    const maker = accounts.maker.address
    await tokens.approve('USDT', maker, exchange, 7n)
    const proxy = await chainProxy(url)
    // Real USDT reverts without a reason where an allowance that is not 0 is set to another one.
    proxy.answer = async ({ id, method, params }, answer) => {
      const [call] = params as [{ to: string; data: Hex }]
      const isApprove = /^eth_(call|estimateGas)$/.test(method) && call.data.startsWith('0x095ea7b3')
      const isZero = isApprove && BigInt(`0x${call.data.slice(-64)}`) === 0n
      if (!isApprove || isZero || (await tokens.allowance('USDT', maker, exchange)) === 0n) return answer
      return { id, error: { code: 3, message: 'execution reverted', data: '0x' } }
    }
    const purposes: string[] = []
    const chain = await opened(settingsOn(started(), { urls: [proxy.url] }), {
      account: makerOf(started()),
      onGas: (_, purpose) => purposes.push(purpose),
    })
    expect(await chain.approve('USDT', 9n)).toMatchObject({ ok: true })
    expect(await tokens.allowance('USDT', maker, exchange)).toBe(9n)
    expect(purposes).toEqual(['approve', 'approve'])
    await chain.close()
    await proxy.close()
  })

  test('killed between writing a transaction down and sending it, the next start sends it and no other', async () => {
    const { url, client, accounts } = started()
    const proxy = await chainProxy(url)
    const order = await orderOn(started(), 90n)
    const transactionsFile = join(folder, 'killed.json')
    const nonce = await nonceNow()
    const child = spawn(process.execPath, [
      join(import.meta.dirname, 'chain-cancel-child.ts'),
      encodeJson({
        settings: settingsOn(started(), { urls: [proxy.url] }),
        key: accounts.maker.key,
        cancel: { kind: 'each', orders: [order] },
        transactionsFile,
      }),
    ])
    const ended = once(child, 'exit')
    proxy.passes = ({ method }) => {
      if (method !== 'eth_sendRawTransaction') return true
      child.kill('SIGKILL')
      return false
    }
    expect(await ended).toEqual([null, 'SIGKILL'])
    expect(await nonceNow()).toBe(nonce)
    const events: TransactionEvent[] = []
    const chain = await opened(settingsOn(started()), {
      account: makerOf(started()),
      transactionsFile,
      onTransaction: (event) => events.push(event),
    })
    // Asked for again by anyone who does not know of it either.
    const again = await chain.cancel({ kind: 'each', orders: [order] })
    expect(again).toMatchObject({ ok: true, value: { nonce } })
    const reading = await chain.read([order], null)
    expect(reading.ok && reading.value.orders[0]?.status).toBe('CANCELLED')
    expect(await client.getTransactionCount({ address: accounts.maker.address })).toBe(nonce + 1)
    expect(events[0]).toMatchObject({ kind: 'sent-again', nonce })
    await chain.close()
    await proxy.close()
  })

  test('what was mined while we were away is accounted for at the next start', async () => {
    const { url, rpc } = started()
    const transactionsFile = join(folder, 'away.json')
    const proxy = await chainProxy(url)
    const settings = settingsOn(started(), { urls: [proxy.url], timeoutMs: 2_000 })
    const chain = await opened(settings, { account: makerOf(started()), transactionsFile })
    await rpc('evm_setAutomine', [false])
    proxy.answer = ({ method }, answer) =>
      method === 'eth_sendRawTransaction' ? new Promise(() => {}) : answer
    const order = await orderOn(started(), 91n)
    const sent = await chain.cancel({ kind: 'each', orders: [order] })
    expect(sent).toMatchObject({ ok: false, error: { code: 'NOT_ANSWERED', outcome: 'unknown' } })
    await chain.close()
    await started().mine()
    const gas: string[] = []
    const next = await opened(settingsOn(started()), {
      account: makerOf(started()),
      transactionsFile,
      onGas: (_, purpose) => gas.push(purpose),
    })
    await vi.waitFor(() => expect(gas).toEqual(['cancel']), 5_000)
    const reading = await next.read([order], null)
    expect(reading.ok && reading.value.orders[0]?.status).toBe('CANCELLED')
    await next.close()
    await proxy.close()
  })

  test('a command beside the daemon uses nonces of its own, and each follows what the other sent', async () => {
    const { rpc, accounts, client } = started()
    const transactionsFile = join(folder, 'shared.json')
    const events: TransactionEvent[] = []
    const daemon = await opened(settingsOn(started(), { replaceAfterMs: 1_000 }), {
      account: makerOf(started()),
      transactionsFile,
      onTransaction: (event) => events.push(event),
    })
    await rpc('evm_setAutomine', [false])
    const orders = await Promise.all([100n, 101n, 102n, 103n].map((salt) => orderOn(started(), salt)))
    const [first, ...others] = orders as [(typeof orders)[number]]
    const nonce = await nonceNow()
    const child = spawn(process.execPath, [
      join(import.meta.dirname, 'chain-cancel-child.ts'),
      encodeJson({
        settings: settingsOn(started()),
        key: accounts.maker.key,
        cancel: { kind: 'each', orders: [first] },
        transactionsFile,
      }),
    ])
    const ended = once(child, 'exit')
    for (const order of others) {
      expect(await daemon.cancel({ kind: 'each', orders: [order] })).toMatchObject({ ok: true })
      await pause(150)
    }
    expect(await ended).toEqual([0, null])
    await rpc('evm_setAutomine', [true])
    await started().mine()
    await vi.waitFor(
      () =>
        expect(events.filter(({ kind }) => kind === 'mined').map((event) => event.nonce)).toEqual([
          nonce,
          nonce + 1,
          nonce + 2,
          nonce + 3,
        ]),
      10_000,
    )
    expect(await client.getTransactionCount({ address: accounts.maker.address })).toBe(nonce + 4)
    const reading = await daemon.read(orders, null)
    expect(reading.ok && reading.value.orders.every(({ status }) => status === 'CANCELLED')).toBe(true)
    await daemon.close()
  })
})
