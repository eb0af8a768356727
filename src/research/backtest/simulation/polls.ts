import type { Ms } from '../../../base/time.ts'
import type { Event } from '../../../core/engine/model/event.ts'
import { isPublicPoll } from '../../../core/pacing/state.ts'
import { SIDES, type Side } from '../../../base/money/side.ts'
import { bestBps } from '../venue/venue.ts'
import type { RunState } from './state.ts'

/** The polls of the core that a backtest simulates. */
export type SimulatedPollKind = 'rate' | 'fills' | 'publicBid' | 'publicAsk'

/**
 * One kind of poll: sent at a time of its grid, answered `latencyMs` later with the venue's state at sending. Polls
 * without a change are skipped without shifting the grid. Sending is not a separate step: the venue's state is read
 * before it next changes, or when the answer arrives.
 */
export type SimulatedPoll = {
  readonly kind: SimulatedPollKind
  /** When the last poll of the grid was sent. */
  last: Ms
  /** When the next poll with a change is sent; Infinity = no poll is planned, or its state was already read. */
  askAt: Ms
  /** When the previous poll is answered; Infinity = no poll is in flight. */
  answerAt: Ms
  /** The venue's state at sending; null = no answer is in flight. */
  answer: Event | null
  /** When the next answer arrives. */
  nextAt: Ms
}

export function createPoll(kind: SimulatedPollKind, firstAt: Ms): SimulatedPoll {
  return { kind, last: firstAt, askAt: Infinity, answerAt: Infinity, answer: null, nextAt: Infinity }
}

/**
 * The venue changes at `t`: the first later time of the grid sees it. Its interval is the pacer's own (pollInterval): the
 * base interval while the budget suffices, longer while writes use their share.
 */
export function markChanged(
  look: SimulatedPoll,
  t: Ms,
  { parts: { settings, core } }: RunState,
  interval: Ms,
): void {
  if (look.askAt !== Infinity) return
  if (isPublicPoll(look.kind) && core.pacing.publicRequestsPerMinute <= 0) return
  const steps = Math.max(0, Math.ceil((t - look.last) / interval))
  // Never while an answer is in flight.
  const from = look.answerAt === Infinity ? t : Math.max(t, look.answerAt)
  look.askAt = Math.max(from, Math.ceil(look.last + steps * interval))
  if (look.answerAt === Infinity) look.nextAt = look.askAt + settings.latencyMs
}

/** Sends the poll: its answer with the venue's current state is in flight, and the grid continues from here. */
export function sendPoll(look: SimulatedPoll, run: RunState): void {
  departPoll(look)
  look.answer = pollAnswer(run, look.kind, look.answerAt, look.last)
}

/** Sends the poll without its answer. */
export function departPoll(look: SimulatedPoll): void {
  look.last = look.askAt
  look.answerAt = look.nextAt
  look.askAt = Infinity
}

/** Returns the arriving answer; null = no answer was in flight. */
export function takePollAnswer(look: SimulatedPoll, run: RunState): Event | null {
  if (look.answerAt === Infinity) sendPoll(look, run)
  const { answer } = look
  endPoll(look, run)
  return answer
}

/** The answer has arrived. */
export function endPoll(look: SimulatedPoll, { parts }: RunState): void {
  look.answer = null
  look.answerAt = Infinity
  look.nextAt = look.askAt + parts.settings.latencyMs
}

/** The public probe; its size does not matter here, because the tape has the best provider. */
const PROBE = 100n

/**
 * Returns the venue's first answers to a daemon that takes over an active position. References are fed as recorded: a
 * tape does not show a feed that went silent.
 */
export function openingEvents(run: RunState, t: Ms): readonly Event[] {
  const { parts, venue } = run
  const fills = { type: 'fills', t, sentAt: t, fills: [], quarantined: [], repeated: 0 } as const
  const { protocolFeeBps, bidFormula } = parts.core.fees
  const { fair, fairSource: source } = venue
  const isProbed = parts.core.pacing.publicRequestsPerMinute > 0
  // A backtest derives its fills from our quote and has no reviewer.
  const risk = { ...parts.core.risk, maxFillPriceDeviationBps: null, reviewAfter: null }
  return [
    { type: 'started', t, version: 'backtest', config: { ...parts.core, risk, mode: 'live', feeds: [] } },
    { type: 'account', t, request: 0, isActive: true, walletAddress: null },
    rateEvent(run, t),
    ...(source === null ? [] : [{ type: 'reference', t, source, mid: fair } as const]),
    ...(isProbed ? SIDES.map((side) => publicEvent(run, t, side)) : []),
    { ...fills, request: 0, windowFull: false },
    { type: 'balances', t, request: 0, sentAt: t, amounts: { ...venue.pool }, source: 'pool' },
    { ...fills, request: 0, windowFull: false },
    ...SIDES.map((side): Event => ({
      type: 'quoteRead',
      t,
      request: 0,
      side,
      spreadBps: side === 'bid' ? venue.own.bidBps : venue.own.askBps,
      mid: venue.mid,
      protocolFeeBps,
      formula: bidFormula,
    })),
  ]
}

/** Returns the answer to a poll, with the venue's current state. Each fill is reported once. */
export function pollAnswer(run: RunState, kind: SimulatedPollKind, t: Ms, sentAt: Ms): Event {
  if (kind === 'rate') return rateEvent(run, t)
  if (kind !== 'fills') return publicEvent(run, t, kind === 'publicBid' ? 'bid' : 'ask')
  const fills = run.unseen
  run.unseen = []
  return { type: 'fills', t, request: 0, sentAt, fills, quarantined: [], repeated: 1, windowFull: false }
}

function rateEvent({ venue }: RunState, t: Ms): Event {
  const { mid, rateUpdatedAt, quotable } = venue
  return { type: 'rate', t, request: 0, mid, problem: null, rateUpdatedAt, quotable, venueTime: t }
}

function publicEvent({ venue, parts }: RunState, t: Ms, side: Side): Event {
  return {
    type: 'bestQuote',
    t,
    request: 0,
    side,
    probe: PROBE,
    mid: venue.mid,
    bestBps: bestBps(venue, side),
    protocolFeeBps: parts.core.fees.protocolFeeBps,
    lowLiquidity: false,
  }
}
