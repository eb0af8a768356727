import type { TreasuryTransition } from '../transition.ts'
import { isAgreed } from '../approvals/envelope.ts'
import { freeCap } from '../approvals/caps.ts'
import { nameObstacle } from '../approvals/payee-names.ts'
import { admitPayee } from '../approvals/payees.ts'
import { hasLeft, type Intent, type IntentStage, type Leg, type LegStage } from '../model/intent.ts'
import { recordOutcome } from '../rails.ts'
import { currentIndex, isBad, isEnded, isUnderWay, isWaitingForFunds } from './legs.ts'
import { handOn } from './amounts.ts'

/** Moves a leg to another stage and reports it. */
export function moveLeg(
  transition: TreasuryTransition,
  intent: Intent,
  index: number,
  to: LegStage,
  why: string,
): void {
  const leg = legAt(intent, index)
  const from = leg.stage
  leg.why = why
  if (from === to) return
  leg.stage = to
  leg.asked = null
  if (isEnded(leg)) leg.endedAt = transition.now
  transition.emit({ type: 'intentMoved', intent: intent.id, leg: index, from, to, why })
  followLeg(transition, intent, index)
}

/** The intent's own stage follows from approvals, holds and legs. */
export function refreshStage(transition: TreasuryTransition, intent: Intent): void {
  if (intent.endedAt !== null) return
  const index = currentIndex(intent)
  if (index < 0) return
  setStage(transition, intent, openStage(transition, intent, legAt(intent, index)), legAt(intent, index).why)
}

function openStage(transition: TreasuryTransition, intent: Intent, leg: Leg): IntentStage {
  if (isUnderWay(leg)) return leg.stage
  if (intent.isHeld) return 'held'
  if (!isAgreed(transition.state, intent)) return 'awaiting_approval'
  if (leg.sentAt === null && nameObstacle(transition.state, intent, leg) !== null) return 'awaiting_approval'
  if (isWaitingForFunds(leg)) return 'waiting_for_funds'
  if (leg.stage === 'quoted' || hasLeft(intent)) return leg.stage
  return 'approved'
}

/** What a leg's end means for the rest of the intent: the next one moves on, or the intent ends. */
function followLeg(transition: TreasuryTransition, intent: Intent, index: number): void {
  const leg = legAt(intent, index)
  if (intent.endedAt !== null) {
    // Late evidence: a claim that arrived after all, a payout that came back.
    if (isEnded(leg)) setStage(transition, intent, leg.stage, leg.why)
    return
  }
  if (isEnded(leg)) {
    if (leg.stage === 'settled') handOn(transition.state, intent, index)
    else dropRest(transition, intent, `an earlier step ended: ${leg.why}`)
  }
  if (currentIndex(intent) >= 0) refreshStage(transition, intent)
  else endIntent(transition, intent)
}

/**
 * Ends the steps that have not begun, except an activation that brings the position back to the market, or one after a step that
 * brings tokens into its wallet: it is by the activation that the position learns of them.
 */
export function dropRest(transition: TreasuryTransition, intent: Intent, why: string): void {
  const { legs } = intent
  const isOut =
    legs.some(({ kind, sentAt }) => kind === 'lpDeactivation' && sentAt !== null) &&
    !legs.some(({ kind, stage }) => kind === 'lpActivation' && stage === 'settled')
  legs.forEach((leg, index) => {
    const isNeeded = leg.kind === 'lpActivation' && (isOut || bringsTokens(legs[index - 1]))
    if (isEnded(leg) || isUnderWay(leg) || isNeeded) return
    const from = leg.stage
    Object.assign(leg, { stage: 'cancelled', asked: null, endedAt: transition.now, why })
    transition.emit({ type: 'intentMoved', intent: intent.id, leg: index, from, to: 'cancelled', why })
  })
}

function bringsTokens(leg: Leg | undefined): boolean {
  return leg?.to === 'lpWallet' && (isUnderWay(leg) || leg.stage === 'settled')
}

/** Every leg has ended: the first one that failed decides, else one that was cancelled. */
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

function reportEnd(transition: TreasuryTransition, intent: Intent, { stage, why }: Leg): void {
  const text = `${intent.route} to ${intent.envelope.destination}: ${why}`
  if (stage === 'claim') transition.alert('treasury-claim-open', text, intent.id)
  else if (stage === 'refused' || stage === 'reverted' || stage === 'expired')
    transition.alert('treasury-intent-failed', `${stage}, ${text}`, intent.id)
}

function setStage(transition: TreasuryTransition, intent: Intent, to: IntentStage, why: string): void {
  const from = intent.stage
  intent.why = why
  if (from === to) return
  intent.stage = to
  transition.emit({ type: 'intentMoved', intent: intent.id, leg: null, from, to, why })
}

export function legAt({ legs }: Intent, index: number): Leg {
  const leg = legs[index]
  if (leg === undefined) throw new RangeError(`an intent has no leg ${index}`)
  return leg
}
