import { MINUTE_MS } from '../../../../base/time.ts'
import { answer, type Answer } from '../../api/request.ts'
import { isoTime } from '../../state.ts'
import { wholeTzs } from '../kit/fields.ts'
import { availableTzs, readSource } from '../money/funding.ts'
import { newId } from '../kit/ids.ts'
import { isRefusal, type PartnerRefusal, type PartnerRequest, refuse } from '../kit/request.ts'
import type { Partner } from '../model/partner.ts'
import type { FundingSource, SpendQuote, SpendTarget } from '../model/payments.ts'
import { findBiller } from '../lookup/billers.ts'
import { spendFees } from './tariff.ts'
import { readTarget, targetName, targetText } from './target.ts'

/** Source: contract, limits. */
const QUOTE_VALID_MS = 5 * MINUTE_MS
const LEAST_PRINCIPAL_TZS = 500n
const BURN_REFUSED_FROM_TZS = 1_000_000n

/** What a quote and the payment made by it say alike. */
type SpendWish = {
  readonly source: FundingSource
  readonly target: SpendTarget
  readonly principalTzs: bigint
}

/** Source, target and principal of a body, or why they are invalid. */
export function readSpendWish(partner: Partner, body: PartnerRequest['body']): SpendWish | PartnerRefusal {
  const source = readSource(partner, body)
  if (isRefusal(source)) return source
  const target = readTarget(body)
  if (isRefusal(target)) return target
  const { outOfOrder } = partner.world.settings
  if (outOfOrder.includes('spend')) return refuse('spend_disabled', 'payments of bills and tills are off')
  if (outOfOrder.includes(target.kind === 'lipa' ? 'tills' : 'bills'))
    return refuse('spend_kind_disabled', `payments of the kind ${target.kind} are off`)
  const principalTzs = wholeTzs(body['amountTzs'])
  const floorTzs = target.kind === 'bill' ? findBiller(target.utilityCode)?.floorTzs : undefined
  const leastTzs = floorTzs ?? LEAST_PRINCIPAL_TZS
  if (principalTzs === null || principalTzs < leastTzs)
    return refuse('invalid_amount', `amountTzs must be a whole number from ${leastTzs}`)
  return { source, target, principalTzs }
}

/** POST /spend/quote: what the destination receives is exact, fees are on top. */
export function quoteSimulatedSpend(
  partner: Partner,
  { body, now }: PartnerRequest,
): Answer | PartnerRefusal {
  const wish = readSpendWish(partner, body)
  if (isRefusal(wish)) return wish
  const { source, target, principalTzs } = wish
  const biller = target.kind === 'bill' ? findBiller(target.utilityCode) : null
  const fees = spendFees(principalTzs, biller)
  const burnTzs = principalTzs + fees.totalFeeTzs
  if (burnTzs >= BURN_REFUSED_FROM_TZS)
    return refuse('amount_too_large', `principal and fees must be below ${BURN_REFUSED_FROM_TZS}`, {
      limit: Number(BURN_REFUSED_FROM_TZS),
      requested: Number(burnTzs),
    })
  const available = availableTzs(partner, source)
  const isSufficient = available >= burnTzs
  const quote: SpendQuote = {
    id: newId(partner.world),
    expiresAt: now + QUOTE_VALID_MS,
    tariff: partner.world.settings.tariff,
    source: source.label,
    target: targetText(target),
    principalTzs,
    ...fees,
  }
  if (isSufficient) partner.payments.spendQuotes.set(quote.id, quote)
  return answer(200, {
    quoteId: isSufficient ? quote.id : null,
    expiresAt: isoTime(quote.expiresAt),
    target: shownTarget(target),
    recipientName: targetName(target),
    principalTzs: Number(principalTzs),
    burnAmountTzs: Number(burnTzs),
    fees: {
      railFeeTzs: Number(fees.railFeeTzs),
      platformFeeTzs: Number(fees.platformFeeTzs),
      totalFeeTzs: Number(fees.totalFeeTzs),
    },
    balance: { availableTzs: Number(available), sufficient: isSufficient },
  })
}

function shownTarget(target: SpendTarget): object {
  return target.kind === 'lipa'
    ? { payNumber: target.payNumber, network: target.network }
    : { utilityCode: target.utilityCode, utilityRef: target.utilityRef }
}

/** The quote that a payment is made by, if it is this payment's, or the refusal. A quote pays once. */
export function takeSimulatedQuote(
  partner: Partner,
  { body, now }: PartnerRequest,
  wish: SpendWish,
): SpendQuote | PartnerRefusal {
  const id = body['quoteId']
  if (id === undefined || id === null || id === '') return refuse('quote_required', 'quoteId is required')
  const quote = typeof id === 'string' ? partner.payments.spendQuotes.get(id) : undefined
  if (quote === undefined || quote.expiresAt <= now)
    return refuse('invalid_quote', 'the quote is unknown, used or older than five minutes')
  const isSame =
    quote.source === wish.source.label &&
    quote.target === targetText(wish.target) &&
    quote.principalTzs === wish.principalTzs
  if (!isSame) return refuse('quote_mismatch', 'the quote is for another source, destination or amount')
  if (quote.tariff !== partner.world.settings.tariff)
    return refuse('quote_stale', 'the tariff has changed since the quote')
  return quote
}
