import type { Ms } from '../../base/time.ts'
import type { TreasuryTransition } from '../transition.ts'
import { useCap } from '../approvals/caps.ts'
import type { TreasuryEventOf } from '../model/event.ts'
import { hasLeft, type Leg, type LegQuote } from '../model/intent.ts'
import { formatTokens } from '../../base/money/asset.ts'
import { asksForReceived } from './amounts.ts'
import { waitForFunds } from './funds.ts'
import { isWaitingForFunds } from './legs.ts'
import { dropRest, endIntent, type LegAt, moveLeg, workingLeg } from './moves.ts'
import { pauseLeg } from './walk.ts'

/** Handles a price: within the envelope the leg continues; outside it, people must approve again. */
export function takeQuote(
  transition: TreasuryTransition,
  { quote, ...place }: TreasuryEventOf<'quoteSeen'>,
): void {
  const at = workingLeg(transition, place)
  if (at === null || !expectsPrice(at.leg)) return
  const { leg, now } = at
  leg.asked = null
  if (isUnpayable(leg, quote)) {
    waitForFunds(at, quote.spend)
    pauseLeg(at)
    return
  }
  const fault = faultOf(leg, quote, now)
  if (fault !== null) {
    leg.why = fault
    pauseLeg(at)
    return
  }
  Object.assign(leg, { failures: 0, waitsFor: null, dueAt: now })
  if (quote.spend <= leg.amount && quote.receive >= leg.leastReceived) {
    leg.quote = quote
    moveLeg(at, 'quoted', 'the price is within the envelope')
  } else leaveEnvelope(at, quote)
}

/** Handles a missing price. If it will never come, the leg is refused; nothing was sent for it. */
export function takeQuoteFailure(
  transition: TreasuryTransition,
  event: TreasuryEventOf<'quoteFailed'>,
): void {
  const at = workingLeg(transition, event)
  if (at === null || !expectsPrice(at.leg)) return
  const words = `no price: ${event.code}: ${event.words}`
  if (event.isFinal) {
    moveLeg(at, 'refused', words)
    return
  }
  at.leg.why = words
  pauseLeg(at)
}

/** A leg that requested a price accepts it, as does one that waits for funds, because the venue knows its balances. */
function expectsPrice(leg: Leg): boolean {
  return leg.asked?.what === 'quote' || (leg.stage === 'planned' && isWaitingForFunds(leg))
}

/** Payouts and spending need a quote's id, which is missing if the balance is too small. Source: partner-api.md. */
function isUnpayable({ kind }: Leg, { quoteId }: LegQuote): boolean {
  return (kind === 'withdrawal' || kind === 'spend') && quoteId === null
}

function faultOf(leg: Leg, { receive, spend, expiresAt }: LegQuote, now: Ms): string | null {
  // An immediate retry would return an equally old price, endlessly.
  if (expiresAt <= now) return "the price had expired when it came: compare our clock with the venue's"
  if (spend <= 0n || receive <= 0n) return 'the venue quotes nothing'
  const isOfAnother = asksForReceived(leg.kind) && receive !== leg.leastReceived
  return isOfAnother ? 'the venue quotes an amount that differs from the request' : null
}

/**
 * Handles a price outside the envelope. An intent that people approved returns to them with an envelope that the price
 * fits; one that needed no approval and has not begun is cancelled and planned again.
 */
function leaveEnvelope(at: LegAt, quote: LegQuote): void {
  const { state, now, intent, leg, alert } = at
  const price = `${formatTokens(quote.spend, leg.asset)} ${leg.asset} for ${formatTokens(quote.receive, leg.receiveAsset)} ${leg.receiveAsset}`
  if (!intent.needsApproval && !hasLeft(intent)) {
    dropRest(at, intent, `the price left the envelope: ${price}`)
    endIntent(at, intent)
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
  moveLeg(at, 'planned', `the price left the envelope: ${price}`)
  const text = `a price of ${price} is outside the approved envelope: it waits for approval again`
  alert('treasury-approval-waiting', text, intent.id)
}

function lowered(value: bigint, by: bigint): bigint {
  return value > by ? value - by : 0n
}
