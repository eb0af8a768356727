import { describe, expect, onTestFinished, test } from 'vitest'
import { TRANSFER } from '../../../../src/custody/chain/reading/read-logs.ts'
import { checkWatch, watchWallet, type WatchedWallet } from '../../../../src/custody/chain/watch-wallet.ts'
import type { WalletTransfersEvent } from '../../../../src/core/engine/model/event.ts'
import {
  CHAIN_ID,
  MAKER,
  NTZS,
  scriptedNode,
  USDC,
  type NodeState,
  type ScriptedNode,
} from './scripted-node.ts'

const THIEF = `0x${'7'.repeat(40)}` as const
const POOL = `0x${'9'.repeat(40)}` as const
const word = (hex: string) => `0x${hex.slice(2).padStart(64, '0')}`

const lookers = new Set<() => void>()
/** The node was asked, or the watch has reported. */
const changed = () => lookers.forEach((look) => look())

/** Resolves when this holds, which is looked at after each change. */
function once(holds: () => boolean): Promise<void> {
  return new Promise((resolve) => {
    const look = () => {
      if (!holds()) return
      lookers.delete(look)
      resolve()
    }
    lookers.add(look)
    look()
  })
}

type Shown = { readonly block: bigint; readonly n: number; readonly to?: string }

/** A node whose tokens tell of transfers out of the wallet. */
async function nodeWith(transfers: Shown[], nodeState: Partial<NodeState> = {}): Promise<ScriptedNode> {
  const node = await scriptedNode({
    raw: () => {
      changed()
      return false
    },
    script: (method, [filter]) => {
      if (method !== 'eth_getLogs') return undefined
      const { fromBlock, toBlock, topics } = filter as Record<string, string> & { topics: string[] }
      expect(topics).toEqual([TRANSFER, word(MAKER)])
      return transfers
        .filter(({ block }) => block >= BigInt(fromBlock ?? 0) && block <= BigInt(toBlock ?? 0))
        .map(({ block, n, to = THIEF }) => ({
          address: USDC,
          topics: [TRANSFER, word(MAKER), word(to)],
          data: word('0x4c4b40'),
          blockNumber: `0x${block.toString(16)}`,
          transactionHash: `0x${String(n).repeat(64).slice(0, 64)}`,
          logIndex: '0x2',
          removed: false,
        }))
    },
    ...nodeState,
  })
  onTestFinished(() => node.close())
  return node
}

const settingsOf = (...nodes: readonly ScriptedNode[]): WatchedWallet => ({
  chainId: CHAIN_ID,
  wallet: MAKER,
  pools: [POOL],
  tokens: { NTZS, USDC },
  urls: nodes.map(({ url }) => url),
  timeoutMs: 2_000,
  pollMs: 5,
})

function watch(settings: WatchedWallet, now: () => number = Date.now) {
  const events: WalletTransfersEvent[] = []
  const problems: (string | null)[] = []
  const opened = watchWallet({
    settings,
    now,
    submit(event) {
      events.push(event)
      changed()
    },
    onProblem(problem) {
      problems.push(problem)
      changed()
    },
  })
  if (!opened.ok) throw new Error(opened.error)
  onTestFinished(() => opened.value.close())
  return { events, problems }
}

const readings = (node: ScriptedNode) => node.asked.filter((method) => method === 'eth_getLogs').length

describe('the watch over a wallet', () => {
  test('submits a transfer once, with token, amount, receiver and transaction, though its blocks are read again', async () => {
    const transfers: Shown[] = []
    const node = await nodeWith(transfers)
    const { events, problems } = watch(settingsOf(node))
    await once(() => readings(node) > 0)
    node.nodeState.head = 101n
    transfers.push({ block: 101n, n: 1 })
    await once(() => events.length === 1)
    expect(events).toMatchObject([
      {
        type: 'walletTransfers',
        isFromBefore: false,
        outflows: [{ asset: 'USDC', amount: 5_000_000n, to: THIEF, block: 101n }],
      },
    ])
    const before = readings(node)
    await once(() => readings(node) > before + 3)
    expect(events).toHaveLength(1)
    expect(problems).toEqual([])
  })

  test('marks what is older than its first reading, and passes over what goes to the pool', async () => {
    const node = await nodeWith([
      { block: 90n, n: 1 },
      { block: 91n, n: 2, to: POOL },
    ])
    const { events } = watch(settingsOf(node))
    await once(() => events.length === 1)
    expect(events).toMatchObject([{ isFromBefore: true, outflows: [{ block: 90n }] }])
  })

  test('finds a transfer that a reorganisation moved into blocks that were read', async () => {
    const transfers: Shown[] = []
    const node = await nodeWith(transfers)
    const { events } = watch(settingsOf(node))
    await once(() => readings(node) > 1)
    node.nodeState.fork = 'b'
    node.nodeState.forkedAt = 95n
    transfers.push({ block: 95n, n: 3 })
    await once(() => events.length === 1)
  })

  test.each([
    ['another chain', { chainId: 1 }, 'is on chain 1'],
    ['a token with other decimals', { decimals: { [NTZS]: 18, [USDC]: 18 } }, 'USDC'],
    ['no contract at a token', { code: { [NTZS]: '0x60' as const } }, 'has no contract'],
  ])('never trusts an endpoint that serves %s: another one is used', async (_what, nodeState, words) => {
    const [wrong, right] = [await nodeWith([], nodeState), await nodeWith([{ block: 100n, n: 1 }])]
    const { events } = watch(settingsOf(wrong, right))
    await once(() => events.length === 1)
    expect(readings(wrong)).toBe(0)
    const checked = await checkWatch(settingsOf(wrong, right), Date.now)
    expect(checked.ok && checked.value.map(({ problem }) => problem)).toEqual([
      expect.stringContaining(words),
      null,
    ])
  })

  test('reports once that nothing could be read for a minute, old blocks included, and reads what it missed when it can again', async () => {
    let skipped = 0
    const transfers: Shown[] = []
    const node = await nodeWith(transfers)
    const { events, problems } = watch(settingsOf(node), () => Date.now() + skipped)
    await once(() => readings(node) > 0)
    // A reading under way may still succeed after a jump, so the clock runs on until the silence is reported.
    await once(() => {
      if (problems.length === 0) skipped += 30_000
      return problems.length === 1
    })
    expect(problems[0]).toContain('s old')
    const before = node.requests()
    await once(() => node.requests() > before + 3)
    expect(problems).toHaveLength(1)
    node.nodeState.headTimeMs += skipped
    node.nodeState.head = 400n
    transfers.push({ block: 120n, n: 1 })
    await once(() => events.length === 1)
    expect(events).toMatchObject([{ isFromBefore: false, outflows: [{ block: 120n }] }])
    expect(problems).toEqual([expect.any(String), null])
  })

  test('submits nothing of an answer that is malformed, and continues', async () => {
    const node = await nodeWith([])
    const { script } = node.nodeState
    node.nodeState.script = (method) =>
      method === 'eth_getLogs' ? [{ address: THIEF, topics: [] }] : undefined
    const { events } = watch(settingsOf(node))
    await once(() => readings(node) > 0)
    node.nodeState.script = script
    const before = readings(node)
    await once(() => readings(node) > before)
    expect(events).toEqual([])
  })
})
