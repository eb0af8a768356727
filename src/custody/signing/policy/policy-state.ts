import { DAY_MS, MINUTE_MS, type Ms } from '../../../base/time.ts'
import { TOKEN_UNIT, type StableAsset } from '../../../base/money/asset.ts'
import { divide } from '../../../base/money/rounding.ts'
import type { ChainReading } from '../../../core/rfq/chain-reading.ts'
import type { Hex, RfqOrder } from '../../../core/rfq/rfq-order.ts'
import { isSameAddress, type SigningPolicy } from './signing-policy.ts'

/** An order that was signed, or may have been; it is on disk before its signature exists. */
export type SignedRecord = {
  readonly order: RfqOrder
  /** The dollar side of the whole order, 18 decimals. */
  readonly usd: bigint
  readonly signedAt: Ms
  readonly filledUsd: bigint
  /** The block that first showed its end, provided that later readings agree; null = it can be filled. */
  readonly endedAtBlock: bigint | null
  /** When that end became final, on our clock; null = it is live. */
  readonly endedAt: Ms | null
}

/** Operator settings that apply to a position on all machines. */
export type SharedLimits = { readonly solver: Hex | null; readonly stopAt: Ms | null }

/** The signer's memory. Its rules use only this and the request. */
export type PolicyState = {
  /** The solver that an operator confirmed on this machine; null = not pinned here. */
  solver: Hex | null
  /** From this time on the signer signs nothing that puts value at risk; null = never. */
  stopAt: Ms | null
  /** The last reading of the position's row; null = no row, or not read yet. */
  shared: SharedLimits | null
  /** The highest salt ever used; null before the first. */
  lastSalt: bigint | null
  /** By salt. */
  signed: Map<string, SignedRecord>
  /** The newest block of the signer's own readings; null before the first in this process. */
  head: { readonly number: bigint; readonly t: Ms; readonly readAt: Ms } | null
}

/** The part of a reading that the signer requests itself. */
export type OwnReading = Pick<ChainReading, 'head' | 'orders'>

export function emptyPolicyState(): PolicyState {
  return { solver: null, stopAt: null, shared: null, lastSalt: null, signed: new Map(), head: null }
}

/** Returns when the signer stops, by its own file or by the position's row; null = no stop is set. */
export function stopAtOf({ stopAt, shared }: Pick<PolicyState, 'stopAt' | 'shared'>): Ms | null {
  const stops = [stopAt, shared?.stopAt ?? null].filter((at) => at !== null)
  return stops.length === 0 ? null : Math.min(...stops)
}

/** Returns the solver that an operator confirmed, here or on another machine; null = not pinned. */
export function pinnedSolver({ solver, shared }: Pick<PolicyState, 'solver' | 'shared'>): Hex | null {
  return solver ?? shared?.solver ?? null
}

/** Returns the records of orders that the chain has not finally shown as ended. */
export function liveRecords(state: PolicyState): SignedRecord[] {
  return [...state.signed.values()].filter(({ endedAt }) => endedAt === null)
}

/** Returns the USD of live orders that can still be filled. */
export function liveOrdersUsd(state: PolicyState): bigint {
  return liveRecords(state).reduce((sum, { usd, filledUsd }) => sum + usd - filledUsd, 0n)
}

/**
 * Returns the value of live orders plus the filled part of those that ended within the window. A filled order no longer
 * counts as live, so only this bounds the loss from a wrong price.
 */
export function atRiskUsd(state: PolicyState, now: Ms, windowMs: Ms): bigint {
  let sum = 0n
  for (const { usd, filledUsd, endedAt } of state.signed.values()) {
    if (endedAt === null) sum += usd
    else if (now - endedAt < windowMs) sum += filledUsd
  }
  return sum
}

export function signedLastMinute(state: PolicyState, now: Ms): number {
  return [...state.signed.values()].filter(({ signedAt }) => now - signedAt < MINUTE_MS).length
}

/** Returns the dollar of an order and its amount (18 decimals); null unless it is the shilling against a dollar. */
export function dollarSide(
  order: RfqOrder,
  tokens: SigningPolicy['tokens'],
): { readonly usd: bigint; readonly shillings: bigint } | null {
  const { NTZS: shilling, ...dollars } = tokens
  if (shilling === undefined) return null
  const { makerToken, takerToken, makerAmount, takerAmount } = order
  const isAsk = isSameAddress(makerToken, shilling)
  if (!isAsk && !isSameAddress(takerToken, shilling)) return null
  const [token, dollarAmount] = isAsk ? [takerToken, takerAmount] : [makerToken, makerAmount]
  for (const [asset, address] of Object.entries(dollars) as [StableAsset, Hex | undefined][])
    if (address !== undefined && isSameAddress(token, address))
      return { usd: dollarAmount * TOKEN_UNIT[asset], shillings: isAsk ? makerAmount : takerAmount }
  return null
}

/**
 * Applies a chain reading that the signer requested itself. Returns the changed records, and in `forgotten` the salts
 * of dropped ones. A reading behind the last head changes nothing. If the chain's clock is further ahead of ours than
 * allowed, only the head changes, which the clock rule checks.
 */
export function applyOwnReading(
  state: PolicyState,
  { head, orders }: OwnReading,
  readAt: Ms,
  policy: Pick<SigningPolicy, 'confirmations' | 'maxClockOffsetMs'>,
): { readonly changed: SignedRecord[]; readonly forgotten: bigint[] } {
  const changed: SignedRecord[] = []
  if (state.head !== null && head.number < state.head.number) return { changed, forgotten: [] }
  state.head = { number: head.number, t: head.t, readAt }
  if (head.t - readAt > policy.maxClockOffsetMs) return { changed, forgotten: [] }
  for (const { salt, status, takerFilled } of orders) {
    const before = state.signed.get(salt.toString())
    if (before === undefined || before.endedAt !== null) continue
    const { order } = before
    const isExpired = Number(order.expiry) * 1_000 <= Math.min(head.t, readAt)
    const hasEnded = status === 'FILLED' || status === 'CANCELLED' || isExpired
    const endedAtBlock = hasEnded ? (before.endedAtBlock ?? head.number) : null
    const isFinal = endedAtBlock !== null && head.number - endedAtBlock >= BigInt(policy.confirmations)
    const taken = takerFilled < order.takerAmount ? takerFilled : order.takerAmount
    const filledUsd = divide(before.usd * taken, order.takerAmount, 'up')
    const after = { ...before, filledUsd, endedAtBlock, endedAt: isFinal ? readAt : null }
    if (isSameRecord(before, after)) continue
    state.signed.set(salt.toString(), after)
    changed.push(after)
  }
  return { changed, forgotten: forget(state, readAt) }
}

/** Removes ended orders that no longer count towards any limit. */
function forget(state: PolicyState, now: Ms): bigint[] {
  const forgotten: bigint[] = []
  for (const [key, { order, endedAt, filledUsd, signedAt }] of state.signed) {
    if (endedAt === null || now - signedAt < MINUTE_MS) continue
    if (filledUsd > 0n && now - endedAt < DAY_MS) continue
    state.signed.delete(key)
    forgotten.push(order.salt)
  }
  return forgotten
}

function isSameRecord(a: SignedRecord, b: SignedRecord): boolean {
  return a.filledUsd === b.filledUsd && a.endedAtBlock === b.endedAtBlock && a.endedAt === b.endedAt
}
