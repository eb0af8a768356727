import type { TreasuryTransition } from '../transition.ts'
import { isAgreed } from '../approvals/envelope.ts'
import { freeCap } from '../approvals/caps.ts'
import { nameObstacle } from '../approvals/payee-names.ts'
import { admitPayee } from '../approvals/payees.ts'
import type { LegPlace } from '../model/effect.ts'
import { hasLeft, type Intent, type IntentStage, type Leg, type LegStage } from '../model/intent.ts'
import type { TreasuryPosting } from '../model/observation.ts'
import { recordOutcome } from '../rails.ts'
import { currentIndex, isBad, isEnded, isUnderWay, isWaitingForFunds, workingIndexes } from './legs.ts'
import { handOn } from './amounts.ts'

/** One leg of an intent, with the transition that changes it. */
export type LegAt = TreasuryTransition & {
  readonly intent: Intent
  readonly index: number
  readonly leg: Leg
}

/** Throws RangeError if the intent has no leg at this index. */
export function atLeg(transition: TreasuryTransition, intent: Intent, index: number): LegAt {
  return { ...transition, intent, index, leg: legAt(intent, index) }
}

/** Returns the leg that an event concerns; null = unknown or dropped. */
export function findLeg(transition: TreasuryTransition, { intent: id, leg: index }: LegPlace): LegAt | null {
  const { intents } = transition.state
  const intent = Object.hasOwn(intents, id) ? intents[id] : undefined
  return intent?.legs[index] === undefined ? null : atLeg(transition, intent, index)
}

/** Returns the leg that an event concerns if its intent works on that leg now; null = a stale event. */
export function workingLeg(transition: TreasuryTransition, place: LegPlace): LegAt | null {
  const at = findLeg(transition, place)
  const isWorking = at !== null && at.intent.endedAt === null && workingIndexes(at.intent).includes(at.index)
  return isWorking ? at : null
}

/** Moves a leg to another stage and reports it. */
export function moveLeg(at: LegAt, to: LegStage, why: string): void {
  const { intent, index, leg } = at
  const from = leg.stage
  leg.why = why
  if (from === to) return
  leg.stage = to
  leg.asked = null
  if (isEnded(leg)) leg.endedAt = at.now
  at.emit({ type: 'intentMoved', intent: intent.id, leg: index, from, to, why })
  followLeg(at)
}

/** Reports postings of the books; an entry without postings is not reported. */
export function reportBooked(
  { emit, intent }: LegAt,
  reason: string,
  postings: readonly TreasuryPosting[],
): void {
  if (postings.length > 0) emit({ type: 'booked', intent: intent.id, reason, postings })
}

/** Derives the intent's stage from its approvals, holds and legs. */
export function refreshStage(transition: TreasuryTransition, intent: Intent): void {
  if (intent.endedAt !== null) return
  const index = currentIndex(intent)
  if (index < 0) return
  const at = atLeg(transition, intent, index)
  setStage(transition, intent, openStage(at), at.leg.why)
}

function openStage({ state, intent, leg }: LegAt): IntentStage {
  if (isUnderWay(leg)) return leg.stage
  if (intent.isHeld) return 'held'
  if (!isAgreed(state, intent)) return 'awaiting_approval'
  if (leg.sentAt === null && nameObstacle(state, intent, leg) !== null) return 'awaiting_approval'
  if (isWaitingForFunds(leg)) return 'waiting_for_funds'
  if (leg.stage === 'quoted' || hasLeft(intent)) return leg.stage
  return 'approved'
}

/** After a leg has changed, advances the next one or ends the intent. */
function followLeg(at: LegAt): void {
  const { intent, leg } = at
  if (intent.endedAt !== null) {
    // Late evidence: a claim arrived after all, or a payout came back.
    setStage(at, intent, leg.stage, leg.why)
    return
  }
  if (isEnded(leg)) {
    const next = leg.stage === 'settled' ? handOn(at.state, intent, at.index) : null
    if (next !== null) {
      moveLeg(atLeg(at, intent, intent.legs.indexOf(next.stuck)), 'refused', next.why)
      return
    }
    if (leg.stage !== 'settled') dropRest(at, intent, `an earlier step ended: ${leg.why}`)
  }
  if (currentIndex(intent) >= 0) refreshStage(at, intent)
  else endIntent(at, intent)
}

/**
 * Cancels the steps that have not begun. Two kinds of activation stay: one that brings the position back to the market,
 * and one after a step that brings tokens into the LP wallet, because the position learns of them through the
 * activation.
 */
export function dropRest({ now, emit }: TreasuryTransition, { id, legs }: Intent, why: string): void {
  const out = legs.findLastIndex(({ kind, sentAt }) => kind === 'lpDeactivation' && sentAt !== null)
  const since = out < 0 ? [] : legs.slice(out)
  const isBack = since.some(({ kind, stage }) => kind === 'lpActivation' && stage === 'settled')
  legs.forEach((leg, index) => {
    const bringsBack = !isBack && since.includes(leg)
    const isNeeded = leg.kind === 'lpActivation' && (bringsBack || bringsTokens(legs[index - 1]))
    if (isEnded(leg) || isUnderWay(leg) || isNeeded) return
    const from = leg.stage
    Object.assign(leg, { stage: 'cancelled', asked: null, endedAt: now, why })
    emit({ type: 'intentMoved', intent: id, leg: index, from, to: 'cancelled', why })
  })
}

function bringsTokens(leg: Leg | undefined): boolean {
  return leg?.to === 'lpWallet' && (isUnderWay(leg) || leg.stage === 'settled')
}

/** Ends an intent whose legs have all ended. The first failed leg decides the stage, else a cancelled one. */
export function endIntent(transition: TreasuryTransition, intent: Intent): void {
  const deciding =
    intent.legs.find(isBad) ?? intent.legs.find(({ stage }) => stage === 'cancelled') ?? intent.legs.at(-1)
  if (deciding === undefined) return
  setStage(transition, intent, deciding.stage, deciding.why)
  intent.endedAt = transition.now
  const { state } = transition
  if (!hasLeft(intent) || intent.legs.every(({ stage }) => stage === 'refused' || stage === 'cancelled'))
    freeCap(state, intent.id)
  recordOutcome(transition, intent)
  if (intent.stage === 'settled') admitPayee(transition, intent)
  state.schedule.isPlanDue = true
  reportEnd(transition, intent, deciding)
}

function reportEnd({ alert }: TreasuryTransition, intent: Intent, { stage, why }: Leg): void {
  const text = `${intent.route} to ${intent.envelope.destination}: ${why}`
  if (stage === 'claim') alert('treasury-claim-open', text, intent.id)
  else if (stage === 'refused' || stage === 'reverted' || stage === 'expired')
    alert('treasury-intent-failed', `${stage}, ${text}`, intent.id)
}

function setStage({ emit }: TreasuryTransition, intent: Intent, to: IntentStage, why: string): void {
  const from = intent.stage
  intent.why = why
  if (from === to) return
  intent.stage = to
  emit({ type: 'intentMoved', intent: intent.id, leg: null, from, to, why })
}

export function legAt({ legs }: Intent, index: number): Leg {
  const leg = legs[index]
  if (leg === undefined) throw new RangeError(`an intent has no leg ${index}`)
  return leg
}
