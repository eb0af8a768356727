import { formatTokens } from '../../base/money/asset.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../base/time.ts'
import type { TreasuryTransition } from '../transition.ts'
import { withCandidates } from '../books/claim-evidence.ts'
import {
  claimLeg,
  isReserved,
  reserveLeg,
  type Return,
  reverseLeg,
  revertLeg,
  settleLeg,
  wholeReturn,
} from '../books/post-leg.ts'
import type { LegFacts, TreasuryEvent } from '../model/event.ts'
import type { Intent, Leg } from '../model/intent.ts'
import type { TreasuryPosting } from '../model/observation.ts'
import { lookedForUntil, maySendAgain } from './keys.ts'
import { isByPosition, lastAttempt } from './legs.ts'
import { legAt, moveLeg } from './moves.ts'
import { adopt, takeListed } from './named.ts'
import { arrivedFigure, returnedFigure } from './provisional.ts'

type Of<Type extends TreasuryEvent['type']> = Extract<TreasuryEvent, { readonly type: Type }>

/** How a resource stands, and what is known of its amounts. */
type Standing = Pick<LegFacts, 'status' | 'received' | 'fee' | 'words'>

/** A resource was read, or an event named it: what the venue reports is true whether or not it was expected. */
export function takeResource(transition: TreasuryTransition, event: Of<'resourceSeen'>): void {
  const intent = Object.hasOwn(transition.state.intents, event.intent)
    ? transition.state.intents[event.intent]
    : undefined
  const leg = intent?.legs[event.leg]
  if (intent === undefined || leg === undefined || leg.attempts.length === 0) return
  if (leg.asked?.what === 'read') leg.asked = null
  if (event.named !== undefined && !adopt(transition, leg, event.named)) return
  if (leg.stage === 'silent' || leg.stage === 'sending') {
    const attempt = lastAttempt(leg)
    if (attempt !== undefined) attempt.outcome = 'answered'
  }
  applyStatus(transition, intent, event.leg, event)
}

/** Brings a leg to where the venue reports it. Ends are applied once; what cannot follow an end is ignored. */
export function applyStatus(
  transition: TreasuryTransition,
  intent: Intent,
  index: number,
  standing: Standing,
): void {
  const leg = legAt(intent, index)
  const { status, words } = standing
  leg.dueAt = transition.now + transition.state.config.pollEveryMs
  if (leg.stage === 'settled') {
    if (status === 'reverted' || status === 'failed') reverse(transition, intent, index, standing)
    else leg.dueAt = nextLook(leg, transition.now)
    return
  }
  // A person cancelled a deposit, and it was paid all the same.
  if (leg.stage === 'cancelled' && status === 'completed') settleResource(transition, intent, index, standing)
  if (!isOpen(leg)) return
  if (status === 'completed') settleResource(transition, intent, index, standing)
  else if (status === 'reverted' || status === 'failed') revert(transition, intent, index, standing)
  else if (status === 'reconcile_required') {
    holdSeen(transition, intent, index)
    claim(transition, intent, index, words)
  } else if (leg.stage === 'claim') leg.dueAt = nextClaimLook(leg, transition.now)
  else if (status === 'waiting_for_payer') waitForPayer(transition, intent, index, words)
  else {
    if (status === 'review') holdSeen(transition, intent, index)
    if ((status === 'review' || status === 'queued') && leg.why !== words)
      transition.alert('treasury-venue-review', `the venue holds it for review: ${words}`, intent.id)
    moveLeg(transition, intent, index, 'in_transit', words)
  }
}

/** Money from outside that the venue reports to hold is in transit, though it has not arrived. */
function holdSeen(transition: TreasuryTransition, intent: Intent, index: number): void {
  const postings = reserveLeg(transition.state.books, intent.id, index, legAt(intent, index), true)
  book(transition, intent, 'the venue holds it', postings)
}

function isOpen({ stage }: Leg): boolean {
  return /^(sending|silent|known|in_transit|claim)$/.test(stage)
}

function waitForPayer(transition: TreasuryTransition, intent: Intent, index: number, words: string): void {
  const leg = legAt(intent, index)
  const earlier = leg.stage === 'known' ? null : earlierDeposit(transition, leg)
  if (earlier !== null)
    leg.instructions = [leg.instructions, earlier].filter((one) => one !== null).join('\n')
  if (leg.stage !== 'known')
    transition.alert('treasury-payment-expected', leg.instructions ?? words, intent.id)
  moveLeg(transition, intent, index, 'known', words)
}

/** A deposit that was requested anew has both references shown, so that the payer pays one of them alone. */
function earlierDeposit({ state, now }: TreasuryTransition, asked: Leg): string | null {
  // A journal from before keys were distrusted replays under the rules of its time.
  if (state.keys === undefined) return null
  const earlier = Object.values(state.intents)
    .flatMap(({ legs }) => legs)
    .findLast(
      (leg) =>
        leg !== asked &&
        leg.kind === 'deposit' &&
        (leg.stage === 'claim' || leg.stage === 'reverted') &&
        lastAttempt(leg)?.outcome === 'silent' &&
        now - (leg.sentAt ?? now) < PAYABLE_MS,
    )
  if (earlier === undefined) return null
  const reference = earlier.reference ?? earlier.resourceId ?? 'a reference that the venue did not answer'
  const amount = `${formatTokens(earlier.amount, earlier.asset)} ${earlier.asset}`
  return `An earlier deposit of ${amount} with ${reference} may still be payable: pay one of the two alone.`
}

/**
 * It arrived. Without a figure of the venue it is what was quoted, or what was sent, until the balances show what it was.
 */
export function settleResource(
  transition: TreasuryTransition,
  intent: Intent,
  index: number,
  { received, fee, words }: Omit<Standing, 'status'>,
): void {
  const leg = legAt(intent, index)
  const unstated = leg.asset === leg.receiveAsset ? leg.amount : leg.leastReceived
  leg.received = received ?? leg.quote?.receive ?? unstated
  leg.fee = fee ?? leg.quote?.feeTzs ?? null
  leg.provisional = received === null ? arrivedFigure(leg, leg.received) : null
  book(
    transition,
    intent,
    `${leg.kind} arrived`,
    settleLeg(transition.state.books, intent.id, index, leg, leg.received),
  )
  moveLeg(transition, intent, index, 'settled', words)
  leg.dueAt = nextLook(leg, transition.now)
}

function revert(transition: TreasuryTransition, intent: Intent, index: number, standing: Standing): void {
  const leg = legAt(intent, index)
  const { books } = transition.state
  const back = returnOf(leg, standing.received)
  // Where nothing was reserved, nothing had left.
  const hasLeft = isReserved(books, intent.id, index)
  leg.provisional = standing.received === null && hasLeft ? returnedFigure(leg, back) : null
  book(transition, intent, `${leg.kind} came back`, revertLeg(books, intent.id, index, leg, back))
  moveLeg(transition, intent, index, 'reverted', standing.words)
}

/** A payout that had arrived came back: banks return within days, sometimes weeks. Source: https://docs.wise.com/guides/send-money/tracking */
function reverse(transition: TreasuryTransition, intent: Intent, index: number, standing: Standing): void {
  const leg = legAt(intent, index)
  const back = returnOf(leg, standing.received)
  leg.provisional = standing.received === null ? returnedFigure(leg, back) : null
  book(transition, intent, `${leg.kind} came back late`, reverseLeg(transition.state.books, leg, back))
  moveLeg(transition, intent, index, 'reversed', standing.words)
  transition.alert(
    'treasury-intent-reversed',
    `${leg.kind} came back after it had arrived: ${standing.words}`,
    intent.id,
  )
}

/** What came back: as the venue states it, else all that had left, with its fees. */
function returnOf(leg: Leg, stated: bigint | null): Return {
  const whole = wholeReturn(leg)
  return stated === null ? whole : { ...whole, amount: stated }
}

/** No one knows where it is: it is never sent again, and waits for the venue or for a person. */
export function claim(transition: TreasuryTransition, intent: Intent, index: number, words: string): void {
  const leg = legAt(intent, index)
  leg.dueAt = nextClaimLook(leg, transition.now)
  if (leg.stage === 'claim') return
  book(transition, intent, 'a claim', claimLeg(transition.state.books, intent.id, index))
  moveLeg(transition, intent, index, 'claim', words)
}

export function book(
  { emit }: TreasuryTransition,
  intent: Intent,
  reason: string,
  postings: readonly TreasuryPosting[],
): void {
  if (postings.length > 0) emit({ type: 'booked', intent: intent.id, reason, postings })
}

/** Nothing is found at once: it is looked for again after half of the time since it was sent, within these bounds. */
const LOOK_AGAIN_MS = { least: 5_000, most: 5 * MINUTE_MS } as const

/** What the finders brought. Found = it arrived; nothing found is no proof: after the window it is a claim. */
export function takeFinding(transition: TreasuryTransition, event: Of<'findingSeen'>): void {
  const { state } = transition
  const intent = Object.hasOwn(state.intents, event.intent) ? state.intents[event.intent] : undefined
  const leg = intent?.legs[event.leg]
  const attempt = leg === undefined ? undefined : lastAttempt(leg)
  if (intent === undefined || leg === undefined || attempt === undefined || attempt.n !== event.n) return
  if (leg.stage !== 'silent' && leg.stage !== 'claim') return
  const wasAsked = leg.asked?.what === 'find'
  leg.asked = null
  if (event.found !== null) {
    attempt.outcome = 'answered'
    leg.reference = event.found.reference
    leg.resourceId ??= event.found.resourceId ?? null
    settleResource(transition, intent, event.leg, {
      received: event.found.received,
      fee: null,
      words: event.words,
    })
    return
  }
  const { candidates, words } = event
  if (event.named !== undefined && takeListed(transition, leg, event.named)) return
  if (candidates !== undefined) leg.evidence = withCandidates(leg, candidates, transition.now)
  if (!wasAsked || leg.stage !== 'silent') return
  const { now } = transition
  const halfAge = (now - (attempt.firstSentAt ?? attempt.preparedAt)) / 2
  if (maySendAgain(state, leg) || now >= lookedForUntil(state, leg))
    claim(transition, intent, event.leg, `nothing was found of it, which proves nothing: ${words}`)
  else leg.dueAt = now + Math.min(Math.max(halfAge, LOOK_AGAIN_MS.least), LOOK_AGAIN_MS.most)
}

/** A webhook is a hint: the resource that it names is read. */
export function takeWebhook(transition: TreasuryTransition, event: Of<'webhookSeen'>): void {
  for (const intent of Object.values(transition.state.intents)) {
    intent.legs.forEach((leg, index) => {
      const isById = event.resourceId !== null && leg.resourceId === event.resourceId
      // Calls on the platform wallet echo the intent's id: the way to a resource whose answer was lost.
      const isByReference =
        event.reference === intent.id &&
        leg.resourceId === null &&
        (leg.stage === 'silent' || leg.stage === 'claim' || leg.stage === 'sending')
      if (!isById && !isByReference) return
      if (isByReference) leg.resourceId = event.resourceId
      if (leg.resourceId === null) return
      leg.asked = { what: 'read', at: transition.now }
      transition.send({ type: 'read', intent: intent.id, leg: index })
    })
  }
}

/** How long a settled payout may still come back, and how often that is looked at. */
const LATE_MS = 14 * DAY_MS
/** A bank reference is valid for 72 hours: a deposit that was cancelled may be paid so long. */
const PAYABLE_MS = 4 * DAY_MS

/** When an ended leg is looked at again; Infinity = nothing can change any longer. */
function nextLook(leg: Leg, now: number): number {
  const ageMs = leg.endedAt === null ? 0 : now - leg.endedAt
  const mayReturn =
    leg.stage !== 'cancelled' && (leg.to === 'bank' || leg.to === 'phone' || leg.payee !== null)
  const lastsMs = mayReturn ? LATE_MS : leg.stage === 'cancelled' ? PAYABLE_MS : 0
  if (leg.resourceId === null || ageMs >= lastsMs) return Infinity
  return now + (ageMs < DAY_MS ? HOUR_MS : DAY_MS)
}

/** A claim is looked for as long as it is one: each hour of its first day, then each day. */
function nextClaimLook({ endedAt }: Leg, now: number): number {
  return now + (endedAt === null || now - endedAt < DAY_MS ? HOUR_MS : DAY_MS)
}

/** Reads the resource of a claim, which is the truth; without one the finders look again. Returns when it is due next. */
function lookForClaim({ now, send }: TreasuryTransition, id: string, index: number, leg: Leg): number {
  const n = lastAttempt(leg)?.n
  if (n === undefined || isByPosition(leg.kind)) return Infinity
  if (now >= leg.dueAt) {
    leg.dueAt = nextClaimLook(leg, now)
    const place = { intent: id, leg: index }
    const isKnown = leg.resourceId !== null || leg.named !== undefined
    send(isKnown ? { type: 'read', ...place } : { type: 'find', ...place, n })
  }
  return leg.dueAt
}

/** Looks at claims, at payouts that have arrived and may come back, and at deposits that were cancelled. Returns when the next one is due. */
export function lookForReturns(transition: TreasuryTransition, intent: Intent): number {
  let next = Infinity
  intent.legs.forEach((leg, index) => {
    if (leg.stage === 'claim') next = Math.min(next, lookForClaim(transition, intent.id, index, leg))
    if ((leg.stage !== 'settled' && leg.stage !== 'cancelled') || leg.resourceId === null) return
    if (transition.now >= leg.dueAt) {
      leg.dueAt = nextLook(leg, transition.now)
      if (leg.dueAt !== Infinity) transition.send({ type: 'read', intent: intent.id, leg: index })
    }
    next = Math.min(next, leg.dueAt)
  })
  return next
}
