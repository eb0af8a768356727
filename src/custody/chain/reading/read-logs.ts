import { decodeEventLog, parseAbi, toEventSelector } from 'viem'
import { ok, type Result } from '../../../base/result.ts'
import type { ChainFill, Outflow } from '../../../core/rfq/chain-reading.ts'
import { EXCHANGE_ABI } from '../../../core/rfq/exchange-abi.ts'
import type { Hex } from '../../../core/rfq/rfq-order.ts'
import { type ChainSettings, tokenList } from '../chain.ts'
import { decoded, hexOf, MalformedAnswerError, quantityOf, resultOf } from '../rpc/decode.ts'
import type { RpcEndpoint } from '../rpc/rpc-endpoint.ts'
import type { RpcFailure } from '../rpc/rpc-failure.ts'
import type { BlockAsker } from './block-asker.ts'
import type { ChainHead } from './heads.ts'

type FillsParts = LogsParts & {
  readonly exchange: Hex
  readonly maker: Hex
  /** The salt of an order of the request, by its hash. */
  readonly saltOf: (orderHash: Hex) => bigint | null
}

type PlacedFill = { readonly fill: ChainFill; readonly logIndex: bigint }

const ABI = parseAbi(EXCHANGE_ABI)
/** topic0 of RfqOrderFilled; the event has no other indexed field. */
const RFQ_ORDER_FILLED: Hex = toEventSelector(
  'RfqOrderFilled(bytes32,address,address,address,address,uint128,uint128,bytes32)',
)

/** Returns the maker's fills from block `from` to the head, oldest first, without duplicates. */
export async function readFills(
  from: bigint,
  parts: FillsParts,
): Promise<Result<readonly ChainFill[], RpcFailure>> {
  const read = (log: unknown, range: BlockRange) => fillOf(log, range, parts)
  const logs = await readLogs(from, { address: parts.exchange, topics: [RFQ_ORDER_FILLED], read }, parts)
  if (!logs.ok) return logs
  const found = new Map(logs.value.map((placed) => [placed.fill.key, placed]))
  return ok([...found.values()].sort(byPlace).map(({ fill }) => fill))
}

/** Returns null for a log of another maker, or of a block that a reorganisation removed. */
function fillOf(
  value: unknown,
  range: BlockRange,
  { head, exchange, maker, saltOf }: FillsParts,
): PlacedFill | null {
  const log = logOf(value, 'a fill')
  if (log === null) return null
  if (log.address !== exchange || hexOf(log.topics[0], 'the topic of a fill', 32) !== RFQ_ORDER_FILLED)
    throw new MalformedAnswerError('a log that was not asked for')
  const { args } = decodeEventLog({
    abi: ABI,
    eventName: 'RfqOrderFilled',
    topics: [RFQ_ORDER_FILLED],
    data: hexOf(log.fields['data'], 'the data of a fill'),
  })
  if (args === undefined) throw new MalformedAnswerError('a fill cannot be read')
  if (args.maker.toLowerCase() !== maker) return null
  const { block, logIndex, txHash, key } = placeOf(log, range)
  const isOfAnotherHead =
    block === head.number && hexOf(log.fields['blockHash'], 'the block of a fill', 32) !== head.hash
  if (isOfAnotherHead) throw new MalformedAnswerError('a fill in a block other than the head')
  const fill = {
    key,
    salt: saltOf(args.orderHash),
    orderHash: args.orderHash,
    block,
    txHash,
    makerToken: args.makerToken.toLowerCase() as Hex,
    takerToken: args.takerToken.toLowerCase() as Hex,
    makerAmount: args.makerTokenFilledAmount,
    takerAmount: args.takerTokenFilledAmount,
  }
  return { fill, logIndex }
}

function byPlace(a: PlacedFill, b: PlacedFill): number {
  const difference = a.fill.block - b.fill.block || a.logIndex - b.logIndex
  return difference < 0n ? -1 : difference > 0n ? 1 : 0
}

/** topic0 of an ERC-20 Transfer; sender and receiver are the next two. */
export const TRANSFER: Hex = toEventSelector('Transfer(address,address,uint256)')

/** Returns the transfers of known tokens out of the maker's wallet, from block `from` to the head. */
export async function readOutflows(
  from: bigint,
  { tokens, maker }: Pick<ChainSettings, 'tokens' | 'maker'>,
  parts: LogsParts,
): Promise<Result<readonly Outflow[], RpcFailure>> {
  const known = tokenList(tokens)
  if (known.length === 0) return ok([])
  const sender: Hex = `0x${maker.slice(2).padStart(64, '0')}`
  const address = known.map(({ token }) => token)
  const read = (log: unknown, range: BlockRange) => outflowOf(log, range, { known, sender })
  return readLogs(from, { address, topics: [TRANSFER, sender], read }, parts)
}

type Expected = { readonly known: ReturnType<typeof tokenList>; readonly sender: Hex }

/** Returns null for a log of a block that a reorganisation removed, and for a transfer of zero. */
function outflowOf(value: unknown, range: BlockRange, { known, sender }: Expected): Outflow | null {
  const log = logOf(value, 'a transfer')
  if (log === null) return null
  const { topics } = log
  const token = known.find((one) => one.token === log.address)
  const isAsked =
    token !== undefined &&
    hexOf(topics[0], 'the topic of a transfer', 32) === TRANSFER &&
    hexOf(topics[1], 'the sender of a transfer', 32) === sender
  if (!isAsked) throw new MalformedAnswerError('a log that was not asked for')
  const { block, txHash, key } = placeOf(log, range)
  const amount = BigInt(hexOf(log.fields['data'], 'the amount of a transfer', 32))
  if (amount === 0n) return null
  const to: Hex = `0x${hexOf(topics[2], 'the receiver of a transfer', 32).slice(-40)}`
  return { key, asset: token.asset, amount, to, block, txHash }
}

type Log = {
  /** Subject of the log, for messages. */
  readonly what: string
  readonly address: Hex
  readonly topics: readonly unknown[]
  readonly fields: Readonly<Record<string, unknown>>
}

/** Returns null for a log that a reorganisation removed. */
function logOf(value: unknown, what: string): Log | null {
  if (typeof value !== 'object' || value === null) throw new MalformedAnswerError(`${what} is no log`)
  const fields = value as Readonly<Record<string, unknown>>
  if (fields['removed'] === true) return null
  const topics: readonly unknown[] = Array.isArray(fields['topics']) ? fields['topics'] : []
  return { what, address: hexOf(fields['address'], `the contract of ${what}`, 20), topics, fields }
}

type LogPlace = {
  readonly block: bigint
  readonly logIndex: bigint
  readonly txHash: Hex
  /** `transaction:log index`. */
  readonly key: string
}

function placeOf({ what, fields }: Log, { first, last }: BlockRange): LogPlace {
  const block = quantityOf(fields['blockNumber'], `the block of ${what}`)
  if (block < first || block > last)
    throw new MalformedAnswerError(`${what} of a block that was not asked for`)
  const logIndex = quantityOf(fields['logIndex'], `the place of ${what}`)
  const txHash = hexOf(fields['transactionHash'], `the transaction of ${what}`, 32)
  return { block, logIndex, txHash, key: `${txHash}:${logIndex}` }
}

type LogsParts = {
  readonly ask: BlockAsker
  readonly endpoint: RpcEndpoint
  readonly head: ChainHead
  /** Blocks in one request. */
  readonly chunkBlocks: number
}

/** First and last block of one request, both included. */
type BlockRange = { readonly first: bigint; readonly last: bigint }

type LogQuestion<Found> = {
  readonly address: Hex | readonly Hex[]
  readonly topics: readonly Hex[]
  /** Returns null for an irrelevant log; throws MalformedAnswerError for a log that was not requested. */
  readonly read: (log: unknown, range: BlockRange) => Found | null
}

/** Returns the decoded logs from block `from` to the head, in the order of the answers. */
async function readLogs<Found>(
  from: bigint,
  question: LogQuestion<Found>,
  parts: LogsParts,
): Promise<Result<readonly Found[], RpcFailure>> {
  const { head, chunkBlocks } = parts
  const found: Found[] = []
  for (let first = from; first <= head.number; first += BigInt(chunkBlocks)) {
    const last = first + BigInt(chunkBlocks) - 1n
    const chunk = await readRange({ first, last: last < head.number ? last : head.number }, question, parts)
    if (!chunk.ok) return chunk
    found.push(...chunk.value)
  }
  return ok(found)
}

/** Halves the range if a node rejects it as too long or its answer is too large. */
async function readRange<Found>(
  { first, last }: BlockRange,
  question: LogQuestion<Found>,
  parts: LogsParts,
): Promise<Result<readonly Found[], RpcFailure>> {
  const { ask, endpoint, head } = parts
  const { address, topics, read } = question
  const [fromBlock, toBlock] = [`0x${first.toString(16)}`, `0x${last.toString(16)}`]
  const params = [{ address, topics, fromBlock, toBlock }]
  const answer = await ask(endpoint, head, () => [{ method: 'eth_getLogs', params }])
  const isTooMuch = answer.ok
    ? answer.value.some((reply) => !reply.ok)
    : answer.error.kind === 'refused' || answer.error.code === 'TOO_LARGE'
  if (isTooMuch && last > first) {
    const middle = first + (last - first) / 2n
    const lower = await readRange({ first, last: middle }, question, parts)
    if (!lower.ok) return lower
    const upper = await readRange({ first: middle + 1n, last }, question, parts)
    return upper.ok ? ok([...lower.value, ...upper.value]) : upper
  }
  if (!answer.ok) return answer
  return decoded(endpoint, () => {
    const logs = resultOf(answer.value[0])
    if (!Array.isArray(logs)) throw new MalformedAnswerError('the logs are not a list')
    return ok(logs.map((log: unknown) => read(log, { first, last })).filter((one) => one !== null))
  })
}
