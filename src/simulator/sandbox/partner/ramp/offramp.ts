import { divide } from '../../../../base/money/rounding.ts'
import { SECOND_MS } from '../../../../base/time.ts'
import { accountOf } from '../../market/accounts.ts'
import type { Answer } from '../../api/request.ts'
import { burn, mint, moveSimulated } from '../kit/burns.ts'
import { fateOf, hasField, mobileNumber, SHILLING_UNITS } from '../kit/fields.ts'
import { noteAgentPayout, refuseAgentCap } from '../money/funding.ts'
import { newId, newTxHash } from '../kit/ids.ts'
import { isRefusal, type PartnerRefusal, type PartnerRequest, refuse } from '../kit/request.ts'
import { schedule } from '../kit/schedule.ts'
import type { Partner } from '../model/partner.ts'
import type { RampDestination, RampQuote, Settlement } from '../model/payments.ts'
import { refuseMoving, refuseShortfall } from '../money/funds.ts'
import { simulatedBalanceOf, CASH, phoneAccount } from '../money/tokens.ts'
import { targetDigits, targetName } from '../spend/target.ts'
import { answerAfterEvent, emit } from '../webhooks/emit.ts'
import { refuseRamp, takeRampQuote } from './quote.ts'
import { RAMP_CASH, RAIL, RAMP_DOLLARS, settlementData, shownSettlement } from './settlement.ts'

/** A payout that ends within this is waited for; a slower one is answered as under way. Source: contract, ramp. */
const WAITED_MS = 10 * SECOND_MS

/** POST /ramp/offramp: debits the float and pays shillings out. */
export function executeOfframp(partner: Partner, request: PartnerRequest): Answer | PartnerRefusal {
  const { world } = partner
  const quote = takeRampQuote(partner, request, 'offramp')
  if (isRefusal(quote)) return quote
  const destination = readDestination(quote, request.body)
  if (isRefusal(destination)) return destination
  const digits = destination.kind === 'phone' ? destination.phone : targetDigits(destination)
  const debit = debitOf(partner, quote)
  const refused =
    refuseRamp(world) ??
    refuseMoving(world, digits) ??
    refuseAgentCap(partner, request, quote.tzs + quote.feeTzs) ??
    refuseShortfall(world, {
      available: simulatedBalanceOf(world, partner.settlementAddress, 'USDC'),
      requested: debit.usdc,
      unit: 10n ** 6n,
    })
  if (refused !== null) return refused
  const fate = partner.isLive ? 'completes' : fateOf(digits)
  const isWaitedFor = fate === 'completes' && world.settings.settleMs <= WAITED_MS
  const settlement: Settlement = {
    id: newId(world),
    direction: 'offramp',
    createdAt: request.now,
    usdc: debit.usdc,
    tzs: quote.tzs,
    feeTzs: quote.feeTzs,
    fromTokenTzs: debit.tokenTzs,
    destination,
    recipientName: destination.kind === 'phone' ? null : targetName(destination),
    destinationAddress: null,
    status: 'paying_out',
    txHash: null,
  }
  quote.isUsed = true
  noteAgentPayout(partner, request, quote.tzs + quote.feeTzs)
  partner.payments.settlements.set(settlement.id, settlement)
  takeFromFloat(partner, settlement)
  if (isWaitedFor) {
    completeOfframp(partner, settlement)
    return { status: 201, body: shownSettlement(settlement), delayMs: world.settings.settleMs }
  }
  const end = { completes: completeOfframp, fails: failOfframp, unconfirmed: leaveOfframp, never: null }[fate]
  if (end !== null) schedule(partner, settlement.id, world.settings.settleMs, () => end(partner, settlement))
  return answerAfterEvent(partner, settlement.id, { status: 202, body: shownSettlement(settlement) })
}

function readDestination(quote: RampQuote, body: PartnerRequest['body']): RampDestination | PartnerRefusal {
  if (quote.destination !== null) return quote.destination
  if (!hasField(body, 'phoneNumber')) return refuse('phone_required', 'phoneNumber is required')
  const phone = mobileNumber(body['phoneNumber'])
  if (phone === null) return refuse('invalid_phone', 'phoneNumber is no Tanzanian mobile number')
  if (quote.phone !== null && quote.phone !== phone)
    return refuse('quote_mismatch', 'the quote is for another phone')
  return { kind: 'phone', phone }
}

/** Tokens that an earlier off-ramp returned are used first; dollars pay the rest, rounded up. */
function debitOf(
  { world, settlementAddress }: Partner,
  { usdc, tzs, feeTzs }: RampQuote,
): { readonly tokenTzs: bigint; readonly usdc: bigint } {
  const needed = tzs + feeTzs
  const held = simulatedBalanceOf(world, settlementAddress, 'NTZS') / SHILLING_UNITS
  const tokenTzs = held < needed ? held : needed
  return { tokenTzs, usdc: divide(usdc * (needed - tokenTzs), needed, 'up') }
}

function takeFromFloat({ world, settlementAddress }: Partner, settlement: Settlement): void {
  const { usdc, tzs, feeTzs, fromTokenTzs } = settlement
  accountOf(world.venue, settlementAddress.toLowerCase()).USDC -= usdc
  accountOf(world.venue, RAMP_DOLLARS).USDC += usdc
  burn(world, settlementAddress, RAIL, fromTokenTzs)
  moveSimulated(world, RAMP_CASH, RAIL, tzs + feeTzs - fromTokenTzs)
}

/** The shillings have arrived. */
export function completeOfframp(partner: Partner, settlement: Settlement): void {
  const { world } = partner
  moveSimulated(world, RAIL, payeeOf(settlement.destination), settlement.tzs)
  moveSimulated(world, RAIL, CASH.fees, settlement.feeTzs)
  settlement.status = 'completed'
  emit(partner, 'ramp.settlement.completed', settlementData(settlement))
}

function payeeOf(destination: RampDestination): string {
  if (destination.kind === 'phone') return phoneAccount(destination.phone)
  return destination.kind === 'lipa' ? CASH.till : 'outside:biller'
}

/** The payout failed for certain: its full value is a token at the settlement address now. */
export function failOfframp(partner: Partner, settlement: Settlement): void {
  const { settlementAddress, world } = partner
  mint(world, RAIL, settlementAddress, settlement.tzs + settlement.feeTzs)
  settlement.txHash = newTxHash(world)
  settlement.status = 'failed'
  emit(partner, 'ramp.settlement.failed', {
    ...settlementData(settlement),
    returnedAsTokenTo: settlementAddress,
  })
}

/** Whether it was paid is not known, and no event tells: the operator has to find out. */
export function leaveOfframp(_partner: Partner, settlement: Settlement): void {
  settlement.status = 'reconcile_required'
}
