import type { Ms } from '../../base/time.ts'
import type { TreasuryTransition } from '../transition.ts'
import { useCap } from '../approvals/caps.ts'
import type { TreasuryEvent } from '../model/event.ts'
import { hasLeft, type Intent, type Leg, type LegQuote } from '../model/intent.ts'
import { formatTokens } from '../../base/money/asset.ts'
import { asksForReceived } from './amounts.ts'
import { workingLeg } from './attempts.ts'
import { waitForFunds } from './funds.ts'
import { isWaitingForFunds } from './legs.ts'
import { dropRest, endIntent, moveLeg } from './moves.ts'
import { pauseIntent } from './walk.ts'

type Of<Type extends TreasuryEvent['type']> = Extract<TreasuryEvent, { readonly type: Type }>

/** A price came: within the envelope the leg continues, outside of it people have to agree anew. */
export function takeQuote(transition: TreasuryTransition, { quote, ...place }: Of<'quoteSeen'>): void {
  const working = workingLeg(transition, place)
  if (working === null || !expectsPrice(working.leg)) return
  const { intent, leg, index } = working
  leg.asked = null
  if (isUnpayable(leg, quote)) {
    waitForFunds(transition, intent, leg, quote.spend)
    pauseIntent(leg, transition.now)
    return
  }
  const fault = faultOf(leg, quote, transition.now)
  if (fault !== null) {
    leg.why = fault
    pauseIntent(leg, transition.now)
    return
  }
  Object.assign(leg, { failures: 0, waitsFor: null, dueAt: transition.now })
  if (quote.spend <= leg.amount && quote.receive >= leg.leastReceived) {
    leg.quote = quote
    moveLeg(transition, intent, index, 'quoted', 'the price is within the envelope')
  } else leaveEnvelope(transition, intent, index, leg, quote)
}

/** No price. Where it will not come the leg is refused; nothing was sent for it. */
export function takeQuoteFailure(transition: TreasuryTransition, event: Of<'quoteFailed'>): void {
  const working = workingLeg(transition, event)
  if (working === null || !expectsPrice(working.leg)) return
  const { intent, leg, index } = working
  const words = `no price: ${event.code}: ${event.words}`
  if (event.isFinal) {
    moveLeg(transition, intent, index, 'refused', words)
    return
  }
  leg.why = words
  pauseIntent(leg, transition.now)
}

/** The leg has asked for a price; one that waits for funds takes it too, for the venue knows its balances best. */
function expectsPrice(leg: Leg): boolean {
  return leg.asked?.what === 'quote' || (leg.stage === 'planned' && isWaitingForFunds(leg))
}

/** Payouts and spending need a quote's id, which is missing where the balance does not suffice. Source: partner-api.md. */
function isUnpayable({ kind }: Leg, { quoteId }: LegQuote): boolean {
  return (kind === 'withdrawal' || kind === 'spend') && quoteId === null
}

function faultOf(leg: Leg, { receive, spend, expiresAt }: LegQuote, now: Ms): string | null {
  // Asked for again at once it would be as old again: the venue would be asked without end.
  if (expiresAt <= now) return "the price had expired when it came: compare our clock with the venue's"
  if (spend <= 0n || receive <= 0n) return 'the venue quotes nothing'
  const isOfAnother = asksForReceived(leg.kind) && receive !== leg.leastReceived
  return isOfAnother ? 'the venue quotes another amount than it was asked for' : null
}

/**
 * The price left the envelope. What people approved goes back to them with an envelope that the price fits in; what needed
 * no one and has not begun is cancelled, and planned anew.
 */
function leaveEnvelope(
  transition: TreasuryTransition,
  intent: Intent,
  index: number,
  leg: Leg,
  quote: LegQuote,
): void {
  const { state, now } = transition
  const price = `${formatTokens(quote.spend, leg.asset)} ${leg.asset} for ${formatTokens(quote.receive, leg.receiveAsset)} ${leg.receiveAsset}`
  if (!intent.needsApproval && !hasLeft(intent)) {
    dropRest(transition, intent, `the price left the envelope: ${price}`)
    endIntent(transition, intent)
    return
  }
  const more = quote.spend > leg.amount ? quote.spend - leg.amount : 0n
  const less = quote.receive < leg.leastReceived ? leg.leastReceived - quote.receive : 0n
  leg.amount += more
  leg.leastReceived -= less
  const { envelope } = intent
  intent.envelope = {
    ...envelope,
    mostSpent: envelope.mostSpent + (leg.asset === envelope.asset ? more : 0n),
    leastReceived: lowered(envelope.leastReceived, leg.receiveAsset === envelope.receiveAsset ? less : 0n),
    expiresAt: now + state.config.approval.withinMs,
  }
  intent.needsApproval = true
  useCap(state, intent)
  moveLeg(transition, intent, index, 'planned', `the price left the envelope: ${price}`)
  transition.alert(
    'treasury-approval-waiting',
    `a price of ${price} is outside of what was approved: it waits for approval again`,
    intent.id,
  )
}

function lowered(value: bigint, by: bigint): bigint {
  return value > by ? value - by : 0n
}
