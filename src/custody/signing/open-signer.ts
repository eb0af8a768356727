import type { Hex } from '../../core/rfq/rfq-order.ts'
import { err, type Result } from '../../base/result.ts'
import { openLocalSigner } from './local/local-signer.ts'
import { openRemoteSigner } from './remote/remote-signer.ts'
import type { OrderSigner } from './order-signer.ts'
import { PrivateKey } from './local/private-key.ts'
import { readKeystore } from './keystore/keystore-file.ts'
import { loadWasmEngine } from './local/wasm-engine.ts'
import type { SigningGuard } from './policy/signing-guard.ts'

/** Holds a private key that only `reveal` returns; printing it shows something else. */
type KeyHolder = { readonly reveal: () => string }

/** The configured place of the key that signs orders. */
type SignerChoice =
  /** A geth V3 file; its password is the first line of another file. */
  | { readonly kind: 'keystore'; readonly file: string; readonly passwordFile: string }
  /** 32 bytes of hex, for tests; refused in mode live unless `allowInLive`. */
  | { readonly kind: 'env'; readonly key: KeyHolder; readonly allowInLive: boolean }
  /** A Web3Signer, which holds the key; `address` is the wallet it must sign for. */
  | { readonly kind: 'web3signer'; readonly url: string; readonly address: Hex }

/** The dependencies of a signer. */
export type SignerParts = {
  readonly wall: SigningGuard
  readonly mode: 'live' | 'dry-run'
  /** The configured wallet; keys of other wallets are refused. Null = any wallet. */
  readonly maker: OrderSigner['address'] | null
  /** Receives a line about each readable secret file, a key in the environment, or a missing fast engine. */
  readonly warn: (line: string) => void
  readonly loadEngine?: typeof loadWasmEngine
}

/** Opens the signer of the configuration. The error is one line without key material. */
export async function openSigner(
  choice: SignerChoice,
  parts: SignerParts,
): Promise<Result<OrderSigner, string>> {
  const opened = await openChosen(choice, parts)
  const { maker } = parts
  if (!opened.ok || maker === null || opened.value.address === maker.toLowerCase()) return opened
  return err(`the signer's wallet is ${opened.value.address}, but the configuration has ${maker}`)
}

async function openChosen(choice: SignerChoice, parts: SignerParts): Promise<Result<OrderSigner, string>> {
  if (choice.kind === 'web3signer') return openRemoteSigner(choice, parts.wall)
  if (choice.kind === 'keystore') {
    const opened = await readKeystore(choice, parts.warn)
    return opened.ok ? openHere(opened.value.key, parts) : opened
  }
  if (parts.mode === 'live' && !choice.allowInLive)
    return err(
      'a key from the environment is for tests and refused in mode live; use a keystore file or a remote signer, or set allowInLive',
    )
  if (parts.mode === 'live')
    parts.warn('the key comes from the environment (allowInLive); prefer a keystore file')
  const key = PrivateKey.parse(choice.key.reveal())
  return key.ok ? openHere(key.value, parts) : err(`the key from the environment: ${key.error}`)
}

async function openHere(key: PrivateKey, parts: SignerParts): Promise<Result<OrderSigner, string>> {
  const engine = await (parts.loadEngine ?? loadWasmEngine)()
  if (!engine.ok)
    parts.warn(`${engine.error}; the reference implementation signs orders, about twenty times slower`)
  const opened = openLocalSigner(key, parts.wall, engine.ok ? engine.value : null)
  if (!opened.ok) key.wipe()
  return opened
}
