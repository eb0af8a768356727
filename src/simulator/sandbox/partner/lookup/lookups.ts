import { answer, type Answer } from '../../api/request.ts'
import { hasField, mobileNumber, textField, wholeTzs } from '../kit/fields.ts'
import { type PartnerRefusal, type PartnerRequest, type PartnerRoute, refuse } from '../kit/request.ts'
import type { Partner } from '../model/partner.ts'
import { BILLER_CODES, findBiller, isReferenceOf } from './billers.ts'
import { readMerchantQr } from './emv-qr.ts'
import { findTill, isPayNumber, networkOfPhone, personBehind } from './names.ts'

/** The registered names behind numbers. A name that is not known is null and stops no payment. */
export const LOOKUP_ROUTES: readonly PartnerRoute[] = [
  post('/lookup/recipient-name', (partner, request) => {
    if (!hasField(request.body, 'phoneNumber'))
      return refuse('missing_required_fields', 'phoneNumber is required')
    const phone = mobileNumber(request.body['phoneNumber'])
    if (phone === null) return refuse('invalid_phone', 'phoneNumber is no Tanzanian mobile number')
    const limited = takeQuota(partner, 'recipient', request)
    if (limited !== null) return limited
    return answer(200, { phone, network: networkOfPhone(phone), name: personBehind(phone) })
  }),
  post('/lookup/merchant-name', (partner, request) => {
    const { kind } = request.body
    if (kind !== 'lipa' && kind !== 'bill')
      return refuse('missing_required_fields', 'kind must be lipa or bill')
    return kind === 'lipa' ? tillName(partner, request) : accountName(partner, request)
  }),
  post('/lookup/qr', (_partner, { body }) => {
    const payload = textField(body, 'payload')
    return payload === null ? refuse('payload_required', 'payload is the scanned text') : readQr(payload)
  }),
]

function post(path: string, handler: PartnerRoute['answer']): PartnerRoute {
  return { method: 'POST', path, capability: null, isIdempotent: false, answer: handler }
}

function takeQuota(
  partner: Partner,
  kind: 'recipient' | 'merchant',
  request: PartnerRequest,
): PartnerRefusal | null {
  if (!partner.isLive) return null
  const waitSeconds = partner.payments.lookups[kind].take(partner.key, request.now)
  if (waitSeconds === 0) return null
  return {
    ...refuse('rate_limited', 'too many lookups in this minute'),
    headers: { 'retry-after': String(waitSeconds) },
  }
}

function tillName(partner: Partner, request: PartnerRequest): Answer | PartnerRefusal {
  const payNumber = textField(request.body, 'payNumber')
  if (payNumber === null || !isPayNumber(payNumber))
    return refuse('missing_required_fields', 'payNumber must have five to eight digits')
  const limited = takeQuota(partner, 'merchant', request)
  if (limited !== null) return limited
  const { name } = findTill(payNumber)
  return answer(200, { kind: 'lipa', target: `lipa:${payNumber}`, payNumber, ...named(name) })
}

function accountName(partner: Partner, request: PartnerRequest): Answer | PartnerRefusal {
  const { body } = request
  const code = textField(body, 'utilityCode')
  const reference = textField(body, 'utilityRef')
  if (code === null || reference === null)
    return refuse('missing_required_fields', 'utilityCode and utilityRef are required')
  const biller = findBiller(code)
  if (biller === null) return refuseBiller(code)
  if (!isReferenceOf(biller, reference))
    return refuse('invalid_utility_ref', `${reference} is no ${biller.referenceLabel.toLowerCase()}`)
  const amount = body['amountTzs'] === undefined ? biller.floorTzs : wholeTzs(body['amountTzs'])
  if (amount === null) return refuse('invalid_amount', 'amountTzs must be a positive whole number')
  const limited = takeQuota(partner, 'merchant', request)
  if (limited !== null) return limited
  const name = biller.namesHolder && amount >= biller.floorTzs ? personBehind(reference) : null
  const target = `bill:${biller.code}:${reference}`
  return answer(200, {
    kind: 'bill',
    target,
    utilityCode: biller.code,
    utilityRef: reference,
    ...named(name),
  })
}

function named(name: string | null): object {
  return name === null ? { name, reason: 'lookup_unavailable' } : { name }
}

export function refuseBiller(code: string): PartnerRefusal {
  const supported = BILLER_CODES
  return refuse('unknown_biller', `no biller ${code}; there are ${supported.join(', ')}`, { supported })
}

/** The contract names no code for an altered checksum; `invalid_payload` is this venue's. */
function readQr(payload: string): Answer {
  const read = readMerchantQr(payload)
  if (!read.ok) {
    const message = read.error === 'checksum' ? 'the checksum of the code is wrong' : 'not a merchant QR code'
    return answer(400, { error: message, code: 'invalid_payload' })
  }
  const { payNumbers, merchantName: qrMerchantName, isDynamic, amount, currency } = read.value
  const [payNumber = null] = payNumbers
  const merchantName = payNumber === null || !isPayNumber(payNumber) ? null : findTill(payNumber).name
  const resolution = payNumbers.length > 1 ? 'ambiguous' : merchantName === null ? 'unresolved' : 'resolved'
  const amountTzs = isDynamic && amount !== null ? wholeTzs(Number(amount)) : null
  const nameMatch = merchantName !== null && merchantName === qrMerchantName?.trim().toUpperCase()
  const warnings = [
    ...(nameMatch || merchantName === null ? [] : ['name_mismatch']),
    ...(currency === null || currency === '834' ? [] : ['currency_not_tzs']),
    ...(isDynamic && amountTzs === null ? ['amount_unreadable'] : []),
    ...(resolution === 'ambiguous' ? ['several_accounts'] : []),
  ]
  return answer(200, {
    payNumber: resolution === 'resolved' ? payNumber : null,
    merchantName,
    qrMerchantName,
    nameMatch,
    amountTzs: amountTzs === null ? null : Number(amountTzs),
    dynamic: isDynamic,
    resolution,
    warnings,
  })
}
