import { describe, expect, onTestFinished, test } from 'vitest'
import type { Chain, ChainSettings } from '../../../../../src/custody/chain/chain.ts'
import { createOrderHasher } from '../../../../../src/custody/chain/reading/chain-reader.ts'
import { openChain } from '../../../../../src/custody/chain/open-chain.ts'
import { holdTimers } from '../../../../support/held-timer.ts'
import {
  blockHash,
  EXCHANGE,
  hashOf,
  Refusal,
  scriptedNode,
  scriptedOrder,
  scriptedSettings,
  type NodeState,
  type ScriptedNode,
} from '../scripted-node.ts'

const ORDERS = [scriptedOrder(1n), scriptedOrder(2n), scriptedOrder(3n)]

/** One for all nodes of a test: two whose times differ would disagree about the time of their block. */
const HEAD_TIME_MS = 1_800_000_000_000

async function node(nodeState: Partial<NodeState> = {}): Promise<ScriptedNode> {
  const made = await scriptedNode({ headTimeMs: HEAD_TIME_MS, ...nodeState })
  onTestFinished(() => made.close())
  return made
}

async function chainOf(
  nodes: readonly ScriptedNode[],
  more: Partial<ChainSettings> = {},
  now: () => number = () => HEAD_TIME_MS,
): Promise<Chain> {
  const parts = { account: null, now, transactionsFile: null }
  const chain = await openChain(scriptedSettings(nodes, more), parts)
  if (!chain.ok) throw new Error(chain.error)
  onTestFinished(() => chain.value.close())
  return chain.value
}

const hostOf = ({ url }: ScriptedNode) => new URL(url).host
/** Requests that a node got while this was done. */
async function asked(one: ScriptedNode, work: () => Promise<unknown>): Promise<number> {
  const before = one.requests()
  await work()
  return one.requests() - before
}

describe('a reading of the chain', () => {
  test('a reading has states in the order of the request, fills of our maker, balances and allowances, all at the head', async () => {
    const states: NodeState['states'] = new Map([
      [2n, { status: 'CANCELLED', filled: 0n }],
      [3n, { status: 'FILLABLE', filled: 250_000n }],
    ])
    const fills = [
      { salt: 9n, block: 97n, logIndex: 4 },
      { salt: 3n, block: 96n, logIndex: 10 },
      { salt: 3n, block: 96n, logIndex: 9 },
      { salt: 3n, block: 98n, logIndex: 0, isRemoved: true },
      { salt: 3n, block: 98n, logIndex: 1, maker: `0x${'d'.repeat(40)}` as const },
      { salt: 3n, block: 94n, logIndex: 0 },
    ]
    const one = await node({ states, fills: [...fills, ...fills] })
    const chain = await chainOf([one])
    const reading = await chain.read(ORDERS, 95n)
    if (!reading.ok) throw new Error(reading.error.message)
    const { head, orders } = reading.value
    expect(head).toEqual({ number: 100n, hash: blockHash(one.nodeState, 100n), t: one.nodeState.headTimeMs })
    expect(orders).toEqual([
      { salt: 1n, hash: hashOf(scriptedOrder(1n)), status: 'FILLABLE', takerFilled: 0n },
      { salt: 2n, hash: hashOf(scriptedOrder(2n)), status: 'CANCELLED', takerFilled: 0n },
      { salt: 3n, hash: hashOf(scriptedOrder(3n)), status: 'FILLABLE', takerFilled: 250_000n },
    ])
    expect(reading.value.fills.map(({ salt, block, key }) => [salt, block, key.split(':')[1]])).toEqual([
      [3n, 96n, '9'],
      [3n, 96n, '10'],
      [null, 97n, '4'],
    ])
    expect(reading.value.balances).toEqual({ NTZS: 5_000n * 10n ** 18n, USDC: 7_000_000n })
    expect(reading.value.allowances).toEqual({ NTZS: 4_000n * 10n ** 18n, USDC: 0n })
    expect(await chain.wallet()).toMatchObject({ ok: true, value: { allowances: { USDC: 0n } } })
  })

  test('a reading without a first block has the fills of the head alone', async () => {
    const fills = [99n, 100n].map((block) => ({ salt: 1n, block, logIndex: 0 }))
    const chain = await chainOf([await node({ fills })])
    const reading = await chain.read([], null)
    expect(reading).toMatchObject({ ok: true, value: { fillsFrom: 100n, fills: [{ block: 100n }] } })
  })

  test('a node that takes no block hashes, no batches, short ranges and few orders is read in pieces', async () => {
    const fills = [10n, 40n, 41n, 100n].map((block) => ({ salt: 1n, block, logIndex: 0 }))
    const limits = { knowsBlockHashes: false, takesBatches: false, logsLimit: 8n, callLimit: 2 }
    const one = await node({ fills, ...limits })
    const chain = await chainOf([one], { logsChunkBlocks: 30 })
    const orders = Array.from({ length: 9 }, (_, index) => scriptedOrder(BigInt(index)))
    const reading = await chain.read(orders, 1n)
    if (!reading.ok) throw new Error(reading.error.message)
    expect(reading.value.fills.map(({ block }) => block)).toEqual([10n, 40n, 41n, 100n])
    expect(reading.value.orders.map(({ salt }) => salt)).toEqual(orders.map(({ salt }) => salt))
    expect(reading.value.orders.every(({ status }) => status === 'FILLABLE')).toBe(true)
  })

  test('an exchange with another hash for an order is a mismatch, and its states are dropped', async () => {
    const one = await node({ hashOf: createOrderHasher(56, EXCHANGE) })
    const chain = await chainOf([one])
    const failed = await chain.read(ORDERS, null)
    expect(failed).toMatchObject({ ok: false, error: { code: 'CHAIN_MISMATCH', retriable: false } })
    const theirs = one.nodeState.hashOf(scriptedOrder(1n))
    expect(failed.ok ? '' : failed.error.message).toContain(
      `the exchange computes hash ${theirs} for order 1, here it is ${hashOf(scriptedOrder(1n))}`,
    )
  })

  test('an unknown order state is a malformed answer', async () => {
    const states: NodeState['states'] = new Map([[1n, { status: 'NONE' as 'INVALID', filled: 0n }]])
    const chain = await chainOf([await node({ states })])
    expect(await chain.read(ORDERS, null)).toMatchObject({ ok: false, error: { kind: 'malformed' } })
  })

  test('an order that does not fit the struct is refused without a request', async () => {
    const one = await node()
    const chain = await chainOf([one])
    const tooMuch = scriptedOrder(1n, { makerAmount: 1n << 128n })
    const requests = await asked(one, async () =>
      expect(await chain.read([tooMuch], null)).toMatchObject({ ok: false, error: { code: 'BAD_ORDER' } }),
    )
    expect(requests).toBe(0)
  })

  test('a reading whose block a reorganisation removes starts over', async () => {
    const one = await node({ fills: [{ salt: 1n, block: 100n, logIndex: 0 }] })
    const chain = await chainOf([one])
    const old = blockHash(one.nodeState, 100n)
    one.nodeState.script = (method) => {
      if (method !== 'eth_getLogs') return undefined
      Object.assign(one.nodeState, { fork: 'b', forkedAt: 100n, fills: [], script: () => undefined })
      return undefined
    }
    const reading = await chain.read(ORDERS, 90n)
    if (!reading.ok) throw new Error(reading.error.message)
    expect(reading.value.head.hash).not.toBe(old)
    expect(reading.value.fills).toEqual([])
  })

  test('a reading reports that the block of the last one is gone, at its height or below', async () => {
    const one = await node()
    const chain = await chainOf([one])
    const block = (number: bigint) => ({ number, hash: blockHash(one.nodeState, number) })
    const [ninety, hundred] = [block(90n), block(100n)]
    const reorganised = async (after: typeof ninety | null) => {
      const reading = await chain.read([], null, after)
      if (!reading.ok) throw new Error(reading.error.message)
      return reading.value.isReorganised
    }
    expect(await Promise.all([null, ninety, hundred].map(reorganised))).toEqual([
      undefined,
      undefined,
      undefined,
    ])
    Object.assign(one.nodeState, { fork: 'b', forkedAt: 95n })
    expect(await Promise.all([ninety, hundred].map(reorganised))).toEqual([undefined, true])
    // A head below it tells nothing of it; the core takes nothing from such a reading either.
    expect(await reorganised({ ...hundred, number: 101n })).toBeUndefined()
    one.nodeState.head = 104n
    expect(await Promise.all([ninety, hundred].map(reorganised))).toEqual([undefined, true])
  })

  test('a reading fails if the block of the last one cannot be read', async () => {
    const one = await node()
    const chain = await chainOf([one])
    const after = { number: 90n, hash: blockHash(one.nodeState, 90n) }
    one.nodeState.script = (method, [tag]) =>
      method === 'eth_getBlockByNumber' && tag === '0x5a' ? new Refusal(-32_000, 'pruned') : undefined
    expect(await chain.read([], null, after)).toMatchObject({ ok: false, error: { kind: 'malformed' } })
  })

  test('a chain whose head moves during every reading is reported as HEAD_MOVED, and the endpoint does not pause', async () => {
    let fork = 0
    const one = await node()
    const chain = await chainOf([one, await node()])
    one.nodeState.script = (method) => {
      if (method === 'eth_getLogs')
        Object.assign(one.nodeState, { fork: String((fork += 1)), forkedAt: 100n })
      return undefined
    }
    expect(await chain.read(ORDERS, null)).toMatchObject({
      ok: false,
      error: { code: 'HEAD_MOVED', retriable: true, route: 'chain read' },
    })
    one.nodeState.script = () => undefined
    const requests = await asked(one, () => chain.read(ORDERS, null))
    expect(requests).toBe(4)
  })

  test('a node behind the same URL that lacks the block is asked again after a pause', async () => {
    const one = await node({ fills: [{ salt: 1n, block: 100n, logIndex: 0 }] })
    const chain = await chainOf([one])
    let left = 2
    one.nodeState.script = (method, [first]) => {
      if (method === 'eth_getLogs' && left > 0) return []
      if (method === 'eth_getBlockByNumber' && first !== 'latest' && (left -= 1) >= 0) return null
      return undefined
    }
    expect(await chain.read([], null)).toMatchObject({ ok: true, value: { fills: [{ block: 100n }] } })
  })

  test('a fill outside the requested blocks, or of another head, is a malformed answer', async () => {
    const one = await node()
    const chain = await chainOf([one])
    const honest = one.nodeState.fills
    one.nodeState.fills = [
      ...honest,
      { salt: 1n, block: 100n, logIndex: 0, blockHash: `0x${'e'.repeat(64)}` },
    ]
    expect(await chain.read([], null)).toMatchObject({ ok: false, error: { kind: 'malformed' } })
    one.nodeState.script = (method) => (method === 'eth_getLogs' ? [{ address: 5 }] : undefined)
    expect(await chain.read([], null)).toMatchObject({ ok: false, error: { kind: 'malformed' } })
  })
})

describe('one endpoint of several', () => {
  test('the first endpoint is asked until it fails; then it pauses, twice as long each time, and returns', async () => {
    let t = 1_000_000
    const [one, two] = [await node(), await node()]
    const chain = await chainOf([one, two], {}, () => t)
    expect(await asked(two, () => chain.read([], null))).toBe(0)
    one.nodeState.raw = (_, response) => {
      response.writeHead(503).end()
      return true
    }
    expect(await chain.read([], null)).toMatchObject({ ok: true })
    expect(await asked(one, () => chain.read([], null))).toBe(0)
    t += 1_001
    expect(await asked(one, () => chain.read([], null))).toBe(1)
    t += 1_001
    expect(await asked(one, () => chain.read([], null))).toBe(0)
    t += 1_000
    one.nodeState.raw = null
    expect(await asked(two, () => chain.read([], null))).toBe(0)
  })

  let passDeadline = () => {}
  const bad: readonly (readonly [string, string, NonNullable<NodeState['raw']>])[] = [
    [
      'silent',
      'TIMEOUT',
      () => {
        passDeadline()
        return true
      },
    ],
    [
      'dripping',
      'TIMEOUT',
      (_, response) => {
        response.write('[')
        response.write(' ', () => passDeadline())
        return true
      },
    ],
    ['broken off', 'NETWORK', (_, response) => !response.destroy().writable],
    ['too long', 'TOO_LARGE', (_, response) => Boolean(response.end('x'.repeat(60_000)))],
    ['a page', 'MALFORMED', (_, response) => Boolean(response.end('<html>hello</html>'))],
    ['a redirect', 'MALFORMED', (_, response) => Boolean(response.writeHead(302, { location: '/' }).end())],
    ['an empty list', 'MALFORMED', (_, response) => Boolean(response.end('[]'))],
    ['a list of nothing', 'MALFORMED', (_, response) => Boolean(response.end('[null,null,3]'))],
    [
      'one reply twice',
      'MALFORMED',
      (_, response) => Boolean(response.end(JSON.stringify([1, 1].map((id) => ({ id, result: '0x2105' }))))),
    ],
    ['forbidden', 'AUTH', (_, response) => Boolean(response.writeHead(403).end())],
    [
      'too busy',
      'RATE_LIMIT',
      (_, response) => Boolean(response.writeHead(429, { 'retry-after': '7' }).end()),
    ],
    [
      'too busy, in words',
      'RATE_LIMIT',
      (body, response) => {
        const calls = JSON.parse(body) as { id: number }[]
        const error = { code: 429, message: 'compute units exceeded' }
        response.end(JSON.stringify(calls.map(({ id }) => ({ id, error }))))
        return true
      },
    ],
  ]
  test.each(bad)(
    'an answer that is %s is a failure by name, and the next endpoint is asked',
    async (_, code, raw) => {
      passDeadline = holdTimers(12_345)
      const [one, two] = [await node(), await node()]
      const more = { timeoutMs: 12_345, maxAnswerBytes: 50_000 }
      const alone = await chainOf([one], more)
      const both = await chainOf([one, two], more)
      one.nodeState.raw = raw
      const failed = await alone.read(ORDERS, 90n)
      expect(failed).toMatchObject({ ok: false, error: { code, route: 'chain read', outcome: 'failed' } })
      expect(failed.ok ? '' : failed.error.message).toContain(hostOf(one))
      if (!failed.ok && code === 'RATE_LIMIT') expect(failed.error.retriable).toBe(true)
      expect(await both.read(ORDERS, 90n)).toMatchObject({ ok: true })
    },
  )

  test('after an endpoint changes its chain the next one is asked', async () => {
    const [one, two] = [await node(), await node()]
    const alone = await chainOf([one])
    const both = await chainOf([one, two])
    one.nodeState.chainId = 1
    const failure = { ok: false, error: { code: 'CHAIN_MISMATCH', retriable: false } }
    expect(await alone.read([], null)).toMatchObject(failure)
    expect(await both.read([], null)).toMatchObject({ ok: true })
  })

  test('an endpoint that stalls, or is behind an earlier head, is replaced by one that is further', async () => {
    const [one, two] = [await node(), await node({ head: 130n })]
    const chain = await chainOf([one, two], { maxHeadAgeMs: 60_000 })
    const heads = async () => {
      const reading = await chain.read([], null)
      return reading.ok ? reading.value.head.number : null
    }
    expect(await heads()).toBe(100n)
    one.nodeState.headTimeMs -= 61_000
    expect(await heads()).toBe(130n)
    one.nodeState.headTimeMs += 61_000
    expect(await heads()).toBe(130n)
    one.nodeState.head = 131n
    expect(await heads()).toBe(131n)
  })

  test('the message of a node becomes one line without parts of its URL', async () => {
    const one = await node()
    const urls = [`${one.url}/v2/abcdef-0123456789?apikey=zyxwvu-987654`]
    const chain = await chainOf([], { urls })
    one.nodeState.script = (method) =>
      method === 'eth_call'
        ? new Refusal(-32_000, 'key abcdef-0123456789\nand zyxwvu-987654 used up')
        : undefined
    const failed = await chain.read(ORDERS, null)
    const words = failed.ok ? '' : failed.error.message
    expect(words).toContain('key [redacted] and [redacted] used up')
    expect(JSON.stringify(failed)).not.toMatch(/abcdef|zyxwvu/)
  })
})

describe('endpoints that must agree', () => {
  test('a quorum must agree on whether the block of the last reading is still in the chain', async () => {
    const nodes = [await node(), await node()]
    const chain = await chainOf(nodes, { quorum: 2 })
    const after = { number: 90n, hash: blockHash(nodes[0]!.nodeState, 90n) }
    expect(await chain.read([], null, after)).toMatchObject({ ok: true })
    nodes[1]!.nodeState.script = (method, [tag]) =>
      method === 'eth_getBlockByNumber' && tag === '0x5a'
        ? { number: '0x5a', hash: blockHash({ ...nodes[0]!.nodeState, fork: 'x' }, 90n), timestamp: '0x1' }
        : undefined
    const failed = await chain.read([], null, after)
    expect(failed).toMatchObject({ ok: false, error: { code: 'RPC_DISAGREES' } })
    expect(failed.ok ? '' : failed.error.message).toMatch(
      /does or does not contain the block of the last reading/,
    )
  })

  test('a quorum reads the highest block that enough endpoints have', async () => {
    const nodes = [await node({ head: 100n }), await node({ head: 103n }), await node({ head: 10n ** 9n })]
    // The same blocks at the same times.
    nodes.forEach(({ nodeState }) => (nodeState.headTimeMs = 1.7e12 + 2_000 * Number(nodeState.head)))
    const two = await chainOf(nodes, { quorum: 2 })
    const three = await chainOf(nodes, { quorum: 3 })
    for (const { nodeState } of nodes) {
      // Only the block that is read has to be known by its hash here.
      nodeState.knowsBlockHashes = false
    }
    expect(await two.read(ORDERS, null)).toMatchObject({ ok: true, value: { head: { number: 103n } } })
    expect(await three.read(ORDERS, null)).toMatchObject({ ok: true, value: { head: { number: 100n } } })
  })

  test('endpoints on two sides of a fork are read below it, and not at all if it is deep', async () => {
    const [one, two] = [await node(), await node({ fork: 'b', forkedAt: 100n, knowsBlockHashes: false })]
    one.nodeState.knowsBlockHashes = false
    const chain = await chainOf([one, two], { quorum: 2 })
    expect(await chain.read([], null)).toMatchObject({ ok: true, value: { head: { number: 99n } } })
    two.nodeState.forkedAt = 90n
    const failed = await chain.read([], null)
    expect(failed).toMatchObject({ ok: false, error: { code: 'RPC_DISAGREES', retriable: true } })
    expect(failed.ok ? '' : failed.error.message).toMatch(/disagree .* up to 100/)
  })

  test('a quorum must agree on the time of a block too', async () => {
    const [one, two] = [await node(), await node()]
    two.nodeState.headTimeMs = one.nodeState.headTimeMs - 3_600_000
    const chain = await chainOf([one, two], { quorum: 2 })
    expect(await chain.read([], null)).toMatchObject({ ok: false, error: { code: 'RPC_DISAGREES' } })
  })

  const lies: readonly (readonly [string, Partial<NodeState>, RegExp])[] = [
    [
      'a status',
      { states: new Map([[2n, { status: 'CANCELLED', filled: 0n }]]) },
      /order 2 is FILLABLE with 0 filled or CANCELLED with 0 filled/,
    ],
    [
      'what is filled',
      { states: new Map([[1n, { status: 'FILLABLE', filled: 5n }]]) },
      /order 1 is FILLABLE with 0 filled or FILLABLE with 5 filled/,
    ],
    [
      'a balance',
      {
        balances: {
          '0x00000000000000000000000000000000000000c1': 1n,
          '0x00000000000000000000000000000000000000c2': 7_000_000n,
        },
      },
      /balances of NTZS are 5000000000000000000000 or 1/,
    ],
    ['a fill', { fills: [{ salt: 1n, block: 99n, logIndex: 3 }] }, /the fills are none or 0x[0-9a-f]{64}:3/],
  ]
  test.each(lies)(
    'do not believe one that lies about %s, and say what it is about',
    async (_, lie, words) => {
      const liar = await node(lie)
      const [one, two] = [await node(), await node()]
      for (const { nodeState } of [liar, two]) nodeState.headTimeMs = one.nodeState.headTimeMs
      const disputed = await chainOf([one, liar], { quorum: 2 })
      const failed = await disputed.read(ORDERS, 90n)
      expect(failed).toMatchObject({ ok: false, error: { code: 'RPC_DISAGREES', kind: 'malformed' } })
      const message = failed.ok ? '' : failed.error.message
      expect(message).toMatch(words)
      expect(message).toContain(`${hostOf(one)} and ${hostOf(liar)} disagree at block 100`)
      const outvoted = await chainOf([liar, one, two], { quorum: 2 })
      const reading = await outvoted.read(ORDERS, 90n)
      expect(reading.ok && reading.value.orders.map(({ status }) => status)).toEqual(
        Array(3).fill('FILLABLE'),
      )
      expect(reading.ok && reading.value.fills).toEqual([])
    },
  )

  test('too few answers for a quorum name the missing endpoints and their failures', async () => {
    const [one, two] = [await node(), await node()]
    const chain = await chainOf([one, two], { quorum: 2 })
    two.nodeState.raw = (_, response) => {
      response.destroy()
      return true
    }
    const failed = await chain.read([], null)
    expect(failed).toMatchObject({
      ok: false,
      error: { code: 'NO_QUORUM', kind: 'network', retriable: true },
    })
    expect(failed.ok ? '' : failed.error.message).toBe(
      `chain read: 1 of the 2 endpoints that must agree answered: ${hostOf(two)}: no answer (UND_ERR_SOCKET)`,
    )
  })

  test('a third endpoint joins a quorum if one fails half-way', async () => {
    const nodes = [await node(), await node(), await node()]
    for (const { nodeState } of nodes) nodeState.headTimeMs = nodes[0]?.nodeState.headTimeMs ?? 0
    const chain = await chainOf(nodes, { quorum: 2 })
    const [one] = nodes as [ScriptedNode]
    one.nodeState.script = (method) =>
      method === 'eth_getLogs' ? new Refusal(-32_601, 'no logs here') : undefined
    expect(await chain.read(ORDERS, null)).toMatchObject({ ok: true })
  })
})
