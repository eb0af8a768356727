import { Address, PublicKey, Secp256k1 } from 'ox'
import { err, ok, type Result } from '../../../base/result.ts'
import type { Hex } from '../../../core/rfq/rfq-order.ts'
import { createOrderSigner } from '../create-order-signer.ts'
import type { HashSignature, OrderSigner, SigningFailure, SignPreimage } from '../order-signer.ts'
import { GROUP_ORDER } from '../local/private-key.ts'
import { createWeb3SignerClient, type Web3SignerClient } from './web3-signer-client.ts'
import type { SigningGuard } from '../policy/signing-guard.ts'

type RemoteSignerPlace = {
  readonly url: string
  readonly address: Hex
  /** For one request, including its answer. */
  readonly timeoutMs?: number
}

/**
 * Opens a signer whose key is at a Web3Signer (https://docs.web3signer.consensys.io, REST of eth1). It identifies keys
 * by their public half, so its list is read first. Every answer is verified to be the wallet's signature of exactly the
 * requested hash.
 */
export async function openRemoteSigner(
  place: RemoteSignerPlace,
  wall: SigningGuard,
): Promise<Result<OrderSigner, string>> {
  const client = createWeb3SignerClient(place.url, place.timeoutMs)
  if (!client.ok) return client
  const address = place.address.toLowerCase() as Hex
  const listed = await client.value.publicKeys()
  if (!listed.ok) return err(`the remote signer did not list its keys: ${listed.error.message}`)
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

/** Returns null for an invalid public key. */
function addressOf(publicKey: string): string | null {
  try {
    const digits = publicKey.replace(/^0x/, '')
    const parsed = PublicKey.fromHex(`0x${digits.length === 128 ? '04' : ''}${digits}`)
    return Address.fromPublicKey(parsed).toLowerCase()
  } catch {
    return null
  }
}

/**
 * Reads r, s and v from the remote signer's answer. Converts a high s to the low one, as the exchange requires. Refuses
 * a signature that does not recover to `address`.
 */
function readRemoteSignature(
  text: string,
  hash: Uint8Array,
  address: Hex,
): Result<HashSignature, SigningFailure> {
  const [, r = '', s = '', v = ''] =
    /^"?0x([0-9a-f]{64})([0-9a-f]{64})(00|01|1b|1c)"?$/i.exec(text.trim()) ?? []
  if (v === '') return failure('SIGN_REMOTE_GARBAGE', 'its answer is not a signature')
  const signature = lowered(BigInt(`0x${r}`), BigInt(`0x${s}`), /^(00|1b)$/i.test(v) ? 0 : 1)
  const signer = signerOf(signature, hash)
  return signer === address
    ? ok(signature)
    : failure('SIGN_REMOTE_WRONG_KEY', `it signed as ${signer ?? 'no wallet'} instead of ${address}`)
}

function lowered(r: bigint, s: bigint, yParity: 0 | 1): HashSignature {
  const isHigh = s > GROUP_ORDER / 2n && s < GROUP_ORDER
  return {
    r: word(r),
    s: word(isHigh ? GROUP_ORDER - s : s),
    yParity: isHigh ? (yParity === 0 ? 1 : 0) : yParity,
  }
}

/** Returns null for a signature that matches no key. */
function signerOf({ r, s, yParity }: HashSignature, hash: Uint8Array): Hex | null {
  try {
    return Secp256k1.recoverAddress({ payload: hash, signature: { r, s, yParity } }).toLowerCase() as Hex
  } catch {
    return null
  }
}

function word(value: bigint): Hex {
  return `0x${value.toString(16).padStart(64, '0')}`
}

function failure(code: string, what: string): Result<never, SigningFailure> {
  return err({ code, message: `the remote signer is unreliable: ${what}`, isVoid: false })
}
