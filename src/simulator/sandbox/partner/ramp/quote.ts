import { formatTokens } from '../../../../base/money/asset.ts'
import { answer, type Answer } from '../../api/request.ts'
import { isoTime } from '../../state.ts'
import { hasField, mobileNumber, tokenAmount, wholeTzs } from '../kit/fields.ts'
import { newId } from '../kit/ids.ts'
import { isRefusal, type PartnerRefusal, type PartnerRequest, refuse } from '../kit/request.ts'
import type { Partner, PartnerWorld } from '../model/partner.ts'
import type { RampQuote, SpendTarget } from '../model/payments.ts'
import { payoutFees } from '../money/fees.ts'
import { findBiller } from '../lookup/billers.ts'
import { spendFees } from '../spend/tariff.ts'
import { readTarget, targetName } from '../spend/target.ts'
import { priceOfframpFor, priceOfframpOf, priceOnramp, type RampPrice, rampRate, shownRate } from './price.ts'

/** Source: contract, limits. */
const QUOTE_VALID_MS = 60_000

type Fields = PartnerRequest['body']

/** What is out of order of the ramp as a whole; nothing has been charged. */
export function refuseRamp({ settings, venue }: PartnerWorld): PartnerRefusal | null {
  if (settings.outOfOrder.includes('rampSetup'))
    return refuse('ramp_not_provisioned', 'the ramp is not set up')
  if (settings.outOfOrder.includes('ramp') || venue.now < venue.notQuotableUntil)
    return refuse('ramp_unavailable', 'the ramp has no price now; nothing was charged')
  return null
}

/** POST /ramp/quote: a price for a minute. */
export function quoteSimulatedRamp(partner: Partner, { body, now }: PartnerRequest): Answer | PartnerRefusal {
  const { world } = partner
  const direction = body['direction']
  if (direction !== 'onramp' && direction !== 'offramp')
    return refuse('missing_required_fields', 'direction must be onramp or offramp')
  const shut = refuseRamp(world)
  if (shut !== null) return shut
  if (hasField(body, 'phoneNumber') && mobileNumber(body['phoneNumber']) === null)
    return refuse('invalid_phone', 'phoneNumber is no Tanzanian mobile number')
  const destination = readDestination(world, direction, body)
  if (destination !== null && isRefusal(destination)) return destination
  const price = direction === 'onramp' ? priceOn(world, body) : priceOff(world, body, destination)
  if (isRefusal(price)) return price
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
    tzsAmount: Number(quote.tzs),
    feeTzs: Number(quote.feeTzs),
    rateUsdTzs: shownRate(quote.rate),
    expiresAt: isoTime(quote.expiresAt),
    ...(destination === null ? {} : { recipientName: targetName(destination) }),
  })
}

function readDestination(
  { settings }: PartnerWorld,
  direction: 'onramp' | 'offramp',
  body: Fields,
): SpendTarget | null | PartnerRefusal {
  const given = body['destination']
  if (given === undefined || given === null || direction === 'onramp') return null
  if (settings.outOfOrder.includes('rampSpend'))
    return refuse('ramp_spend_disabled', 'off-ramps to tills and bills await their approval')
  return readTarget(typeof given === 'object' ? (given as Fields) : {})
}

/** The contract's `amount` is read as shillings, which the recommended field names. */
function priceOn(world: PartnerWorld, body: Fields): RampPrice | PartnerRefusal {
  const tzs = wholeTzs(body['tzsAmount'] ?? body['amount'])
  if (tzs === null) return refuse('invalid_amount', 'tzsAmount must be a positive whole number')
  const rate = rampRate(world.venue.mid, 'onramp', world.settings.rampMarginBps)
  return priceOnramp(tzs, phoneFee(world, tzs), rate) ?? tooSmall()
}

function priceOff(
  world: PartnerWorld,
  body: Fields,
  destination: SpendTarget | null,
): RampPrice | PartnerRefusal {
  const given = body['tzsAmount'] ?? body['amount']
  if ((given === undefined) === (body['usdcAmount'] === undefined))
    return refuse('missing_required_fields', 'exactly one of tzsAmount and usdcAmount is required')
  const rate = rampRate(world.venue.mid, 'offramp', world.settings.rampMarginBps)
  const feeOf = (tzs: bigint) => (destination === null ? phoneFee(world, tzs) : targetFee(destination, tzs))
  if (given === undefined) {
    const usdc = tokenAmount(body['usdcAmount'], 'USDC')
    if (usdc === null) return refuse('invalid_amount', 'usdcAmount must be positive with at most 6 decimals')
    return priceOfframpOf(usdc, feeOf, rate) ?? tooSmall()
  }
  const tzs = wholeTzs(given)
  if (tzs === null) return refuse('invalid_amount', 'tzsAmount must be a positive whole number')
  return priceOfframpFor(tzs, feeOf(tzs), rate)
}

function phoneFee({ settings }: PartnerWorld, tzs: bigint): bigint {
  return payoutFees(tzs, 'phone', settings).totalFeeTzs
}

function targetFee(target: SpendTarget, tzs: bigint): bigint {
  return spendFees(tzs, target.kind === 'bill' ? findBiller(target.utilityCode) : null).totalFeeTzs
}

function tooSmall(): PartnerRefusal {
  return refuse('invalid_amount', 'the fee would leave nothing of it')
}

/** The quote that an execution names, unused and in time; executing it uses it. */
export function takeRampQuote(
  { payments }: Partner,
  { body, now }: PartnerRequest,
  direction: RampQuote['direction'],
): RampQuote | PartnerRefusal {
  const id = body['quoteId']
  if (!hasField(body, 'quoteId')) return refuse('quote_required', 'quoteId is required')
  const quote = typeof id === 'string' ? payments.rampQuotes.get(id) : undefined
  if (quote === undefined || quote.isUsed || quote.expiresAt <= now)
    return refuse('invalid_quote', 'the quote is unknown, used or older than a minute')
  return quote.direction === direction
    ? quote
    : refuse('quote_mismatch', `the quote is for an ${quote.direction}`)
}
