import {
  decodeFunctionData,
  encodeFunctionData,
  erc20Abi,
  parseAbi,
  type TransactionSerializable,
} from 'viem'
import type { Ms } from '../../../base/time.ts'
import { ASSETS, type Asset } from '../../../base/money/asset.ts'
import { EXCHANGE_ABI } from '../../../core/rfq/exchange-abi.ts'
import type { Hex } from '../../../core/rfq/rfq-order.ts'
import { isSameAddress, type SigningPolicy } from './signing-policy.ts'

const EXCHANGE = parseAbi(EXCHANGE_ABI)
/** The exchange functions that may be called: only cancellations. */
const CANCELLATIONS: readonly string[] = ['cancelRfqOrder', 'batchCancelRfqOrders', 'cancelPairRfqOrders']

type TransactionCheck = {
  readonly transaction: TransactionSerializable
  readonly wallet: Hex
  /** From this time on no allowance is raised; null = never. */
  readonly stopAt: Ms | null
  readonly policy: SigningPolicy
  readonly now: Ms
}

/**
 * Returns why a transaction must not be signed; null = it may be. The wallet may cancel orders at the exchange, approve
 * the exchange for at most the configured amount, and send empty transactions to itself to use up a nonce. It never
 * sends coins, and never pays more for gas than configured.
 */
export function checkTransaction({
  transaction,
  wallet,
  stopAt,
  policy,
  now,
}: TransactionCheck): string | null {
  const { domain, tokens } = policy
  const { chainId, value = 0n, data = '0x', to } = transaction
  if (chainId !== domain.chainId) return `chain ${chainId} is not chain ${domain.chainId}`
  if (transaction.type === 'eip4844' || transaction.type === 'eip7702') return `of type ${transaction.type}`
  const dear = priceProblem(transaction, policy)
  if (dear !== null) return dear
  if (value !== 0n) return 'it would send coins away'
  if (to === undefined || to === null) return 'it goes to a new contract'
  if (isSameAddress(to, domain.exchange)) return exchangeProblem(data)
  if (isSameAddress(to, wallet)) return data === '0x' ? null : 'it calls the wallet itself'
  const asset = ASSETS.find((one) => isSameAddress(tokens[one] ?? '0x', to))
  if (asset === undefined) return `it goes to ${to}, which is neither the exchange nor a configured token`
  return approvalProblem(data, asset, { stopAt, policy, now })
}

/** A gas price that is not a number is refused as well. */
function priceProblem(
  { gasPrice, maxFeePerGas, maxPriorityFeePerGas }: TransactionSerializable,
  policy: SigningPolicy,
): string | null {
  const prices = [gasPrice, maxFeePerGas, maxPriorityFeePerGas].filter((price) => price !== undefined)
  const dear = prices.find((price) => !(price <= policy.maxFeePerGas))
  if (dear === undefined) return null
  return `it offers ${dear} wei for a unit of gas, but rfq.gas.maxFeeGwei allows ${policy.maxFeePerGas}`
}

function exchangeProblem(data: Hex): string | null {
  const name = strictly(() => {
    const { functionName, args } = decodeFunctionData({ abi: EXCHANGE, data })
    return encodeFunctionData({ abi: EXCHANGE, functionName, args }) === data.toLowerCase()
      ? functionName
      : null
  })
  if (name !== null && CANCELLATIONS.includes(name)) return null
  return `it calls ${name ?? 'an unknown function'} of the exchange, which does not cancel orders`
}

function approvalProblem(
  data: Hex,
  asset: Asset,
  { stopAt, policy, now }: Pick<TransactionCheck, 'stopAt' | 'policy' | 'now'>,
): string | null {
  const approval = strictly(() => {
    const { functionName, args } = decodeFunctionData({ abi: erc20Abi, data })
    if (functionName !== 'approve') return null
    const isExact = encodeFunctionData({ abi: erc20Abi, functionName, args }) === data.toLowerCase()
    return isExact ? { spender: args[0], amount: args[1] } : null
  })
  if (approval === null || !isSameAddress(approval.spender, policy.domain.exchange))
    return 'it calls a token but does not approve the exchange'
  const { amount } = approval
  const most = policy.approve[asset] ?? 0n
  if (amount > most)
    return `it approves ${amount} base units of ${asset}, but rfq.approve allows ${most}; an allowance is never unlimited`
  // Removing an allowance is always safe.
  const isStopped = stopAt !== null && !(now < stopAt)
  return amount > 0n && isStopped ? 'the signer is stopped and may approve only 0' : null
}

/** Returns null for calls that cannot be decoded. */
function strictly<Value>(read: () => Value | null): Value | null {
  try {
    return read()
  } catch {
    return null
  }
}
