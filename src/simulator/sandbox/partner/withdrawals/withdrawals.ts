import { MINUTE_MS } from '../../../../base/time.ts'
import { answer, type Answer } from '../../api/request.ts'
import { isoTime } from '../../state.ts'
import { answerAfterEvent } from '../kit/emit.ts'
import { hasField, plainText, readPhone, requireTzs, textField } from '../kit/fields.ts'
import { newCode, newId } from '../kit/ids.ts'
import { type PartnerRequest, refuse, type RequestFields } from '../kit/request.ts'
import { personBehind } from '../lookup/names.ts'
import type { Partner } from '../model/partner.ts'
import type { FundingSource, PartnerWithdrawal, PayoutDestination } from '../model/payments.ts'
import { checkMoving, checkPayout, notePayout } from '../money/caps.ts'
import { payoutFees, type PayoutFees } from '../money/fees.ts'
import { readEndUser, readSource } from '../money/source.ts'
import { shillingsAt } from '../money/tokens.ts'
import { dispatch, hold, payoutDigits, railOf } from './settle.ts'

/** Source: contract, limits. */
const LEAST_TZS = 5_000n
const LARGE_TZS = 1_000_000n
const QUOTE_VALID_MS = 5 * MINUTE_MS
const DUPLICATE_WINDOW_MS = 5 * MINUTE_MS

/** The terms that a quote and the payout made by it share, priced now. Whole shillings. */
type PayoutOrder = {
  readonly source: FundingSource
  readonly destination: PayoutDestination
  /** Net to the recipient. */
  readonly tzs: bigint
  readonly fees: PayoutFees
  readonly burnTzs: bigint
  /** The terms that the quote is bound to. */
  readonly text: string
}

function readOrder(partner: Partner, body: RequestFields): PayoutOrder {
  if (!hasField(body, 'amountTzs')) refuse('missing_required_fields', 'amountTzs is required')
  const tzs = requireTzs(body, 'amountTzs', LEAST_TZS)
  const source = readSource(partner, body)
  const destination = readDestination(body)
  const { settings } = partner.world
  if (destination.rail === 'bank') {
    if (settings.outOfOrder.includes('bank')) refuse('bank_rail_unavailable', 'payouts to banks are off')
    if (tzs >= LARGE_TZS) refuse('bank_amount_unsupported', `a bank takes less than ${LARGE_TZS} at once`)
  }
  checkMoving(partner.world, payoutDigits(destination))
  const fees = payoutFees(tzs, destination.rail, settings)
  const text = orderText(source, destination, tzs)
  return { source, destination, tzs, fees, burnTzs: tzs + fees.totalFeeTzs, text }
}

function readDestination(body: RequestFields): PayoutDestination {
  const isPhone = hasField(body, 'phoneNumber')
  const isBank = hasField(body, 'bankCode') || hasField(body, 'accountNumber')
  if (isPhone === isBank)
    refuse(
      'missing_required_fields',
      'exactly one of phoneNumber and bankCode with accountNumber is required',
    )
  if (isPhone) return { rail: 'phone', phone: readPhone(body, 'phoneNumber') }
  const bankCode = textField(body, 'bankCode') ?? ''
  const accountNumber = textField(body, 'accountNumber') ?? ''
  if (!/^[0-9A-Z]{6,20}$/.test(accountNumber) || !/^[A-Z0-9]{2,11}$/.test(bankCode))
    refuse('missing_required_fields', 'bankCode and accountNumber are required')
  return { rail: 'bank', bankCode, accountNumber }
}

/** Equal for payouts of equal terms. */
function orderText({ label }: FundingSource, destination: PayoutDestination, tzs: bigint): string {
  const to =
    destination.rail === 'phone'
      ? `phone:${destination.phone}`
      : `bank:${destination.bankCode}:${destination.accountNumber}`
  return `${label} ${to} ${tzs}`
}

/** POST /withdrawals/quote: bound to source, destination and amount; without an id if the balance is short. */
export function postWithdrawalQuote(partner: Partner, { body, now }: PartnerRequest): Answer {
  const { source, destination, tzs, fees, burnTzs, text } = readOrder(partner, body)
  const { totalFeeTzs } = fees
  const available = shillingsAt(partner.world, source.account)
  const sufficient = available >= burnTzs
  const expiresAt = now + QUOTE_VALID_MS
  const quoteId = sufficient ? newCode(partner.world, 'wq_', 24) : null
  if (quoteId !== null) partner.withdrawalQuotes.set(quoteId, { wish: text, totalFeeTzs, expiresAt })
  return answer(200, {
    quoteId,
    expiresAt: isoTime(expiresAt),
    recipientName: personBehind(payoutDigits(destination)),
    receiveAmountTzs: tzs,
    burnAmountTzs: burnTzs,
    totalFeeTzs,
    payoutRail: railOf(destination),
    fees,
    balance: { availableTzs: available, sufficient },
    approval: { requiresApproval: tzs >= LARGE_TZS, secondApprovalThresholdTzs: LARGE_TZS },
    ...(destination.rail === 'phone'
      ? { phoneNumber: destination.phone }
      : {
          bankCode: destination.bankCode,
          bankName: `Bank ${destination.bankCode}`,
          accountNumber: destination.accountNumber,
        }),
  })
}

/** POST /withdrawals: burns and pays out, or queues a large payout for the operator. */
export function postWithdrawal(partner: Partner, request: PartnerRequest): Answer {
  const { world } = partner
  const order = readOrder(partner, request.body)
  const { source, destination, tzs, fees, burnTzs } = order
  const endUser = readEndUser(request.body, source)
  checkQuote(partner, request, order)
  checkDuplicate(partner, request, order)
  checkPayout(partner, request, source, burnTzs)
  const payout: PartnerWithdrawal = {
    id: newId(world),
    createdAt: request.now,
    source,
    destination,
    receiveTzs: tzs,
    totalFeeTzs: fees.totalFeeTzs,
    burnTzs,
    endUser,
    reference: newCode(world, 'PO-', 10),
    status: 'requested',
    payoutStatus: 'pending',
    receipt: null,
    error: null,
  }
  partner.withdrawals.set(payout.id, payout)
  notePayout(partner, request, source, burnTzs)
  hold(partner, payout)
  if (tzs < LARGE_TZS) dispatch(partner, payout)
  return answerAfterEvent(partner, payout.id, answer(201, withdrawalBody(payout)))
}

/** Refuses a quote that is missing, unknown, too old, made for other terms, or stale. */
function checkQuote(partner: Partner, { body, now }: PartnerRequest, { text, fees }: PayoutOrder): void {
  if (!hasField(body, 'quoteId')) {
    if (partner.world.settings.quoteRequired) refuse('quote_required', 'quoteId is required')
    return
  }
  const quote = partner.withdrawalQuotes.get(plainText(body, 'quoteId'))
  if (quote === undefined || now >= quote.expiresAt)
    return refuse('invalid_quote', 'the quote is unknown or older than 5 minutes')
  if (quote.wish !== text)
    refuse('quote_mismatch', 'the quote is for another funding source, destination or amount')
  if (quote.totalFeeTzs !== fees.totalFeeTzs)
    refuse('quote_stale', 'the pricing has moved since the quote; ask for a new one')
}

/** Refuses a payout if an identical one of the last minutes still holds funds. */
function checkDuplicate(partner: Partner, { body, now }: PartnerRequest, { text }: PayoutOrder): void {
  if (body['allowDuplicate'] === true) return
  for (const other of partner.withdrawals.values()) {
    if (now - other.createdAt >= DUPLICATE_WINDOW_MS || other.status === 'reverted') continue
    if (orderText(other.source, other.destination, other.receiveTzs) !== text) continue
    const details = { withdrawalId: other.id }
    refuse('duplicate_withdrawal', 'an identical payout of the last 5 minutes holds funds', details)
  }
}

export function withdrawalBody(payout: PartnerWithdrawal): object {
  const { id, status, receiveTzs, totalFeeTzs, destination, reference, receipt, payoutStatus } = payout
  const digits = payoutDigits(destination)
  const recipientName = personBehind(digits)
  return {
    id,
    status,
    receiveAmountTzs: receiveTzs,
    totalFeeTzs,
    recipientName,
    [destination.rail === 'bank' ? 'accountNumber' : 'phoneNumber']: digits,
    payoutRail: railOf(destination),
    payoutReference: reference,
    ...(receipt === null ? {} : { payoutReceipt: receipt }),
    payoutStatus,
    ...(status === 'paid'
      ? { confirmationMessage: `TZS ${receiveTzs} was sent to ${recipientName ?? digits}.` }
      : {}),
    message: status === 'requested' ? 'The payout waits for an approval.' : `The payout is ${status}.`,
  }
}
