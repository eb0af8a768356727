import { answer, type Answer } from '../../api/request.ts'
import { burn, mint, moveSimulated } from '../kit/burns.ts'
import { fateOf } from '../kit/fields.ts'
import { notePayout, readEndUser, refusePayout } from '../money/funding.ts'
import { newCode, newId } from '../kit/ids.ts'
import {
  isRefusal,
  notFound,
  type PartnerRefusal,
  type PartnerRequest,
  type PartnerRoute,
  refuse,
} from '../kit/request.ts'
import { schedule } from '../kit/schedule.ts'
import type { Partner } from '../model/partner.ts'
import type { Spend } from '../model/payments.ts'
import { refuseMoving } from '../money/funds.ts'
import { CASH } from '../money/tokens.ts'
import { answerAfterEvent, emit } from '../webhooks/emit.ts'
import { billerCatalogue, findBiller } from '../lookup/billers.ts'
import { quoteSimulatedSpend, readSpendWish, takeSimulatedQuote } from './quote.ts'
import { targetDigits, targetName } from './target.ts'

/** Where the shillings of payments are until their end. */
const RAIL = 'rail:spends'
const BILLERS = 'outside:biller'

/** POST /spend: burns principal and fees at once, and the payment ends by itself a little later. */
function createSpend(partner: Partner, request: PartnerRequest): Answer | PartnerRefusal {
  const { body } = request
  if (body['quoteId'] === undefined) return refuse('quote_required', 'quoteId is required')
  const wish = readSpendWish(partner, body)
  if (isRefusal(wish)) return wish
  const endUser = readEndUser(wish.source, body)
  if (endUser !== null && isRefusal(endUser)) return endUser
  const quote = takeSimulatedQuote(partner, request, wish)
  if (isRefusal(quote)) return quote
  const feeTzs = quote.railFeeTzs + quote.platformFeeTzs
  const burnTzs = quote.principalTzs + feeTzs
  const refused =
    refuseMoving(partner.world, targetDigits(wish.target)) ??
    refusePayout(partner, request, wish.source, burnTzs)
  if (refused !== null) return refused
  const { source, target, principalTzs } = wish
  if (target.kind === 'lipa' && target.network === null)
    return refuse('till_network_required', 'the network of this till is not known; the burn is reverted')
  partner.payments.spendQuotes.delete(quote.id)
  const { world } = partner
  const spend: Spend = {
    id: newId(world),
    source,
    target,
    reference: newCode(world, 'SP-', 10),
    recipientName: targetName(target),
    principalTzs,
    railFeeTzs: quote.railFeeTzs,
    platformFeeTzs: quote.platformFeeTzs,
    endUser,
    fate: partner.isLive ? 'completes' : fateOf(targetDigits(target)),
    status: 'burned',
    payoutStatus: 'pending',
    railReceipt: null,
    voucher: null,
  }
  partner.payments.spends.set(spend.id, spend)
  burn(world, source.account, RAIL, burnTzs)
  notePayout(partner, request, source, burnTzs)
  if (spend.fate !== 'never')
    schedule(partner, spend.id, world.settings.settleMs, () => settle(partner, spend))
  return answerAfterEvent(partner, spend.id, answer(201, shownSpend(spend)))
}

/** GET /spend/:id. */
function readSpend(partner: Partner, { params }: PartnerRequest): Answer {
  const spend = partner.payments.spends.get(params['id'] ?? '')
  return spend === undefined ? notFound('spend') : answer(200, shownSpend(spend))
}

function settle(partner: Partner, spend: Spend): void {
  switch (spend.fate) {
    case 'completes':
      return completeSpend(partner, spend)
    case 'fails':
      return revertSpend(partner, spend)
    case 'unconfirmed':
    case 'never':
      return leaveUnconfirmed(partner, spend)
  }
}

/** The destination has its money; of a bill that buys a token, the token comes later, once. */
export function completeSpend(partner: Partner, spend: Spend): void {
  const { world } = partner
  moveSimulated(world, RAIL, spend.target.kind === 'lipa' ? CASH.till : BILLERS, spend.principalTzs)
  moveSimulated(world, RAIL, CASH.fees, spend.railFeeTzs + spend.platformFeeTzs)
  spend.status = 'completed'
  spend.payoutStatus = 'completed'
  spend.railReceipt = newCode(world, 'R', 11)
  report(partner, spend)
  const { target } = spend
  if (target.kind === 'bill' && findBiller(target.utilityCode)?.issuesVoucher === true)
    schedule(partner, `${spend.id} voucher`, world.settings.settleMs, () => issueVoucher(partner, spend))
}

/** The payment failed for certain: everything burned is in the wallet again. */
export function revertSpend(partner: Partner, spend: Spend): void {
  const burnTzs = spend.principalTzs + spend.railFeeTzs + spend.platformFeeTzs
  mint(partner.world, RAIL, spend.source.account, burnTzs)
  spend.status = 'reverted'
  spend.payoutStatus = 'reverted'
  report(partner, spend)
}

/** Whether it was paid is not known: nothing is refunded until the operator has found out. */
export function leaveUnconfirmed(partner: Partner, spend: Spend): void {
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

function report(partner: Partner, spend: Spend): void {
  const burnTzs = spend.principalTzs + spend.railFeeTzs + spend.platformFeeTzs
  const isPaid = spend.payoutStatus === 'completed'
  emit(partner, 'spend.updated', {
    spendId: spend.id,
    externalId: spend.endUser?.reference ?? null,
    reference: spend.reference,
    status: spend.payoutStatus,
    kind: spend.target.kind,
    recipientName: spend.recipientName,
    principalTzs: Number(spend.principalTzs),
    burnAmountTzs: Number(burnTzs),
    actualChargesTzs: isPaid ? Number(burnTzs - spend.principalTzs) : null,
    railReceipt: spend.railReceipt,
    ...shownVoucher(spend),
    endUser: spend.endUser,
  })
}

function shownSpend(spend: Spend): object {
  return {
    id: spend.id,
    status: spend.status,
    payoutStatus: spend.payoutStatus,
    reference: spend.reference,
    recipientName: spend.recipientName,
    principalTzs: Number(spend.principalTzs),
    fees: { totalFeeTzs: Number(spend.railFeeTzs + spend.platformFeeTzs) },
    message: MESSAGES[spend.payoutStatus],
    ...(spend.target.kind === 'bill' ? shownVoucher(spend) : {}),
  }
}

const MESSAGES: Readonly<Record<Spend['payoutStatus'], string>> = {
  pending: 'The payment is on its way',
  completed: 'The payment was received',
  reverted: 'The payment failed; the money is in the wallet again',
  reconcile_required: 'The payment is not confirmed; the operator is looking for it',
}

function shownVoucher({ voucher }: Spend): object {
  return {
    utilityToken: voucher?.token ?? null,
    utilityUnits: voucher?.units ?? null,
    utilityReceipt: voucher?.receipt ?? null,
  }
}

export const SPEND_ROUTES: readonly PartnerRoute[] = [
  {
    method: 'POST',
    path: '/spend/quote',
    capability: 'disbursements',
    isIdempotent: false,
    answer: quoteSimulatedSpend,
  },
  { method: 'POST', path: '/spend', capability: 'disbursements', isIdempotent: true, answer: createSpend },
  {
    method: 'GET',
    path: '/spend/billers',
    capability: null,
    isIdempotent: false,
    answer: () => answer(200, billerCatalogue()),
  },
  { method: 'GET', path: '/spend/:id', capability: 'disbursements', isIdempotent: false, answer: readSpend },
]
