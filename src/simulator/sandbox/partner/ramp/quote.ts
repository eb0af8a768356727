import { formatTokens } from '../../../../base/money/asset.ts'
import { answer, type Answer } from '../../api/request.ts'
import { isoTime } from '../../state.ts'
import { hasField, mobileNumber, readPhone, requireTzs, tokenAmount } from '../kit/fields.ts'
import { newId } from '../kit/ids.ts'
import { type PartnerRequest, refuse, type RequestFields } from '../kit/request.ts'
import { billerOf, readTarget, targetName } from '../lookup/billers.ts'
import type { Partner, PartnerWorld } from '../model/partner.ts'
import type { RampQuote, SpendTarget } from '../model/payments.ts'
import { payoutFees, spendFees } from '../money/fees.ts'
import { priceOfframpFor, priceOfframpOf, priceOnramp, type RampPrice, rampRate, shownRate } from './price.ts'

/** Source: contract, limits. */
const QUOTE_VALID_MS = 60_000

/** Checks whether the ramp works at all. */
export function checkRamp({ settings, venue }: PartnerWorld): void {
  if (settings.outOfOrder.includes('rampSetup')) refuse('ramp_not_provisioned', 'the ramp is not set up')
  if (settings.outOfOrder.includes('ramp') || venue.now < venue.notQuotableUntil)
    refuse('ramp_unavailable', 'the ramp has no price now; nothing was charged')
}

/** POST /ramp/quote: a price for a minute. */
export function postRampQuote(partner: Partner, { body, now }: PartnerRequest): Answer {
  const { world } = partner
  const direction = body['direction']
  if (direction !== 'onramp' && direction !== 'offramp')
    return refuse('missing_required_fields', 'direction must be onramp or offramp')
  checkRamp(world)
  if (hasField(body, 'phoneNumber')) readPhone(body, 'phoneNumber')
  const destination = direction === 'onramp' ? null : readDestination(world, body)
  const price =
    (direction === 'onramp' ? priceOn(world, body) : priceOff(world, body, destination)) ??
    refuse('invalid_amount', 'the fee would leave nothing of it')
  const quote: RampQuote = {
    id: newId(world),
    expiresAt: now + QUOTE_VALID_MS,
    direction,
    ...price,
    destination,
    phone: mobileNumber(body['phoneNumber']),
    isUsed: false,
  }
  partner.payments.rampQuotes.set(quote.id, quote)
  return answer(200, {
    quoteId: quote.id,
    usdcAmount: Number(formatTokens(quote.usdc, 'USDC')),
    tzsAmount: quote.tzs,
    feeTzs: quote.feeTzs,
    rateUsdTzs: shownRate(quote.rate),
    expiresAt: isoTime(quote.expiresAt),
    ...(destination === null ? {} : { recipientName: targetName(destination) }),
  })
}

function readDestination({ settings }: PartnerWorld, body: RequestFields): SpendTarget | null {
  const given = body['destination']
  if (given === undefined || given === null) return null
  if (settings.outOfOrder.includes('rampSpend'))
    refuse('ramp_spend_disabled', 'off-ramps to tills and bills await their approval')
  return readTarget(typeof given === 'object' ? (given as RequestFields) : {})
}

/** The contract's `amount` means shillings, as the recommended field does. Null if the fee exceeds it. */
function priceOn(world: PartnerWorld, body: RequestFields): RampPrice | null {
  const tzs = requireTzs({ tzsAmount: body['tzsAmount'] ?? body['amount'] }, 'tzsAmount')
  const rate = rampRate(world.venue.mid, 'onramp', world.settings.rampMarginBps)
  return priceOnramp(tzs, phoneFee(world, tzs), rate)
}

function priceOff(
  world: PartnerWorld,
  body: RequestFields,
  destination: SpendTarget | null,
): RampPrice | null {
  const tzsAmount = body['tzsAmount'] ?? body['amount']
  if ((tzsAmount === undefined) === (body['usdcAmount'] === undefined))
    refuse('missing_required_fields', 'exactly one of tzsAmount and usdcAmount is required')
  const rate = rampRate(world.venue.mid, 'offramp', world.settings.rampMarginBps)
  const feeOf = (tzs: bigint) =>
    destination === null ? phoneFee(world, tzs) : spendFees(tzs, billerOf(destination)).totalFeeTzs
  if (tzsAmount !== undefined) {
    const tzs = requireTzs({ tzsAmount }, 'tzsAmount')
    return priceOfframpFor(tzs, feeOf(tzs), rate)
  }
  const usdc =
    tokenAmount(body['usdcAmount'], 'USDC') ??
    refuse('invalid_amount', 'usdcAmount must be positive with at most 6 decimals')
  return priceOfframpOf(usdc, feeOf, rate)
}

function phoneFee({ settings }: PartnerWorld, tzs: bigint): bigint {
  return payoutFees(tzs, 'phone', settings).totalFeeTzs
}

/** The quote of an execution, if it is unused and in time. */
export function takeRampQuote(
  { payments }: Partner,
  { body, now }: PartnerRequest,
  direction: RampQuote['direction'],
): RampQuote {
  const id = body['quoteId']
  if (!hasField(body, 'quoteId')) refuse('quote_required', 'quoteId is required')
  const quote = typeof id === 'string' ? payments.rampQuotes.get(id) : undefined
  if (quote === undefined || quote.isUsed || quote.expiresAt <= now)
    return refuse('invalid_quote', 'the quote is unknown, used or older than a minute')
  if (quote.direction !== direction) refuse('quote_mismatch', `the quote is for an ${quote.direction}`)
  return quote
}
