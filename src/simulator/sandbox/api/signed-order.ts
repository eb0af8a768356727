import { type Address, hashMessage, hashTypedData, type Hex, isAddress, recoverAddress } from 'viem'
import { err, ok, type Result } from '../../../base/result.ts'
import { RFQ_ORDER_TYPES } from '../../../core/rfq/exchange-abi.ts'
import type { OrderStatus, RfqOrder } from '../../../core/rfq/rfq-order.ts'
import type { SandboxOptions } from '../options.ts'

/** Returns the order, or the name of the first field that does not fit the struct. */
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

export type SignatureShape = {
  readonly signatureType: number
  readonly v: number
  readonly r: Hex
  readonly s: Hex
}

type RfqSignature = SignatureShape & { readonly signatureType: 2 | 3; readonly v: 27 | 28 }

/** Half the order of secp256k1: a larger s is the malleable twin, which the exchange rejects. */
const MAX_S = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n

/** Returns the signature; null = the exchange does not accept its form. */
export function readRfqSignature(value: unknown): RfqSignature | null {
  const shape = readSignatureShape(value)
  if (shape === null) return null
  const { signatureType, v, r, s } = shape
  if ((signatureType !== 2 && signatureType !== 3) || (v !== 27 && v !== 28)) return null
  if (BigInt(s) > MAX_S || BigInt(s) === 0n || BigInt(r) === 0n) return null
  return { signatureType, v, r, s }
}

/** Returns the signature in the form of the contract's struct, valid or not; null = not a signature. */
export function readSignatureShape(value: unknown): SignatureShape | null {
  if (typeof value !== 'object' || value === null) return null
  const { signatureType, v, r, s } = value as Readonly<Record<string, unknown>>
  return isByte(signatureType) && isByte(v) && isWord(r) && isWord(s) ? { signatureType, v, r, s } : null
}

/**
 * Returns the signer of the order in a body of POST /rfq/orders; null = order or signature is unreadable, or recovery
 * fails. Asynchronous, because viem's recovery is, so the HTTP edge calls it.
 */
export async function recoverOrderSigner(body: unknown, rfq: SandboxOptions['rfq']): Promise<Address | null> {
  const { order, signature } = (body ?? {}) as { order?: unknown; signature?: unknown }
  const read = readRfqOrder(order)
  const signed = readRfqSignature(signature)
  if (!read.ok || signed === null) return null
  const hash = rfqOrderHash(read.value, rfq)
  const digest = signed.signatureType === 2 ? hash : hashMessage({ raw: hash })
  try {
    return await recoverAddress({
      hash: digest,
      signature: { r: signed.r, s: signed.s, v: BigInt(signed.v) },
    })
  } catch {
    // r is not a point of the curve, so there is no signer; that is a valid answer.
    return null
  }
}

function isByte(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) < 256
}

function isWord(value: unknown): value is Hex {
  return typeof value === 'string' && /^0x[0-9a-fA-F]{64}$/.test(value)
}

/** The exchange contract's answer about an order and its signature. */
export type OrderOnChain =
  /** The contract did not answer. */
  | { readonly kind: 'unavailable' }
  /** The contract does not accept such a signature for this maker. */
  | { readonly kind: 'bad-signature' }
  | {
      readonly kind: 'read'
      readonly hash: Hex
      readonly status: OrderStatus
      /** The signer: the maker, or an address that the maker registered with the contract. */
      readonly signer: Address
    }
