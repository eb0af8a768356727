import { HOUR_MS, type Ms } from '../../../base/time.ts'
import type { RateColumns, TapeBatch } from '../model/batch.ts'
import type { QuoteRow, ReferenceRow, RowKind, TapeRow } from '../model/row.ts'

/** Kinds that are on a tape only when they change; the others come with every venue answer. */
const KEPT_UP: ReadonlySet<RowKind> = new Set<RowKind>(['reference', 'quote'])

/** Returns whether rows of this kind are valid until the next one. */
export function standsUntilNext(kind: RowKind): boolean {
  return KEPT_UP.has(kind)
}

/** Returns the rows in effect at `t`: the last quote, and the last reference of each source. */
export async function standingRows(batches: AsyncIterable<TapeBatch>, t: Ms): Promise<readonly TapeRow[]> {
  const references = new Map<string, ReferenceRow>()
  let quote: QuoteRow | undefined
  for await (const batch of batches) {
    for (const row of batch.references) {
      // The latest source comes last, as on the tape.
      references.delete(row.source)
      references.set(row.source, row)
    }
    quote = batch.quotes.at(-1) ?? quote
  }
  const rows = quote === undefined ? [...references.values()] : [...references.values(), quote]
  return rows.map((row) => ({ ...row, t }))
}

/** Without a rate for longer than this, the venue's behaviour is unknown. */
const GAP_MS = HOUR_MS

export type Gap = { readonly from: Ms; readonly to: Ms }

/** Returns a function that calls `onGap` if the rates of a tape pause for more than an hour. Batches come in order. */
export function createGapWatch(onGap: (gap: Gap) => void): (rates: RateColumns) => void {
  let last: Ms = Number.POSITIVE_INFINITY
  return ({ t }) => {
    // Not for-of: every rate of a tape passes here.
    for (let i = 0; i < t.length; i++) {
      const now = t[i] as number
      if (now - last > GAP_MS) onGap({ from: last, to: now })
      last = now
    }
  }
}
