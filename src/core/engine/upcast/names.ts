import { recordOf, renameFields, type Upcaster, type Written } from './upcaster.ts'

/** Fields of a snapshot that have another name today, and values of one field. */
type Rename = {
  /** Path of the record in the state; `*` = every entry of a record. */
  readonly at: string
  readonly fields?: Readonly<Record<string, string>>
  readonly values?: { readonly of: string; readonly to: Readonly<Record<string, string>> }
}

const RECONCILIATION_STATUS = { complete: 'reconciled', checking: 'pending', gap: 'break' }
const QUOTE_STATUS = { known: 'confirmed', differs: 'mismatch' }
const PNL_TERMS = { postedSpread: 'spreadCapture', unexplained: 'unreconciled' }
const BUDGET = { silentUntil: 'blockedUntil' }

/** Applied in this order: the path of a rename uses the names that earlier renames introduced. */
const RENAMES: Readonly<Record<2 | 4, readonly Rename[]>> = {
  2: [
    {
      at: '',
      fields: {
        completeness: 'reconciliation',
        completenessSince: 'reconciliationSince',
        gapSince: 'breakSince',
      },
    },
    {
      at: 'reconciliation',
      fields: {
        unexplained: 'unreconciled',
        suspects: 'candidates',
        reading: 'snapshot',
        incomparable: 'skipped',
      },
      values: { of: 'state', to: RECONCILIATION_STATUS },
    },
    { at: 'book.pnl.tzs', fields: PNL_TERMS },
    { at: 'book.pnl.usd', fields: PNL_TERMS },
    { at: 'book.pnl.byStable.*', fields: PNL_TERMS },
    { at: 'book.pnl.unvalued.classes', fields: PNL_TERMS },
    { at: 'pacing', fields: { unplanned: 'onDemand' } },
    { at: 'pacing.key', fields: BUDGET },
    { at: 'pacing.public', fields: BUDGET },
    { at: 'pacing.polls.*', fields: { demanded: 'expedited' } },
    { at: 'rfq', fields: { owed: 'openOrders' } },
    { at: 'requests.*', values: { of: 'what', to: { rfqInfo: 'solver' } } },
  ],
  4: [
    { at: '', fields: { stance: 'approvedTarget', heard: 'received' } },
    { at: 'quoting', fields: { belief: 'status' }, values: { of: 'status', to: QUOTE_STATUS } },
    { at: 'fairShift', fields: { heard: 'readings' } },
    { at: 'strategy.wanted', fields: { because: 'reasons' } },
    { at: 'orders', fields: { doomed: 'cancelRequested', isOverPromised: 'isOvercommitted' } },
  ],
}

/** Gives the fields of a snapshot that was written below this version the names of today. */
export function renameState(below: keyof typeof RENAMES, written: Written): Written {
  return RENAMES[below].reduce(
    (state, rename) => recordOf(renameAt(state, rename.at === '' ? [] : rename.at.split('.'), rename)),
    written,
  )
}

function renameAt(value: unknown, path: readonly string[], rename: Rename): unknown {
  if (typeof value !== 'object' || value === null) return value
  const record = value as Written
  const [step, ...rest] = path
  if (step === undefined) return renamed(record, rename)
  const names = Object.keys(record).filter((name) => step === '*' || name === step)
  return {
    ...record,
    ...Object.fromEntries(names.map((name) => [name, renameAt(record[name], rest, rename)])),
  }
}

function renamed(written: Written, { fields = {}, values }: Omit<Rename, 'at'>): Written {
  const record = renameFields(written, fields)
  const value = values === undefined ? undefined : record[values.of]
  return values === undefined || typeof value !== 'string'
    ? record
    : { ...record, [values.of]: values.to[value] ?? value }
}

/** Until version 2 these events were named after the endpoints of the venue. */
export const RENAMED_EVENTS: readonly Upcaster[] = [
  renamedType(2, 'spreadSet', 'quoteSet'),
  renamedType(2, 'publicRate', 'bestQuote'),
  renamedType(2, 'rfqInfo', 'solver'),
]

/** Observations as the notices table keeps them. */
export const RENAMED_OBSERVATIONS: readonly Upcaster[] = [
  renamedType(2, 'completenessChanged', 'reconciliationChanged', {
    fields: PNL_TERMS,
    values: { of: 'state', to: RECONCILIATION_STATUS },
  }),
  renamedType(4, 'beliefChanged', 'quoteStatusChanged', {
    fields: { belief: 'status' },
    values: { of: 'status', to: QUOTE_STATUS },
  }),
]

function renamedType(below: number, type: string, to: string, rename: Omit<Rename, 'at'> = {}): Upcaster {
  return { type, below, upcast: (written) => ({ ...renamed(written, rename), type: to }) }
}
