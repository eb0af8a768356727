import { TOKEN_DECIMALS } from '../../../../base/money/asset.ts'
import { divide } from '../../../../base/money/rounding.ts'
import { SECOND_MS } from '../../../../base/time.ts'
import type { Answer } from '../../api/request.ts'
import { accountOf } from '../../market/book.ts'
import { answerAfterEvent, emit } from '../kit/emit.ts'
import { fateUnder, requirePhone } from '../kit/fields.ts'
import { newTxHash } from '../kit/ids.ts'
import { type PartnerRequest, refuse, type RequestFields } from '../kit/request.ts'
import { scheduleEnd } from '../kit/schedule.ts'
import { targetDigits, targetName } from '../lookup/billers.ts'
import type { Partner } from '../model/partner.ts'
import type { RampDestination, RampQuote, Settlement } from '../model/payments.ts'
import { checkAgentCaps, checkBalance, checkMoving, noteAgentPayout } from '../money/caps.ts'
import {
  burn,
  CASH,
  mint,
  moveShillings,
  phoneAccount,
  RAMP_DOLLARS,
  shillingsAt,
  unitsAt,
} from '../money/tokens.ts'
import { checkRamp, takeRampQuote } from './quote.ts'
import { openSettlement, settlementBody, settlementData } from './settlement.ts'

/** A payout that ends within this time is awaited; a slower one is answered as in flight. Source: contract, ramp. */
const WAITED_MS = 10 * SECOND_MS

/** POST /ramp/offramp: debits the float and pays shillings out. */
export function postOfframp(partner: Partner, request: PartnerRequest): Answer {
  const { world } = partner
  const quote = takeRampQuote(partner, request, 'offramp')
  const destination = readDestination(quote, request.body)
  const digits = destination.kind === 'phone' ? destination.phone : targetDigits(destination)
  const debit = debitOf(partner, quote)
  const grossTzs = quote.tzs + quote.feeTzs
  checkRamp(world)
  checkMoving(world, digits)
  checkAgentCaps(partner, request, grossTzs)
  checkBalance(world, unitsAt(world, partner.settlementAddress, 'USDC'), debit.usdc, TOKEN_DECIMALS.USDC)
  const fate = fateUnder(partner, digits)
  const settlement = openSettlement(partner, request, quote, {
    ...debit,
    destination,
    recipientName: destination.kind === 'phone' ? null : targetName(destination),
    destinationAddress: null,
    status: 'paying_out',
  })
  noteAgentPayout(partner, request, grossTzs)
  takeFromFloat(partner, settlement)
  const { settleMs } = world.settings
  if (fate === 'completes' && settleMs <= WAITED_MS) {
    completeOfframp(partner, settlement)
    return { status: 201, body: settlementBody(settlement), delayMs: settleMs }
  }
  const ends = { completes: completeOfframp, fails: failOfframp, unconfirmed: markOfframpUnconfirmed }
  scheduleEnd(partner, settlement, fate, ends)
  return answerAfterEvent(partner, settlement.id, { status: 202, body: settlementBody(settlement) })
}

function readDestination(quote: RampQuote, body: RequestFields): RampDestination {
  if (quote.destination !== null) return quote.destination
  const phone = requirePhone(body)
  if (quote.phone !== null && quote.phone !== phone)
    refuse('quote_mismatch', 'the quote is for another phone')
  return { kind: 'phone', phone }
}

/** Uses tokens returned by an earlier off-ramp first; dollars pay the rest, rounded up. */
function debitOf(
  { world, settlementAddress }: Partner,
  { usdc, tzs, feeTzs }: RampQuote,
): Pick<Settlement, 'fromTokenTzs' | 'usdc'> {
  const needed = tzs + feeTzs
  const held = shillingsAt(world, settlementAddress)
  const fromTokenTzs = held < needed ? held : needed
  return { fromTokenTzs, usdc: divide(usdc * (needed - fromTokenTzs), needed, 'up') }
}

function takeFromFloat({ world, settlementAddress }: Partner, settlement: Settlement): void {
  const { usdc, tzs, feeTzs, fromTokenTzs } = settlement
  accountOf(world.venue, settlementAddress.toLowerCase()).USDC -= usdc
  accountOf(world.venue, RAMP_DOLLARS).USDC += usdc
  burn(world, settlementAddress, CASH.offramps, fromTokenTzs)
  moveShillings(world, CASH.ramp, CASH.offramps, tzs + feeTzs - fromTokenTzs)
}

/** The shillings have arrived. */
export function completeOfframp(partner: Partner, settlement: Settlement): void {
  const { world } = partner
  moveShillings(world, CASH.offramps, payeeOf(settlement.destination), settlement.tzs)
  moveShillings(world, CASH.offramps, CASH.fees, settlement.feeTzs)
  settlement.status = 'completed'
  emit(partner, 'ramp.settlement.completed', settlementData(settlement))
}

function payeeOf(destination: RampDestination): string {
  if (destination.kind === 'phone') return phoneAccount(destination.phone)
  return destination.kind === 'lipa' ? CASH.till : CASH.biller
}

/** The payout failed for certain: its full value becomes a token at the settlement address. */
export function failOfframp(partner: Partner, settlement: Settlement): void {
  const { settlementAddress, world } = partner
  mint(world, CASH.offramps, settlementAddress, settlement.tzs + settlement.feeTzs)
  settlement.txHash = newTxHash(world)
  settlement.status = 'failed'
  const data = { ...settlementData(settlement), returnedAsTokenTo: settlementAddress }
  emit(partner, 'ramp.settlement.failed', data)
}

/** The outcome of the payout is unknown, and no event reports it: the operator has to find out. */
export function markOfframpUnconfirmed(_partner: Partner, settlement: Settlement): void {
  settlement.status = 'reconcile_required'
}
