import type { TreasuryState } from '../state.ts'
import { sendingObstacle } from '../state.ts'
import type { TreasuryTransition } from '../transition.ts'
import { capLeft, useCap } from '../approvals/caps.ts'
import { envelopeOf, envelopeText, isAgreed, needsPeople } from '../approvals/envelope.ts'
import { payeeObstacle } from '../approvals/payees.ts'
import type { PlannedStep } from '../model/event.ts'
import type { Intent, Leg } from '../model/intent.ts'
import { formatTokens } from '../../base/money/asset.ts'
import type { PlannedIntent, PlannedLeg, PlanWarning } from '../model/plan-types.ts'
import { makeUnique } from './amounts.ts'
import { isByPosition } from './legs.ts'
import { refreshStage } from './moves.ts'

/** Turns a plan's steps into intents that pass the rules. Reports a refusal again only if its reason changes. */
export function takePlan(transition: TreasuryTransition, steps: readonly PlannedStep[]): void {
  const { state } = transition
  if (sendingObstacle(state) !== null) return
  const refused: Record<string, string> = {}
  for (const { id, step, isNamed } of steps) {
    const why = stepObstacle(state, id, step) ?? claimObstacle(state, step)
    if (why === null) {
      startIntent(transition, { id, step, isNamed }, null)
      continue
    }
    const name = `${step.rule} ${step.asset} ${step.direction}`
    refused[name] = why
    if (state.refusedSteps[name] !== why) transition.alert('treasury-step-refused', `${name}: ${why}`)
  }
  state.refusedSteps = refused
}

/** Reports new warnings of a plan. A warning that disappeared and returns is new. */
export function takeWarnings({ state, alert }: TreasuryTransition, warnings: readonly PlanWarning[]): void {
  for (const warning of warnings)
    if (!state.planWarnings.includes(warningKey(warning))) alert(warning.code, warning.message)
  state.planWarnings = warnings.map(warningKey)
}

/** Identifies a warning regardless of its figures. */
export function warningKey({ code, subject }: PlanWarning): string {
  return `${code} ${subject}`
}

/** Returns why a step may not become an intent; null = it may. */
export function stepObstacle(state: TreasuryState, id: string, step: PlannedIntent): string | null {
  const { rule, asset, direction, route, destination, spendAsset, mostSpent, legs } = step
  if (Object.hasOwn(state.intents, id)) return `the id ${id} belongs to another intent`
  if (legs.length === 0 || mostSpent <= 0n || legs.some(({ amount }) => amount <= 0n))
    return 'it moves nothing'
  if (!state.config.policy.routes.includes(route)) return `${route} is not among treasury.policy.routes`
  const restedUntil = state.rails[route]?.restedUntil ?? null
  if (restedUntil !== null && restedUntil > state.now) return `${route} rests after failures`
  if (
    activeIntents(state).some(
      (one) => one.rule === rule && one.asset === asset && one.direction === direction,
    )
  )
    return `there is already an active ${rule} of ${asset} ${direction}`
  const payee = payeeObstacle(state, step)
  if (payee !== null) return payee
  const [taken] = legs.map((leg) => makeUnique(state, newLeg(leg, state.now))).filter((why) => why !== null)
  if (taken !== undefined) return taken
  const left = capLeft(state, route, destination, spendAsset)
  if (left !== null && mostSpent > left)
    return `the caps allow ${formatTokens(left, spendAsset)} ${spendAsset} more over ${route} to ${destination}; this needs up to ${formatTokens(mostSpent, spendAsset)}`
  const unread = legs.find(({ from }) => isUnread(state, from))
  return unread === undefined ? null : `${unread.from} cannot be read`
}

/** Returns why a step waits for a claim whose payment it could repeat; null = it need not wait. */
function claimObstacle({ keys, intents }: TreasuryState, { rule, asset, direction }: PlannedIntent) {
  // A journal from before this check replays under the rules of its time.
  if (keys === undefined) return null
  const claimed = Object.values(intents).find(
    (one) =>
      one.rule === rule &&
      one.asset === asset &&
      one.direction === direction &&
      one.legs.some(({ stage, kind }) => stage === 'claim' && !isByPosition(kind)),
  )
  return claimed === undefined ? null : `intent ${claimed.id} is a claim, which a person has to resolve first`
}

function isUnread({ holdings }: TreasuryState, place: Leg['from']): boolean {
  if (place === 'bank' || place === 'phone') return false
  return holdings === null || holdings[place] === null
}

/** Returns the intents that have not ended. A claim has ended and waits for a person. */
export function activeIntents({ intents }: TreasuryState): readonly Intent[] {
  return Object.values(intents).filter(({ endedAt }) => endedAt === null)
}

/** Creates an intent from a step that passed the rules. Sends nothing. */
export function startIntent(
  transition: TreasuryTransition,
  { id, step, isNamed }: PlannedStep,
  orderedBy: string | null,
): Intent {
  const { state, now } = transition
  const { rule, asset, direction, route, cost, arrivesAt, latestAt, why } = step
  const legs = withPositionOrders(step.legs).map((leg) => newLeg(leg, now))
  for (const leg of legs) makeUnique(state, leg)
  const intent: Intent = {
    id,
    rule,
    asset,
    direction,
    route,
    plannedAt: now,
    envelope: envelopeOf(state, id, { ...step, leastReceived: step.leastReceived - lessOf(step, legs) }),
    legs,
    stage: 'planned',
    approvals: [],
    needsApproval: orderedBy !== null || needsPeople(state, step),
    agreed: null,
    notBefore: now,
    orderedBy,
    ...(isNamed === true ? { naming: { askedAt: null, answer: null } } : {}),
    isHeld: false,
    isLate: false,
    expected: { cost, arrivesAt, latestAt },
    why,
    endedAt: null,
  }
  // An order of a payout counts as its first approval.
  if (orderedBy !== null)
    intent.approvals.push({ by: orderedBy, at: now, envelope: envelopeText(intent.envelope) })
  state.intents[id] = intent
  state.watched = [...state.watched, id]
  useCap(state, intent)
  transition.emit({ type: 'intentMoved', intent: id, leg: null, from: 'planned', to: 'planned', why })
  coolOff(state, intent)
  refreshStage(transition, intent)
  if (!isAgreed(state, intent))
    transition.alert(
      'treasury-approval-waiting',
      `${route} of up to ${formatTokens(step.mostSpent, step.spendAsset)} ${step.spendAsset} to ${step.destination} waits for approval: ${why}`,
      id,
    )
  return intent
}

/** Returns how much less may arrive because amounts were made unique. */
function lessOf(step: PlannedIntent, legs: readonly Leg[]): bigint {
  const leastOf = (all: readonly PlannedLeg[]) =>
    all.reduce((sum, leg) => sum + (leg.receiveAsset === step.receiveAsset ? leg.leastReceived : 0n), 0n)
  const less = leastOf(step.legs) - leastOf(legs)
  return less < step.leastReceived ? less : step.leastReceived
}

/** Starts the cool-off after a single person's approval, in which the intent may still be cancelled. */
export function coolOff(state: TreasuryState, intent: Intent): void {
  const { people, coolOffMs } = state.config.approval
  if (intent.needsApproval && people === 1 && isAgreed(state, intent))
    intent.notBefore = Math.max(intent.notBefore, state.now + coolOffMs)
}

/**
 * Puts a deactivation before each LP withdrawal and an activation after it, because tokens leave the LP wallet only
 * while the position is inactive.
 */
function withPositionOrders(legs: readonly PlannedLeg[]): readonly PlannedLeg[] {
  return legs.flatMap((leg) => {
    if (leg.kind !== 'lpWithdrawal') return [leg]
    const around = { ...leg, amount: 0n, receiveAsset: leg.asset, leastReceived: 0n, payee: null }
    return [
      { ...around, kind: 'lpDeactivation', from: 'pool', to: 'lpWallet' },
      leg,
      { ...around, kind: 'lpActivation', from: 'lpWallet', to: 'pool' },
    ]
  })
}

function newLeg(leg: PlannedLeg, now: number): Leg {
  return {
    ...leg,
    stage: 'planned',
    quote: null,
    attempts: [],
    resourceId: null,
    reference: null,
    instructions: null,
    received: null,
    fee: null,
    sentAt: null,
    endedAt: null,
    why: 'planned',
    asked: null,
    dueAt: now,
    failures: 0,
  }
}
