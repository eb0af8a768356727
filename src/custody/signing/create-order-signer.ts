import { keccak256, serializeTransaction, type LocalAccount } from 'viem'
import { toAccount } from 'viem/accounts'
import { err, ok, type Result } from '../../base/result.ts'
import type { Hex, RfqOrder } from '../../core/rfq/rfq-order.ts'
import type {
  ExchangeDomain,
  HashSignature,
  OrderSignature,
  OrderSigner,
  SignedOrder,
  SigningFailure,
  SignPreimage,
} from './order-signer.ts'
import { createOrderPacker, type PackedOrder } from './order-hash.ts'
import type { SigningGuard } from './policy/signing-guard.ts'

type Keccak256 = (bytes: Uint8Array) => Uint8Array

/**
 * Creates a signer over any key: the guard checks the order as a struct and the transaction as a call, and the signer
 * signs only what the guard permits.
 */
export function createOrderSigner(
  address: Hex,
  wall: SigningGuard,
  signPreimage: SignPreimage,
  keccak: Keccak256 = (bytes) => keccak256(bytes, 'bytes'),
): OrderSigner {
  const pack = createOrderPacker(wall.domain, keccak)
  const sign = async (
    given: RfqOrder,
    domain: ExchangeDomain = wall.domain,
  ): Promise<Result<SignedOrder, SigningFailure>> => {
    // The guard checks and the key signs this copy, in case the caller changes its object meanwhile.
    const order = { ...given }
    const packed = packOnce(order, pack)
    if (!packed.ok) return packed
    const permit = await wall.permit({ order, domain }, address)
    if (!permit.ok) return permit
    const { preimage, orderHash } = packed.value
    const signature = await signPreimage(preimage, orderHash)
    if (!signature.ok) {
      if (signature.error.isVoid) permit.value.giveBack()
      return signature
    }
    return ok({ order, hash: hexOf(orderHash), signature: toOrderSignature(signature.value) })
  }
  return { address, sign, account: transactionAccount(address, wall, signPreimage) }
}

function packOnce(
  order: RfqOrder,
  pack: (order: RfqOrder) => PackedOrder,
): Result<PackedOrder, SigningFailure> {
  try {
    return ok(pack(order))
  } catch (error) {
    // Hashing comes before signing, so no signature exists.
    const message = `not signed: the order cannot be hashed (${(error as Error).message})`
    return err({ code: 'SIGN_MALFORMED', message, isVoid: true })
  }
}

/** Returns viem's account of the wallet; it signs only transactions that the guard permits. */
function transactionAccount(address: Hex, wall: SigningGuard, signPreimage: SignPreimage): LocalAccount {
  const never = () => Promise.reject(new Error('this wallet signs only orders and transactions'))
  return toAccount({
    address,
    signMessage: never,
    signTypedData: never,
    signTransaction: async (given, options) => {
      const transaction = { ...given }
      const serialize = options?.serializer ?? serializeTransaction
      const refusal = await wall.transactionRefusal(transaction, address)
      if (refusal !== null) throw new Error(`transaction not signed: ${refusal}`)
      const preimage = Buffer.from((await serialize(transaction)).slice(2), 'hex')
      const signed = await signPreimage(preimage, keccak256(preimage, 'bytes'))
      if (!signed.ok) throw new Error(signed.error.message)
      const { r, s, yParity } = signed.value
      return serialize(transaction, { r, s, yParity, v: BigInt(27 + yParity) })
    },
  })
}

function hexOf(bytes: Uint8Array): Hex {
  return `0x${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('hex')}`
}

/** Returns the signature of an order's hash in the exchange's form. */
export function toOrderSignature({ r, s, yParity }: HashSignature): OrderSignature {
  return { signatureType: 2, v: yParity === 0 ? 27 : 28, r, s }
}
