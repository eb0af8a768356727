import { getTypesForEIP712Domain, hashStruct, hashTypedData, type TypedDataDefinition } from 'viem'
import type { Hex, RfqOrder } from '../../core/rfq/rfq-order.ts'
import { exchangeTypedDomain, RFQ_ORDER_TYPES } from '../../core/rfq/exchange-abi.ts'
import type { ExchangeDomain } from './order-signer.ts'
import { invariant } from '../../base/result.ts'

/** The hash of the order's struct, and the hash that is signed in a domain. */
type OrderHashes = { readonly structHash: Hex; readonly orderHash: Hex }

/** Returns an order as EIP-712 typed data of the exchange. */
export function rfqTypedData(
  order: RfqOrder,
  { chainId, exchange }: ExchangeDomain,
): TypedDataDefinition<typeof RFQ_ORDER_TYPES, 'RfqOrder'> {
  return {
    domain: exchangeTypedDomain(chainId, exchange),
    types: RFQ_ORDER_TYPES,
    primaryType: 'RfqOrder',
    message: order,
  }
}

/**
 * The reference: computes both hashes with viem. Throws viem's errors for a field that does not fit its type.
 * `orderHash` equals the exchange's getRfqOrderHash.
 */
export function hashRfqOrder(order: RfqOrder, domain: ExchangeDomain): OrderHashes {
  return {
    structHash: hashStruct({ data: order, primaryType: 'RfqOrder', types: RFQ_ORDER_TYPES }),
    orderHash: hashTypedData(rfqTypedData(order, domain)),
  }
}

/** Returns the domain's hash, which is part of every order's hash. */
export function domainSeparator({ chainId, exchange }: ExchangeDomain): Hex {
  const domain = exchangeTypedDomain(chainId, exchange)
  return hashStruct({
    data: domain,
    primaryType: 'EIP712Domain',
    types: { EIP712Domain: getTypesForEIP712Domain({ domain }) },
  })
}

/** keccak256 of the type string of RfqOrder. */
export const RFQ_ORDER_TYPE_HASH: Hex = '0xe593d3fdfa8b60e5e17a1b2204662ecbe15c23f2084b9ad5bae40359540a7da9'

export type PackedOrder = {
  /** 0x1901, the domain's hash, the struct's hash: 66 bytes, for a signer that hashes itself. */
  readonly preimage: Uint8Array
  /** keccak256 of the preimage. */
  readonly orderHash: Uint8Array
}

const WORD = 32
const STRUCT_BYTES = 11 * WORD
const STRUCT_HASH_AT = 34

/**
 * Hashes orders of one domain by writing the struct's 352 bytes directly, at a twentieth of the cost of typed data.
 * Equals `hashRfqOrder` for every order whose fields fit their types; throws InvariantError for any other.
 */
export function createOrderPacker(
  domain: ExchangeDomain,
  keccak256: (bytes: Uint8Array) => Uint8Array,
): (order: RfqOrder) => PackedOrder {
  const struct = Buffer.alloc(STRUCT_BYTES)
  putHex(struct, 0, RFQ_ORDER_TYPE_HASH, WORD)
  const head = Buffer.alloc(STRUCT_HASH_AT)
  head.writeUInt16BE(0x1901)
  putHex(head, 2, domainSeparator(domain), WORD)
  return (order) => {
    putAddress(struct, 1, order.makerToken)
    putAddress(struct, 2, order.takerToken)
    putUint(struct, 3, order.makerAmount, 2)
    putUint(struct, 4, order.takerAmount, 2)
    putAddress(struct, 5, order.maker)
    putAddress(struct, 6, order.taker)
    putAddress(struct, 7, order.txOrigin)
    putHex(struct, 8 * WORD, order.pool, WORD)
    putUint(struct, 9, order.expiry, 1)
    putUint(struct, 10, order.salt, 4)
    const preimage = new Uint8Array(STRUCT_HASH_AT + WORD)
    preimage.set(head)
    preimage.set(keccak256(struct), STRUCT_HASH_AT)
    return { preimage, orderHash: keccak256(preimage) }
  }
}

function putAddress(struct: Buffer, word: number, address: Hex): void {
  putHex(struct, word * WORD + 12, address, 20)
}

function putHex(target: Buffer, at: number, hex: Hex, bytes: number): void {
  const written = target.write(hex.slice(2), at, bytes, 'hex')
  invariant(written === bytes && hex.length === 2 + 2 * bytes, `a field of an order is not ${bytes} bytes`)
}

/** Writes a whole number into the last `limbs` times 64 bits of a word; the bits before are zero from the start. */
function putUint(struct: Buffer, word: number, value: bigint, limbs: 1 | 2 | 4): void {
  let rest = value
  for (let limb = 1; limb <= limbs; limb++) {
    struct.writeBigUInt64BE(BigInt.asUintN(64, rest), (word + 1) * WORD - 8 * limb)
    rest >>= 64n
  }
  invariant(rest === 0n, `a number of an order does not fit ${64 * limbs} bits`)
}
