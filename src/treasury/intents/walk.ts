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
import { atLeg, endIntent, type LegAt, moveLeg, refreshStage, reportBooked } from './moves.ts'
import { claim } from './resource.ts'

/** After this long without an answer the request is repeated; it moves no money. */
const ASK_AGAIN_MS = 2 * MINUTE_MS
/** No answer to a sending comes later than this, because the client's deadlines are shorter. */
const ANSWER_WITHIN_MS = 5 * MINUTE_MS
const FIRST_PAUSE_MS = 5_000
const LONGEST_PAUSE_MS = 5 * MINUTE_MS
const CAPS_AGAIN_MS = HOUR_MS

/** Does an intent's due work. Returns the latest time of the next call. */
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
    due = Math.min(due, advanceLeg(atLeg(transition, intent, index)))
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

function advanceLeg(at: LegAt): Ms {
  switch (at.leg.stage) {
    case 'planned':
    case 'quoted':
      return begin(at)
    case 'sending':
      return awaitAnswer(at)
    case 'silent':
      return resolveSilence(at)
    case 'known':
    case 'in_transit':
      return ask(at, 'read', at.leg.dueAt)
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

/** Returns when to check a leg that may not be sent now; null = it may be sent. */
export function legWaitsUntil({ state, now, intent, leg }: LegAt): Ms | null {
  if (sendingObstacle(state) !== null || intent.isHeld || !isAgreed(state, intent)) return Infinity
  if (nameObstacle(state, intent, leg) !== null) return Infinity
  if (now < intent.notBefore) return intent.notBefore
  const waits = transferWaits(state, leg)
  if (waits !== null) {
    leg.why = waits.why
    return waits.until
  }
  // Once the intent has begun, caps on outflows must not keep the position out of the market.
  if ((hasLeft(intent) && isByPosition(leg.kind)) || isWithinCaps(state, intent)) return null
  leg.why = 'it waits until the caps allow it'
  return now + CAPS_AGAIN_MS
}

/** Requests a price if the leg has one, then the attempt; orders to the position need neither. */
function begin(at: LegAt): Ms {
  const { now, intent, index, leg } = at
  const later = legWaitsUntil(at)
  if (later !== null) return later
  if (now < leg.dueAt) return leg.dueAt
  const hasPrice = leg.quote !== null && leg.quote.expiresAt > now
  const unsent = lastAttempt(leg)
  if (isQuoted(leg.kind) && !hasPrice) {
    leg.quote = null
    // The attempt's body names an expired price: it never left, and never will.
    if (unsent?.outcome === 'unsent') unsent.outcome = 'refused'
    return isShort(at) ? Infinity : ask(at, 'quote', now)
  }
  if (unsent?.outcome === 'unsent') {
    sendAttempt(at, unsent)
    return now + ANSWER_WITHIN_MS
  }
  if (!isByPosition(leg.kind)) return ask(at, 'prepare', now)
  const n = leg.attempts.length + 1
  sendAttempt(at, addAttempt(at, { n, key: `${intent.id}-${index}-${n}`, body: '', block: null }))
  return now + ANSWER_WITHIN_MS
}

/** Adds an unsent attempt to the leg. */
export function addAttempt(
  { now, leg }: LegAt,
  { n, key, body, block }: Pick<Attempt, 'n' | 'key' | 'body' | 'block'>,
): Attempt {
  const unsent = { sendings: 0, firstSentAt: null, lastSentAt: null, outcome: 'unsent', words: null } as const
  const attempt = { n, key, body, preparedAt: now, block, ...unsent }
  leg.attempts.push(attempt)
  return attempt
}

/** Sends an attempt for the first time: the books reserve its value, and its day counts for the caps. */
export function sendAttempt(at: LegAt, attempt: Attempt): void {
  const { state, now, intent, leg } = at
  Object.assign(attempt, { sendings: 1, firstSentAt: now, lastSentAt: now, outcome: 'sending' })
  const before = endsBefore(state.books, state.holdings, state.holdingsAt, leg)
  if (before !== null) attempt.before = before
  leg.sentAt ??= now
  intent.agreed = envelopeText(intent.envelope)
  useCap(state, intent)
  reportBooked(at, `${leg.kind} is sent`, reserveLeg(at))
  moveLeg(at, 'sending', `${leg.kind}: attempt ${attempt.n} is sent`)
  transmit(at, attempt)
}

function transmit(at: LegAt, { n, key }: Attempt): void {
  const { intent, index, leg, send } = at
  const place = { intent: intent.id, leg: index, n }
  if (isByPosition(leg.kind)) send({ type: 'position', ...place, order: orderOf(at, key) })
  else send({ type: 'transmit', ...place })
}

function orderOf({ state, intent, leg }: LegAt, key: string): PositionOrder {
  if (leg.kind === 'lpDeactivation') return { name: 'deactivate' }
  if (leg.kind === 'lpActivation') return { name: 'activate' }
  const { asset, amount } = leg
  return { name: 'withdraw', asset, amount, key, approvedBy: agreedBy(state, intent) }
}

function awaitAnswer(at: LegAt): Ms {
  const until = (lastAttempt(at.leg)?.lastSentAt ?? at.now) + ANSWER_WITHIN_MS
  if (at.now < until) return until
  silence(at, 'no answer came in time')
  return at.now
}

/** Marks an attempt without a clear outcome as silent, so that the finders search for it. */
export function silence(at: LegAt, words: string): void {
  const attempt = lastAttempt(at.leg)
  if (attempt !== undefined) Object.assign(attempt, { outcome: 'silent', words })
  at.leg.dueAt = at.now + backoffMs(attempt?.sendings ?? 1, FIRST_PAUSE_MS, MINUTE_MS)
  moveLeg(at, 'silent', words)
}

/**
 * Searches for a silent attempt with every finder until the window has passed; then the finding makes it a claim. If a
 * key protects the attempt, the same key and bytes are sent again within the window, and the finders search once.
 */
function resolveSilence(at: LegAt): Ms {
  const { state, now, leg } = at
  const attempt = lastAttempt(leg)
  if (attempt === undefined) return Infinity
  if (leg.named !== undefined || !maySendAgain(state, leg)) return lookFor(at)
  const endsAt =
    (attempt.firstSentAt ?? attempt.preparedAt) + replayWindowOf(leg.kind, state.config.replayWindowMs)
  if (now >= endsAt) return ask(at, 'find', now)
  if (sendingObstacle(state) !== null || at.intent.isHeld) return endsAt
  if (now < leg.dueAt) return Math.min(leg.dueAt, endsAt)
  attempt.sendings += 1
  attempt.lastSentAt = now
  leg.dueAt = now + backoffMs(attempt.sendings, FIRST_PAUSE_MS, MINUTE_MS)
  transmit(at, attempt)
  return Math.min(leg.dueAt, endsAt)
}

/** Searches for an attempt that is never sent again: reads its resource if its id is known, else queries every finder. */
function lookFor(at: LegAt): Ms {
  const { leg, now } = at
  const id = leg.resourceId ?? leg.named
  if (id === undefined) return ask(at, 'find', leg.dueAt)
  if (now < lookedForUntil(at.state, leg)) return ask(at, 'read', leg.dueAt)
  claim(at, `its resource ${id} could not be read`)
  return now
}

/** Requests it from the shell once, and again if there is no answer in time. */
function ask(at: LegAt, what: NonNullable<Leg['asked']>['what'], dueAt: Ms): Ms {
  const { now, intent, index, leg, send } = at
  const askedAt = leg.asked?.what === what ? leg.asked.at : null
  if (askedAt !== null && now < askedAt + ASK_AGAIN_MS) return askedAt + ASK_AGAIN_MS
  if (now < dueAt) return dueAt
  leg.asked = { what, at: now }
  const place = { intent: intent.id, leg: index }
  if (what === 'find') send({ type: 'find', ...place, n: lastAttempt(leg)?.n ?? 1 })
  else send({ type: what, ...place })
  return now + ASK_AGAIN_MS
}

/** Delays a leg's next try after one that failed without moving anything. */
export function pauseLeg({ now, leg }: LegAt): void {
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
