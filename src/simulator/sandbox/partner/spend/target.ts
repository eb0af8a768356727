import { hasField, textField } from '../kit/fields.ts'
import { type PartnerRefusal, refuse } from '../kit/request.ts'
import { NETWORKS, findTill, isPayNumber, personBehind } from '../lookup/names.ts'
import { refuseBiller } from '../lookup/lookups.ts'
import type { SpendTarget } from '../model/payments.ts'
import { findBiller, isReferenceOf } from '../lookup/billers.ts'

type Fields = Readonly<Record<string, unknown>>

/** A till (`kind: lipa`, payNumber) or a bill (`kind: bill`, utilityCode, utilityRef), or why it is neither. */
export function readTarget(body: Fields): SpendTarget | PartnerRefusal {
  const { kind } = body
  if (kind === 'lipa') return readTill(body)
  if (kind === 'bill') return readBill(body)
  return refuse('missing_required_fields', 'kind must be lipa or bill')
}

function readTill(body: Fields): SpendTarget | PartnerRefusal {
  const payNumber = textField(body, 'payNumber')
  if (payNumber === null || !isPayNumber(payNumber))
    return refuse('missing_required_fields', 'payNumber must have five to eight digits')
  const given = textField(body, 'network')
  if (hasField(body, 'network') && !NETWORKS.some((network) => network === given))
    return refuse('missing_required_fields', `network must be one of ${NETWORKS.join(', ')}`)
  // What the caller names goes before the registry: it may know better.
  return { kind: 'lipa', payNumber, network: given ?? findTill(payNumber).network }
}

function readBill(body: Fields): SpendTarget | PartnerRefusal {
  const code = textField(body, 'utilityCode')
  const utilityRef = textField(body, 'utilityRef')
  if (code === null || utilityRef === null)
    return refuse('missing_required_fields', 'utilityCode and utilityRef are required')
  const biller = findBiller(code)
  if (biller === null) return refuseBiller(code)
  if (!isReferenceOf(biller, utilityRef))
    return refuse('invalid_utility_ref', `${utilityRef} is no ${biller.referenceLabel.toLowerCase()}`)
  return { kind: 'bill', utilityCode: biller.code, utilityRef }
}

/** What a quote is bound to. The network is left out: a till without one may be given it afterwards. */
export function targetText(target: SpendTarget): string {
  return target.kind === 'lipa'
    ? `lipa:${target.payNumber}`
    : `bill:${target.utilityCode}:${target.utilityRef}`
}

/** The digits that the magic values of the sandbox look at. */
export function targetDigits(target: SpendTarget): string {
  return target.kind === 'lipa' ? target.payNumber : target.utilityRef
}

export function targetName(target: SpendTarget): string | null {
  if (target.kind === 'lipa') return findTill(target.payNumber).name
  return findBiller(target.utilityCode)?.namesHolder === true ? personBehind(target.utilityRef) : null
}
