/** What can be exported, and by which name. */
export type ExportKind = 'fills' | 'quotes' | 'rates' | 'ledger'

export const EXPORT_KINDS = ['fills', 'quotes', 'rates', 'ledger'] as const satisfies readonly ExportKind[]
