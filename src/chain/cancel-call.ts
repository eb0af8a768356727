import { encodeFunctionData, parseAbi } from 'viem'
import { EXCHANGE_ABI } from '../rfq/exchange-abi.ts'
import type { Hex, OrderCancel } from '../rfq/rfq-order.ts'
import type { TransactionCall } from './prepare-transaction.ts'

const ABI = parseAbi(EXCHANGE_ABI)

/** The one call that takes these orders back; null where none is named, or one has a field that does not fit. */
export function cancelCall(cancel: OrderCancel, exchange: Hex): TransactionCall | null {
  try {
    return encodeCancel(cancel, exchange)
  } catch {
    return null
  }
}

function encodeCancel(cancel: OrderCancel, exchange: Hex): TransactionCall | null {
  if (cancel.kind === 'pair') {
    const { makerToken, takerToken, minValidSalt } = cancel
    const data = encodeFunctionData({
      abi: ABI,
      functionName: 'cancelPairRfqOrders',
      args: [makerToken, takerToken, minValidSalt],
    })
    return { to: exchange, data, purpose: 'cancel-pair' }
  }
  const [first, ...others] = cancel.orders
  if (first === undefined) return null
  const data =
    others.length === 0
      ? encodeFunctionData({ abi: ABI, functionName: 'cancelRfqOrder', args: [first] })
      : encodeFunctionData({ abi: ABI, functionName: 'batchCancelRfqOrders', args: [cancel.orders] })
  return { to: exchange, data, purpose: 'cancel' }
}
