import { keccak256, serializeTransaction, type LocalAccount } from 'viem'
import { toAccount } from 'viem/accounts'
import { err, ok, type Result } from '../base/result.ts'
import type { Hex, RfqOrder } from '../rfq/rfq-order.ts'
import { createOrderPacker, type PackedOrder } from './order-packer.ts'
import { orderRefusal } from './order-refusal.ts'
import { toOrderSignature } from './order-signature.ts'
import type { OrderSigner, SignedOrder, SigningFailure } from './order-signer.ts'
import type { SignPreimage } from './sign-preimage.ts'
import type { SigningTerms } from './signing-terms.ts'
import { transactionRefusal } from './transaction-refusal.ts'

type Keccak256 = (bytes: Uint8Array) => Uint8Array

/** What every signer has in common: it looks at what it is asked to sign, and has the rest signed. */
export function createOrderSigner(
  address: Hex,
  terms: SigningTerms,
  signPreimage: SignPreimage,
  keccak: Keccak256 = (bytes) => keccak256(bytes, 'bytes'),
): OrderSigner {
  const pack = createOrderPacker(terms.domain, keccak)
  const sign = async (order: RfqOrder): Promise<Result<SignedOrder, SigningFailure>> => {
    const packed = look(order, address, terms, pack)
    if (!packed.ok) return packed
    const { preimage, orderHash } = packed.value
    const signature = await signPreimage(preimage, orderHash)
    if (!signature.ok) return signature
    return ok({ order, hash: hexOf(orderHash), signature: toOrderSignature(signature.value) })
  }
  return { address, sign, account: transactionAccount(address, terms, signPreimage) }
}

function look(
  order: RfqOrder,
  address: Hex,
  terms: SigningTerms,
  pack: (order: RfqOrder) => PackedOrder,
): Result<PackedOrder, SigningFailure> {
  try {
    const refusal = orderRefusal(order, address, terms)
    return refusal === null ? ok(pack(order)) : err(refusal)
  } catch (error) {
    // Nobody was asked to sign yet, so whatever went wrong there is no signature.
    const message = `not signed: the order cannot be hashed (${(error as Error).message})`
    return err({ code: 'SIGN_MALFORMED', message, isVoid: true })
  }
}

/** viem's account for the same wallet, which signs the transactions of this trade and nothing else. */
function transactionAccount(address: Hex, terms: SigningTerms, signPreimage: SignPreimage): LocalAccount {
  const never = () => Promise.reject(new Error('this wallet signs orders and transactions, nothing else'))
  return toAccount({
    address,
    signMessage: never,
    signTypedData: never,
    signTransaction: async (transaction, options) => {
      const serialize = options?.serializer ?? serializeTransaction
      const refusal = transactionRefusal(transaction, address, terms)
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
