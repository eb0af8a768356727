/** What can be exported, and by which name. */
export type ExportKind = 'fills' | 'quotes' | 'rates' | 'ledger' | 'orders'

export const EXPORT_KINDS = [
  'fills',
  'quotes',
  'rates',
  'ledger',
  'orders',
] as const satisfies readonly ExportKind[]
