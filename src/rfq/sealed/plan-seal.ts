import type { Ms } from '../../base/time.ts'
import { leastSaltAt } from '../build-order.ts'
import type { SealedCancels, SealedPair, SealedTransaction } from './sealed-cancels.ts'

/** The nonces of the wallet: the first that is in no block, and the first that nothing of ours uses. */
export type WalletNonces = { readonly mined: number; readonly next: number }

type SealFees = Pick<SealedTransaction, 'maxFeePerGas' | 'maxPriorityFeePerGas'>

/** What a seal is made of beside nonces and salts. */
export type SealTerms = {
  readonly pairs: readonly SealedPair[]
  /** By level, the lowest first. */
  readonly fees: readonly SealFees[]
}

/** The next seal: what of the last one is kept, and what has to be signed for it. */
export type SealPlan = {
  readonly minValidSalt: bigint
  readonly kept: readonly SealedTransaction[]
  readonly unsigned: readonly Omit<SealedTransaction, 'hash' | 'raw'>[]
}

/** A seal covers the orders of so long ahead, so that not every order needs another one. */
export const SALTS_AHEAD_MS: Ms = 30_000
/** More transactions of ours than this never wait at once. */
const MOST_NONCES = 8

/**
 * What must be sealed before an order with this salt is signed; null = the last seal suffices. The process may end at any
 * moment after that, and what it has sent may get into a block or not: so each nonce from the first that is in no block up to
 * the second that is free is sealed, at each level of fees.
 */
export function planSeal(
  last: SealedCancels | null,
  { mined, next }: WalletNonces,
  salt: bigint,
  now: Ms,
  terms: SealTerms,
): SealPlan | null {
  const count = Math.min(MOST_NONCES, Math.max(next, mined) + 2 - mined)
  const wanted = Array.from({ length: count }, (_, index) => mined + index).flatMap((nonce) =>
    terms.fees.map((fees, index) => ({ nonce, level: index + 1, ...fees })),
  )
  const isAhead = last !== null && last.minValidSalt > salt && hasSamePairs(last.pairs, terms.pairs)
  const minValidSalt = isAhead ? last.minValidSalt : nextMinimum(last, salt, now)
  const kept = isAhead ? last.transactions.filter((one) => wanted.some((its) => isSame(one, its))) : []
  const unsigned = wanted.filter((its) => !kept.some((one) => isSame(one, its)))
  if (isAhead && unsigned.length === 0 && kept.length === last.transactions.length) return null
  return { minValidSalt, kept, unsigned }
}

/** The exchange takes no lower minimum than the one before, so that it never falls, not even where the clock is set back. */
function nextMinimum(last: SealedCancels | null, salt: bigint, now: Ms): bigint {
  const byTime = leastSaltAt(now)
  const ahead = (salt > byTime ? salt : byTime) + leastSaltAt(SALTS_AHEAD_MS)
  return last !== null && last.minValidSalt > ahead ? last.minValidSalt : ahead
}

/**
 * Three levels of fees up to the cap. A node takes a transaction in place of another one with the nonce only if both fees
 * are at least an eighth higher, so each level doubles them, and the lowest has twice the tip of our other transactions.
 */
export function sealFees(maxFeePerGas: bigint, tip: bigint): readonly SealFees[] {
  const lowest = tip > 0n ? 2n * tip : 1n
  return [4n, 2n, 1n].map((part, index) => {
    const fee = maxFeePerGas / part > 0n ? maxFeePerGas / part : 1n
    const priority = lowest * 2n ** BigInt(index)
    return { maxFeePerGas: fee, maxPriorityFeePerGas: priority < fee ? priority : fee }
  })
}

function isSame(
  one: SealFees & { readonly nonce: number; readonly level: number },
  its: typeof one,
): boolean {
  return (
    one.nonce === its.nonce &&
    one.level === its.level &&
    one.maxFeePerGas === its.maxFeePerGas &&
    one.maxPriorityFeePerGas === its.maxPriorityFeePerGas
  )
}

function hasSamePairs(one: readonly SealedPair[], other: readonly SealedPair[]): boolean {
  const names = (pairs: readonly SealedPair[]) =>
    pairs.map(({ makerToken, takerToken }) => `${makerToken}>${takerToken}`).join()
  return names(one) === names(other)
}
