import { hasField, textField } from '../kit/fields.ts'
import { refuse, type RequestFields } from '../kit/request.ts'
import type { SpendTarget } from '../model/payments.ts'
import { findTill, isPayNumber, NETWORKS, personBehind } from './names.ts'

/** A service that takes bill payments. The reference identifies the biller's customer. */
export type Biller = {
  readonly code: string
  /** Whether a lookup answers the name of the account's holder. */
  readonly namesHolder: boolean
  readonly referenceLabel: string
  readonly referenceKind: 'meter' | 'control_number' | 'smartcard' | 'account'
  readonly referenceMinLength: number
  readonly referenceMaxLength: number
  /** The rail refuses amounts below 20,000; the service fee applies nevertheless. */
  readonly railFeeFreeUnder20k: boolean
  /** The smallest amount that the biller accepts, in whole shillings; also the amount of a lookup without one. */
  readonly floorTzs: bigint
  /** The payment buys a token that the customer types into a meter. */
  readonly issuesVoucher: boolean
  readonly feeNote: string | null
}

type Category = { readonly key: string; readonly label: string; readonly billers: readonly Biller[] }

function category(
  key: string,
  label: string,
  reference: Pick<Biller, 'referenceLabel' | 'referenceKind'>,
  billers: Readonly<Record<string, Partial<Biller>>>,
): Category {
  return {
    key,
    label,
    billers: Object.entries(billers).map(([code, fields]) => ({
      code,
      ...reference,
      namesHolder: true,
      referenceMinLength: 10,
      referenceMaxLength: 12,
      railFeeFreeUnder20k: false,
      floorTzs: 500n,
      issuesVoucher: false,
      feeNote: null,
      ...fields,
    })),
  }
}

const METER = { referenceLabel: 'Meter number', referenceKind: 'meter' } as const
const CONTROL_NUMBER = { referenceLabel: 'Control number', referenceKind: 'control_number' } as const
const ACCOUNT = { referenceLabel: 'Account number', referenceKind: 'account' } as const
const SMARTCARD = { referenceLabel: 'Smartcard number', referenceKind: 'smartcard' } as const

const CATEGORIES: readonly Category[] = [
  category('electricity', 'Electricity', METER, {
    LUKU: { referenceMinLength: 11, referenceMaxLength: 11, floorTzs: 1_000n, issuesVoucher: true },
  }),
  category('government', 'Government bills', CONTROL_NUMBER, {
    GEPG: {
      referenceMinLength: 12,
      railFeeFreeUnder20k: true,
      feeNote: 'The rail takes no fee below 20,000; the service fee still applies.',
    },
  }),
  category('water', 'Water', ACCOUNT, { WATER: { referenceMinLength: 6, namesHolder: false } }),
  category('television', 'Television', SMARTCARD, {
    PAYTV: { floorTzs: 2_000n },
    CABLETV: { floorTzs: 2_000n },
  }),
]

const BY_CODE = new Map(CATEGORIES.flatMap(({ billers }) => billers).map((entry) => [entry.code, entry]))

/** Codes are compared without regard to case. */
export function findBiller(code: string): Biller | null {
  return BY_CODE.get(code.toUpperCase()) ?? null
}

/** The biller of a bill; a till has none. */
export function billerOf(target: SpendTarget): Biller | null {
  return target.kind === 'bill' ? findBiller(target.utilityCode) : null
}

/** The body of GET /spend/billers. */
export function billerCatalogue(): object {
  return {
    categories: CATEGORIES.map(({ billers, ...names }) => ({
      ...names,
      billers: billers.map(
        ({ namesHolder: _holder, floorTzs: _floor, issuesVoucher: _voucher, ...entry }) => ({
          ...entry,
          feeFreeUnder20k: entry.railFeeFreeUnder20k,
        }),
      ),
    })),
  }
}

/** A till (`kind: lipa`, payNumber) or a bill (`kind: bill`, utilityCode, utilityRef). */
export function readTarget(body: RequestFields): SpendTarget {
  const { kind } = body
  if (kind === 'lipa') {
    const payNumber = readPayNumber(body)
    const given = textField(body, 'network')
    if (hasField(body, 'network') && !NETWORKS.some((network) => network === given))
      refuse('missing_required_fields', `network must be one of ${NETWORKS.join(', ')}`)
    // The caller's network takes precedence: the registry may not have one.
    return { kind, payNumber, network: given ?? findTill(payNumber).network }
  }
  if (kind !== 'bill') return refuse('missing_required_fields', 'kind must be lipa or bill')
  const { biller, utilityRef } = readBill(body)
  return { kind, utilityCode: biller.code, utilityRef }
}

export function readPayNumber(body: RequestFields): string {
  const payNumber = textField(body, 'payNumber')
  if (payNumber !== null && isPayNumber(payNumber)) return payNumber
  return refuse('missing_required_fields', 'payNumber must have five to eight digits')
}

export function readBill(body: RequestFields): { readonly biller: Biller; readonly utilityRef: string } {
  const code = textField(body, 'utilityCode')
  const utilityRef = textField(body, 'utilityRef')
  if (code === null || utilityRef === null)
    return refuse('missing_required_fields', 'utilityCode and utilityRef are required')
  const biller = findBiller(code)
  if (biller === null) {
    const supported = [...BY_CODE.keys()]
    return refuse('unknown_biller', `no biller ${code}; there are ${supported.join(', ')}`, { supported })
  }
  const { referenceMinLength, referenceMaxLength, referenceLabel } = biller
  const { length } = utilityRef
  if (!/^\d+$/.test(utilityRef) || length < referenceMinLength || length > referenceMaxLength)
    refuse('invalid_utility_ref', `${utilityRef} is no ${referenceLabel.toLowerCase()}`)
  return { biller, utilityRef }
}

/** The terms that a quote is bound to, without the network, which the payment may name. */
export function targetText(target: SpendTarget): string {
  return target.kind === 'lipa'
    ? `lipa:${target.payNumber}`
    : `bill:${target.utilityCode}:${target.utilityRef}`
}

/** The digits whose ending decides the fate of a test payment. */
export function targetDigits(target: SpendTarget): string {
  return target.kind === 'lipa' ? target.payNumber : target.utilityRef
}

export function targetName(target: SpendTarget): string | null {
  if (target.kind === 'lipa') return findTill(target.payNumber).name
  return billerOf(target)?.namesHolder === true ? personBehind(target.utilityRef) : null
}
