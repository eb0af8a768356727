import { Address, PublicKey } from 'ox'
import { err, ok, type Result } from '../base/result.ts'
import type { Hex } from '../rfq/rfq-order.ts'
import { createOrderSigner } from './create-order-signer.ts'
import type { OrderSigner } from './order-signer.ts'
import type { SignPreimage } from './sign-preimage.ts'
import { createWeb3SignerClient, type Web3SignerClient } from './web3-signer-client.ts'
import { readRemoteSignature } from './read-remote-signature.ts'
import type { SigningWall } from './policy/signing-wall.ts'

export type RemoteSignerPlace = {
  readonly url: string
  readonly address: Hex
  /** For one request, answer included. */
  readonly timeoutMs?: number
}

/**
 * A signer whose key is at a Web3Signer (https://docs.web3signer.consensys.io, REST of eth1). That names its
 * keys by their public half, so it is asked for those first. Everything it answers is checked to be the
 * wallet's signature of exactly what was asked.
 */
export async function openRemoteSigner(
  place: RemoteSignerPlace,
  wall: SigningWall,
): Promise<Result<OrderSigner, string>> {
  const client = createWeb3SignerClient(place.url, place.timeoutMs)
  if (!client.ok) return client
  const address = place.address.toLowerCase() as Hex
  const listed = await client.value.publicKeys()
  if (!listed.ok) return err(`the remote signer does not list its keys: ${listed.error.message}`)
  const identifier = listed.value.find((publicKey) => addressOf(publicKey) === address)
  if (identifier === undefined) return err(`the remote signer does not hold the key of ${address}`)
  return ok(createOrderSigner(address, wall, signRemotely(client.value, identifier, address)))
}

function signRemotely(client: Web3SignerClient, identifier: string, address: Hex): SignPreimage {
  return async (preimage, hash) => {
    const answer = await client.sign(identifier, `0x${Buffer.from(preimage).toString('hex')}`)
    if (!answer.ok) return answer
    const signature = readRemoteSignature(answer.value, hash, address)
    return signature.ok ? signature : err({ ...signature.error, isVoid: false })
  }
}

/** Null for what is no public key. */
function addressOf(publicKey: string): string | null {
  try {
    const digits = publicKey.replace(/^0x/, '')
    const parsed = PublicKey.fromHex(`0x${digits.length === 128 ? '04' : ''}${digits}`)
    return Address.fromPublicKey(parsed).toLowerCase()
  } catch {
    return null
  }
}
