import { MINUTE_MS } from '../../../../base/time.ts'
import { answer, type Answer } from '../../api/request.ts'
import { isoTime } from '../../state.ts'
import { answerAfterEvent, emit } from '../kit/emit.ts'
import { fateUnder, hasField, requireTzs } from '../kit/fields.ts'
import { newCode, newId } from '../kit/ids.ts'
import { type PartnerRequest, refuse, type RequestFields } from '../kit/request.ts'
import { schedule, scheduleEnd } from '../kit/schedule.ts'
import { billerOf, readTarget, targetDigits, targetName, targetText } from '../lookup/billers.ts'
import type { Partner } from '../model/partner.ts'
import type { FundingSource, Spend, SpendQuote, SpendTarget } from '../model/payments.ts'
import { checkMoving, checkPayout, notePayout } from '../money/caps.ts'
import { spendFees } from '../money/fees.ts'
import { readEndUser, readSource } from '../money/source.ts'
import { burn, CASH, mint, moveShillings, shillingsAt } from '../money/tokens.ts'

/** Source: contract, limits. */
const QUOTE_VALID_MS = 5 * MINUTE_MS
const LEAST_PRINCIPAL_TZS = 500n
const BURN_REFUSED_FROM_TZS = 1_000_000n

/** The fields that a quote and the payment made by it share. */
type SpendOrder = {
  readonly source: FundingSource
  readonly target: SpendTarget
  readonly principalTzs: bigint
}

function readOrder(partner: Partner, body: RequestFields): SpendOrder {
  const source = readSource(partner, body)
  const target = readTarget(body)
  const { outOfOrder } = partner.world.settings
  if (outOfOrder.includes('spend')) refuse('spend_disabled', 'payments of bills and tills are off')
  if (outOfOrder.includes(target.kind === 'lipa' ? 'tills' : 'bills'))
    refuse('spend_kind_disabled', `payments of the kind ${target.kind} are off`)
  const leastTzs = billerOf(target)?.floorTzs ?? LEAST_PRINCIPAL_TZS
  return { source, target, principalTzs: requireTzs(body, 'amountTzs', leastTzs) }
}

/** POST /spend/quote: the destination receives the exact amount, fees are on top. */
export function postSpendQuote(partner: Partner, { body, now }: PartnerRequest): Answer {
  const { source, target, principalTzs } = readOrder(partner, body)
  const fees = spendFees(principalTzs, billerOf(target))
  const burnTzs = principalTzs + fees.totalFeeTzs
  if (burnTzs >= BURN_REFUSED_FROM_TZS)
    refuse('amount_too_large', `principal and fees must be below ${BURN_REFUSED_FROM_TZS}`, {
      limit: BURN_REFUSED_FROM_TZS,
      requested: burnTzs,
    })
  const { world, payments } = partner
  const available = shillingsAt(world, source.account)
  const isSufficient = available >= burnTzs
  const quote: SpendQuote = {
    id: newId(world),
    expiresAt: now + QUOTE_VALID_MS,
    tariff: world.settings.tariff,
    source: source.label,
    target: targetText(target),
    principalTzs,
    ...fees,
  }
  if (isSufficient) payments.spendQuotes.set(quote.id, quote)
  const { kind: _kind, ...shownTarget } = target
  return answer(200, {
    quoteId: isSufficient ? quote.id : null,
    expiresAt: isoTime(quote.expiresAt),
    target: shownTarget,
    recipientName: targetName(target),
    principalTzs,
    burnAmountTzs: burnTzs,
    fees,
    balance: { availableTzs: available, sufficient: isSufficient },
  })
}

/** The quote that a payment names, if it was made for this payment. */
function findQuote(partner: Partner, { body, now }: PartnerRequest, order: SpendOrder): SpendQuote {
  if (!hasField(body, 'quoteId')) refuse('quote_required', 'quoteId is required')
  const id = body['quoteId']
  const quote = typeof id === 'string' ? partner.payments.spendQuotes.get(id) : undefined
  if (quote === undefined || quote.expiresAt <= now)
    return refuse('invalid_quote', 'the quote is unknown, used or older than five minutes')
  const isSame =
    quote.source === order.source.label &&
    quote.target === targetText(order.target) &&
    quote.principalTzs === order.principalTzs
  if (!isSame) refuse('quote_mismatch', 'the quote is for another source, destination or amount')
  if (quote.tariff !== partner.world.settings.tariff)
    refuse('quote_stale', 'the tariff has changed since the quote')
  return quote
}

/** POST /spend: burns principal and fees at once; the payment ends a little later. */
export function postSpend(partner: Partner, request: PartnerRequest): Answer {
  const { world, payments } = partner
  const { body } = request
  if (body['quoteId'] === undefined) refuse('quote_required', 'quoteId is required')
  const order = readOrder(partner, body)
  const { source, target, principalTzs } = order
  const endUser = readEndUser(body, source)
  const { id: quoteId, railFeeTzs, platformFeeTzs } = findQuote(partner, request, order)
  const burnTzs = principalTzs + railFeeTzs + platformFeeTzs
  checkMoving(world, targetDigits(target))
  checkPayout(partner, request, source, burnTzs)
  if (target.kind === 'lipa' && target.network === null)
    refuse('till_network_required', 'the network of this till is not known; the burn is reverted')
  payments.spendQuotes.delete(quoteId)
  const spend: Spend = {
    id: newId(world),
    source,
    target,
    reference: newCode(world, 'SP-', 10),
    recipientName: targetName(target),
    principalTzs,
    railFeeTzs,
    platformFeeTzs,
    endUser,
    fate: fateUnder(partner, targetDigits(target)),
    status: 'burned',
    payoutStatus: 'pending',
    railReceipt: null,
    voucher: null,
  }
  payments.spends.set(spend.id, spend)
  burn(world, source.account, CASH.spends, burnTzs)
  notePayout(partner, request, source, burnTzs)
  const ends = { completes: completeSpend, fails: revertSpend, unconfirmed: markSpendUnconfirmed }
  scheduleEnd(partner, spend, spend.fate, ends)
  return answerAfterEvent(partner, spend.id, answer(201, spendBody(spend)))
}

/** The destination has its money; the token of a bill that buys one comes later, once. */
export function completeSpend(partner: Partner, spend: Spend): void {
  const { world } = partner
  const { target, principalTzs, railFeeTzs, platformFeeTzs } = spend
  moveShillings(world, CASH.spends, target.kind === 'lipa' ? CASH.till : CASH.biller, principalTzs)
  moveShillings(world, CASH.spends, CASH.fees, railFeeTzs + platformFeeTzs)
  Object.assign(spend, {
    status: 'completed',
    payoutStatus: 'completed',
    railReceipt: newCode(world, 'R', 11),
  })
  report(partner, spend)
  if (billerOf(target)?.issuesVoucher === true)
    schedule(partner, `${spend.id} voucher`, () => issueVoucher(partner, spend))
}

/** The payment failed for certain: the burned amount is in the wallet again. */
export function revertSpend(partner: Partner, spend: Spend): void {
  mint(partner.world, CASH.spends, spend.source.account, burnOf(spend))
  Object.assign(spend, { status: 'reverted', payoutStatus: 'reverted' })
  report(partner, spend)
}

/** The outcome is unknown: nothing is refunded until the operator has found out. */
export function markSpendUnconfirmed(partner: Partner, spend: Spend): void {
  spend.payoutStatus = 'reconcile_required'
  report(partner, spend)
}

function issueVoucher(partner: Partner, spend: Spend): void {
  const { world } = partner
  const digits = Array.from({ length: 20 }, () => Math.floor(world.random() * 10)).join('')
  spend.voucher = {
    token: digits.replaceAll(/(\d{4})(?=\d)/g, '$1 '),
    units: (Number(spend.principalTzs) / 356).toFixed(1),
    receipt: newCode(world, 'V', 11),
  }
  report(partner, spend)
}

function burnOf({ principalTzs, railFeeTzs, platformFeeTzs }: Spend): bigint {
  return principalTzs + railFeeTzs + platformFeeTzs
}

function report(partner: Partner, spend: Spend): void {
  const { principalTzs, reference, payoutStatus, target, recipientName, railReceipt, endUser } = spend
  const burnAmountTzs = burnOf(spend)
  emit(partner, 'spend.updated', {
    spendId: spend.id,
    externalId: endUser?.reference ?? null,
    reference,
    status: payoutStatus,
    kind: target.kind,
    recipientName,
    principalTzs,
    burnAmountTzs,
    actualChargesTzs: payoutStatus === 'completed' ? burnAmountTzs - principalTzs : null,
    railReceipt,
    ...voucherBody(spend),
    endUser,
  })
}

export function spendBody(spend: Spend): object {
  const { id, status, payoutStatus, reference, recipientName, principalTzs, target } = spend
  return {
    id,
    status,
    payoutStatus,
    reference,
    recipientName,
    principalTzs,
    fees: { totalFeeTzs: burnOf(spend) - principalTzs },
    message: MESSAGES[payoutStatus],
    ...(target.kind === 'bill' ? voucherBody(spend) : {}),
  }
}

const MESSAGES: Readonly<Record<Spend['payoutStatus'], string>> = {
  pending: 'The payment is on its way',
  completed: 'The payment was received',
  reverted: 'The payment failed; the money is in the wallet again',
  reconcile_required: 'The payment is not confirmed; the operator is looking for it',
}

function voucherBody({ voucher }: Spend): object {
  return {
    utilityToken: voucher?.token ?? null,
    utilityUnits: voucher?.units ?? null,
    utilityReceipt: voucher?.receipt ?? null,
  }
}
