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

/** A PATCH went out; `safety` as the target has it. */
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
 * The venue answered our PATCH with what it now holds. When that is not what was asked for, the status
 * is `mismatch`; the repair is paced like a failure, for a venue that answers so
 * once may answer so indefinitely. Pairs that the venue does not name, or names one by one where all were
 * asked for, are those that were asked for. Flags that it does not state are those that were asked for where it stated them
 * before. Elsewhere both sides count as open, and a side that should be off counts as held at its idle spread.
 */
export function patchConfirmed(
  state: QuotingState,
  stated: StatedSpread,
  asked: QuotedSpread | null,
  now: Ms,
  namesPairs = false,
): void {
  noteFlags(state, stated)
  const said = state.isFlagsRefuted === true ? { ...stated, quoteBid: null, quoteAsk: null } : stated
  const held = withFlags(said, canCloseSides(state) ? asked : null)
  // Beyond the list is a matter of its own: no repair with the same list changes it.
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
  state.why = equal ? 'confirmed by the venue' : 'the venue holds another spread than it was asked for'
}

/** One answer without flags does not change a venue that stated them before; two in a row do. */
function noteFlags(state: QuotingState, { quoteBid, quoteAsk }: StatedSpread): void {
  if (state.isFlagsRefuted === true) return
  if (quoteBid !== null && quoteAsk !== null) state.flags = undefined
  else if (state.flags !== undefined) state.flags = 'ignored'
  else state.flags = state.confirmed === null ? 'unstated' : 'missed'
}

/** A fill from before a side was closed is listed within this. */
const LISTED_WITHIN_MS: Ms = 30_000

/**
 * A fill on a side that the venue confirmed as off, and that was not listed in a poll (`polledAt`, on our clock) well after that,
 * shows that the venue ignores its flags.
 */
export function noteFilledSide(state: QuotingState, side: Side, polledAt: Ms | null): void {
  const { confirmed, confirmedAt } = state
  if (confirmed === null || confirmedAt === null || polledAt === null || !canCloseSides(state)) return
  const isOpen = side === 'bid' ? confirmed.quoteBid : confirmed.quoteAsk
  if (!isOpen && polledAt - confirmedAt >= LISTED_WITHIN_MS) refuteFlags(state, confirmed)
}

/** The public rate picks a provider with both of our spreads on a side that the venue confirmed as off. */
export function notePickedSide(
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

/** What the venue quotes beyond the list that it was asked for; null = nothing. */
function pairsBeyond(asked: readonly string[] | null, held: readonly string[] | null): string | null {
  if (asked === null) return null
  if (held === null) return 'all pairs'
  const more = held.filter((pair) => !asked.includes(pair))
  return more.length === 0 ? null : more.join(', ')
}

/** A PATCH was refused for certain: what stood before still stands. */
export function patchRefused(state: QuotingState): void {
  state.inFlight = null
  state.failures += 1
}

/** Writes were barred for another reason than the venue, which is a pause as well: failures from before it delay nothing after it. */
export function barLifted(state: QuotingState): void {
  state.failures = 0
}

/**
 * One side was read back. A spread other than the confirmed one means that someone else moved it, or that an
 * older PATCH came through late. Also on a side that is off: a read-back shows no side flags, so the idle spread
 * that the venue confirmed is all that can tell whether the side still is.
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
  state.why = `the venue quotes ${spreadBps} bps on the ${side}, ${confirmed} were confirmed`
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
 * The venue holds another spread than the last PATCH asked for. Counted once a PATCH, whether its answer or a
 * read-back shows it, and only of PATCHes for safety: a tighter quote that is not held costs nothing.
 */
export function countMismatch(state: QuotingState): void {
  if (state.asked?.safety !== true || state.isCounted === true) return
  state.isCounted = true
  state.mismatches = (state.mismatches ?? 0) + 1
}

/**
 * A PATCH was confirmed as asked. An answer that only repeats the request proves nothing after a mismatch,
 * so both sides are read back before it is forgotten. Returns whether they are to be read.
 */
export function expectAsAsked(state: QuotingState): boolean {
  if ((state.mismatches ?? 0) === 0) return false
  state.unverified = { bid: true, ask: true }
  return true
}

/** A side was read back as it was confirmed; the second one ends the run of mismatches. */
function verifySide(state: QuotingState, side: Side): void {
  if (state.unverified === undefined) return
  state.unverified[side] = false
  if (SIDES.every((one) => state.unverified?.[one] !== true)) forgetMismatches(state)
}

/** The run of mismatches is over, by proof or by a person's word. */
export function forgetMismatches(state: QuotingState): void {
  state.mismatches = undefined
  state.isCounted = undefined
  state.unverified = undefined
}

/** When a write of the process before that is still on its way is looked for, after the first reading of a start. */
const READ_BACK_AFTER_MS: readonly Ms[] = [2_000, 10_000, 30_000]
/** A PATCH without an answer lands within this, if it does. */
const ON_ITS_WAY_MS: Ms = 60_000

/** A new process takes over: nothing of the quote is known until it is read back; `isHandOver`: and again where a PATCH may yet land. */
export function restartQuoting(state: QuotingState, now: Ms, isHandOver: boolean): void {
  const isLooked = isHandOver && mayYetLand(state, now)
  state.asked = undefined
  forgetConfirmation(state, 'not read back since the start')
  state.failures = 0
  state.readBackAt = isLooked ? READ_BACK_AFTER_MS.map((afterMs) => now + afterMs) : undefined
}

/** Every PATCH is in the journal before it leaves: one that was not answered may still be under way. */
function mayYetLand({ inFlight, status, lastSentAt }: QuotingState, now: Ms): boolean {
  if (inFlight !== null) return true
  return status !== 'confirmed' && lastSentAt !== null && now - lastSentAt < ON_ITS_WAY_MS
}

/** Whether both sides are to be read back again now; says so once for each time that has come. */
export function takeReadBack(state: QuotingState, now: Ms): boolean {
  const planned = state.readBackAt ?? []
  const left = planned.filter((at) => at > now)
  if (left.length === planned.length) return false
  state.readBackAt = left.length === 0 ? undefined : left
  return true
}

export function nextReadBackAt({ readBackAt }: QuotingState): Ms {
  return readBackAt?.[0] ?? Infinity
}
