import { hashTypedData, isAddress, type Address, type Hex } from 'viem'
import { err, ok, type Result } from '../base/result.ts'
import type { RfqOrder } from '../rfq/rfq-order.ts'
import { RFQ_ORDER_TYPES } from '../rfq/exchange-abi.ts'
import type { SandboxOptions } from './options.ts'

/** The order, or the name of the first field that is not what the struct wants. */
export function readRfqOrder(value: unknown): Result<RfqOrder, string> {
  if (typeof value !== 'object' || value === null) return err('order')
  const fields = value as Readonly<Record<string, unknown>>
  const numbers: Record<string, bigint> = {}
  for (const { name, type } of RFQ_ORDER_TYPES.RfqOrder) {
    const field = fields[name]
    if (typeof field !== 'string') return err(name)
    if (type === 'address') {
      if (!isAddress(field)) return err(name)
    } else if (type === 'bytes32') {
      if (!/^0x[0-9a-fA-F]{64}$/.test(field)) return err(name)
    } else {
      if (!/^\d{1,78}$/.test(field) || BigInt(field) >= 1n << BigInt(type.slice(4))) return err(name)
      numbers[name] = BigInt(field)
    }
  }
  if (numbers['makerAmount'] === 0n) return err('makerAmount')
  if (numbers['takerAmount'] === 0n) return err('takerAmount')
  return ok({ ...fields, ...numbers } as unknown as RfqOrder)
}

/** The EIP-712 hash that is signed, in the exchange's domain (rfq.md). */
export function rfqOrderHash(order: RfqOrder, rfq: SandboxOptions['rfq']): Hex {
  return hashTypedData({
    domain: {
      name: 'ZeroEx',
      version: '1.0.0',
      chainId: rfq.chainId,
      verifyingContract: rfq.exchange as Address,
    },
    types: RFQ_ORDER_TYPES,
    primaryType: 'RfqOrder',
    message: order,
  })
}
