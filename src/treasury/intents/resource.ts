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
import type { LegFacts, TreasuryEventOf } from '../model/event.ts'
import type { Intent, Leg } from '../model/intent.ts'
import { lookedForUntil, maySendAgain } from './keys.ts'
import { isByPosition, isUnderWay, lastAttempt } from './legs.ts'
import { findLeg, type LegAt, moveLeg, reportBooked } from './moves.ts'
import { adopt, takeListed } from './named.ts'
import { arrivedFigure, returnedFigure } from './provisional.ts'

/** The state of a resource and its known amounts. */
type Standing = Pick<LegFacts, 'status' | 'received' | 'fee' | 'words'>

/** Handles a resource that was read or that an event named. The venue's report counts whether or not it was expected. */
export function takeResource(transition: TreasuryTransition, event: TreasuryEventOf<'resourceSeen'>): void {
  const at = findLeg(transition, event)
  if (at === null || at.leg.attempts.length === 0) return
  const { leg } = at
  if (leg.asked?.what === 'read') leg.asked = null
  if (event.named !== undefined && !adopt(at, event.named)) return
  if (leg.stage === 'silent' || leg.stage === 'sending') {
    const attempt = lastAttempt(leg)
    if (attempt !== undefined) attempt.outcome = 'answered'
  }
  applyStatus(at, event)
}

/** Moves a leg to the stage that the venue reports. Applies each end once; ignores what cannot follow an end. */
export function applyStatus(at: LegAt, standing: Standing): void {
  const { leg, now, alert, intent } = at
  const { status, words } = standing
  leg.dueAt = now + at.state.config.pollEveryMs
  if (leg.stage === 'settled') {
    if (status === 'reverted' || status === 'failed') reverse(at, standing)
    else leg.dueAt = nextLook(leg, now)
    return
  }
  // A person cancelled a deposit that was paid anyway.
  if (leg.stage === 'cancelled' && status === 'completed') settleResource(at, standing)
  if (!isUnderWay(leg) && leg.stage !== 'claim') return
  if (status === 'completed') settleResource(at, standing)
  else if (status === 'reverted' || status === 'failed') revert(at, standing)
  else if (status === 'reconcile_required') {
    holdSeen(at)
    claim(at, words)
  } else if (leg.stage === 'claim') leg.dueAt = nextClaimLook(leg, now)
  else if (status === 'waiting_for_payer') waitForPayer(at, words)
  else {
    if (status === 'review') holdSeen(at)
    if ((status === 'review' || status === 'queued') && leg.why !== words)
      alert('treasury-venue-review', `the venue holds it for review: ${words}`, intent.id)
    moveLeg(at, 'in_transit', words)
  }
}

/** Books money from outside that the venue reports to hold as transit, though it has not arrived. */
function holdSeen(at: LegAt): void {
  reportBooked(at, 'the venue holds it', reserveLeg(at, true))
}

function waitForPayer(at: LegAt, words: string): void {
  const { leg, alert, intent } = at
  if (leg.stage !== 'known') {
    const earlier = earlierDeposit(at)
    if (earlier !== null)
      leg.instructions = [leg.instructions, earlier].filter((one) => one !== null).join('\n')
    alert('treasury-payment-expected', leg.instructions ?? words, intent.id)
  }
  moveLeg(at, 'known', words)
}

/** Returns a sentence with the reference of an earlier deposit, so that the payer pays only one of the two. */
function earlierDeposit({ state, now, leg: asked }: LegAt): string | null {
  // A journal from before this check replays under the rules of its time.
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
  const reference = earlier.reference ?? earlier.resourceId ?? 'a reference that the venue did not state'
  const amount = `${formatTokens(earlier.amount, earlier.asset)} ${earlier.asset}`
  return `An earlier deposit of ${amount} with ${reference} may still be payable: pay only one of the two.`
}

/** The leg arrived. Without a figure of the venue the quoted or sent amount applies until the balances correct it. */
export function settleResource(at: LegAt, { received, fee, words }: Omit<Standing, 'status'>): void {
  const { leg } = at
  const unstated = leg.asset === leg.receiveAsset ? leg.amount : leg.leastReceived
  leg.received = received ?? leg.quote?.receive ?? unstated
  leg.fee = fee ?? leg.quote?.feeTzs ?? null
  leg.provisional = received === null ? arrivedFigure(leg, leg.received) : null
  reportBooked(at, `${leg.kind} arrived`, settleLeg(at, leg.received))
  moveLeg(at, 'settled', words)
  leg.dueAt = nextLook(leg, at.now)
}

function revert(at: LegAt, { received, words }: Standing): void {
  const { leg } = at
  const back = returnOf(leg, received)
  // Without a reservation nothing had left.
  leg.provisional = received === null && isReserved(at) ? returnedFigure(leg, back) : null
  reportBooked(at, `${leg.kind} came back`, revertLeg(at, back))
  moveLeg(at, 'reverted', words)
}

/** A payout that had arrived came back: banks return within days, sometimes weeks. Source: https://docs.wise.com/guides/send-money/tracking */
function reverse(at: LegAt, { received, words }: Standing): void {
  const { leg, intent } = at
  const back = returnOf(leg, received)
  leg.provisional = received === null ? returnedFigure(leg, back) : null
  reportBooked(at, `${leg.kind} came back late`, reverseLeg(at, back))
  moveLeg(at, 'reversed', words)
  at.alert('treasury-intent-reversed', `${leg.kind} came back after it had arrived: ${words}`, intent.id)
}

/** Returns what came back: the venue's figure, else everything that left, including fees. */
function returnOf(leg: Leg, stated: bigint | null): Return {
  const whole = wholeReturn(leg)
  return stated === null ? whole : { ...whole, amount: stated }
}

/** Turns a leg whose value is lost into a claim: it is never sent again, and waits for the venue or a person. */
export function claim(at: LegAt, words: string): void {
  const { leg } = at
  leg.dueAt = nextClaimLook(leg, at.now)
  if (leg.stage === 'claim') return
  reportBooked(at, 'a claim', claimLeg(at))
  moveLeg(at, 'claim', words)
}

/** A fruitless search is repeated after half of the time since the sending, within bounds. */
const LOOK_AGAIN_MS = { least: 5_000, most: 5 * MINUTE_MS } as const

/** Handles the finders' result. Finding nothing proves nothing: after the window the attempt becomes a claim. */
export function takeFinding(transition: TreasuryTransition, event: TreasuryEventOf<'findingSeen'>): void {
  const at = findLeg(transition, event)
  const attempt = at === null ? undefined : lastAttempt(at.leg)
  if (at === null || attempt === undefined || attempt.n !== event.n) return
  const { state, now, leg } = at
  if (leg.stage !== 'silent' && leg.stage !== 'claim') return
  const wasAsked = leg.asked?.what === 'find'
  leg.asked = null
  const { found, candidates, words } = event
  if (found !== null) {
    attempt.outcome = 'answered'
    leg.reference = found.reference
    leg.resourceId ??= found.resourceId ?? null
    settleResource(at, { received: found.received, fee: null, words })
    return
  }
  if (event.named !== undefined && takeListed(at, event.named)) return
  if (candidates !== undefined) leg.evidence = withCandidates(leg, candidates, now)
  if (!wasAsked || leg.stage !== 'silent') return
  const halfAge = (now - (attempt.firstSentAt ?? attempt.preparedAt)) / 2
  if (maySendAgain(state, leg) || now >= lookedForUntil(state, leg))
    claim(at, `no finder found it, which proves nothing: ${words}`)
  else leg.dueAt = now + Math.min(Math.max(halfAge, LOOK_AGAIN_MS.least), LOOK_AGAIN_MS.most)
}

/** Handles a webhook, which is only a hint: reads the resource that it names. */
export function takeWebhook(
  { state, now, send }: TreasuryTransition,
  event: TreasuryEventOf<'webhookSeen'>,
): void {
  for (const intent of Object.values(state.intents)) {
    intent.legs.forEach((leg, index) => {
      const isById = event.resourceId !== null && leg.resourceId === event.resourceId
      // Calls on the platform wallet echo the intent's id, which identifies a resource whose answer was lost.
      const isByReference =
        event.reference === intent.id &&
        leg.resourceId === null &&
        (leg.stage === 'silent' || leg.stage === 'claim' || leg.stage === 'sending')
      if (!isById && !isByReference) return
      if (isByReference) leg.resourceId = event.resourceId
      if (leg.resourceId === null) return
      leg.asked = { what: 'read', at: now }
      send({ type: 'read', intent: intent.id, leg: index })
    })
  }
}

/** How long a settled payout may still come back. */
const LATE_MS = 14 * DAY_MS
/** A bank reference is valid for 72 hours: a cancelled deposit may still be paid for this long. */
const PAYABLE_MS = 4 * DAY_MS

/** Returns when to check an ended leg again; Infinity = nothing can change. */
function nextLook(leg: Leg, now: number): number {
  const ageMs = leg.endedAt === null ? 0 : now - leg.endedAt
  const mayReturn =
    leg.stage !== 'cancelled' && (leg.to === 'bank' || leg.to === 'phone' || leg.payee !== null)
  const lastsMs = mayReturn ? LATE_MS : leg.stage === 'cancelled' ? PAYABLE_MS : 0
  if (leg.resourceId === null || ageMs >= lastsMs) return Infinity
  return now + (ageMs < DAY_MS ? HOUR_MS : DAY_MS)
}

/** Claims are checked each hour of their first day, then each day. */
function nextClaimLook({ endedAt }: Leg, now: number): number {
  return now + (endedAt === null || now - endedAt < DAY_MS ? HOUR_MS : DAY_MS)
}

/** Reads a claim's resource, which is authoritative; without one the finders search again. Returns when it is next due. */
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

/** Checks claims, arrived payouts that may come back, and cancelled deposits. Returns when the next check is due. */
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
