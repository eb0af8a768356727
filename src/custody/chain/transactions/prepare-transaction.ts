import { formatEther } from 'viem'
import { err, ok, type Result } from '../../../base/result.ts'
import type { Hex } from '../../../core/rfq/rfq-order.ts'
import type { ChainSettings } from '../chain.ts'
import { MalformedAnswerError, decoded, describeRevert, hexOf, quantityOf, resultOf } from '../rpc/decode.ts'
import { rpcFailure, type RpcFailure, type RpcReply } from '../rpc/rpc-failure.ts'
import type { RpcEndpoint } from '../rpc/rpc-endpoint.ts'

export type TransactionCall = { readonly to: Hex; readonly data: Hex; readonly purpose: string }

/** Gas, fees and nonce of a transaction that would succeed now. */
type PreparedTransaction = {
  readonly gas: bigint
  readonly fees: TransactionFees
  /** The first free nonce at this endpoint. */
  readonly nonce: number
}

/** Adds a quarter of the estimate, because the state may change before the block. */
const GAS_MARGIN_DIVISOR = 4n
const FALSE = `0x${'0'.repeat(64)}`

/**
 * Simulates the call on one endpoint and reads gas, fees, nonce and balance. Fails with the contract's own error if the
 * call would revert.
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
    const estimated = quantityOf(resultOf(estimate), 'the gas estimate')
    const gas = estimated + estimated / GAS_MARGIN_DIVISOR
    const held = quantityOf(resultOf(balance), 'the balance')
    const needed = gas * fees.value.maxFeePerGas
    if (held < needed) return err(noFunds(maker, held, needed))
    const nonces = [quantityOf(resultOf(latest), 'the nonce'), quantityOf(resultOf(pending), 'the nonce')]
    return ok({ gas, fees: fees.value, nonce: Math.max(...nonces.map(Number)) })
  })
}

/** Returns the base fee of a block with a fee market; 0 on a chain without. */
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

export type TransactionFees = { readonly maxFeePerGas: bigint; readonly maxPriorityFeePerGas: bigint }

type FeeSettings = Pick<ChainSettings, 'maxFeeGwei' | 'tipGwei'>

/** The base fee rises by at most an eighth per block, so twice the fee covers six full blocks. Source: EIP-1559. */
const BASE_FEE_ROOM = 2n
/** Most nodes accept a replacement that pays 10% more; some require an eighth. */
const BUMP_NUMERATOR = 9n
const BUMP_DENOMINATOR = 8n

/** Returns the fees to offer now. Fails with GAS_TOO_HIGH if even the next block costs more than the cap. */
export function feesNow(baseFee: bigint, settings: FeeSettings): Result<TransactionFees, RpcFailure> {
  const cap = weiOf(settings.maxFeeGwei)
  const tip = weiOf(settings.tipGwei)
  if (baseFee + tip > cap) {
    const words = `gas costs ${gweiText(baseFee + tip)} gwei, more than the ${settings.maxFeeGwei} gwei allowed; nothing was sent`
    return err(rpcFailure('refused', words, { code: 'GAS_TOO_HIGH', isAnswer: true }))
  }
  return ok({ maxFeePerGas: least(BASE_FEE_ROOM * baseFee + tip, cap), maxPriorityFeePerGas: tip })
}

/** Returns the fees of a replacement: an eighth more, or the current ones if higher. Null = above the cap. */
export function higherFees(
  last: TransactionFees,
  baseFee: bigint,
  settings: FeeSettings,
): TransactionFees | null {
  const cap = weiOf(settings.maxFeeGwei)
  const now = feesNow(baseFee, settings)
  const asked = now.ok ? now.value : last
  const maxFeePerGas = most(bumped(last.maxFeePerGas), asked.maxFeePerGas)
  if (maxFeePerGas > cap) return null
  const tip = most(bumped(last.maxPriorityFeePerGas), asked.maxPriorityFeePerGas)
  return { maxFeePerGas, maxPriorityFeePerGas: least(tip, maxFeePerGas) }
}

function bumped(fee: bigint): bigint {
  return (fee * BUMP_NUMERATOR) / BUMP_DENOMINATOR + 1n
}

/** Converts a gas price to wei. */
export function weiOf(gwei: number): bigint {
  return BigInt(Math.round(gwei * 1e9))
}

function gweiText(wei: bigint): string {
  return String(Number(wei) / 1e9)
}

function least(a: bigint, b: bigint): bigint {
  return a < b ? a : b
}

function most(a: bigint, b: bigint): bigint {
  return a > b ? a : b
}
