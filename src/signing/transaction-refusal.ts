import { decodeFunctionData, erc20Abi, type TransactionSerializable } from 'viem'
import type { Hex } from '../rfq/rfq-order.ts'
import type { SigningTerms } from './signing-terms.ts'

/**
 * Why a transaction is not signed; null where nothing is wrong. The wallet of orders sends no coins, and
 * calls nothing but the exchange, `approve` of a token of the configuration for the exchange, and itself
 * (to use a nonce up).
 */
export function transactionRefusal(
  transaction: TransactionSerializable,
  wallet: Hex,
  { domain, tokens }: SigningTerms,
): string | null {
  const { chainId, value = 0n, data = '0x' } = transaction
  const to = transaction.to?.toLowerCase()
  if (chainId !== domain.chainId) return `chain ${chainId} is not chain ${domain.chainId}`
  if (transaction.type === 'eip4844' || transaction.type === 'eip7702') return `of type ${transaction.type}`
  if (value !== 0n) return 'it would send coins away'
  if (to === domain.exchange.toLowerCase()) return null
  if (to === wallet.toLowerCase()) return data === '0x' ? null : 'it calls the wallet itself'
  if (!Object.values(tokens).some((token) => token.toLowerCase() === to))
    return `it goes to ${to ?? 'a new contract'}, neither the exchange nor a token of the configuration`
  return spenderOf(data) === domain.exchange.toLowerCase()
    ? null
    : 'it does something else with a token than to approve the exchange'
}

/** Whom the call approves; null where it is no call of approve. */
function spenderOf(data: Hex): string | null {
  try {
    const { functionName, args } = decodeFunctionData({ abi: erc20Abi, data })
    return functionName === 'approve' ? args[0].toLowerCase() : null
  } catch {
    return null
  }
}
