import { decodeEventLog, parseAbi, toEventSelector } from 'viem'
import { ok, type Result } from '../base/result.ts'
import type { ChainFill } from '../rfq/chain-reading.ts'
import { EXCHANGE_ABI } from '../rfq/exchange-abi.ts'
import type { Hex } from '../rfq/rfq-order.ts'
import { readLogs, type BlockRange, type LogsParts } from './read-logs.ts'
import { MalformedAnswerError } from './malformed-answer-error.ts'
import { hexOf, quantityOf } from './read-hex.ts'
import type { RpcFailure } from './rpc-failure.ts'

export type FillsParts = LogsParts & {
  readonly exchange: Hex
  readonly maker: Hex
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
  const read = (log: unknown, range: BlockRange) => fillOf(log, range, parts)
  const logs = await readLogs(from, { address: parts.exchange, topics: [RFQ_ORDER_FILLED], read }, parts)
  if (!logs.ok) return logs
  const found = new Map(logs.value.map((placed) => [placed.fill.key, placed]))
  return ok([...found.values()].sort(byPlace).map(({ fill }) => fill))
}

/** Null for a log that is of another maker, or of a block that is no longer on the chain. */
function fillOf(
  log: unknown,
  { first, last }: BlockRange,
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
