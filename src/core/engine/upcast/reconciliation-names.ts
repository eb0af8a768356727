import { recordOf, renameFields, type Upcaster, type Written } from './upcaster.ts'

const STATUSES: Readonly<Record<string, string>> = {
  complete: 'reconciled',
  checking: 'pending',
  gap: 'break',
}
const RECONCILIATION = {
  unexplained: 'unreconciled',
  suspects: 'candidates',
  reading: 'snapshot',
  incomparable: 'skipped',
}
const STATE = {
  completeness: 'reconciliation',
  completenessSince: 'reconciliationSince',
  gapSince: 'breakSince',
}
const TERMS = { postedSpread: 'spreadCapture', unexplained: 'unreconciled' }

/** A snapshot of 0.1.0: it wrote the reconciliation as `completeness`, and two terms of the PnL under other names. */
export function upcastReconciliationNames(written: Written): Written {
  const state = renameFields(written, STATE)
  const known = renameFields(recordOf(state['reconciliation']), RECONCILIATION)
  return { ...state, reconciliation: withStatus(known), book: upcastBook(recordOf(state['book'])) }
}

/** An observation of 0.1.0, as the notices table keeps it. */
export const RECONCILIATION_CHANGED: Upcaster = {
  type: 'completenessChanged',
  below: 2,
  upcast: (written) => withStatus({ ...renameFields(written, TERMS), type: 'reconciliationChanged' }),
}

function upcastBook(book: Written): Written {
  const pnl = recordOf(book['pnl'])
  const { tzs, usd, byStable, unvalued } = pnl
  const valued = { tzs: renameFields(recordOf(tzs), TERMS), usd: renameFields(recordOf(usd), TERMS) }
  const stables = Object.entries(recordOf(byStable)).map(([asset, terms]) => [
    asset,
    renameFields(recordOf(terms), TERMS),
  ])
  const waiting =
    unvalued === null
      ? null
      : { ...recordOf(unvalued), classes: renameFields(recordOf(recordOf(unvalued)['classes']), TERMS) }
  return { ...book, pnl: { ...pnl, ...valued, byStable: Object.fromEntries(stables), unvalued: waiting } }
}

function withStatus(written: Written): Written {
  const status = written['state']
  return typeof status === 'string' ? { ...written, state: STATUSES[status] ?? status } : written
}
