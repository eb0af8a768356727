import { MINUTE_MS } from '../../../../base/time.ts'
import { answer, type Answer } from '../../api/request.ts'
import { isoTime } from '../../state.ts'
import { hasField, plainText } from '../kit/fields.ts'
import { availableTzs, notePayout, readEndUser, refusePayout } from '../money/funding.ts'
import { newCode, newId } from '../kit/ids.ts'
import {
  isRefusal,
  notFound,
  type PartnerAnswer,
  type PartnerRefusal,
  type PartnerRequest,
  type PartnerRoute,
  refuse,
} from '../kit/request.ts'
import { personBehind } from '../lookup/names.ts'
import type { Partner } from '../model/partner.ts'
import type { PartnerWithdrawal } from '../model/records.ts'
import { showFees } from '../money/fees.ts'
import { answerAfterEvent } from '../webhooks/emit.ts'
import { dispatch, hold } from './settle.ts'
import { wishDigitsOf, LARGE_TZS, type PayoutWish, readPayoutWish, wishText } from './wish.ts'

/** Source: contract, limits. */
const QUOTE_VALID_MS = 5 * MINUTE_MS
const DUPLICATE_WINDOW_MS = 5 * MINUTE_MS

/** POST /withdrawals/quote: bound to source, destination and amount; without an id where the balance is short. */
function quoteWithdrawal(partner: Partner, { body, now }: PartnerRequest): PartnerAnswer {
  const wish = readPayoutWish(partner, body)
  if (isRefusal(wish)) return wish
  const { source, destination, tzs, fees, burnTzs, recipientName, text } = wish
  const available = availableTzs(partner, source)
  const sufficient = available >= burnTzs
  const expiresAt = now + QUOTE_VALID_MS
  const quoteId = sufficient ? newCode(partner.world, 'wq_', 24) : null
  if (quoteId !== null)
    partner.withdrawalQuotes.set(quoteId, { wish: text, totalFeeTzs: fees.totalFeeTzs, expiresAt })
  return answer(200, {
    quoteId,
    expiresAt: isoTime(expiresAt),
    recipientName,
    receiveAmountTzs: Number(tzs),
    burnAmountTzs: Number(burnTzs),
    totalFeeTzs: Number(fees.totalFeeTzs),
    payoutRail: railOf(wish),
    fees: showFees(fees),
    balance: { availableTzs: Number(available), sufficient },
    approval: {
      requiresApproval: tzs >= LARGE_TZS,
      secondApprovalThresholdTzs: Number(LARGE_TZS),
    },
    ...(destination.rail === 'phone'
      ? { phoneNumber: destination.phone }
      : {
          bankCode: destination.bankCode,
          bankName: `Bank ${destination.bankCode}`,
          accountNumber: destination.accountNumber,
        }),
  })
}

/** POST /withdrawals: burns and pays out, or queues a large one for the operator. */
function createWithdrawal(partner: Partner, request: PartnerRequest): PartnerAnswer {
  const { body, now } = request
  const { world } = partner
  const wish = readPayoutWish(partner, body)
  if (isRefusal(wish)) return wish
  const endUser = readEndUser(wish.source, body)
  if (endUser !== null && isRefusal(endUser)) return endUser
  const refusal =
    refuseQuote(partner, request, wish) ??
    refuseDuplicate(partner, request, wish) ??
    refusePayout(partner, request, wish.source, wish.burnTzs)
  if (refusal !== null) return refusal
  const payout: PartnerWithdrawal = {
    id: newId(world),
    createdAt: now,
    source: wish.source,
    destination: wish.destination,
    receiveTzs: wish.tzs,
    totalFeeTzs: wish.fees.totalFeeTzs,
    burnTzs: wish.burnTzs,
    endUser,
    reference: newCode(world, 'PO-', 10),
    status: 'requested',
    payoutStatus: 'pending',
    receipt: null,
    error: null,
  }
  partner.withdrawals.set(payout.id, payout)
  notePayout(partner, request, wish.source, wish.burnTzs)
  hold(partner, payout)
  if (wish.tzs < LARGE_TZS) dispatch(partner, payout)
  return answerAfterEvent(partner, payout.id, answer(201, showWithdrawal(payout)))
}

/** What speaks against the quote of a payout: none, unknown or too old, made for another wish, or stale. */
function refuseQuote(
  partner: Partner,
  { body, now }: PartnerRequest,
  { text, fees }: PayoutWish,
): PartnerRefusal | null {
  if (!hasField(body, 'quoteId'))
    return partner.world.settings.quoteRequired ? refuse('quote_required', 'quoteId is required') : null
  const quote = partner.withdrawalQuotes.get(plainText(body, 'quoteId'))
  if (quote === undefined || now >= quote.expiresAt)
    return refuse('invalid_quote', 'the quote is unknown or older than 5 minutes')
  if (quote.wish !== text)
    return refuse('quote_mismatch', 'the quote is of another funding source, destination or amount')
  return quote.totalFeeTzs === fees.totalFeeTzs
    ? null
    : refuse('quote_stale', 'the pricing has moved since the quote; ask for a new one')
}

/** An identical payout of the last minutes that still holds funds. */
function refuseDuplicate(
  partner: Partner,
  { body, now }: PartnerRequest,
  { text }: PayoutWish,
): PartnerRefusal | null {
  if (body['allowDuplicate'] === true) return null
  for (const other of partner.withdrawals.values()) {
    if (now - other.createdAt >= DUPLICATE_WINDOW_MS || other.status === 'reverted') continue
    if (wishText(other.source, other.destination, other.receiveTzs) !== text) continue
    return refuse('duplicate_withdrawal', 'an identical payout of the last 5 minutes holds funds', {
      withdrawalId: other.id,
    })
  }
  return null
}

/** GET /withdrawals/:id. */
function readWithdrawal({ withdrawals }: Partner, { params }: PartnerRequest): Answer {
  const payout = withdrawals.get(params['id'] ?? '')
  return payout === undefined ? notFound('withdrawal') : answer(200, showWithdrawal(payout))
}

function showWithdrawal(payout: PartnerWithdrawal): object {
  const { id, status, receiveTzs, totalFeeTzs, destination, reference, receipt, payoutStatus } = payout
  const recipientName = personBehind(wishDigitsOf(destination))
  const name = recipientName ?? wishDigitsOf(destination)
  return {
    id,
    status,
    receiveAmountTzs: Number(receiveTzs),
    totalFeeTzs: Number(totalFeeTzs),
    recipientName,
    ...(destination.rail === 'bank'
      ? { accountNumber: destination.accountNumber }
      : { phoneNumber: destination.phone }),
    payoutRail: railOf({ destination }),
    payoutReference: reference,
    ...(receipt === null ? {} : { payoutReceipt: receipt }),
    payoutStatus,
    ...(status === 'paid' ? { confirmationMessage: `TZS ${receiveTzs} was sent to ${name}.` } : {}),
    message: status === 'requested' ? 'The payout waits for an approval.' : `The payout is ${status}.`,
  }
}

function railOf({ destination }: Pick<PayoutWish, 'destination'>): string {
  return destination.rail === 'bank' ? 'bank' : 'mobile_money'
}

export const WITHDRAWAL_ROUTES: readonly PartnerRoute[] = (
  [
    { method: 'POST', path: '/withdrawals/quote', isIdempotent: false, answer: quoteWithdrawal },
    { method: 'POST', path: '/withdrawals', isIdempotent: true, answer: createWithdrawal },
    { method: 'GET', path: '/withdrawals/:id', isIdempotent: false, answer: readWithdrawal },
  ] as const
).map((route) => ({ ...route, capability: 'disbursements' }))
