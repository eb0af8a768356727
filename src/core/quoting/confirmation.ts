import type { Ms } from '../../base/time.ts'
import {
  canCloseSides,
  type QuotedSpread,
  type QuotingState,
  samePairs,
  sameSpread,
  type StatedSpread,
  withFlags,
} from './quote-state.ts'
import { type Side, SIDES } from '../../base/money/side.ts'

/** Records a sent PATCH; `safety` is that of the target. */
export function patchSent(
  state: QuotingState,
  request: number,
  spread: QuotedSpread,
  now: Ms,
  safety = false,
): void {
  state.inFlight = { request, spread }
  state.lastSentAt = now
  state.asked = { spread, safety }
  state.isCounted = undefined
  state.unverified = undefined
}

/**
 * Records the quote that the venue states in its answer to our PATCH. If it differs from the request, the status is `mismatch`, and
 * the repair is paced like a failure, because the venue may answer so indefinitely. Pairs count as requested if the venue names
 * none, or names all of them after a request for all. Flags that it does not state count as requested if it stated them before;
 * otherwise both sides count as open, and a side that should be off counts as held at its idle spread.
 */
export function patchConfirmed(
  state: QuotingState,
  stated: StatedSpread,
  asked: QuotedSpread | null,
  now: Ms,
  namesPairs = false,
): void {
  recordFlags(state, stated)
  const counted = state.isFlagsRefuted === true ? { ...stated, quoteBid: null, quoteAsk: null } : stated
  const held = withFlags(counted, canCloseSides(state) ? asked : null)
  // Pairs beyond the list have their own rule: a repair with the same list would not change them.
  const unasked = asked !== null && namesPairs ? pairsBeyond(asked.quotePairs, held.quotePairs) : null
  if (unasked !== null) state.unaskedPairs = unasked
  else if (namesPairs) state.unaskedPairs = undefined
  const asAsked =
    asked !== null &&
    (unasked !== null ||
      asked.quotePairs === null ||
      held.quotePairs === null ||
      samePairs(asked.quotePairs, held.quotePairs))
  const holds = asAsked ? { ...held, quotePairs: asked.quotePairs } : held
  const equal = asked === null || sameSpread(canCloseSides(state) ? holds : openAsAsked(holds, asked), asked)
  state.inFlight = null
  state.failures = equal ? 0 : state.failures + 1
  state.confirmed = holds
  if (!equal) countMismatch(state)
  state.confirmedAt = now
  state.awaiting = { bid: false, ask: false }
  state.readSince = undefined
  state.status = equal ? 'confirmed' : 'mismatch'
  state.why = equal ? 'confirmed by the venue' : 'the venue holds a different spread from the one requested'
}

/** After answers with flags, two answers in a row without them are needed to conclude that the venue ignores them. */
function recordFlags(state: QuotingState, { quoteBid, quoteAsk }: StatedSpread): void {
  if (state.isFlagsRefuted === true) return
  if (quoteBid !== null && quoteAsk !== null) state.flags = undefined
  else if (state.flags !== undefined) state.flags = 'ignored'
  else state.flags = state.confirmed === null ? 'unstated' : 'missed'
}

/** A fill from before a side was closed is listed within this time. */
const LISTED_WITHIN_MS: Ms = 30_000

/**
 * Records that the venue ignores its flags if a side was filled that it had confirmed as off, and a poll well after that
 * (`polledAt`, on our clock) had not listed the fill.
 */
export function recordFilledSide(state: QuotingState, side: Side, polledAt: Ms | null): void {
  const { confirmed, confirmedAt } = state
  if (confirmed === null || confirmedAt === null || polledAt === null || !canCloseSides(state)) return
  const isOpen = side === 'bid' ? confirmed.quoteBid : confirmed.quoteAsk
  if (!isOpen && polledAt - confirmedAt >= LISTED_WITHIN_MS) refuteFlags(state, confirmed)
}

/** The public rate picks a provider with both of our spreads on a side that the venue confirmed as off. */
export function recordPickedSide(
  state: QuotingState,
  side: Side,
  picked: { readonly bidBps: number; readonly askBps: number },
  askedAt: Ms,
): void {
  const { confirmed, confirmedAt } = state
  if (confirmed === null || confirmedAt === null || !canCloseSides(state)) return
  const isOpen = side === 'bid' ? confirmed.quoteBid : confirmed.quoteAsk
  if (isOpen || askedAt - confirmedAt < LISTED_WITHIN_MS) return
  if (picked.bidBps === confirmed.bidBps && picked.askBps === confirmed.askBps) refuteFlags(state, confirmed)
}

function refuteFlags(state: QuotingState, confirmed: QuotedSpread): void {
  state.flags = 'ignored'
  state.isFlagsRefuted = true
  state.confirmed = { ...confirmed, quoteBid: true, quoteAsk: true }
}

/** Treats a side that should be off as off if it is open at its idle spread, the widest that such a venue allows. */
export function openAsAsked(held: QuotedSpread, asked: QuotedSpread): QuotedSpread {
  return {
    ...held,
    quoteBid: held.quoteBid && (asked.quoteBid || held.bidBps !== asked.bidBps),
    quoteAsk: held.quoteAsk && (asked.quoteAsk || held.askBps !== asked.askBps),
  }
}

/** Returns the pairs that the venue quotes beyond the requested list, or null. */
function pairsBeyond(asked: readonly string[] | null, held: readonly string[] | null): string | null {
  if (asked === null) return null
  if (held === null) return 'all pairs'
  const more = held.filter((pair) => !asked.includes(pair))
  return more.length === 0 ? null : more.join(', ')
}

/** A PATCH certainly failed: the previous quote is still live. */
export function patchRefused(state: QuotingState): void {
  state.inFlight = null
  state.failures += 1
}

/** Writes are no longer barred. The bar already was a pause, so earlier failures cause no further delay. */
export function barLifted(state: QuotingState): void {
  state.failures = 0
}

/**
 * Records a read-back of one side. A spread that differs from the confirmed one means that someone else set it, or that an older
 * PATCH took effect late. This also applies to a side that is off: a read-back shows no flags, so only the idle spread can show
 * whether the side is still off.
 */
export function sideRead(state: QuotingState, side: Side, spreadBps: number): void {
  state.awaiting[side] = false
  state.read[side] = spreadBps
  state.readSince = { ...state.readSince, [side]: spreadBps }
  if (state.inFlight !== null) return
  if (state.asked && bpsOf(state.asked.spread, side) !== spreadBps) countMismatch(state)
  if (state.status !== 'confirmed' || state.confirmed === null) return
  const confirmed = bpsOf(state.confirmed, side)
  if (confirmed === spreadBps) return verifySide(state, side)
  state.status = 'mismatch'
  state.why = `the venue quotes ${spreadBps} bps on the ${side}, but ${confirmed} were confirmed`
}

/** A side could not be read back: the repair continues without it. */
export function sideUnreadable(state: QuotingState, side: Side): void {
  state.awaiting[side] = false
}

function bpsOf({ bidBps, askBps }: QuotedSpread, side: Side): number {
  return side === 'bid' ? bidBps : askBps
}

/** A PATCH without an answer, or a start: the live quote is unknown until it is read back. */
export function forgetConfirmation(state: QuotingState, why: string): void {
  if (state.inFlight !== null) state.failures += 1
  state.inFlight = null
  state.status = 'unknown'
  state.why = why
  state.awaiting = { bid: true, ask: true }
  state.read = { bid: null, ask: null }
  state.readSince = undefined
}

/**
 * Counts a spread at the venue that differs from the last PATCH: once per PATCH, and only for safety, because it costs nothing
 * if the venue does not hold a tighter quote.
 */
export function countMismatch(state: QuotingState): void {
  if (state.asked?.safety !== true || state.isCounted === true) return
  state.isCounted = true
  state.mismatches += 1
}

/**
 * Records that a PATCH was confirmed as requested. After a mismatch such an answer proves nothing: both sides have to be read
 * back before the mismatch is cleared. Returns whether they do.
 */
export function expectAsAsked(state: QuotingState): boolean {
  if (state.mismatches === 0) return false
  state.unverified = { bid: true, ask: true }
  return true
}

/** A side was read back as confirmed; the second side ends the run of mismatches. */
function verifySide(state: QuotingState, side: Side): void {
  if (state.unverified === undefined) return
  state.unverified[side] = false
  if (SIDES.every((one) => state.unverified?.[one] !== true)) forgetMismatches(state)
}

/** Ends the run of mismatches, by proof or by an operator. */
export function forgetMismatches(state: QuotingState): void {
  state.mismatches = 0
  state.isCounted = undefined
  state.unverified = undefined
}

/** Delays after a start before both sides are read back again, because an old process's write may still take effect. */
const READ_BACK_AFTER_MS: readonly Ms[] = [2_000, 10_000, 30_000]
/** A PATCH without an answer takes effect within this time or never. */
const ON_ITS_WAY_MS: Ms = 60_000

/** A new process takes over: the quote is unknown until it is read back; with `isHandOver` again if a PATCH may still take effect. */
export function restartQuoting(state: QuotingState, now: Ms, isHandOver: boolean): void {
  const isLooked = isHandOver && mayYetLand(state, now)
  state.asked = undefined
  forgetConfirmation(state, 'not read back since the start')
  state.failures = 0
  state.readBackAt = isLooked ? READ_BACK_AFTER_MS.map((afterMs) => now + afterMs) : undefined
}

/**
 * Returns whether a PATCH may still take effect. Each is journalled before it is sent, and an unanswered one may be in flight.
 */
function mayYetLand({ inFlight, status, lastSentAt }: QuotingState, now: Ms): boolean {
  if (inFlight !== null) return true
  return status !== 'confirmed' && lastSentAt !== null && now - lastSentAt < ON_ITS_WAY_MS
}

/** Returns whether both sides must be read back now: true once per planned time. */
export function takeReadBack(state: QuotingState, now: Ms): boolean {
  const { readBackAt: planned } = state
  if (planned === undefined) return false
  const left = planned.filter((at) => at > now)
  if (left.length === planned.length) return false
  state.readBackAt = left.length === 0 ? undefined : left
  return true
}

export function nextReadBackAt({ readBackAt }: QuotingState): Ms {
  return readBackAt?.[0] ?? Infinity
}
