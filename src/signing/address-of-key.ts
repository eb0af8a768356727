import { Address, Secp256k1 } from 'ox'
import type { Hex } from '../rfq/rfq-order.ts'
import type { PrivateKey } from './private-key.ts'

/** The wallet of a key, in lower case. */
export function addressOfKey(key: PrivateKey): Hex {
  const publicKey = key.use((privateKey) => Secp256k1.getPublicKey({ privateKey }))
  return Address.fromPublicKey(publicKey).toLowerCase() as Hex
}
