import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { encodeEventTopics, erc20Abi, keccak256, parseTransaction, toHex, type LocalAccount } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { ChainSettings } from '../../../../../src/custody/chain/chain.ts'
import { openChain, type ChainParts } from '../../../../../src/custody/chain/open-chain.ts'
import type { TransactionEvent } from '../../../../../src/custody/chain/transactions/sender-parts.ts'
import type { Hex } from '../../../../../src/core/rfq/rfq-order.ts'
import { holdTimers } from '../../../../support/held-timer.ts'
import {
  EXCHANGE,
  NTZS,
  Refusal,
  scriptedNode,
  scriptedOrder,
  scriptedSettings,
  type ScriptedNode,
} from '../scripted-node.ts'

const account = privateKeyToAccount(`0x${'1'.repeat(64)}`)
const folder = mkdtempSync(join(tmpdir(), 'sender-'))
type Mempool = {
  readonly node: ScriptedNode
  /** What was sent, decoded. */
  readonly sent: ReturnType<typeof parseTransaction>[]
  nonce: number
  balance: bigint
  /** Says to a transaction what it wants; undefined takes it. */
  refuse: (nonce: number) => Refusal | undefined
  mined: Map<Hex, unknown>
}

async function mempool(): Promise<Mempool> {
  const node = await scriptedNode()
  onTestFinished(() => node.close())
  const pool: Mempool = {
    node,
    sent: [],
    nonce: 5,
    balance: 10n ** 18n,
    refuse: () => undefined,
    mined: new Map(),
  }
  node.nodeState.script = (method, [first]) => {
    const isFromMaker = typeof first === 'object' && first !== null && 'from' in first
    if (method === 'eth_call' && isFromMaker) return '0x'
    if (method === 'eth_estimateGas') return toHex(40_000)
    if (method === 'eth_getTransactionCount') return toHex(pool.nonce)
    if (method === 'eth_getBalance') return toHex(pool.balance)
    if (method === 'eth_getTransactionReceipt') return pool.mined.get(first as Hex) ?? null
    if (method !== 'eth_sendRawTransaction') return undefined
    const transaction = parseTransaction(first as Hex)
    pool.sent.push(transaction)
    return pool.refuse(transaction.nonce ?? 0) ?? keccak256(first as Hex)
  }
  return pool
}

async function chainOf(
  pools: readonly Mempool[],
  more: Partial<ChainSettings> = {},
  parts: Partial<ChainParts> = {},
) {
  const maker = (parts.account ?? account).address
  const settings = scriptedSettings(
    pools.map(({ node }) => node),
    { maker, ...more },
  )
  const given = { account, now: Date.now, transactionsFile: null, ...parts }
  const chain = await openChain(settings, given)
  if (!chain.ok) throw new Error(chain.error)
  onTestFinished(() => chain.value.close())
  return chain.value
}

const cancel = (salt: bigint) => ({ kind: 'each', orders: [scriptedOrder(salt)] }) as const

describe('sending', () => {
  test('a transaction offers a quarter more gas than the estimate, and the fees of the settings', async () => {
    const pool = await mempool()
    const chain = await chainOf([pool], { tipGwei: 0.5, maxFeeGwei: 3 })
    const sent = await chain.cancel(cancel(1n))
    expect(sent).toMatchObject({ ok: true, value: { nonce: 5 } })
    expect(pool.sent[0]).toMatchObject({
      type: 'eip1559',
      chainId: 8_453,
      nonce: 5,
      gas: 50_000n,
      maxPriorityFeePerGas: 500_000_000n,
      maxFeePerGas: 520_000_000n,
    })
    expect(pool.sent[0]?.value ?? 0n).toBe(0n)
  })

  test('a refused transaction that cannot be taken off the disk has an unknown outcome, for the next start sends it', async () => {
    const pool = await mempool()
    const home = mkdtempSync(join(folder, 'unwritable-'))
    const chain = await chainOf([pool], {}, { transactionsFile: join(home, 'transactions.json') })
    pool.refuse = () => {
      rmSync(home, { recursive: true })
      writeFileSync(home, 'a file where the folder was')
      return new Refusal(-32_000, 'insufficient funds for gas')
    }
    expect(await chain.cancel(cancel(1n))).toMatchObject({ ok: false, error: { outcome: 'unknown' } })
  })

  test('a nonce that another transaction uses is followed by the next one', async () => {
    for (const words of ['nonce too low', 'replacement transaction underpriced']) {
      const pool = await mempool()
      const chain = await chainOf([pool])
      pool.refuse = (nonce) => (nonce < 7 ? new Refusal(-32_000, words) : undefined)
      expect(await chain.cancel(cancel(1n))).toMatchObject({ ok: true, value: { nonce: 7 } })
      expect(pool.sent.map(({ nonce }) => nonce)).toEqual([5, 6, 7])
    }
  })

  test('a sender stops after three nonces that others use', async () => {
    const pool = await mempool()
    const chain = await chainOf([pool])
    pool.refuse = () => new Refusal(-32_000, 'nonce too low')
    expect(await chain.cancel(cancel(1n))).toMatchObject({
      ok: false,
      error: { code: 'NONCE_TOO_LOW', kind: 'refused', outcome: 'failed', route: 'chain cancel' },
    })
    expect(pool.sent).toHaveLength(3)
  })

  const refusals: readonly (readonly [string, string, RegExp])[] = [
    ['insufficient funds for gas * price + value', 'NO_GAS_FUNDS', /the wallet has no ETH for gas/],
    [
      'transaction underpriced',
      'UNDERPRICED',
      /the network refuses the transaction: transaction underpriced/,
    ],
    ['unknown transaction type', 'TRANSACTION_REFUSED', /unknown transaction type/],
  ]
  test.each(refusals)(
    'a network that says "%s" has nothing, and its nonce is free',
    async (words, code, message) => {
      const pool = await mempool()
      const chain = await chainOf([pool])
      pool.refuse = () => new Refusal(-32_000, words)
      const refused = await chain.cancel(cancel(1n))
      expect(refused).toMatchObject({ ok: false, error: { code, outcome: 'failed' } })
      expect(refused.ok ? '' : refused.error.message).toMatch(message)
      pool.refuse = () => undefined
      expect(await chain.cancel(cancel(2n))).toMatchObject({ ok: true, value: { nonce: 5 } })
    },
  )

  test('a transaction that the network knows already counts as sent', async () => {
    const pool = await mempool()
    const chain = await chainOf([pool])
    pool.refuse = () => new Refusal(-32_000, 'already known')
    expect(await chain.cancel(cancel(1n))).toMatchObject({ ok: true, value: { nonce: 5 } })
  })

  test('a transaction goes to every endpoint, and one that accepts it suffices', async () => {
    const pools = [await mempool(), await mempool()]
    const [one, two] = pools as [Mempool, Mempool]
    const chain = await chainOf(pools)
    one.refuse = () => new Refusal(-32_000, 'the sequencer is asleep')
    expect(await chain.cancel(cancel(1n))).toMatchObject({ ok: true })
    expect(two.sent).toEqual(one.sent)
  })

  test('a transaction without an answer keeps its nonce and is sent again later', async () => {
    const pool = await mempool()
    const passDeadline = holdTimers(12_345)
    const { promise: replaced, resolve } = Promise.withResolvers<void>()
    const more = { timeoutMs: 12_345, replaceAfterMs: 400 }
    const onTransaction = ({ kind, nonce }: TransactionEvent) => {
      if (kind === 'replaced' && nonce === 5) resolve()
    }
    const chain = await chainOf([pool], more, { onTransaction })
    pool.node.nodeState.raw = (body) => {
      if (!body.includes('eth_sendRawTransaction')) return false
      passDeadline()
      return true
    }
    expect(await chain.cancel(cancel(1n))).toMatchObject({
      ok: false,
      error: { code: 'NOT_ANSWERED', outcome: 'unknown', kind: 'timeout' },
    })
    pool.node.nodeState.raw = null
    expect(await chain.cancel(cancel(2n))).toMatchObject({ ok: true, value: { nonce: 6 } })
    await replaced
    expect(pool.sent.filter(({ nonce }) => nonce === 5).length).toBeGreaterThan(0)
  })

  test('a signer that fails sends nothing and quotes nothing', async () => {
    const pool = await mempool()
    const broken: LocalAccount = {
      ...account,
      signTransaction: () => Promise.reject(new Error('the key is 0x1234')),
    }
    const chain = await chainOf([pool], {}, { account: broken })
    const failed = await chain.cancel(cancel(1n))
    expect(failed).toMatchObject({ ok: false, error: { code: 'NOT_SIGNED', outcome: 'failed' } })
    expect(JSON.stringify(failed)).not.toContain('0x1234')
    expect(pool.sent).toEqual([])
  })

  test('a transaction that cannot be written to disk is not sent', async () => {
    const pool = await mempool()
    const chain = await chainOf([pool], {}, { transactionsFile: join(folder, 'missing', 'file.json') })
    expect(await chain.cancel(cancel(1n))).toMatchObject({
      ok: false,
      error: { code: 'NOT_WRITTEN', outcome: 'failed' },
    })
    expect(pool.sent).toEqual([])
  })

  test('a cancellation of no order, or of one that does not fit the struct, is refused', async () => {
    const chain = await chainOf([await mempool()])
    const failure = { ok: false, error: { code: 'NOTHING_TO_CANCEL' } }
    expect(await chain.cancel({ kind: 'each', orders: [] })).toMatchObject(failure)
    const unfit = scriptedOrder(1n, { takerAmount: -1n })
    expect(await chain.cancel({ kind: 'each', orders: [unfit] })).toMatchObject(failure)
  })
})

describe('following', () => {
  test('a revert in a block is reported with its gas and the rollup’s data fee, and approve fails', async () => {
    const pool = await mempool()
    const gas: bigint[] = []
    const chain = await chainOf([pool], { replaceAfterMs: 1_000 }, { onGas: (wei) => gas.push(wei) })
    const usual = pool.node.nodeState.script
    pool.node.nodeState.script = (method, params) => {
      const result = usual(method, params)
      if (method !== 'eth_sendRawTransaction') return result
      pool.mined.set(result as Hex, {
        transactionHash: result,
        blockNumber: toHex(100),
        gasUsed: toHex(30_000),
        effectiveGasPrice: toHex(7),
        l1Fee: toHex(11),
        status: '0x0',
      })
      return result
    }
    const failed = await chain.approve('NTZS', 5n)
    expect(failed).toMatchObject({ ok: false, error: { code: 'REVERTED_IN_BLOCK', route: 'chain approve' } })
    expect(gas).toEqual([210_011n])
  })

  const ofApproval = (spender: Hex) => ({
    address: NTZS,
    topics: encodeEventTopics({
      abi: erc20Abi,
      eventName: 'Approval',
      args: { owner: account.address, spender },
    }),
    data: toHex(9_000n * 10n ** 18n, { size: 32 }),
  })

  // A fill after the approval may leave exactly what was allowed before it.
  test.each([
    ['is set if the token reports it in the receipt', [ofApproval(EXCHANGE)], { ok: true }],
    ['is not set without a report', [], { ok: false, error: { code: 'ALLOWANCE_NOT_SET' } }],
    ['is not set by a report about another spender', [ofApproval(NTZS)], { ok: false }],
  ])('an allowance that reads as before the approval %s', async (_, logs, expected) => {
    const pool = await mempool()
    const chain = await chainOf([pool])
    const usual = pool.node.nodeState.script
    pool.node.nodeState.script = (method, params) => {
      const result = usual(method, params)
      if (method === 'eth_sendRawTransaction')
        pool.mined.set(result as Hex, {
          transactionHash: result,
          blockNumber: toHex(100),
          gasUsed: toHex(30_000),
          effectiveGasPrice: toHex(7),
          status: '0x1',
          logs,
        })
      return result
    }
    expect(await chain.approve('NTZS', 9_000n * 10n ** 18n)).toMatchObject(expected)
  })

  test('a transaction whose nonce another one used is dropped after a while', async () => {
    const pool = await mempool()
    const kinds: TransactionEvent['kind'][] = []
    const { promise: superseded, resolve } = Promise.withResolvers<void>()
    const onTransaction = ({ kind }: TransactionEvent) => {
      kinds.push(kind)
      if (kind === 'superseded') resolve()
    }
    const chain = await chainOf([pool], { replaceAfterMs: 300 }, { onTransaction })
    expect(await chain.cancel(cancel(1n))).toMatchObject({ ok: true })
    pool.nonce = 6
    await superseded
    expect(kinds).not.toContain('replaced')
  })

  test('approve stops waiting, and reports that the transaction may still be mined', async () => {
    const pool = await mempool()
    const chain = await chainOf([pool], { receiptTimeoutMs: 300 })
    expect(await chain.approve('NTZS', 5n)).toMatchObject({
      ok: false,
      error: { code: 'NOT_MINED', outcome: 'unknown' },
    })
  })

  test('approve sends an allowance that the chain shows already while another amount is under way', async () => {
    const pool = await mempool()
    pool.node.nodeState.allowances[NTZS] = 0n
    const chain = await chainOf([pool], { receiptTimeoutMs: 300 })
    // The last nonce wins: 5 was given up, not undone, and 0 does not undo a 5 that comes after it.
    for (const amount of [5n, 0n, 5n])
      expect(await chain.approve('NTZS', amount)).toMatchObject({ ok: false, error: { code: 'NOT_MINED' } })
    const allowed = pool.sent.map(({ nonce, data }) => [nonce, BigInt(`0x${data?.slice(-64)}`)])
    expect(allowed).toEqual([
      [5, 5n],
      [6, 0n],
      [7, 5n],
    ])
  })
})
