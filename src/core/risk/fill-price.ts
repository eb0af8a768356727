import { MINUTE_MS, type Ms } from '../../base/time.ts'
import {
  type Asset,
  type BookAmount,
  isStable,
  pairOf,
  type RoutedStable,
  TOKEN_UNIT,
} from '../../base/money/asset.ts'
import { dollarsForShillings, shillingsForDollars } from '../../base/money/payout.ts'
import { isWithinBand, type Rate, type RateBand } from '../../base/money/rate.ts'
import { SIDES, type Side } from '../../base/money/side.ts'

/** A value and the time it was in force; `until` null = still in force as far as known. */
type Held<Value> = { readonly value: Value; readonly from: Ms; until: Ms | null }

/** A fill whose price is checked; `paid` is the amount that left us, including our fee. */
export type PricedFill = {
  readonly id: string
  readonly side: Side
  readonly inAsset: Asset
  readonly amountIn: BookAmount
  readonly outAsset: Asset
  readonly paid: BookAmount
  /** The earliest time of the fill; mids from up to five minutes before it count. */
  readonly since: Ms
  readonly seenAt: Ms
}

/** The mids and quotes that may have priced recent fills, and unexplained fills. Plain data, bounded. */
export type PriceMemory = {
  /** The mids that were adopted. */
  mids: Held<Rate>[]
  /** The mids of single pairs while they are not the mid in force; absent until there is one. */
  pairs?: Partial<Record<RoutedStable, Pick<PriceMemory, 'mids'>>>
  /** Our spreads that may have been live: confirmed, sent, or sent with an unknown outcome. */
  quotes: Record<Side, Held<number>[]>
  /** Fills that wait for the next rate answer. */
  suspects: PricedFill[]
  /** The fill that halts trading, until an operator resumes. */
  breach: { readonly id: string; readonly worseBps: number } | null
  /** When fills were last polled successfully: a new fill happened after that. */
  polledAt: Ms | null
}

/** Mids and quotes this long before a fill may have priced it. */
export const PRICED_WITHIN_MS = 5 * MINUTE_MS
/** A fill further off than this is a breach without waiting for a rate answer. */
export const FAR_BPS = 1_000
/** How long a mid or quote is kept after its end. */
const KEPT_MS = 4 * PRICED_WITHIN_MS
const MOST_KEPT = 200
const MOST_SUSPECTS = 20

export function createPriceMemory(): PriceMemory {
  return { mids: [], quotes: { bid: [], ask: [] }, suspects: [], breach: null, polledAt: null }
}

/** Records an adopted mid; one outside the corridor prices no fill. */
export function recordAdoptedMid(
  memory: Pick<PriceMemory, 'mids'>,
  now: Ms,
  mid: Rate,
  corridor: RateBand | null,
): void {
  if (corridor !== null && !isWithinBand(corridor, mid)) return
  const last = memory.mids.at(-1)
  if (last?.value === mid && last.until === null) return
  if (last !== undefined) last.until ??= now
  memory.mids.push({ value: mid, from: now, until: null })
  // Each ends when the next begins, so the oldest ones come first.
  while (memory.mids.length > MOST_KEPT || hasEnded(memory.mids[0], now)) memory.mids.shift()
}

/** Records the mid of a pair while it is not the mid in force; null = it is, or is not known. */
export function recordPairMid(
  memory: PriceMemory,
  now: Ms,
  stable: RoutedStable,
  mid: Rate | null,
  corridor: RateBand | null,
): void {
  if (mid !== null) recordAdoptedMid(((memory.pairs ??= {})[stable] ??= { mids: [] }), now, mid, corridor)
  else {
    const last = memory.pairs?.[stable]?.mids.at(-1)
    if (last !== undefined) last.until ??= now
  }
}

/** Returns the mids that may have priced a fill since `from`: only its pair's if those were known throughout. */
function midsSince({ mids, pairs }: PriceMemory, stable: RoutedStable, from: Ms): Rate[] {
  const own = pairs?.[stable]?.mids ?? []
  const [first] = own
  const isKnown = first !== undefined && first.from <= from && own.at(-1)?.until === null
  return isKnown ? valuesSince(own, from) : [...valuesSince(mids, from), ...valuesSince(own, from)]
}

/** Records a spread that may be live from now on, in addition to those that may already be live. */
export function recordSentQuote(memory: PriceMemory, now: Ms, side: Side, bps: number): void {
  const held = memory.quotes[side]
  if (held.some(({ value, until }) => value === bps && until === null)) return
  held.push({ value: bps, from: now, until: null })
  memory.quotes[side] = kept(held, now)
}

/** Records the confirmed spread, which ends all others. */
export function recordConfirmedQuote(memory: PriceMemory, now: Ms, side: Side, bps: number): void {
  for (const one of memory.quotes[side]) if (one.value !== bps) one.until ??= now
  recordSentQuote(memory, now, side, bps)
}

/**
 * Returns by how many bps the fill cost more than our least favourable quote at any mid that may have priced it: the adopted
 * ones, and `answered`, which the venue returned after it. Null = no mid or no quote is known, so no conclusion.
 */
export function worseThanQuoted(
  memory: PriceMemory,
  fill: PricedFill,
  answered: Rate | null = null,
): number | null {
  const from = fill.since - PRICED_WITHIN_MS
  const mids = midsSince(memory, pairOf(fill), from)
  if (answered !== null) mids.push(answered)
  const spreads = valuesSince(memory.quotes[fill.side], from)
  if (mids.length === 0 || spreads.length === 0) return null
  const bps = Math.min(...spreads)
  const [first = 0n] = mids
  const isBetter = (a: Rate, b: Rate) => (fill.side === 'ask' ? a > b : a < b)
  const mid = mids.reduce((best, one) => (isBetter(one, best) ? one : best), first)
  const allowed = payoutAt(fill, mid, bps)
  return allowed <= 0n ? null : Number(((fill.paid - allowed) * 1_000_000n) / allowed) / 100
}

/** Keeps a fill until the next rate answer decides; beyond the limit keeps the oldest, which are decided first. */
export function addSuspect(memory: PriceMemory, fill: PricedFill): void {
  if (memory.suspects.length < MOST_SUSPECTS) memory.suspects.push(fill)
}

/** Clears breach and suspects after an operator resumed; mids and quotes stay. */
export function settleBreach(memory: PriceMemory): void {
  memory.breach = null
  memory.suspects = []
}

function payoutAt({ inAsset, outAsset, amountIn }: PricedFill, mid: Rate, bps: number): bigint {
  if (isStable(inAsset)) return shillingsForDollars(amountIn, mid, bps, 'up')
  if (!isStable(outAsset)) return 0n
  // The formula that pays the taker more.
  return dollarsForShillings(amountIn, mid, bps, 'divide', TOKEN_UNIT[outAsset], 'up')
}

function valuesSince<Value>(held: readonly Held<Value>[], from: Ms): Value[] {
  return held.flatMap(({ value, until }) => (until === null || until >= from ? [value] : []))
}

function kept<Value>(held: Held<Value>[], now: Ms): Held<Value>[] {
  return held.filter((one) => !hasEnded(one, now)).slice(-MOST_KEPT)
}

/** Returns whether it ended too long ago to have priced a fill that is still to be checked. */
function hasEnded(held: Held<unknown> | undefined, now: Ms): boolean {
  return held !== undefined && held.until !== null && now - held.until > KEPT_MS
}

/** Both sides of a spread at once. */
export function eachSide(
  spread: { readonly bidBps: number; readonly askBps: number },
  note: (side: Side, bps: number) => void,
): void {
  for (const side of SIDES) note(side, side === 'bid' ? spread.bidBps : spread.askBps)
}
