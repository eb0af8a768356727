import { answer, type Answer } from '../../api/request.ts'
import { hasField, readPhone, requireTzs, textField, wholeTzs } from '../kit/fields.ts'
import { type PartnerRequest, refuse, refuseRate, refuseWith } from '../kit/request.ts'
import type { Partner } from '../model/partner.ts'
import { readBill, readPayNumber, targetText } from './billers.ts'
import { readMerchantQr } from './emv-qr.ts'
import { findTill, isPayNumber, networkOfPhone, personBehind } from './names.ts'

/** POST /lookup/recipient-name. A missing name is null and stops no payment. */
export function postRecipientName(partner: Partner, request: PartnerRequest): Answer {
  if (!hasField(request.body, 'phoneNumber')) refuse('missing_required_fields', 'phoneNumber is required')
  const phone = readPhone(request.body, 'phoneNumber')
  takeQuota(partner, 'recipient', request)
  return answer(200, { phone, network: networkOfPhone(phone), name: personBehind(phone) })
}

/** POST /lookup/merchant-name: the name of a till, or of the holder of a biller's account. */
export function postMerchantName(partner: Partner, request: PartnerRequest): Answer {
  const { body } = request
  const { kind } = body
  if (kind !== 'lipa' && kind !== 'bill')
    return refuse('missing_required_fields', 'kind must be lipa or bill')
  if (kind === 'lipa') {
    const payNumber = readPayNumber(body)
    takeQuota(partner, 'merchant', request)
    const target = targetText({ kind, payNumber, network: null })
    return answer(200, { kind, target, payNumber, ...named(findTill(payNumber).name) })
  }
  const { biller, utilityRef } = readBill(body)
  const amountTzs = body['amountTzs'] === undefined ? biller.floorTzs : requireTzs(body)
  takeQuota(partner, 'merchant', request)
  const name = biller.namesHolder && amountTzs >= biller.floorTzs ? personBehind(utilityRef) : null
  const account = { utilityCode: biller.code, utilityRef }
  return answer(200, { kind, target: targetText({ kind, ...account }), ...account, ...named(name) })
}

function takeQuota(partner: Partner, kind: 'recipient' | 'merchant', { now }: PartnerRequest): void {
  const waitSeconds = partner.isLive ? partner.payments.lookups[kind].take(partner.key, now) : 0
  if (waitSeconds > 0) refuseRate('too many lookups in this minute', waitSeconds)
}

function named(name: string | null): object {
  return name === null ? { name, reason: 'lookup_unavailable' } : { name }
}

/** POST /lookup/qr. The contract names no code for a wrong checksum; `invalid_payload` is this venue's. */
export function postQr(_partner: Partner, { body }: PartnerRequest): Answer {
  const payload = textField(body, 'payload') ?? refuse('payload_required', 'payload is the scanned text')
  const read = readMerchantQr(payload)
  if (!read.ok) {
    const error = read.error === 'checksum' ? 'the checksum of the code is wrong' : 'not a merchant QR code'
    return refuseWith(400, { error, code: 'invalid_payload' })
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
    amountTzs,
    dynamic: isDynamic,
    resolution,
    warnings,
  })
}
