/** A service that takes bill payments. The reference is what the biller knows its customer by. */
export type Biller = {
  readonly code: string
  /** Whether a lookup answers the name of the account's holder. */
  readonly namesHolder: boolean
  readonly referenceLabel: string
  readonly referenceKind: 'meter' | 'control_number' | 'smartcard' | 'account'
  readonly referenceMinLength: number
  readonly referenceMaxLength: number
  /** The rail takes nothing below 20,000; the service fee applies all the same. */
  readonly railFeeFreeUnder20k: boolean
  /** The least that the biller takes, in whole shillings; also what a lookup without an amount asks about. */
  readonly floorTzs: bigint
  /** The payment buys a token that the customer types into a meter. */
  readonly issuesVoucher: boolean
  readonly feeNote: string | null
}

type Category = { readonly key: string; readonly label: string; readonly billers: readonly Biller[] }

function biller(code: string, fields: Pick<Biller, 'referenceLabel' | 'referenceKind'> & Partial<Biller>) {
  return {
    code,
    namesHolder: true,
    referenceMinLength: 10,
    referenceMaxLength: 12,
    railFeeFreeUnder20k: false,
    floorTzs: 500n,
    issuesVoucher: false,
    feeNote: null,
    ...fields,
  } satisfies Biller
}

const CATEGORIES: readonly Category[] = [
  {
    key: 'electricity',
    label: 'Electricity',
    billers: [
      biller('LUKU', {
        referenceLabel: 'Meter number',
        referenceKind: 'meter',
        referenceMinLength: 11,
        referenceMaxLength: 11,
        floorTzs: 1_000n,
        issuesVoucher: true,
      }),
    ],
  },
  {
    key: 'government',
    label: 'Government bills',
    billers: [
      biller('GEPG', {
        referenceLabel: 'Control number',
        referenceKind: 'control_number',
        referenceMinLength: 12,
        referenceMaxLength: 12,
        railFeeFreeUnder20k: true,
        feeNote: 'The rail takes no fee below 20,000; the service fee still applies.',
      }),
    ],
  },
  {
    key: 'water',
    label: 'Water',
    billers: [
      biller('WATER', {
        referenceLabel: 'Account number',
        referenceKind: 'account',
        referenceMinLength: 6,
        namesHolder: false,
      }),
    ],
  },
  {
    key: 'television',
    label: 'Television',
    billers: [
      biller('PAYTV', { referenceLabel: 'Smartcard number', referenceKind: 'smartcard', floorTzs: 2_000n }),
      biller('CABLETV', { referenceLabel: 'Smartcard number', referenceKind: 'smartcard', floorTzs: 2_000n }),
    ],
  },
]

const BY_CODE = new Map(CATEGORIES.flatMap(({ billers }) => billers).map((entry) => [entry.code, entry]))

/** Every code, for the answer to one that is unknown. */
export const BILLER_CODES: readonly string[] = [...BY_CODE.keys()]

/** Codes are compared without regard to case. */
export function findBiller(code: string): Biller | null {
  return BY_CODE.get(code.toUpperCase()) ?? null
}

/** Digits only, within the lengths that the biller takes. */
export function isReferenceOf(
  { referenceMinLength, referenceMaxLength }: Biller,
  reference: string,
): boolean {
  return (
    /^\d+$/.test(reference) &&
    reference.length >= referenceMinLength &&
    reference.length <= referenceMaxLength
  )
}

/** The body of GET /spend/billers, in the form that the contract shows in use. */
export function billerCatalogue(): object {
  return {
    categories: CATEGORIES.map(({ key, label, billers }) => ({
      key,
      label,
      billers: billers.map((entry) => ({
        code: entry.code,
        referenceLabel: entry.referenceLabel,
        referenceKind: entry.referenceKind,
        referenceMinLength: entry.referenceMinLength,
        referenceMaxLength: entry.referenceMaxLength,
        railFeeFreeUnder20k: entry.railFeeFreeUnder20k,
        feeFreeUnder20k: entry.railFeeFreeUnder20k,
        feeNote: entry.feeNote,
      })),
    })),
  }
}
