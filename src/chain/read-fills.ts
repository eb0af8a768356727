import { decodeEventLog, parseAbi, toEventSelector } from 'viem'
import { ok, type Result } from '../base/result.ts'
import type { ChainFill } from '../rfq/chain-reading.ts'
import { EXCHANGE_ABI } from '../rfq/exchange-abi.ts'
import type { Hex } from '../rfq/rfq-order.ts'
import type { BlockAsker } from './block-asker.ts'
import { decoded, resultOf, type ChainHead } from './read-head.ts'
import { MalformedAnswerError } from './malformed-answer-error.ts'
import { hexOf, quantityOf } from './read-hex.ts'
import type { RpcFailure } from './rpc-failure.ts'
import type { RpcEndpoint } from './rpc-endpoint.ts'

export type FillsParts = {
  readonly ask: BlockAsker
  readonly endpoint: RpcEndpoint
  readonly head: ChainHead
  readonly exchange: Hex
  readonly maker: Hex
  readonly chunkBlocks: number
  /** The salt of an order that was asked for, by its hash. */
  readonly saltOf: (orderHash: Hex) => bigint | null
}

type PlacedFill = { readonly fill: ChainFill; readonly logIndex: bigint }

const ABI = parseAbi(EXCHANGE_ABI)
/** topic0 of RfqOrderFilled; nothing else of it is indexed. */
export const RFQ_ORDER_FILLED: Hex = toEventSelector(
  'RfqOrderFilled(bytes32,address,address,address,address,uint128,uint128,bytes32)',
)

/** The maker's fills of the blocks `from` to the head, oldest first, each once. */
export async function readFills(
  from: bigint,
  parts: FillsParts,
): Promise<Result<readonly ChainFill[], RpcFailure>> {
  const { head, chunkBlocks } = parts
  const found = new Map<string, PlacedFill>()
  for (let first = from; first <= head.number; first += BigInt(chunkBlocks)) {
    const last = first + BigInt(chunkBlocks) - 1n
    const chunk = await readRange(first, last < head.number ? last : head.number, parts)
    if (!chunk.ok) return chunk
    for (const placed of chunk.value) found.set(placed.fill.key, placed)
  }
  return ok([...found.values()].sort(byPlace).map(({ fill }) => fill))
}

/** Halves the range where a node finds it too long or its answer is too large. */
async function readRange(
  first: bigint,
  last: bigint,
  parts: FillsParts,
): Promise<Result<readonly PlacedFill[], RpcFailure>> {
  const { ask, endpoint, head, exchange } = parts
  const filter = {
    address: exchange,
    topics: [RFQ_ORDER_FILLED],
    fromBlock: `0x${first.toString(16)}`,
    toBlock: `0x${last.toString(16)}`,
  }
  const answer = await ask(endpoint, head, () => [{ method: 'eth_getLogs', params: [filter] }])
  const isTooMuch = answer.ok
    ? answer.value.some((reply) => !reply.ok)
    : answer.error.kind === 'refused' || answer.error.code === 'TOO_LARGE'
  if (isTooMuch && last > first) {
    const middle = first + (last - first) / 2n
    const lower = await readRange(first, middle, parts)
    if (!lower.ok) return lower
    const upper = await readRange(middle + 1n, last, parts)
    return upper.ok ? ok([...lower.value, ...upper.value]) : upper
  }
  if (!answer.ok) return answer
  return decoded(endpoint, () => {
    const logs = resultOf(answer.value[0])
    if (!Array.isArray(logs)) throw new MalformedAnswerError('the fills are no list')
    const fills = logs.map((log: unknown) => fillOf(log, { first, last }, parts))
    return ok(fills.filter((fill) => fill !== null))
  })
}

/** Null for a log that is of another maker, or of a block that is no longer on the chain. */
function fillOf(
  log: unknown,
  { first, last }: { readonly first: bigint; readonly last: bigint },
  { head, exchange, maker, saltOf }: FillsParts,
): PlacedFill | null {
  if (typeof log !== 'object' || log === null) throw new MalformedAnswerError('a fill is no log')
  const fields = log as Readonly<Record<string, unknown>>
  if (fields['removed'] === true) return null
  const topics = Array.isArray(fields['topics']) ? fields['topics'] : []
  const address = hexOf(fields['address'], 'the contract of a fill', 20)
  if (address !== exchange || hexOf(topics[0], 'the topic of a fill', 32) !== RFQ_ORDER_FILLED)
    throw new MalformedAnswerError('a log that was not asked for')
  const { args } = decodeEventLog({
    abi: ABI,
    eventName: 'RfqOrderFilled',
    topics: [RFQ_ORDER_FILLED],
    data: hexOf(fields['data'], 'the data of a fill'),
  })
  if (args === undefined) throw new MalformedAnswerError('a fill cannot be read')
  if (args.maker.toLowerCase() !== maker) return null
  const block = quantityOf(fields['blockNumber'], 'the block of a fill')
  if (block < first || block > last)
    throw new MalformedAnswerError('a fill of a block that was not asked for')
  const isOfAnotherHead =
    block === head.number && hexOf(fields['blockHash'], 'the block of a fill', 32) !== head.hash
  if (isOfAnotherHead) throw new MalformedAnswerError('a fill of another block than the head')
  const logIndex = quantityOf(fields['logIndex'], 'the place of a fill')
  const txHash = hexOf(fields['transactionHash'], 'the transaction of a fill', 32)
  const fill = {
    key: `${txHash}:${logIndex}`,
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
