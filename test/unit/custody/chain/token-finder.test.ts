import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openTokenFinder, type TokenFinder } from '../../../../src/custody/chain/token-finder.ts'
import { TRANSFER } from '../../../../src/custody/chain/reading/read-logs.ts'
import type { Hex } from '../../../../src/core/rfq/rfq-order.ts'

const NTZS: Hex = '0x00000000000000000000000000000000000000c1'
const FROM: Hex = '0x00000000000000000000000000000000000000aa'
const TO: Hex = '0x00000000000000000000000000000000000000bb'
const TX: Hex = `0x${'7'.repeat(64)}`
const word = (value: bigint) => `0x${value.toString(16).padStart(64, '0')}`

type Call = { readonly id: number; readonly method: string; readonly params: readonly [unknown, unknown] }
type Answers = Readonly<Record<string, (params: Call['params']) => unknown>>

const SERVED: Answers = {
  eth_chainId: () => '0x2105',
  eth_getCode: () => '0x60',
  // decimals() and totalSupply()
  eth_call: ([{ data }]: readonly [{ data: string }, unknown]) => word(data === '0x313ce567' ? 18n : 5_000n),
  eth_blockNumber: () => '0x64',
  eth_getLogs: () => [
    { data: word(41n), transactionHash: `0x${'6'.repeat(64)}` },
    { data: word(42n), transactionHash: TX },
  ],
} as never

async function finderOn(answers: Answers, asked: Call[] = []): Promise<TokenFinder> {
  const node = createServer((request, response) => {
    let text = ''
    request.on('data', (chunk) => (text += String(chunk)))
    request.on('end', () => {
      const given = JSON.parse(text) as Call | Call[]
      const calls = Array.isArray(given) ? given : [given]
      asked.push(...calls)
      const replies = calls.map(({ id, method, params }) => ({
        jsonrpc: '2.0',
        id,
        result: answers[method]?.(params) ?? null,
      }))
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify(Array.isArray(given) ? replies : replies[0]))
    })
  })
  await new Promise<void>((resolve) => node.listen(0, '127.0.0.1', resolve))
  const { port } = node.address() as AddressInfo
  const settings = {
    chainId: 8_453,
    tokens: { NTZS },
    urls: [`http://127.0.0.1:${port}/secret-path`],
    timeoutMs: 2_000,
  }
  const finder = openTokenFinder(settings, () => 0)
  if (!finder.ok) throw new Error(finder.error)
  onTestFinished(() => new Promise<void>((resolve) => node.close(() => resolve())))
  onTestFinished(finder.value.close)
  return finder.value
}

const wanted = { asset: 'NTZS', from: FROM, to: TO, least: 42n, most: 42n, sinceBlock: 100n } as const

describe('the finder of transfers', () => {
  test('reads height, supply, and the transfer of an amount between bounds between these two since that block', async () => {
    const asked: Call[] = []
    const finder = await finderOn(SERVED, asked)
    expect(await finder.height()).toEqual({ ok: true, value: 100n })
    expect(await finder.totalSupply('NTZS')).toEqual({ ok: true, value: 5_000n })
    expect(await finder.transfers(wanted)).toEqual({ ok: true, value: [{ hash: TX, amount: 42n }] })
    const [filter] = asked.find(({ method }) => method === 'eth_getLogs')?.params ?? []
    expect(filter).toMatchObject({
      address: NTZS,
      fromBlock: '0x64',
      topics: [
        expect.any(String),
        `0x${FROM.slice(2).padStart(64, '0')}`,
        `0x${TO.slice(2).padStart(64, '0')}`,
      ],
    })
  })

  test('finds all that are within the bounds, and nothing where none is, which is no failure', async () => {
    const finder = await finderOn(SERVED)
    expect(await finder.transfers({ ...wanted, least: 43n, most: 50n })).toEqual({ ok: true, value: [] })
    const both = await finder.transfers({ ...wanted, least: 41n })
    expect(both).toMatchObject({ ok: true, value: [{ amount: 41n }, { amount: 42n }] })
  })

  test.each([
    ['another chain', { ...SERVED, eth_chainId: () => '0x1' }],
    ['logs that are no list', { ...SERVED, eth_getLogs: () => 'none' }],
    ['a log without a hash', { ...SERVED, eth_getLogs: () => [{ data: word(42n) }] }],
    ['no answer', { ...SERVED, eth_getLogs: () => null }],
  ])('an endpoint with %s is a failure that shows no address with a key', async (_what, answers) => {
    const finder = await finderOn(answers)
    const found = await finder.transfers(wanted)
    expect(found.ok).toBe(false)
    expect(JSON.stringify(found)).not.toContain('secret-path')
  })

  test.each([
    [
      'what it brought, in one transfer or several',
      [
        [NTZS, TO, 40n],
        [NTZS, TO, 2n],
      ],
      42n,
    ],
    [
      'nothing to others and of other tokens',
      [
        [NTZS, FROM, 40n],
        [FROM, TO, 2n],
      ],
      null,
    ],
    ['nothing where it failed', [], null],
  ] as const)('of one transaction counts %s', async (_what, transfers, brought) => {
    const logs = transfers.map(([address, to, amount]) => ({
      address: address.toUpperCase().replace('0X', '0x'),
      topics: [TRANSFER, word(1n), `0x${to.slice(2).padStart(64, '0')}`],
      data: word(amount),
    }))
    const asked: Call[] = []
    const finder = await finderOn({ ...SERVED, eth_getTransactionReceipt: () => ({ logs }) }, asked)
    expect(await finder.delivered({ asset: 'NTZS', to: TO, hash: TX })).toEqual({ ok: true, value: brought })
    expect(asked.at(-1)?.params).toEqual([TX])
  })

  test('asks for no transaction with an invalid hash, and one that the chain does not have brings nothing', async () => {
    const asked: Call[] = []
    const finder = await finderOn(SERVED, asked)
    const none = { ok: true, value: null }
    expect(await finder.delivered({ asset: 'NTZS', to: TO, hash: 'pending; drop table' })).toEqual(none)
    expect(asked).toEqual([])
    expect(await finder.delivered({ asset: 'NTZS', to: TO, hash: TX })).toEqual(none)
  })

  test.each([
    ['logs that are no list', { logs: 'none' }],
    [
      'a transfer without an amount',
      { logs: [{ address: NTZS, topics: [TRANSFER, null, word(BigInt(TO))] }] },
    ],
    ['a transfer of no token', { logs: [{ topics: [] }] }],
  ])('a receipt with %s is a failure', async (_what, receipt) => {
    const finder = await finderOn({ ...SERVED, eth_getTransactionReceipt: () => receipt })
    expect((await finder.delivered({ asset: 'NTZS', to: TO, hash: TX })).ok).toBe(false)
  })

  test('a token that has no address is a failure', async () => {
    const finder = await finderOn(SERVED)
    expect((await finder.totalSupply('USDC')).ok).toBe(false)
  })
})
