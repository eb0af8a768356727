import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { privateKeyToAccount } from 'viem/accounts'
import { afterEach, describe, expect, test } from 'vitest'
import { openChain } from '../../../../src/custody/chain/open-chain.ts'
import type { ChainSettings } from '../../../../src/custody/chain/chain.ts'
import {
  EXCHANGE,
  NTZS,
  scriptedNode,
  scriptedOrder,
  scriptedSettings,
  USDC,
  type NodeState,
  type ScriptedNode,
} from './scripted-node.ts'

const ZERO = `0x${'0'.repeat(40)}` as const
const nodes: ScriptedNode[] = []

async function node(nodeState: Partial<NodeState> = {}): Promise<ScriptedNode> {
  const made = await scriptedNode(nodeState)
  nodes.push(made)
  return made
}

afterEach(async () => {
  await Promise.all(nodes.splice(0).map((one) => one.close()))
})

async function problemOf(settings: ChainSettings): Promise<string> {
  const chain = await openChain(settings, { account: null, now: Date.now, transactionsFile: null })
  if (!chain.ok) return chain.error
  await chain.value.close()
  return 'opened'
}

/** A port where no one listens. */
async function closedPort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

describe('opening the chain', () => {
  test('a chain that matches the settings opens, and reports only the host of an endpoint', async () => {
    const told: string[] = []
    const { url } = await node()
    const settings = scriptedSettings([], { urls: [() => `${url}/v2/secret-key`] })
    const parts = { account: null, now: Date.now, transactionsFile: null }
    const chain = await openChain(settings, { ...parts, onEndpoint: (label) => told.push(label) })
    expect(chain.ok).toBe(true)
    expect(told).toEqual([new URL(url).host])
    if (chain.ok) await chain.value.close()
  })

  test('a key with a percent sign that escapes nothing is one like any other', async () => {
    const { url } = await node()
    const withUser = url.replace('://', '://us%er:pass%word@')
    for (const given of [`${url}/v2/100%secret?key=50%`, withUser])
      expect(await problemOf(scriptedSettings([], { urls: [given] }))).toBe('opened')
  })

  const wrong: readonly (readonly [string, Partial<NodeState>, RegExp])[] = [
    ['another chain', { chainId: 56 }, /is on chain 56, but the settings have 8453$/],
    ['no exchange', { code: { [NTZS]: '0x60', [USDC]: '0x60' } }, /no contract at the exchange's address/],
    ['an exchange without RFQ orders', { implementation: ZERO }, /no exchange at .* that fills RFQ orders/],
    ['no token', { code: { [EXCHANGE]: '0x60', [USDC]: '0x60' } }, /no contract at NTZS's address 0x/],
    ['other decimals', { decimals: { [NTZS]: 18, [USDC]: 18 } }, /18 decimals for USDC at .*; expected 6$/],
    ['a token without decimals', { decimals: { [NTZS]: 18 } }, /no decimals for USDC at 0x/],
  ]
  test.each(wrong)('%s is refused in one line that names the host', async (_, nodeState, words) => {
    const good = await node()
    const bad = await node(nodeState)
    const problem = await problemOf(scriptedSettings([good, bad]))
    expect(problem).toMatch(words)
    expect(problem).toContain(new URL(bad.url).host)
    expect(problem).not.toContain('\n')
  })

  test('a zero maker, a key of another wallet and an impossible quorum are refused without a request', async () => {
    const { url, requests } = await node()
    expect(await problemOf(scriptedSettings([{ url }], { maker: ZERO }))).toBe(
      'the maker is the zero address',
    )
    expect(await problemOf(scriptedSettings([{ url }], { exchange: ZERO }))).toMatch(/is the zero/)
    expect(await problemOf(scriptedSettings([{ url }], { quorum: 2 }))).toMatch(/2 endpoints cannot agree/)
    expect(await problemOf(scriptedSettings([]))).toMatch(/is configured/)
    const account = privateKeyToAccount(`0x${'1'.repeat(64)}`)
    const parts = { account, now: Date.now, transactionsFile: null }
    expect(await openChain(scriptedSettings([{ url }]), parts)).toMatchObject({
      ok: false,
      error: expect.stringMatching(/ 0x[0-9a-f]{40}, but the maker is 0x/),
    })
    expect(requests()).toBe(0)
  })

  test('an invalid URL is named by its position and not quoted', async () => {
    const { url } = await node()
    const problem = await problemOf(scriptedSettings([], { urls: [url, 'wss//secret-key'] }))
    expect(problem).toMatch(/^endpoint 2 .* URL$/)
  })

  test('one of two endpoints may be unreachable, and all of them are an error', async () => {
    const { url } = await node()
    const away = `http://127.0.0.1:${await closedPort()}/secret-key`
    expect(await problemOf(scriptedSettings([], { urls: [away, url] }))).toBe('opened')
    const problem = await problemOf(scriptedSettings([], { urls: [away] }))
    expect(problem).toMatch(
      /^no endpoint of the chain can be reached: 127\.0\.0\.1:\d+: no answer \(ECONNREFUSED\): 127\.0\.0\.1 failed after \d+ ms \(ECONNREFUSED\)$/,
    )
  })

  test('a chain opened without a key sends no transaction', async () => {
    const chain = await openChain(scriptedSettings([await node()]), {
      account: null,
      now: Date.now,
      transactionsFile: null,
    })
    if (!chain.ok) throw new Error(chain.error)
    const failure = { ok: false, error: { code: 'NO_ACCOUNT', kind: 'refused', outcome: 'failed' } }
    expect(await chain.value.cancel({ kind: 'each', orders: [scriptedOrder(1n)] })).toMatchObject(failure)
    expect(await chain.value.approve('NTZS', 1n)).toMatchObject(failure)
    await chain.value.close()
  })
})
