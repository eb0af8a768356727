import { renameFields, type Upcaster, type Written } from './upcaster.ts'

const STATUS: Readonly<Record<string, string>> = { known: 'confirmed', differs: 'mismatch' }

/** Up to version 3 the status of the quote was its `belief`, with two values of other names. */
export function upcastQuoteStatus(written: Written): Written {
  const named = renameFields(written, { belief: 'status' })
  const status = named['status']
  return typeof status === 'string' ? { ...named, status: STATUS[status] ?? status } : named
}

/** An observation of that time, as the notices table keeps it. */
export const QUOTE_STATUS_CHANGED: Upcaster = {
  type: 'beliefChanged',
  below: 4,
  upcast: (written) => ({ ...upcastQuoteStatus(written), type: 'quoteStatusChanged' }),
}
