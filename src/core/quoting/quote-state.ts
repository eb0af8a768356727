import type { Ms } from '../../base/time.ts'
import type { Side } from '../../base/money/side.ts'

/** A complete PATCH /spread. `quotePairs` null = all pairs; never empty, because the venue refuses that. */
export type QuotedSpread = {
  readonly bidBps: number
  readonly askBps: number
  readonly quoteBid: boolean
  readonly quoteAsk: boolean
  readonly quotePairs: readonly string[] | null
}

/** A spread as the venue states it; null = a flag that it does not state. */
export type StatedSpread = Omit<QuotedSpread, 'quoteBid' | 'quoteAsk'> & {
  readonly quoteBid: boolean | null
  readonly quoteAsk: boolean | null
}

/**
 * The quote that the venue last confirmed, and its status: `unknown` after a start and after a PATCH without an answer,
 * `mismatch` if a read-back contradicts the confirmation. Both are repaired first.
 */
export type QuotingState = {
  status: 'confirmed' | 'unknown' | 'mismatch'
  why: string
  /** The quote that the venue last confirmed by a PATCH; null before the first confirmation. */
  confirmed: QuotedSpread | null
  confirmedAt: Ms | null
  /** The PATCH in flight. Later targets wait for its outcome. */
  inFlight: { readonly request: number; readonly spread: QuotedSpread } | null
  lastSentAt: Ms | null
  /** The quote of the last PATCH, answered or not; null or absent = no PATCH was sent. */
  asked?: { readonly spread: QuotedSpread; readonly safety: boolean } | null
  /** PATCHes in a row without a confirmation; the pause before the next one grows with their number. */
  failures: number
  /** An alert has reported that the changes fail, and none was confirmed since. */
  isStuck?: boolean
  /** Sides whose read-back the repair waits for, and the spreads that were read. */
  awaiting: Record<Side, boolean>
  read: Record<Side, number | null>
  /** The spread last read of each side since the last confirmation, or since the status became unknown; absent = not read. */
  readSince?: Partial<Record<Side, number>> | undefined
  /** The pairs that the venue quotes beyond the requested list; absent = no such pairs. */
  unaskedPairs?: string
  /** Number of consecutive safety PATCHes after which the venue held a different spread. */
  mismatches: number
  /** The mismatch of the last PATCH is already counted: its answer and two read-backs count once. */
  isCounted?: boolean
  /** Sides that must be read back as asked before the mismatches are forgotten. */
  unverified?: Record<Side, boolean>
  /**
   * How the venue states its side flags. Absent = stated, or no answer yet; `missed` = one answer lacked them after others had
   * them; `unstated` = its first answer lacked them; `ignored` = two answers in a row lacked them.
   */
  flags?: 'missed' | 'unstated' | 'ignored'
  /** True if a side was filled that the venue had confirmed as off, which proves that the venue ignores its flags. */
  isFlagsRefuted?: true
  /** Times at which both sides are read back again after a start, soonest first; absent = none left. */
  readBackAt?: readonly Ms[]
}

export function createQuoting(): QuotingState {
  return {
    status: 'unknown',
    why: 'not read back yet',
    confirmed: null,
    confirmedAt: null,
    inFlight: null,
    lastSentAt: null,
    asked: undefined,
    failures: 0,
    isStuck: undefined,
    awaiting: { bid: true, ask: true },
    read: { bid: null, ask: null },
    unaskedPairs: undefined,
    mismatches: 0,
    isCounted: undefined,
    unverified: undefined,
    readBackAt: undefined,
    flags: undefined,
    readSince: undefined,
  }
}

/**
 * Returns whether a side can be closed at the venue. If the venue states no flags, a side that is off remains open at its idle
 * spread.
 */
export function canCloseSides({ flags }: QuotingState): boolean {
  return flags === undefined || flags === 'missed'
}

/** Fills in flags that the venue does not state from `asked`; null = the side is open. */
export function withFlags(stated: StatedSpread, asked: QuotedSpread | null): QuotedSpread {
  return {
    ...stated,
    quoteBid: stated.quoteBid ?? asked?.quoteBid ?? true,
    quoteAsk: stated.quoteAsk ?? asked?.quoteAsk ?? true,
  }
}

/** Returns whether two PATCHes are equal. Sides that are off are equal at any idle spread. */
export function sameSpread(a: QuotedSpread, b: QuotedSpread): boolean {
  return (
    a.quoteBid === b.quoteBid &&
    a.quoteAsk === b.quoteAsk &&
    (!a.quoteBid || a.bidBps === b.bidBps) &&
    (!a.quoteAsk || a.askBps === b.askBps) &&
    samePairs(a.quotePairs, b.quotePairs)
  )
}

/** Returns whether two lists name the same pairs, in any order; null = all pairs, and equals only null. */
export function samePairs(a: readonly string[] | null, b: readonly string[] | null): boolean {
  if (a === null || b === null) return a === b
  return a.length === b.length && a.every((pair) => b.includes(pair))
}
