import { backoffMs } from '../../base/backoff.ts'
import { HOUR_MS, MINUTE_MS, type Ms } from '../../base/time.ts'
import { sendingObstacle } from '../state.ts'
import type { TreasuryTransition } from '../transition.ts'
import { isWithinCaps, useCap } from '../approvals/caps.ts'
import { transferWaits } from '../approvals/venue-caps.ts'
import { agreedBy, envelopeText, isAgreed } from '../approvals/envelope.ts'
import { askForName, nameObstacle } from '../approvals/payee-names.ts'
import { endsBefore } from '../books/claim-evidence.ts'
import { reserveLeg } from '../books/post-leg.ts'
import type { PositionOrder } from '../model/effect.ts'
import { hasLeft, type Attempt, type Intent, type Leg } from '../model/intent.ts'
import { isShort } from './funds.ts'
import { lookedForUntil, maySendAgain } from './keys.ts'
import { isByPosition, isQuoted, lastAttempt, replayWindowOf, workingIndexes } from './legs.ts'
import { endIntent, legAt, moveLeg, refreshStage } from './moves.ts'
import { claim } from './resource.ts'

/** An answer that the shell has not given by then is asked for again: nothing that moves money. */
const ASK_AGAIN_MS = 2 * MINUTE_MS
/** No answer to a sending comes later than this: the deadlines of the client are shorter. */
const ANSWER_WITHIN_MS = 5 * MINUTE_MS
const FIRST_PAUSE_MS = 5_000
const LONGEST_PAUSE_MS = 5 * MINUTE_MS
const CAPS_AGAIN_MS = HOUR_MS

/** Does what is due for an intent. Returns when it wants to be called again at the latest. */
export function advanceIntent(transition: TreasuryTransition, intent: Intent): Ms {
  if (intent.endedAt !== null) return Infinity
  const { now } = transition
  if (!hasLeft(intent) && now >= intent.envelope.expiresAt) {
    expire(transition, intent)
    return now
  }
  refreshStage(transition, intent)
  let due = Math.min(askForName(transition, intent), watchLate(transition, intent))
  for (const index of workingIndexes(intent))
    due = Math.min(due, advanceLeg(transition, intent, index, legAt(intent, index)))
  return hasLeft(intent) ? due : Math.min(due, intent.envelope.expiresAt)
}

/** Reports an intent once when it is later than 19 in 20 such intents; lateness ends nothing. */
function watchLate({ now, alert }: TreasuryTransition, intent: Intent): Ms {
  const { expected, route, envelope, isLate, why } = intent
  if (isLate || !hasLeft(intent)) return Infinity
  if (now < expected.latestAt) return expected.latestAt
  intent.isLate = true
  alert('treasury-intent-late', `${route} to ${envelope.destination} should have arrived: ${why}`, intent.id)
  return Infinity
}

function advanceLeg(transition: TreasuryTransition, intent: Intent, index: number, leg: Leg): Ms {
  switch (leg.stage) {
    case 'planned':
    case 'quoted':
      return begin(transition, intent, index, leg)
    case 'sending':
      return awaitAnswer(transition, intent, index, leg)
    case 'silent':
      return resolveSilence(transition, intent, index, leg)
    case 'known':
    case 'in_transit':
      return ask(transition, intent, index, leg, 'read', leg.dueAt)
    case 'settled':
    case 'reverted':
    case 'refused':
    case 'claim':
    case 'cancelled':
    case 'expired':
    case 'reversed':
      return Infinity
  }
}

/** Why the leg may not be sent now, and when to look again; null = it may. */
export function legObstacle({ state, now }: TreasuryTransition, intent: Intent, leg: Leg): Ms | null {
  if (sendingObstacle(state) !== null || intent.isHeld || !isAgreed(state, intent)) return Infinity
  if (nameObstacle(state, intent, leg) !== null) return Infinity
  if (now < intent.notBefore) return intent.notBefore
  // Once it has begun, the position is not left out of the market for a cap on what leaves us.
  const waits = transferWaits(state, leg)
  if (waits !== null) {
    leg.why = waits.why
    return waits.until
  }
  if ((hasLeft(intent) && isByPosition(leg.kind)) || isWithinCaps(state, intent)) return null
  leg.why = 'it waits until the caps allow it'
  return now + CAPS_AGAIN_MS
}

/** Asks for a price where the leg has one, then for the attempt; orders to the position need neither. */
function begin(transition: TreasuryTransition, intent: Intent, index: number, leg: Leg): Ms {
  const { now } = transition
  const later = legObstacle(transition, intent, leg)
  if (later !== null) return later
  if (now < leg.dueAt) return leg.dueAt
  const hasPrice = leg.quote !== null && leg.quote.expiresAt > now
  const unsent = lastAttempt(leg)
  if (isQuoted(leg.kind) && !hasPrice) {
    leg.quote = null
    // Its body names a price that has expired: it never left, and never will.
    if (unsent?.outcome === 'unsent') unsent.outcome = 'refused'
    if (isShort(transition, intent, leg)) return Infinity
    return ask(transition, intent, index, leg, 'quote', now)
  }
  if (unsent?.outcome === 'unsent') {
    sendAttempt(transition, intent, index, leg, unsent)
    return now + ANSWER_WITHIN_MS
  }
  if (!isByPosition(leg.kind)) return ask(transition, intent, index, leg, 'prepare', now)
  const n = leg.attempts.length + 1
  const attempt = newAttempt(n, `${intent.id}-${index}-${n}`, '', null, now)
  leg.attempts.push(attempt)
  sendAttempt(transition, intent, index, leg, attempt)
  return now + ANSWER_WITHIN_MS
}

export function newAttempt(
  n: number,
  key: string,
  body: string,
  block: bigint | null,
  preparedAt: Ms,
): Attempt {
  return {
    n,
    key,
    body,
    preparedAt,
    block,
    sendings: 0,
    firstSentAt: null,
    lastSentAt: null,
    outcome: 'unsent',
    words: null,
  }
}

/** The first sending of an attempt: its value is reserved in the books, and its day counts for the caps. */
export function sendAttempt(
  transition: TreasuryTransition,
  intent: Intent,
  index: number,
  leg: Leg,
  attempt: Attempt,
): void {
  const { state, now } = transition
  Object.assign(attempt, { sendings: 1, firstSentAt: now, lastSentAt: now, outcome: 'sending' })
  const before = endsBefore(state.books, state.holdings, state.holdingsAt, leg)
  if (before !== null) attempt.before = before
  leg.sentAt ??= now
  intent.agreed = envelopeText(intent.envelope)
  useCap(state, intent)
  const postings = reserveLeg(state.books, intent.id, index, leg)
  if (postings.length > 0)
    transition.emit({ type: 'booked', intent: intent.id, reason: `${leg.kind} is sent`, postings })
  moveLeg(transition, intent, index, 'sending', `${leg.kind}: attempt ${attempt.n} is sent`)
  transmit(transition, intent, index, leg, attempt)
}

function transmit(
  transition: TreasuryTransition,
  intent: Intent,
  index: number,
  leg: Leg,
  { n, key }: Attempt,
): void {
  const place = { intent: intent.id, leg: index, n }
  if (isByPosition(leg.kind))
    transition.send({ type: 'position', ...place, order: orderOf(transition, intent, leg, key) })
  else transition.send({ type: 'transmit', ...place })
}

function orderOf({ state }: TreasuryTransition, intent: Intent, leg: Leg, key: string): PositionOrder {
  if (leg.kind === 'lpDeactivation') return { name: 'deactivate' }
  if (leg.kind === 'lpActivation') return { name: 'activate' }
  const { asset, amount } = leg
  return { name: 'withdraw', asset, amount, key, approvedBy: agreedBy(state, intent) }
}

function awaitAnswer(transition: TreasuryTransition, intent: Intent, index: number, leg: Leg): Ms {
  const attempt = lastAttempt(leg)
  const until = (attempt?.lastSentAt ?? transition.now) + ANSWER_WITHIN_MS
  if (transition.now < until) return until
  silence(transition, intent, index, leg, 'no answer came in time')
  return transition.now
}

/** The attempt has no clear outcome: it is looked for. */
export function silence(
  transition: TreasuryTransition,
  intent: Intent,
  index: number,
  leg: Leg,
  words: string,
): void {
  const attempt = lastAttempt(leg)
  if (attempt !== undefined) Object.assign(attempt, { outcome: 'silent', words })
  leg.dueAt = transition.now + backoffMs(attempt?.sendings ?? 1, FIRST_PAUSE_MS, MINUTE_MS)
  moveLeg(transition, intent, index, 'silent', words)
}

/**
 * Looks for it by every finder until the window has passed; then it is a claim (by the finding). Where a key protects, the
 * same key and bytes are sent again within the window, and it is looked for once.
 */
function resolveSilence(transition: TreasuryTransition, intent: Intent, index: number, leg: Leg): Ms {
  const { state, now } = transition
  const attempt = lastAttempt(leg)
  if (attempt === undefined) return Infinity
  if (leg.named !== undefined || !maySendAgain(state, leg)) return lookFor(transition, intent, index, leg)
  const endsAt =
    (attempt.firstSentAt ?? attempt.preparedAt) + replayWindowOf(leg.kind, state.config.replayWindowMs)
  if (now >= endsAt) return ask(transition, intent, index, leg, 'find', now)
  if (sendingObstacle(state) !== null || intent.isHeld) return endsAt
  if (now < leg.dueAt) return Math.min(leg.dueAt, endsAt)
  attempt.sendings += 1
  attempt.lastSentAt = now
  leg.dueAt = now + backoffMs(attempt.sendings, FIRST_PAUSE_MS, MINUTE_MS)
  transmit(transition, intent, index, leg, attempt)
  return Math.min(leg.dueAt, endsAt)
}

/** Looks for what is never sent again: by its resource where one is known, else by every finder. */
function lookFor(transition: TreasuryTransition, intent: Intent, index: number, leg: Leg): Ms {
  const id = leg.resourceId ?? leg.named
  if (id === undefined) return ask(transition, intent, index, leg, 'find', leg.dueAt)
  if (transition.now < lookedForUntil(transition.state, leg))
    return ask(transition, intent, index, leg, 'read', leg.dueAt)
  claim(transition, intent, index, `its resource ${id} could not be read`)
  return transition.now
}

/** Asks the shell once, and again where no answer came. */
function ask(
  transition: TreasuryTransition,
  intent: Intent,
  index: number,
  leg: Leg,
  what: 'quote' | 'prepare' | 'read' | 'find',
  dueAt: Ms,
): Ms {
  const { now } = transition
  const askedAt = leg.asked?.what === what ? leg.asked.at : null
  if (askedAt !== null && now < askedAt + ASK_AGAIN_MS) return askedAt + ASK_AGAIN_MS
  if (now < dueAt) return dueAt
  leg.asked = { what, at: now }
  const place = { intent: intent.id, leg: index }
  if (what === 'find') transition.send({ type: 'find', ...place, n: lastAttempt(leg)?.n ?? 1 })
  else transition.send({ type: what, ...place })
  return now + ASK_AGAIN_MS
}

/** A try that failed without moving anything: the next one comes after a pause. */
export function pauseIntent(leg: Leg, now: Ms): void {
  leg.failures += 1
  leg.asked = null
  leg.dueAt = now + backoffMs(leg.failures, FIRST_PAUSE_MS, LONGEST_PAUSE_MS)
}

function expire(transition: TreasuryTransition, intent: Intent): void {
  const why = 'its approval, or the time to send it, ran out; nothing has left'
  for (const leg of intent.legs) {
    if (leg.endedAt !== null) continue
    Object.assign(leg, { stage: 'expired', asked: null, endedAt: transition.now, why })
  }
  endIntent(transition, intent)
}
