import type { Hex } from '../rfq/rfq-order.ts'

/** Gives a private key away only when asked, and prints as something else everywhere. */
export type KeyHolder = { readonly reveal: () => string }

/** Where the key is that signs orders, as the configuration says it. */
export type SignerChoice =
  /** A geth V3 file; its password is the first line of another file. */
  | { readonly kind: 'keystore'; readonly file: string; readonly passwordFile: string }
  /** 32 bytes of hex, for tests; refused in mode live unless `allowInLive`. */
  | { readonly kind: 'env'; readonly key: KeyHolder; readonly allowInLive: boolean }
  /** A Web3Signer, which keeps the key; `address` is the wallet it has to sign for. */
  | { readonly kind: 'web3signer'; readonly url: string; readonly address: Hex }
