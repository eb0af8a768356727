import type { Ms } from '../../base/time.ts'
import { STABLE_ASSETS } from '../../money/asset.ts'
import type { Hex } from '../rfq-order.ts'
import type { RfqSettings } from '../rfq-settings.ts'

/**
 * Cancellations of all pairs of a wallet, signed and not sent: who has them ends every order that is signed with a salt
 * below `minValidSalt`, without the key. They can do nothing else. Each transaction cancels all of the pairs; of one nonce
 * only one can ever be in a block.
 */
export type SealedCancels = {
  readonly chainId: number
  readonly exchange: Hex
  readonly maker: Hex
  readonly pairs: readonly SealedPair[]
  readonly minValidSalt: bigint
  readonly sealedAt: Ms
  /** Every order that it covers has ended by then, whatever becomes of it. */
  readonly usefulUntil: Ms
  /** By nonce, and the lowest fees first. */
  readonly transactions: readonly SealedTransaction[]
}

/** Orders that give `makerToken` for `takerToken`: each pair of tokens is two of them. */
export type SealedPair = { readonly makerToken: Hex; readonly takerToken: Hex }

export type SealedTransaction = {
  readonly nonce: number
  /** 1 has the lowest fees. */
  readonly level: number
  readonly maxFeePerGas: bigint
  readonly maxPriorityFeePerGas: bigint
  readonly hash: Hex
  /** What eth_sendRawTransaction takes. */
  readonly raw: Hex
}

/** Their file, in the folder where the signer has its own. */
export const SEALED_FILE = 'sealed-cancels.json'

const VERSION = 1
/** Nearly twice of what was measured on the contract: 134,000 for four pairs that were never cancelled before. */
const GAS = { transaction: 40_000n, pair: 50_000n }

/** The gas limit of a cancellation of so many pairs. */
export function sealedGas(pairs: number): bigint {
  return GAS.transaction + GAS.pair * BigInt(pairs)
}

/** Both directions of the shilling against each dollar of the settings. */
export function sealedPairs(tokens: RfqSettings['tokens']): readonly SealedPair[] {
  const { NTZS: shilling } = tokens
  if (shilling === undefined) return []
  return STABLE_ASSETS.flatMap((asset) => {
    const dollar = tokens[asset]
    return dollar === undefined
      ? []
      : [
          { makerToken: shilling, takerToken: dollar },
          { makerToken: dollar, takerToken: shilling },
        ]
  })
}

/** The text of the file; each `raw` has a line of its own, so that a person can take it out without this program. */
export function encodeSealed(sealed: SealedCancels): string {
  const text = (_key: string, value: unknown) => (typeof value === 'bigint' ? value.toString() : value)
  return `${JSON.stringify({ version: VERSION, ...sealed }, text, 2)}\n`
}

/** Null for a text that this program did not write. */
export function parseSealed(text: string): SealedCancels | null {
  try {
    const { version, minValidSalt, transactions, ...rest } = JSON.parse(text) as Fields
    if (version !== VERSION || !Array.isArray(transactions) || transactions.length === 0) return null
    if (![rest.chainId, rest.sealedAt, rest.usefulUntil].every(Number.isSafeInteger)) return null
    if (![rest.exchange, rest.maker].every(isHex) || !arePairs(rest.pairs)) return null
    const read = transactions.map(transactionOf)
    if (!read.every((one) => one !== null)) return null
    return { ...(rest as Plain), minValidSalt: wholeOf(minValidSalt), transactions: read }
  } catch {
    // No JSON, no object, or a number that is none.
    return null
  }
}

type Fields = Readonly<Record<string, unknown>>
type Plain = Omit<SealedCancels, 'minValidSalt' | 'transactions'>

function transactionOf(value: unknown): SealedTransaction | null {
  const { nonce, level, maxFeePerGas, maxPriorityFeePerGas, hash, raw } = value as Fields
  if (!Number.isSafeInteger(nonce) || !Number.isSafeInteger(level) || !isHex(hash) || !isHex(raw)) return null
  return {
    nonce: nonce as number,
    level: level as number,
    maxFeePerGas: wholeOf(maxFeePerGas),
    maxPriorityFeePerGas: wholeOf(maxPriorityFeePerGas),
    hash,
    raw,
  }
}

function arePairs(value: unknown): boolean {
  const isPair = (one: unknown) => {
    const { makerToken, takerToken } = one as Fields
    return isHex(makerToken) && isHex(takerToken)
  }
  return Array.isArray(value) && value.length > 0 && value.every(isPair)
}

/** Throws for a text that is no whole number. */
function wholeOf(value: unknown): bigint {
  if (typeof value !== 'string' || !/^\d+$/.test(value)) throw new SyntaxError('no whole number')
  return BigInt(value)
}

function isHex(value: unknown): value is Hex {
  return typeof value === 'string' && /^0x[0-9a-f]+$/.test(value)
}
