import { ok, type Result } from '../base/result.ts'
import type { Hex } from '../rfq/rfq-order.ts'
import type { BlockAsker } from './block-asker.ts'
import { decoded, resultOf, type ChainHead } from './read-head.ts'
import { MalformedAnswerError } from './malformed-answer-error.ts'
import type { RpcFailure } from './rpc-failure.ts'
import type { RpcEndpoint } from './rpc-endpoint.ts'

export type LogsParts = {
  readonly ask: BlockAsker
  readonly endpoint: RpcEndpoint
  readonly head: ChainHead
  /** Blocks in one request. */
  readonly chunkBlocks: number
}

/** First and last block of one request, both included. */
export type BlockRange = { readonly first: bigint; readonly last: bigint }

export type LogQuestion<Found> = {
  readonly address: Hex | readonly Hex[]
  readonly topics: readonly Hex[]
  /** Null for a log that does not count; throws MalformedAnswerError for one that was not asked for. */
  readonly read: (log: unknown, range: BlockRange) => Found | null
}

/** What the logs of the blocks `from` to the head say, in the order in which they come. */
export async function readLogs<Found>(
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

/** Halves the range where a node finds it too long or its answer is too large. */
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
    if (!Array.isArray(logs)) throw new MalformedAnswerError('the logs are no list')
    return ok(logs.map((log: unknown) => read(log, { first, last })).filter((one) => one !== null))
  })
}
