import type { TreasuryTransition } from '../transition.ts'
import { voidLeg } from '../books/post-leg.ts'
import { learnTransferCap } from '../approvals/venue-caps.ts'
import type { TreasuryEvent } from '../model/event.ts'
import { hasLeft, type Attempt, type Intent, type Leg } from '../model/intent.ts'
import { isQuoted, lastAttempt, workingIndexes } from './legs.ts'
import { learnFromAnswer } from './keys.ts'
import { legAt, moveLeg } from './moves.ts'
import { legObstacle, newAttempt, pauseIntent, sendAttempt, silence } from './walk.ts'
import { takeNamed } from './named.ts'
import { applyStatus } from './resource.ts'

type Of<Type extends TreasuryEvent['type']> = Extract<TreasuryEvent, { readonly type: Type }>

/** Refusals that another price cures. Source: partner-api.md, errors. */
const ANOTHER_QUOTE = ['invalid_quote', 'quote_stale', 'quote_mismatch', 'SLIPPAGE_EXCEEDED']
/** So many attempts a leg that were each refused for certain; then the route has failed. */
const MOST_ATTEMPTS = 5
/** So many prices that expired before anything could be sent; then the route has failed. */
const MOST_UNSENT = 20

/** The leg of an event where it is the one that its intent works on; null = the event is stale. */
export function workingLeg(
  { state }: TreasuryTransition,
  { intent: id, leg: index }: { readonly intent: string; readonly leg: number },
): { readonly intent: Intent; readonly leg: Leg; readonly index: number } | null {
  const intent = Object.hasOwn(state.intents, id) ? state.intents[id] : undefined
  if (intent === undefined || intent.endedAt !== null) return null
  if (!workingIndexes(intent).includes(index)) return null
  return { intent, leg: legAt(intent, index), index }
}

/** The key and the body are in the journal: from here on the attempt may have been sent. */
export function takePrepared(transition: TreasuryTransition, event: Of<'attemptPrepared'>): void {
  const working = workingLeg(transition, event)
  if (working === null || working.leg.asked?.what !== 'prepare') return
  const { intent, leg, index } = working
  const { now, state } = transition
  leg.asked = null
  const isPriced = !isQuoted(leg.kind) || (leg.quote !== null && leg.quote.expiresAt > now)
  const isNext = event.n === leg.attempts.length + 1
  const quoteId = leg.quote?.quoteId ?? null
  // As the body has it: a name from outside may hold what JSON escapes.
  const isOfPrice = quoteId === null || event.body.includes(JSON.stringify(quoteId))
  // Stopped, held, expired or priced anew meanwhile: the key is never used.
  if (!isPriced || !isNext || !isOfPrice || legObstacle(transition, intent, leg) !== null) return
  if (isKnownKey(Object.values(state.intents), event.key)) {
    leg.why = 'its key belongs to another attempt: a fresh one is drawn'
    pauseIntent(leg, now)
    return
  }
  leg.unbuilt = 0
  const attempt = newAttempt(event.n, event.key, event.body, event.block, now)
  leg.attempts.push(attempt)
  sendAttempt(transition, intent, index, leg, attempt)
}

function isKnownKey(intents: readonly Intent[], key: string): boolean {
  return intents.some(({ legs }) => legs.some(({ attempts }) => attempts.some((one) => one.key === key)))
}

/** The venue took the attempt: its first sending or a replay, both tell the outcome. It counts whenever it comes. */
export function takeAttemptAnswer(transition: TreasuryTransition, event: Of<'legAnswered'>): void {
  const answered = transition.state.intents[event.intent]?.legs[event.leg]
  if (answered !== undefined) learnFromAnswer(transition, answered, event)
  const found = attemptOf(transition, event)
  if (found === null) return
  const { intent, leg, index, attempt } = found
  attempt.outcome = 'answered'
  attempt.words = event.words
  leg.resourceId = event.resourceId ?? leg.resourceId
  leg.reference = event.reference ?? leg.reference
  leg.instructions = event.instructions ?? leg.instructions
  leg.failures = 0
  applyStatus(transition, intent, index, event)
}

/**
 * A refusal. Of the first sending it proves that nothing moved, so that another attempt may follow; of a replay it proves
 * nothing, for a key that the venue has forgotten is refused though the money moved.
 */
export function takeRefusal(transition: TreasuryTransition, event: Of<'legRefused'>): void {
  const found = attemptOf(transition, event)
  if (found === null || !isWaiting(found.leg)) return
  const { intent, leg, index, attempt } = found
  const words = `${event.code}: ${event.words}`
  attempt.words = words
  if (!event.isFirst || attempt.sendings !== 1 || event.retry === 'verify') {
    silence(transition, intent, index, leg, `not clear: ${words}`)
    return
  }
  takeBack(transition, intent, index, leg, 'refused')
  attempt.outcome = 'refused'
  const nextDay = learnTransferCap(transition.state, leg, event.limit)
  const mayTryAgain = nextDay !== null || event.retry === 'backoff' || ANOTHER_QUOTE.includes(event.code)
  if (!mayTryAgain || leg.attempts.length >= MOST_ATTEMPTS) {
    moveLeg(transition, intent, index, 'refused', words)
    return
  }
  leg.quote = null
  pauseIntent(leg, transition.now)
  if (nextDay !== null) leg.dueAt = nextDay
  moveLeg(transition, intent, index, 'planned', `tried again after a refusal: ${words}`)
}

/** No answer. Where the first sending certainly never left, the same attempt may be sent for the first time again. */
export function takeSilence(transition: TreasuryTransition, event: Of<'legSilent'>): void {
  const found = attemptOf(transition, event)
  if (found === null || !isWaiting(found.leg)) return
  const { intent, leg, index, attempt } = found
  if (event.sent !== 'no' || attempt.sendings !== 1) {
    silence(transition, intent, index, leg, event.words)
    if (event.named !== undefined) takeNamed(transition, leg, event.named, event.words)
    return
  }
  takeBack(transition, intent, index, leg, 'never left')
  Object.assign(attempt, { outcome: 'unsent', sendings: 0, firstSentAt: null, lastSentAt: null })
  attempt.words = event.words
  if (leg.attempts.length >= MOST_UNSENT) {
    moveLeg(transition, intent, index, 'refused', `nothing could be sent: ${event.words}`)
    return
  }
  pauseIntent(leg, transition.now)
  moveLeg(transition, intent, index, leg.quote === null ? 'planned' : 'quoted', event.words)
}

/** Every attempt under way when the process ended is silent: no one knows how far it came. */
export function silenceAll(transition: TreasuryTransition): void {
  for (const intent of Object.values(transition.state.intents)) {
    if (intent.naming?.answer === null) intent.naming.askedAt = null
    intent.legs.forEach((leg, index) => {
      leg.asked = null
      if (leg.stage !== 'sending') return
      silence(transition, intent, index, leg, 'the process ended before an answer came')
      leg.dueAt = transition.now
    })
  }
}

/** The sending proved to have moved nothing: what was reserved for it is free again. */
function takeBack(
  { state, emit }: TreasuryTransition,
  intent: Intent,
  index: number,
  leg: Leg,
  why: string,
): void {
  const postings = voidLeg(state.books, intent.id, index, leg, null)
  if (postings.length > 0) emit({ type: 'booked', intent: intent.id, reason: `${leg.kind} ${why}`, postings })
  leg.sentAt = null
  if (!hasLeft(intent)) intent.agreed = null
}

function isWaiting({ stage }: Leg): boolean {
  return stage === 'sending' || stage === 'silent'
}

/** The leg's last attempt, where the event is of it and its outcome is open: on the way, silent, or a claim. */
function attemptOf(
  { state }: TreasuryTransition,
  event: { readonly intent: string; readonly leg: number; readonly n: number },
): { readonly intent: Intent; readonly leg: Leg; readonly index: number; readonly attempt: Attempt } | null {
  const intent = Object.hasOwn(state.intents, event.intent) ? state.intents[event.intent] : undefined
  const leg = intent?.legs[event.leg]
  const attempt = leg === undefined ? undefined : lastAttempt(leg)
  if (intent === undefined || leg === undefined || attempt === undefined || attempt.n !== event.n) return null
  const isOpen = isWaiting(leg) || leg.stage === 'claim'
  return isOpen && attempt.sendings > 0 ? { intent, leg, index: event.leg, attempt } : null
}
