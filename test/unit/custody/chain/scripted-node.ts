import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  decodeFunctionData,
  encodeAbiParameters,
  encodeEventTopics,
  encodeFunctionResult,
  erc20Abi,
  keccak256,
  parseAbi,
  toHex,
} from 'viem'
import { CHAIN_DEFAULTS, type ChainSettings } from '../../../../src/custody/chain/chain.ts'
import { createOrderHasher } from '../../../../src/custody/chain/reading/chain-reader.ts'
import { EXCHANGE_ABI } from '../../../../src/core/rfq/exchange-abi.ts'
import {
  ORDER_STATUSES,
  type Hex,
  type OrderStatus,
  type RfqOrder,
} from '../../../../src/core/rfq/rfq-order.ts'

export const CHAIN_ID = 8_453
export const EXCHANGE: Hex = '0xdef1c0ded9bec7f1a1670819833240f027b25eff'
export const MAKER: Hex = '0x00000000000000000000000000000000000000aa'
export const SOLVER: Hex = '0x00000000000000000000000000000000000000bb'
export const NTZS: Hex = '0x00000000000000000000000000000000000000c1'
export const USDC: Hex = '0x00000000000000000000000000000000000000c2'

const ABI = parseAbi(EXCHANGE_ABI)
const STATUS_NUMBERS = new Map<string, number>(ORDER_STATUSES.map((status, index) => [status, index]))
const ZERO_INFO = { orderHash: `0x${'0'.repeat(64)}`, status: 0, takerTokenFilledAmount: 0n } as const

export type ScriptedFill = {
  readonly salt: bigint
  readonly block: bigint
  readonly logIndex: number
  readonly maker?: Hex
  readonly isRemoved?: boolean
  readonly blockHash?: Hex
}

/** What a scripted node answers from. Tests change it while it runs. */
export type NodeState = {
  chainId: number
  head: bigint
  /** Part of the hash of every block from `forkedAt` on: nodes with another fork have other blocks. */
  fork: string
  forkedAt: bigint
  headTimeMs: number
  code: Record<string, Hex>
  implementation: Hex
  decimals: Record<string, number>
  balances: Record<string, bigint>
  allowances: Record<string, bigint>
  states: Map<bigint, { status: OrderStatus; filled: bigint }>
  fills: ScriptedFill[]
  /** How its exchange hashes orders. */
  hashOf: (order: RfqOrder) => Hex
  /** Orders that one call has gas for. */
  callLimit: number
  /** Blocks that one eth_getLogs may span. */
  logsLimit: bigint
  knowsBlockHashes: boolean
  takesBatches: boolean
  /** Answers instead: what is returned is the result; undefined = as usual; `refuse` makes it an error. */
  script: (method: string, params: readonly unknown[]) => unknown
  /** Answers the whole HTTP request instead; false = as usual. */
  raw: ((body: string, response: ServerResponse) => boolean) | null
}

export type ScriptedNode = {
  readonly url: string
  readonly nodeState: NodeState
  /** Methods asked for so far, in order. */
  readonly asked: string[]
  /** HTTP requests so far. */
  requests: () => number
  close: () => Promise<void>
}

/** For `script`: a JSON-RPC error. */
export class Refusal {
  readonly error: { readonly code: number; readonly message: string; readonly data?: unknown }

  constructor(code: number, message: string, data?: unknown) {
    this.error = { code, message, ...(data === undefined ? {} : { data }) }
  }
}

export const hashOf = createOrderHasher(CHAIN_ID, EXCHANGE)

export function scriptedOrder(salt: bigint, more: Partial<RfqOrder> = {}): RfqOrder {
  return {
    makerToken: NTZS,
    takerToken: USDC,
    makerAmount: 2_600n * 10n ** 18n,
    takerAmount: 1_000_000n,
    maker: MAKER,
    taker: SOLVER,
    txOrigin: SOLVER,
    pool: `0x${'0'.repeat(64)}`,
    expiry: 2_000_000_000n,
    salt,
    ...more,
  }
}

export function scriptedSettings(
  nodes: readonly { readonly url: string }[],
  more: Partial<ChainSettings> = {},
): ChainSettings {
  return {
    ...CHAIN_DEFAULTS,
    chainId: CHAIN_ID,
    exchange: EXCHANGE,
    maker: MAKER,
    tokens: { NTZS, USDC },
    urls: nodes.map(({ url }) => url),
    timeoutMs: 2_000,
    maxHeadAgeMs: 3_600_000,
    ...more,
  }
}

export function blockHash({ fork, forkedAt }: NodeState, number: bigint): Hex {
  return keccak256(toHex(`${number >= forkedAt ? fork : 'a'}:${number}`))
}

/** A JSON-RPC node over real HTTP that answers from its state. Close it. */
export async function scriptedNode(nodeState: Partial<NodeState> = {}): Promise<ScriptedNode> {
  const all: NodeState = { ...usualState(), ...nodeState }
  const asked: string[] = []
  let requests = 0
  const server = createServer((request, response) => {
    void textOf(request).then((body) => {
      requests += 1
      if (all.raw?.(body, response) === true) return
      const answer = answerTo(JSON.parse(body) as Call | Call[], all, asked)
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify(answer))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    nodeState: all,
    asked,
    requests: () => requests,
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function usualState(): NodeState {
  return {
    chainId: CHAIN_ID,
    head: 100n,
    fork: 'a',
    forkedAt: 0n,
    headTimeMs: Math.floor(Date.now() / 1_000) * 1_000,
    code: { [EXCHANGE]: '0x60', [NTZS]: '0x60', [USDC]: '0x60' },
    implementation: SOLVER,
    decimals: { [NTZS]: 18, [USDC]: 6 },
    balances: { [NTZS]: 5_000n * 10n ** 18n, [USDC]: 7_000_000n },
    allowances: { [NTZS]: 4_000n * 10n ** 18n, [USDC]: 0n },
    states: new Map(),
    fills: [],
    hashOf,
    callLimit: Infinity,
    logsLimit: 10n ** 9n,
    knowsBlockHashes: true,
    takesBatches: true,
    script: () => undefined,
    raw: null,
  }
}

type Call = { readonly id: number; readonly method: string; readonly params: readonly unknown[] }

function answerTo(body: Call | Call[], nodeState: NodeState, asked: string[]): unknown {
  if (Array.isArray(body)) {
    if (!nodeState.takesBatches)
      return { id: null, error: { code: -32_600, message: 'batches are not taken' } }
    // In another order than asked: answers are found by their id.
    return body.map((one) => answerTo(one, nodeState, asked)).reverse()
  }
  asked.push(body.method)
  const scripted = nodeState.script(body.method, body.params)
  const result = scripted === undefined ? resultOf(body, nodeState) : scripted
  const envelope = { jsonrpc: '2.0', id: body.id }
  return result instanceof Refusal ? { ...envelope, error: result.error } : { ...envelope, result }
}

function resultOf({ method, params }: Call, nodeState: NodeState): unknown {
  const [first, second] = params
  switch (method) {
    case 'eth_chainId':
      return toHex(nodeState.chainId)
    case 'eth_gasPrice':
      return '0x77359400'
    case 'eth_getCode':
      return nodeState.code[String(first)] ?? '0x'
    case 'eth_getBlockByNumber':
      return blockAt(first === 'latest' ? nodeState.head : BigInt(String(first)), nodeState)
    case 'eth_getLogs':
      return logsOf(first as { fromBlock: Hex; toBlock: Hex }, nodeState)
    case 'eth_call':
      return callAt(first as { to: Hex; data: Hex }, second, nodeState)
    default:
      return new Refusal(-32_601, `method ${method} not found`)
  }
}

function blockAt(number: bigint, nodeState: NodeState): unknown {
  if (number > nodeState.head) return null
  const t = nodeState.headTimeMs / 1_000 - 2 * Number(nodeState.head - number)
  return {
    number: toHex(number),
    hash: blockHash(nodeState, number),
    timestamp: toHex(t),
    baseFeePerGas: '0x989680',
  }
}

function callAt({ to, data }: { to: Hex; data: Hex }, tag: unknown, nodeState: NodeState): unknown {
  const problem = tagProblem(tag, nodeState)
  if (problem !== null) return problem
  if (to === EXCHANGE) return exchangeCall(data, nodeState)
  const { functionName } = decodeFunctionData({
    abi: [...erc20Abi, ...parseAbi(['function decimals() view returns (uint8)'])],
    data,
  })
  const table = {
    balanceOf: nodeState.balances,
    allowance: nodeState.allowances,
    decimals: nodeState.decimals,
  }
  const value = table[functionName as keyof typeof table][to]
  return value === undefined ? '0x' : toHex(BigInt(value), { size: 32 })
}

function tagProblem(tag: unknown, nodeState: NodeState): Refusal | null {
  if (typeof tag !== 'object' || tag === null) return null
  if (!nodeState.knowsBlockHashes) return new Refusal(-32_602, 'invalid argument 1: not a block number')
  const isHere = (tag as { blockHash: Hex }).blockHash === blockHash(nodeState, nodeState.head)
  return isHere ? null : new Refusal(-32_000, 'header for hash not found')
}

function exchangeCall(data: Hex, nodeState: NodeState): unknown {
  const { functionName, args } = decodeFunctionData({ abi: ABI, data })
  if (functionName === 'getFunctionImplementation')
    return encodeAbiParameters([{ type: 'address' }], [nodeState.implementation])
  const orders = args[0] as readonly RfqOrder[]
  const infos = orders.map((order, index) => {
    if (index >= nodeState.callLimit) return ZERO_INFO
    const state = nodeState.states.get(order.salt) ?? { status: 'FILLABLE', filled: 0n }
    return {
      orderHash: nodeState.hashOf(order),
      status: STATUS_NUMBERS.get(state.status) ?? 9,
      takerTokenFilledAmount: state.filled,
    }
  })
  return encodeFunctionResult({
    abi: ABI,
    functionName: 'batchGetRfqOrderRelevantStates',
    result: [infos, orders.map(() => 0n), orders.map(() => false)],
  })
}

function logsOf({ fromBlock, toBlock }: { fromBlock: Hex; toBlock: Hex }, nodeState: NodeState): unknown {
  const [from, to] = [BigInt(fromBlock), BigInt(toBlock)]
  if (to - from >= nodeState.logsLimit) return new Refusal(-32_005, 'query returned more than 10000 results')
  return nodeState.fills
    .filter(({ block }) => block >= from && block <= to)
    .map((fill) => ({
      address: EXCHANGE,
      topics: encodeEventTopics({ abi: ABI, eventName: 'RfqOrderFilled' }),
      data: fillData(fill),
      blockNumber: toHex(fill.block),
      blockHash: fill.blockHash ?? blockHash(nodeState, fill.block),
      transactionHash: keccak256(toHex(fill.block)),
      logIndex: toHex(fill.logIndex),
      removed: fill.isRemoved ?? false,
    }))
}

function fillData({ salt, maker = MAKER }: ScriptedFill): Hex {
  const order = scriptedOrder(salt, { maker })
  const types = ['bytes32', ...Array(4).fill('address'), 'uint128', 'uint128', 'bytes32'].map((type) => ({
    type: String(type),
  }))
  const { makerToken, takerToken, taker, pool } = order
  return encodeAbiParameters(types, [
    hashOf(order),
    maker,
    taker,
    makerToken,
    takerToken,
    250_000n,
    650n * 10n ** 18n,
    pool,
  ])
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Uint8Array[] = []
  for await (const chunk of request) chunks.push(chunk as Uint8Array)
  return Buffer.concat(chunks).toString()
}
