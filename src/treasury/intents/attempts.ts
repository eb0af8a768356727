import type { TreasuryTransition } from '../transition.ts'
import { voidLeg } from '../books/post-leg.ts'
import { learnTransferCap } from '../approvals/venue-caps.ts'
import type { TreasuryEventOf } from '../model/event.ts'
import { hasLeft, type Attempt, type Intent, type Leg } from '../model/intent.ts'
import { isQuoted, lastAttempt } from './legs.ts'
import { learnFromAnswer } from './keys.ts'
import { atLeg, findLeg, type LegAt, moveLeg, reportBooked, workingLeg } from './moves.ts'
import { addAttempt, legWaitsUntil, pauseLeg, sendAttempt, silence } from './walk.ts'
import { takeNamed } from './named.ts'
import { applyStatus } from './resource.ts'

/** Refusals after which another price helps. Source: partner-api.md, errors. */
const ANOTHER_QUOTE = ['invalid_quote', 'quote_stale', 'quote_mismatch', 'SLIPPAGE_EXCEEDED']
/** The route has failed after the venue has refused this many attempts of a leg. */
const MOST_REFUSED = 5
/** The route has failed after this many attempts if the last one could not be sent. */
const MOST_UNSENT = 20

/** Handles a prepared attempt: key and body are journalled, so from now on it may have been sent. */
export function takePrepared(
  transition: TreasuryTransition,
  event: TreasuryEventOf<'attemptPrepared'>,
): void {
  const at = workingLeg(transition, event)
  if (at === null || at.leg.asked?.what !== 'prepare') return
  const { leg, now } = at
  leg.asked = null
  const isPriced = !isQuoted(leg.kind) || (leg.quote !== null && leg.quote.expiresAt > now)
  const isNext = event.n === leg.attempts.length + 1
  const quoteId = leg.quote?.quoteId ?? null
  // The body contains the id as JSON, which may escape its characters.
  const isOfPrice = quoteId === null || event.body.includes(JSON.stringify(quoteId))
  // The key of an attempt that was stopped, held, expired or repriced meanwhile is never used.
  if (!isPriced || !isNext || !isOfPrice || legWaitsUntil(at) !== null) return
  if (isKnownKey(Object.values(at.state.intents), event.key)) {
    leg.why = 'its key belongs to another attempt: a fresh one is drawn'
    pauseLeg(at)
    return
  }
  leg.unbuilt = 0
  sendAttempt(at, addAttempt(at, event))
}

function isKnownKey(intents: readonly Intent[], key: string): boolean {
  return intents.some(({ legs }) => legs.some(({ attempts }) => attempts.some((one) => one.key === key)))
}

/** Handles an accepted attempt. First sendings and replays both report the outcome, which always counts. */
export function takeAttemptAnswer(
  transition: TreasuryTransition,
  event: TreasuryEventOf<'legAnswered'>,
): void {
  const answered = findLeg(transition, event)
  if (answered !== null) learnFromAnswer(answered, event)
  const found = openAttempt(transition, event)
  if (found === null) return
  const { at, attempt } = found
  attempt.outcome = 'answered'
  attempt.words = event.words
  at.leg.resourceId = event.resourceId ?? at.leg.resourceId
  at.leg.reference = event.reference ?? at.leg.reference
  at.leg.instructions = event.instructions ?? at.leg.instructions
  at.leg.failures = 0
  applyStatus(at, event)
}

/**
 * Handles a refusal. On a first sending it proves that nothing moved, so another attempt may follow. On a replay it
 * proves nothing: the venue refuses a key that it has forgotten, although the money moved.
 */
export function takeRefusal(transition: TreasuryTransition, event: TreasuryEventOf<'legRefused'>): void {
  const found = openAttempt(transition, event)
  if (found === null || !isWaiting(found.at.leg)) return
  const { at, attempt } = found
  const { leg } = at
  const words = `${event.code}: ${event.words}`
  attempt.words = words
  if (!event.isFirst || attempt.sendings !== 1 || event.retry === 'verify') {
    silence(at, `not clear: ${words}`)
    return
  }
  takeBack(at, 'refused')
  attempt.outcome = 'refused'
  const nextDay = learnTransferCap(at.state, leg, event.limit)
  const mayTryAgain = nextDay !== null || event.retry === 'backoff' || ANOTHER_QUOTE.includes(event.code)
  const refused = leg.attempts.filter(({ firstSentAt }) => firstSentAt !== null)
  if (!mayTryAgain || refused.length >= MOST_REFUSED) {
    moveLeg(at, 'refused', words)
    return
  }
  leg.quote = null
  pauseLeg(at)
  if (nextDay !== null) leg.dueAt = nextDay
  moveLeg(at, 'planned', `tried again after a refusal: ${words}`)
}

/** Handles a missing answer. If the first sending certainly never left, the same attempt may be sent again as a first one. */
export function takeSilence(transition: TreasuryTransition, event: TreasuryEventOf<'legSilent'>): void {
  const found = openAttempt(transition, event)
  if (found === null || !isWaiting(found.at.leg)) return
  const { at, attempt } = found
  const { leg } = at
  if (event.sent !== 'no' || attempt.sendings !== 1) {
    silence(at, event.words)
    if (event.named !== undefined) takeNamed(at, event.named, event.words)
    return
  }
  takeBack(at, 'never left')
  Object.assign(attempt, { outcome: 'unsent', sendings: 0, firstSentAt: null, lastSentAt: null })
  attempt.words = event.words
  if (leg.attempts.length >= MOST_UNSENT) {
    moveLeg(at, 'refused', `nothing could be sent: ${event.words}`)
    return
  }
  pauseLeg(at)
  moveLeg(at, leg.quote === null ? 'planned' : 'quoted', event.words)
}

/** Marks every attempt in flight when the process ended as silent: its progress is unknown. */
export function silenceAll(transition: TreasuryTransition): void {
  for (const intent of Object.values(transition.state.intents)) {
    if (intent.naming?.answer === null) intent.naming.askedAt = null
    intent.legs.forEach((leg, index) => {
      leg.asked = null
      if (leg.stage !== 'sending') return
      silence(atLeg(transition, intent, index), 'the process ended before an answer came')
      leg.dueAt = transition.now
    })
  }
}

/** Frees the books' reservation for a sending that provably moved nothing. */
function takeBack(at: LegAt, why: string): void {
  const { intent, leg } = at
  reportBooked(at, `${leg.kind} ${why}`, voidLeg(at, null))
  leg.sentAt = null
  if (!hasLeft(intent)) intent.agreed = null
}

function isWaiting({ stage }: Leg): boolean {
  return stage === 'sending' || stage === 'silent'
}

/** Returns the leg's last attempt if the event concerns it and its outcome is open: sending, silent, or a claim. */
function openAttempt(
  transition: TreasuryTransition,
  event: TreasuryEventOf<'legAnswered' | 'legRefused' | 'legSilent'>,
): { readonly at: LegAt; readonly attempt: Attempt } | null {
  const at = findLeg(transition, event)
  const attempt = at === null ? undefined : lastAttempt(at.leg)
  if (at === null || attempt === undefined || attempt.n !== event.n) return null
  const isOpen = isWaiting(at.leg) || at.leg.stage === 'claim'
  return isOpen && attempt.sendings > 0 ? { at, attempt } : null
}
