import { getTypesForEIP712Domain, hashStruct, hashTypedData, type TypedDataDefinition } from 'viem'
import type { Hex, RfqOrder } from '../rfq/rfq-order.ts'
import { RFQ_ORDER_TYPES } from '../rfq/exchange-abi.ts'
import type { ExchangeDomain } from './exchange-domain.ts'

/** The two hashes of an order: of the struct alone, and what is signed in a domain. */
export type OrderHashes = { readonly structHash: Hex; readonly orderHash: Hex }

/** An order as EIP-712 typed data of the 0x v4 exchange (name ZeroEx, version 1.0.0). */
export function rfqTypedData(
  order: RfqOrder,
  { chainId, exchange }: ExchangeDomain,
): TypedDataDefinition<typeof RFQ_ORDER_TYPES, 'RfqOrder'> {
  return {
    domain: { name: 'ZeroEx', version: '1.0.0', chainId, verifyingContract: exchange },
    types: RFQ_ORDER_TYPES,
    primaryType: 'RfqOrder',
    message: order,
  }
}

/**
 * The reference: both hashes through viem's typed data. Throws viem's errors where a field does not fit
 * its type. `orderHash` equals the exchange's getRfqOrderHash.
 */
export function hashRfqOrder(order: RfqOrder, domain: ExchangeDomain): OrderHashes {
  return {
    structHash: hashStruct({ data: order, primaryType: 'RfqOrder', types: RFQ_ORDER_TYPES }),
    orderHash: hashTypedData(rfqTypedData(order, domain)),
  }
}

/** What stands for the exchange and its chain in every hash. */
export function domainSeparator({ chainId, exchange }: ExchangeDomain): Hex {
  const domain = { name: 'ZeroEx', version: '1.0.0', chainId, verifyingContract: exchange }
  return hashStruct({
    data: domain,
    primaryType: 'EIP712Domain',
    types: { EIP712Domain: getTypesForEIP712Domain({ domain }) },
  })
}
