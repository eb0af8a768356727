import { type CommandAnswer, no, yes } from '../../base/command-answer.ts'
import { sendingObstacle } from '../state.ts'
import type { TreasuryTransition } from '../transition.ts'
import { voidLeg } from '../books/post-leg.ts'
import { isUnderWay } from '../intents/legs.ts'
import { atLeg, dropRest, endIntent, moveLeg, refreshStage, reportBooked } from '../intents/moves.ts'
import { activeIntents, coolOff, startIntent, stepObstacle } from '../intents/plan-intent.ts'
import { settleResource } from '../intents/resource.ts'
import type { TreasuryEventOf, TreasuryOrder } from '../model/event.ts'
import { hasLeft, type Intent } from '../model/intent.ts'
import { agreedBy, envelopeText, isAgreed } from '../approvals/envelope.ts'
import { nameObstacle } from '../approvals/payee-names.ts'
import { payeeAccountOf, renewPayee } from '../approvals/payees.ts'

type Ordered = TreasuryEventOf<'ordered'>
type Order<Name extends TreasuryOrder['name']> = Extract<TreasuryOrder, { readonly name: Name }>

/** Executes a person's order, and reports the answer with the order's token. */
export function takeOrder(transition: TreasuryTransition, event: Ordered): void {
  const { accepted, answer } = answerOrder(transition, event)
  const { order, by } = event
  transition.emit({ type: 'answered', order: order.name, accepted, answer, by })
}

function answerOrder(transition: TreasuryTransition, event: Ordered): CommandAnswer {
  const { order } = event
  switch (order.name) {
    case 'stop':
      return stop(transition, event, order)
    case 'resume':
      return resume(transition, event, order)
    case 'confirmBalances':
      return confirm(transition, event, order)
    case 'confirmPayee':
      return confirmPayee(transition, event, order)
    case 'payout':
      return payOut(transition, event, order)
    case 'approve':
      return withIntent(transition, order, (intent) => approve(transition, event, order, intent))
    case 'cancel':
      return withIntent(transition, order, (intent) => cancel(transition, event, order, intent))
    case 'hold':
      return withIntent(transition, order, (intent) => hold(transition, event, order, intent))
    case 'resolveClaim':
      return withIntent(transition, order, (intent) => resolve(transition, event, order, intent))
  }
}

/** Stops the treasury; needs no second person. */
function stop(
  { state, now, alert }: TreasuryTransition,
  { by, who }: Ordered,
  { why }: Order<'stop'>,
): CommandAnswer {
  if (state.stop !== null) return yes(`is already stopped, by ${state.stop.who}: ${state.stop.why}`)
  state.stop = { by, who, at: now, why }
  alert('treasury-stopped', `${who} stopped the treasury: ${why}`)
  return yes('the treasury is stopped: nothing is sent until someone resumes it')
}

function resume(
  { state, alert }: TreasuryTransition,
  { who }: Ordered,
  { why }: Order<'resume'>,
): CommandAnswer {
  if (state.stop === null) return no('the treasury is not stopped')
  state.stop = null
  state.schedule.isPlanDue = true
  alert('treasury-resumed', `${who} resumed the treasury: ${why}`)
  return yes('the treasury continues')
}

function confirm(
  { state, alert }: TreasuryTransition,
  { who }: Ordered,
  { why }: Order<'confirmBalances'>,
): CommandAnswer {
  if (state.unconfirmed === null) return no('the balances need no confirmation')
  if (state.holdings === null) return no('no balances have been read yet: there is nothing to confirm')
  state.unconfirmed = null
  state.schedule.isPlanDue = true
  alert('treasury-resumed', `${who} confirmed the balances: ${why}`)
  return yes('the balances are confirmed: the treasury may send again')
}

/**
 * Expects the new name from now on. Cancels payments to the payee under the old name, because a new payee waits 24 h
 * and first receives a small payout.
 */
function confirmPayee(
  transition: TreasuryTransition,
  { by, who }: Ordered,
  { payee, registeredName, why }: Order<'confirmPayee'>,
): CommandAnswer {
  const { state, alert } = transition
  const age = Object.hasOwn(state.payees, payee) ? state.payees[payee] : undefined
  if (age === undefined) return no(`${payee} is not among treasury.payees`)
  if (by === state.author) return no(`${by} loaded the policy in force: another token has to confirm`)
  if (age.renamedTo === undefined)
    return no(`the name of ${payee} has not changed: there is nothing to confirm`)
  if (registeredName !== age.renamedTo)
    return no(`${payee} is registered as ${JSON.stringify(age.renamedTo)}: confirm exactly that name`)
  renewPayee(state, payee, age, registeredName)
  const words = `${who} confirmed the registered name of ${payee}: ${why}`
  for (const intent of activeIntents(state)) {
    if (!intent.legs.some((leg) => leg.payee === payee && leg.sentAt === null)) continue
    dropRest(transition, intent, words)
    if (intent.legs.every(({ endedAt }) => endedAt !== null)) endIntent(transition, intent)
  }
  alert(
    'treasury-new-payee',
    `${payee} (${payeeAccountOf(state.config, payee)}) has another registered name, ${JSON.stringify(registeredName)}, which ${who} confirmed: it receives nothing for 24 h, and only a small first payout then`,
  )
  return yes(`${payee} is a new payee: it receives nothing for 24 h, and only a small first payout then`)
}

function payOut(
  transition: TreasuryTransition,
  { by, planned, refusal }: Ordered,
  order: Order<'payout'>,
): CommandAnswer {
  const { state } = transition
  if (order.amount <= 0n) return no('the amount must be more than zero')
  if (refusal !== null || planned === null) return no(refusal ?? 'the policy has no route for it')
  const { id, step } = planned
  if (step.destination !== order.payee) return no(`the plan pays ${step.destination}, not ${order.payee}`)
  const obstacle = sendingObstacle(state) ?? stepObstacle(state, id, step)
  if (obstacle !== null) return no(obstacle)
  const intent = startIntent(transition, planned, by)
  return yes(`${id} is planned: ${standing(transition, intent)}`)
}

function approve(
  transition: TreasuryTransition,
  { by, who }: Ordered,
  order: Order<'approve'>,
  intent: Intent,
): CommandAnswer {
  const { state, now } = transition
  if (intent.endedAt !== null) return no(`it has ended: ${intent.stage}`)
  if (!hasLeft(intent) && now >= intent.envelope.expiresAt) return no('its time to be sent has expired')
  if (by === state.author) return no(`${by} loaded the policy in force: another token has to approve`)
  if (order.envelope !== envelopeText(intent.envelope))
    return no('the envelope has changed: read it again, and approve the current one')
  if (!intent.needsApproval && !intent.isHeld) return no('it needs no approval')
  const paid = intent.legs.find(({ payee, sentAt }) => payee !== null && sentAt === null)
  const name = paid === undefined ? null : nameObstacle(state, intent, paid)
  if (name !== null) return no(name)
  const hasAgreed = agreedBy(state, intent).includes(by)
  if (hasAgreed && !intent.isHeld) return no(`${by} has already approved it: another token has to approve`)
  const wasHeld = intent.isHeld
  intent.isHeld = false
  const wasAgreed = isAgreed(state, intent)
  if (!hasAgreed) intent.approvals = [...intent.approvals, { by, at: now, envelope: order.envelope }]
  if (!wasAgreed) coolOff(state, intent)
  intent.why = wasHeld ? `${who} released it` : `${who} approved it`
  refreshStage(transition, intent)
  return yes(standing(transition, intent))
}

function cancel(
  transition: TreasuryTransition,
  { who }: Ordered,
  { why }: Order<'cancel'>,
  intent: Intent,
): CommandAnswer {
  if (intent.endedAt !== null) return no(`it has ended: ${intent.stage}`)
  const words = `${who} cancelled it: ${why}`
  const underWay = intent.legs.filter(isUnderWay)
  // Nothing moves before someone pays. A later payment still reaches the treasury.
  const unpaid = underWay.filter(({ kind, stage }) => kind === 'deposit' && stage === 'known')
  dropRest(transition, intent, words)
  for (const leg of unpaid) moveLeg(atLeg(transition, intent, intent.legs.indexOf(leg)), 'cancelled', words)
  if (unpaid.length > 0 && unpaid.length === underWay.length) return yes('cancelled: do not pay it')
  const isOver = intent.legs.every(({ endedAt }) => endedAt !== null)
  if (isOver) endIntent(transition, intent)
  if (underWay.length > 0) return yes('what was sent cannot be recalled; the rest is cancelled')
  return yes(isOver ? 'cancelled' : 'the position takes what has arrived; the rest is cancelled')
}

function hold(
  transition: TreasuryTransition,
  { who }: Ordered,
  { why }: Order<'hold'>,
  intent: Intent,
): CommandAnswer {
  if (intent.endedAt !== null) return no(`it has ended: ${intent.stage}`)
  intent.isHeld = true
  intent.why = `${who} holds it: ${why}`
  refreshStage(transition, intent)
  return yes('held: nothing more of it is sent until someone approves it again')
}

/** Ends a claim by a person's decision. Later venue answers are ignored. */
function resolve(
  transition: TreasuryTransition,
  { who }: Ordered,
  order: Order<'resolveClaim'>,
  intent: Intent,
): CommandAnswer {
  const index = intent.legs.findIndex(({ stage }) => stage === 'claim')
  if (index < 0) return no('it has no open claim')
  if (order.received < 0n) return no('the received amount cannot be negative')
  const at = atLeg(transition, intent, index)
  const { leg } = at
  const words = `${who} resolved the claim as ${order.as}: ${order.why}`
  if (order.as === 'arrived') {
    // The on-chain transfer that a person recognised no longer counts for another leg.
    const hits = (leg.evidence ?? []).filter(
      ({ reference, amount }) => reference !== null && amount === order.received,
    )
    if (hits.length === 1) leg.reference ??= hits[0]?.reference ?? null
    settleResource(at, { received: order.received, fee: null, words })
  } else {
    reportBooked(at, words, voidLeg(at, order.as === 'lost' ? 0n : order.received))
    moveLeg(at, 'reverted', words)
  }
  transition.alert('treasury-claim-resolved', words, intent.id)
  // The step that would report it to the position was cancelled when the claim arose.
  const isUnknownThere = order.as === 'arrived' && leg.to === 'lpWallet'
  return yes(isUnknownThere ? `${words}; ${BOOK_IT_THERE}` : words)
}

const BOOK_IT_THERE =
  'the position does not know of these tokens in its wallet: book them there with `mizani resume --book deposit`'

function withIntent(
  { state }: TreasuryTransition,
  { intent: id }: { readonly intent: string },
  answer: (intent: Intent) => CommandAnswer,
): CommandAnswer {
  const intent = Object.hasOwn(state.intents, id) ? state.intents[id] : undefined
  return intent === undefined ? no(`there is no intent ${id}`) : answer(intent)
}

function standing({ state }: TreasuryTransition, intent: Intent): string {
  const missing = state.config.approval.people - agreedBy(state, intent).length
  if (!isAgreed(state, intent))
    return `${missing} more ${missing === 1 ? 'token must' : 'tokens must'} approve it`
  const waitMs = intent.notBefore - state.now
  return waitMs > 0 ? `approved; it will be sent in ${Math.ceil(waitMs / 60_000)} min` : 'approved'
}
