import { decodeErrorResult, decodeFunctionResult, encodeFunctionData, type Address, type Hex } from 'viem'
import { err, ok, type Result } from '../../base/result.ts'
import { ORDER_STATUSES, type OrderStatus } from '../../rfq/rfq-order.ts'
import { EXCHANGE_ADDRESS } from './exchange-address.ts'
import { RpcFailure, type ChainRpc } from './chain-rpc.ts'
import { EXCHANGE, type SignedOrderShape } from './look-at-orders.ts'
import { RevertedError, sendAs } from './send-as.ts'

export type OrderFilled = {
  readonly txHash: Hex
  readonly takerAmount: bigint
  readonly makerAmount: bigint
}
/** Why the exchange or a token refused: the error's name (rfq.md lists the rich ones), or `Reverted`. */
export type FillRefusal = { readonly error: string; readonly orderStatus: OrderStatus | null }

/** Fills up to so much of an order from the taker's wallet, mined. Rejects only where the chain does not answer. */
export async function fillOrder(
  rpc: ChainRpc,
  { order, signature }: SignedOrderShape,
  takerAmount: bigint,
  from: Address,
): Promise<Result<OrderFilled, FillRefusal>> {
  const call = { abi: EXCHANGE, functionName: 'fillRfqOrder' } as const
  const data = encodeFunctionData({ ...call, args: [order, signature, takerAmount] })
  const transaction = { from, to: EXCHANGE_ADDRESS, data }
  try {
    const answer = (await rpc('eth_call', [transaction, 'latest'])) as Hex
    const [taken, given] = decodeFunctionResult({ ...call, data: answer })
    const { transactionHash } = await sendAs(rpc, transaction)
    return ok({ txHash: transactionHash, takerAmount: taken, makerAmount: given })
  } catch (error) {
    if (error instanceof RpcFailure) return err(refusalOf(error.data))
    // Between the look and the block somebody cancelled it, filled it or moved what it promises.
    if (error instanceof RevertedError) return err(refusalOf(null))
    throw error
  }
}

function refusalOf(data: Hex | null): FillRefusal {
  if (data === null || data === '0x') return { error: 'Reverted', orderStatus: null }
  try {
    const { errorName, args } = decodeErrorResult({ abi: EXCHANGE, data })
    const orderStatus = errorName === 'OrderNotFillableError' ? (ORDER_STATUSES[args[1]] ?? null) : null
    return { error: errorName, orderStatus }
  } catch {
    // An error that the exchange's ABI does not name: a token's own.
    return { error: 'Reverted', orderStatus: null }
  }
}
