import { fateOf, hasField, mobileNumber, textField, wholeTzs } from '../kit/fields.ts'
import { readSource } from '../money/funding.ts'
import { isRefusal, type PartnerRefusal, type PartnerRequest, refuse } from '../kit/request.ts'
import { personBehind } from '../lookup/names.ts'
import type { Partner } from '../model/partner.ts'
import type { Fate, FundingSource } from '../model/payments.ts'
import type { PayoutDestination } from '../model/records.ts'
import { payoutFees, type PayoutFees } from '../money/fees.ts'
import { refuseMoving } from '../money/funds.ts'

/** Source: contract, limits. */
const LEAST_TZS = 5_000n
export const LARGE_TZS = 1_000_000n

/** What a quote and the payout made by it have in common, priced now. Whole shillings. */
export type PayoutWish = {
  readonly source: FundingSource
  readonly destination: PayoutDestination
  /** Net to the recipient. */
  readonly tzs: bigint
  readonly fees: PayoutFees
  readonly burnTzs: bigint
  readonly recipientName: string | null
  /** What the quote is bound to. */
  readonly text: string
}

/** Source, destination and amount of a body, or why they are invalid. */
export function readPayoutWish(partner: Partner, body: PartnerRequest['body']): PayoutWish | PartnerRefusal {
  if (!hasField(body, 'amountTzs')) return refuse('missing_required_fields', 'amountTzs is required')
  const tzs = wholeTzs(body['amountTzs'])
  if (tzs === null || tzs < LEAST_TZS)
    return refuse('invalid_amount', `amountTzs must be a whole number from ${LEAST_TZS}`)
  const source = readSource(partner, body)
  if (isRefusal(source)) return source
  const destination = readDestination(body)
  if (isRefusal(destination)) return destination
  const { settings } = partner.world
  if (destination.rail === 'bank') {
    if (settings.outOfOrder.includes('bank'))
      return refuse('bank_rail_unavailable', 'payouts to banks are off')
    if (tzs >= LARGE_TZS)
      return refuse('bank_amount_unsupported', `a bank takes less than ${LARGE_TZS} at once`)
  }
  const refusal = refuseMoving(partner.world, wishDigitsOf(destination))
  if (refusal !== null) return refusal
  const fees = payoutFees(tzs, destination.rail, settings)
  return {
    source,
    destination,
    tzs,
    fees,
    burnTzs: tzs + fees.totalFeeTzs,
    recipientName: personBehind(wishDigitsOf(destination)),
    text: wishText(source, destination, tzs),
  }
}

function readDestination(body: PartnerRequest['body']): PayoutDestination | PartnerRefusal {
  const isPhone = hasField(body, 'phoneNumber')
  const isBank = hasField(body, 'bankCode') || hasField(body, 'accountNumber')
  if (isPhone === isBank)
    return refuse(
      'missing_required_fields',
      'exactly one of phoneNumber and bankCode with accountNumber is required',
    )
  if (isPhone) {
    const phone = mobileNumber(body['phoneNumber'])
    if (phone === null) return refuse('invalid_phone', 'phoneNumber must be a Tanzanian mobile number')
    return { rail: 'phone', phone }
  }
  const bankCode = textField(body, 'bankCode')
  const accountNumber = textField(body, 'accountNumber')
  const isAccount = bankCode !== null && accountNumber !== null && /^[0-9A-Z]{6,20}$/.test(accountNumber)
  if (!isAccount || !/^[A-Z0-9]{2,11}$/.test(bankCode))
    return refuse('missing_required_fields', 'bankCode and accountNumber are required')
  return { rail: 'bank', bankCode, accountNumber }
}

/** What a payout is, as one text: equal for an equal wish. */
export function wishText(source: FundingSource, destination: PayoutDestination, tzs: bigint): string {
  const to =
    destination.rail === 'phone'
      ? `phone:${destination.phone}`
      : `bank:${destination.bankCode}:${destination.accountNumber}`
  return `${source.label} ${to} ${tzs}`
}

/** The digits that the magic values and the registry of names look at. */
export function wishDigitsOf(destination: PayoutDestination): string {
  return destination.rail === 'phone' ? destination.phone : destination.accountNumber
}

/** Magic endings are of the test mode: a live payout completes unless the control API ends it otherwise. */
export function fateOfPayout({ isLive }: Partner, destination: PayoutDestination): Fate {
  return isLive ? 'completes' : fateOf(wishDigitsOf(destination))
}
