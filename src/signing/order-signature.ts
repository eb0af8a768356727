import type { OrderSignature } from './order-signer.ts'
import type { HashSignature } from './sign-hash.ts'

/** The signature of an order's hash in the exchange's form. */
export function toOrderSignature({ r, s, yParity }: HashSignature): OrderSignature {
  return { signatureType: 2, v: yParity === 0 ? 27 : 28, r, s }
}
