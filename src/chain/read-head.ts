import { err, ok, type Result } from '../base/result.ts'
import type { Ms } from '../base/time.ts'
import type { Hex } from '../rfq/rfq-order.ts'
import type { RpcReply } from './match-replies.ts'
import type { RpcEndpoint } from './rpc-endpoint.ts'
import { rpcFailure, type RpcFailure } from './rpc-failure.ts'
import { MalformedAnswerError } from './malformed-answer-error.ts'
import { hexOf, quantityOf } from './read-hex.ts'

export type ChainHead = { readonly number: bigint; readonly hash: Hex; readonly t: Ms }

/** A head, and who has it. */
export type SeenHead = { readonly endpoint: RpcEndpoint; readonly head: ChainHead }

/**
 * The latest block of an endpoint, or the one of that number. Asks for the chain's id every time: what is
 * behind a URL may change while we run.
 */
export async function readHead(
  endpoint: RpcEndpoint,
  chainId: number,
  number: bigint | null = null,
): Promise<Result<SeenHead, RpcFailure>> {
  const tag = number === null ? 'latest' : `0x${number.toString(16)}`
  const answer = await endpoint.ask([
    { method: 'eth_getBlockByNumber', params: [tag, false] },
    { method: 'eth_chainId', params: [] },
  ])
  if (!answer.ok) return answer
  return decoded(endpoint, () => {
    const [block, chain] = answer.value
    const id = quantityOf(resultOf(chain), 'the chain id')
    if (id !== BigInt(chainId)) {
      const words = `${endpoint.label} is on chain ${id}, the settings say ${chainId}`
      return err(rpcFailure('refused', words, { code: 'CHAIN_MISMATCH', retriable: false }))
    }
    return ok({ endpoint, head: headOf(resultOf(block)) })
  })
}

/** Runs what reads an answer; whatever does not fit becomes a failure of that endpoint. */
export function decoded<T>(endpoint: RpcEndpoint, read: () => Result<T, RpcFailure>): Result<T, RpcFailure> {
  try {
    return read()
  } catch (error) {
    // viem's words would quote the answer.
    const what =
      error instanceof MalformedAnswerError ? error.message : 'the answer is not what was asked for'
    return err(rpcFailure('malformed', `${endpoint.label}: ${what}`))
  }
}

/** What the node gave; its refusal counts as no answer that fits. */
export function resultOf(reply: RpcReply | undefined): unknown {
  if (reply === undefined) throw new MalformedAnswerError('an answer is missing')
  if (!reply.ok) throw new MalformedAnswerError(`${reply.error.message} (${reply.error.code})`)
  return reply.value
}

function headOf(block: unknown): ChainHead {
  if (typeof block !== 'object' || block === null) throw new MalformedAnswerError('there is no such block')
  const { number, hash, timestamp } = block as Readonly<Record<string, unknown>>
  return {
    number: quantityOf(number, 'the number of a block'),
    hash: hexOf(hash, 'the hash of a block', 32),
    t: Number(quantityOf(timestamp, 'the time of a block')) * 1_000,
  }
}
