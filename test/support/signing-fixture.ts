import type { Hex, RfqOrder } from '../../src/rfq/rfq-order.ts'
import { PrivateKey } from '../../src/signing/private-key.ts'
import type { SigningTerms } from '../../src/signing/signing-terms.ts'

/** The exchange's address on Base, in lower case. */
export const EXCHANGE: Hex = '0xdef1c0ded9bec7f1a1670819833240f027b25eff'
export const BASE = { chainId: 8_453, exchange: EXCHANGE }
/** A key for tests, with the wallet that every development chain funds first. */
export const KEY: Hex = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80'
export const MAKER: Hex = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266'
export const SOLVER: Hex = `0x${'5e'.repeat(20)}`
export const SHILLING: Hex = `0x${'a1'.repeat(20)}`
export const DOLLAR: Hex = `0x${'b2'.repeat(20)}`
/** Milliseconds since the epoch, a whole second. */
export const NOW = 1_900_000_000_000

export function signingTerms(change: Partial<SigningTerms> = {}): SigningTerms {
  return {
    domain: BASE,
    tokens: { NTZS: SHILLING, USDC: DOLLAR },
    solver: () => SOLVER,
    now: () => NOW,
    ...change,
  }
}

/** An order that a signer with these terms signs. */
export function signableOrder(change: Partial<RfqOrder> = {}): RfqOrder {
  return {
    makerToken: SHILLING,
    takerToken: DOLLAR,
    makerAmount: 2_500n * 10n ** 18n,
    takerAmount: 1_000_000n,
    maker: MAKER,
    taker: SOLVER,
    txOrigin: SOLVER,
    pool: `0x${'0'.repeat(64)}`,
    expiry: BigInt(NOW / 1_000 + 60),
    salt: 1n,
    ...change,
  }
}

export function privateKey(hex: Hex = KEY): PrivateKey {
  const key = PrivateKey.parse(hex)
  if (!key.ok) throw new Error(key.error)
  return key.value
}
