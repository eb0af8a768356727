import { decodeFunctionResult, encodeFunctionData, parseAbi, toHex, type Hex } from 'viem'
import { EXCHANGE_ABI } from '../../rfq/exchange-abi.ts'
import { ORDER_STATUSES } from '../../rfq/rfq-order.ts'
import type { RfqOrder } from '../../rfq/rfq-order.ts'
import type { SignatureShape } from '../rfq-signature.ts'
import { EXCHANGE_ADDRESS } from './exchange-address.ts'
import type { ChainRpc } from './chain-rpc.ts'

export type SignedOrderShape = { readonly order: RfqOrder; readonly signature: SignatureShape }

/** An order as the exchange sees it now. */
export type OrderLook = {
  /** Zero where the contract takes no such signature. */
  readonly hash: Hex
  readonly status: (typeof ORDER_STATUSES)[number]
  readonly takerFilled: bigint
  /** What could be filled with the maker's balance and allowance, in base units of the taker's token. */
  readonly fillable: bigint
  readonly isSignatureValid: boolean
}

export const EXCHANGE = parseAbi(EXCHANGE_ABI)
/** Reading hundreds of orders in one call stays far from the call's gas limit. */
const AT_ONCE = 200

/** Asks the exchange for all of them, in as few calls as that takes. Rejects where the chain does not answer. */
export async function lookAtOrders(rpc: ChainRpc, signed: readonly SignedOrderShape[]): Promise<OrderLook[]> {
  const looks: OrderLook[] = []
  for (let from = 0; from < signed.length; from += AT_ONCE) {
    looks.push(...(await lookAtSome(rpc, signed.slice(from, from + AT_ONCE))))
  }
  return looks
}

async function lookAtSome(rpc: ChainRpc, signed: readonly SignedOrderShape[]): Promise<OrderLook[]> {
  const call = { abi: EXCHANGE, functionName: 'batchGetRfqOrderRelevantStates' } as const
  const args = [signed.map(({ order }) => order), signed.map(({ signature }) => signature)] as const
  const data = encodeFunctionData({ ...call, args })
  const answer = await rpc('eth_call', [{ to: EXCHANGE_ADDRESS, data, gas: toHex(25_000_000) }, 'latest'])
  const [infos, fillable, valid] = decodeFunctionResult({ ...call, data: answer as Hex })
  return infos.map(({ orderHash, status, takerTokenFilledAmount }, index) => ({
    hash: orderHash,
    status: ORDER_STATUSES[status] ?? 'INVALID',
    takerFilled: takerTokenFilledAmount,
    fillable: fillable[index] ?? 0n,
    isSignatureValid: valid[index] ?? false,
  }))
}
