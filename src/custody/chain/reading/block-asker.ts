import { setTimeout as pause } from 'node:timers/promises'
import { err, ok, type Result } from '../../../base/result.ts'
import type { Hex } from '../../../core/rfq/rfq-order.ts'
import { rpcFailure, type RpcFailure, type RpcReply } from '../rpc/rpc-failure.ts'
import type { ChainHead } from './heads.ts'
import type { RpcEndpoint, RpcRequest } from '../rpc/rpc-endpoint.ts'

/** How a request identifies its block. Source: EIP-1898. */
type BlockTag = Hex | { readonly blockHash: Hex; readonly requireCanonical: true }

/** Queries one endpoint about the state at one block. */
export type BlockAsker = (
  endpoint: RpcEndpoint,
  head: ChainHead,
  requestsAt: (tag: BlockTag) => readonly RpcRequest[],
) => Promise<Result<readonly RpcReply[], RpcFailure>>

const LAGGARD_TRIES = 3
const LAGGARD_PAUSE_MS = 200

/**
 * Identifies the block by hash if the endpoint supports it, else by number. Either way the same batch reads the block
 * at that height, which proves that the answering node has it on its chain: one URL often serves several nodes, and a
 * node that lags would omit fills silently. Retries after a pause if the node lacks the block. Fails with HEAD_MOVED if
 * another block has the number.
 */
export function createBlockAsker(): BlockAsker {
  const numberOnly = new WeakSet<RpcEndpoint>()

  async function askBy(
    tag: BlockTag,
    endpoint: RpcEndpoint,
    head: ChainHead,
    requestsAt: (tag: BlockTag) => readonly RpcRequest[],
  ): ReturnType<BlockAsker> {
    const requests = [...requestsAt(tag), blockRequest(head)]
    for (let tries = 1; ; tries++) {
      const answer = await endpoint.ask(requests)
      if (!answer.ok) return answer
      const block = answer.value.at(-1)
      if (block?.ok === true && isBlock(block.value, head)) return ok(answer.value.slice(0, -1))
      const isUnknownYet = block?.ok === true && block.value === null
      if (!isUnknownYet || tries === LAGGARD_TRIES) {
        const words = `${endpoint.label}: block ${head.number} is no longer ${head.hash}`
        return err(rpcFailure('malformed', words, { code: 'HEAD_MOVED', isAnswer: true }))
      }
      await pause(LAGGARD_PAUSE_MS)
    }
  }

  return async (endpoint, head, requestsAt) => {
    const byNumber = `0x${head.number.toString(16)}` as const
    if (numberOnly.has(endpoint)) return askBy(byNumber, endpoint, head, requestsAt)
    const byHash = { blockHash: head.hash, requireCanonical: true } as const
    const answer = await askBy(byHash, endpoint, head, requestsAt)
    if (!answer.ok || !answer.value.some(isUnexplained)) return answer
    const again = await askBy(byNumber, endpoint, head, requestsAt)
    if (!again.ok || again.value.some(isUnexplained)) return answer
    numberOnly.add(endpoint)
    return again
  }
}

function blockRequest({ number }: ChainHead): RpcRequest {
  return { method: 'eth_getBlockByNumber', params: [`0x${number.toString(16)}`, false] }
}

function isBlock(block: unknown, head: ChainHead): boolean {
  if (typeof block !== 'object' || block === null || !('hash' in block)) return false
  return typeof block.hash === 'string' && block.hash.toLowerCase() === head.hash
}

/** Returns whether an error is not the contract's; the endpoint may not support block hashes. */
function isUnexplained(reply: RpcReply): boolean {
  return !reply.ok && reply.error.data === null
}
