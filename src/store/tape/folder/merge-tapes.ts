import { compareRows } from '../model/encode-row.ts'
import { createFillDedup, type ProblemLog } from '../model/problems.ts'
import { type TapeSource, rowsOfBatch } from '../model/batch.ts'
import type { TapeRow } from '../model/row.ts'

export type NamedTape = { readonly path: string; readonly source: TapeSource }

type Head = { readonly path: string; readonly rest: AsyncIterator<TapeRow>; row: TapeRow }

/**
 * Merges the rows of several tapes into one tape's order. Yields equal rows once; `onRepeated` receives the duplicates.
 * If another tape has a different version of a fill, the first one counts and the difference is reported as a problem.
 */
export async function* mergeTapes(
  tapes: readonly NamedTape[],
  log: ProblemLog,
  onRepeated: (path: string) => void,
): AsyncGenerator<TapeRow, undefined> {
  const fills = createFillDedup(log)
  const heads: Head[] = []
  for (const { path, source } of tapes) {
    const rest = readRows(source)
    const first = await rest.next()
    if (first.done !== true) heads.push({ path, rest, row: first.value })
  }
  let last: TapeRow | null = null
  for (;;) {
    const [first, ...others] = heads
    if (first === undefined) return
    let head = first
    for (const other of others) if (compareRows(other.row, head.row) < 0) head = other
    const { row, path } = head
    if (last !== null && compareRows(last, row) === 0) onRepeated(path)
    else if (row.type !== 'fill' || fills.admits(row, path, new Date(row.t).toISOString())) yield row
    last = row
    const next = await head.rest.next()
    if (next.done === true) heads.splice(heads.indexOf(head), 1)
    else head.row = next.value
  }
}

/** Yields the rows of a tape in order. */
export async function* readRows(source: TapeSource): AsyncGenerator<TapeRow, undefined> {
  for await (const batch of source.batches()) yield* rowsOfBatch(batch)
}
