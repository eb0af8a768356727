import { formatEther } from 'viem'
import { err, ok, type Result } from '../base/result.ts'
import type { Hex } from '../rfq/rfq-order.ts'
import type { ChainSettings } from './chain-settings.ts'
import { describeRevert } from './describe-revert.ts'
import type { RpcReply } from './match-replies.ts'
import { decoded, resultOf } from './read-head.ts'
import type { RpcEndpoint } from './rpc-endpoint.ts'
import { rpcFailure, type RpcFailure } from './rpc-failure.ts'
import { MalformedAnswerError } from './malformed-answer-error.ts'
import { hexOf, quantityOf } from './read-hex.ts'
import { feesNow, type TransactionFees } from './transaction-fees.ts'

export type TransactionCall = { readonly to: Hex; readonly data: Hex; readonly purpose: string }

/** A transaction that would succeed now, with all that it needs but its nonce. */
export type PreparedTransaction = {
  readonly gas: bigint
  readonly fees: TransactionFees
  /** The first nonce that this endpoint knows to be free. */
  readonly nonce: number
}

/** Part of the estimate that is added to it: state may change before the block. */
const GAS_MARGIN_DIVISOR = 4n
const FALSE = `0x${'0'.repeat(64)}`

/**
 * Tries the call on one endpoint, and asks for gas, fees, nonce and the means to pay. A call that would revert
 * fails with the contract's own words, and is not to be sent.
 */
export async function prepareTransaction(
  endpoint: RpcEndpoint,
  { to, data }: TransactionCall,
  settings: ChainSettings,
): Promise<Result<PreparedTransaction, RpcFailure>> {
  const { maker } = settings
  const call = { from: maker, to, data }
  const answer = await endpoint.ask([
    { method: 'eth_call', params: [call, 'latest'] },
    { method: 'eth_estimateGas', params: [call] },
    { method: 'eth_getBlockByNumber', params: ['latest', false] },
    { method: 'eth_getTransactionCount', params: [maker, 'latest'] },
    { method: 'eth_getTransactionCount', params: [maker, 'pending'] },
    { method: 'eth_getBalance', params: [maker, 'latest'] },
  ])
  if (!answer.ok) return answer
  return decoded(endpoint, () => {
    const [tried, estimate, block, latest, pending, balance] = answer.value
    const refusal = refusalOf(tried) ?? refusalOf(estimate)
    if (refusal !== null) return err(refusal)
    if (hexOf(resultOf(tried), 'the answer of the contract') === FALSE)
      return err(reverted('REVERTED', 'it answers false'))
    const fees = feesNow(baseFeeOf(resultOf(block)), settings)
    if (!fees.ok) return fees
    const estimated = quantityOf(resultOf(estimate), 'the estimate of gas')
    const gas = estimated + estimated / GAS_MARGIN_DIVISOR
    const held = quantityOf(resultOf(balance), 'the balance')
    const needed = gas * fees.value.maxFeePerGas
    if (held < needed) return err(noFunds(maker, held, needed))
    const nonces = [quantityOf(resultOf(latest), 'the nonce'), quantityOf(resultOf(pending), 'the nonce')]
    return ok({ gas, fees: fees.value, nonce: Math.max(...nonces.map(Number)) })
  })
}

/** Of a block with a fee market; 0 on a chain without. */
export function baseFeeOf(block: unknown): bigint {
  if (typeof block !== 'object' || block === null) throw new MalformedAnswerError('there is no latest block')
  const { baseFeePerGas } = block as Readonly<Record<string, unknown>>
  return baseFeePerGas === undefined ? 0n : quantityOf(baseFeePerGas, 'the base fee')
}

function refusalOf(reply: RpcReply | undefined): RpcFailure | null {
  if (reply === undefined || reply.ok) return null
  if (/insufficient funds/i.test(reply.error.message))
    return rpcFailure('refused', 'the wallet has no ETH for gas', { code: 'NO_GAS_FUNDS', isAnswer: true })
  const revert = describeRevert(reply.error)
  return revert === null ? null : reverted(revert.code, revert.words)
}

function reverted(code: string, words: string): RpcFailure {
  return rpcFailure('refused', `the contract refuses: ${words}; nothing was sent`, {
    code,
    retriable: false,
    isAnswer: true,
  })
}

function noFunds(maker: Hex, held: bigint, needed: bigint): RpcFailure {
  const words = `the wallet ${maker} has ${formatEther(held)} ETH and may need ${formatEther(needed)} for gas; nothing was sent`
  return rpcFailure('refused', words, { code: 'NO_GAS_FUNDS', isAnswer: true })
}
