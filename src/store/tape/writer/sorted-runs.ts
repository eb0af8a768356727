import { compareRows } from '../model/encode-row.ts'
import type { TapeRow } from '../model/row.ts'
import { createPeriodWriter } from './periods.ts'

/** Sorts rows from any order on disk; the folder then reads as one tape. */
type SortedRuns = {
  readonly add: (rows: readonly TapeRow[]) => void
  /** Writes the remaining rows, and returns the number of all rows. */
  readonly end: () => number
}

/** Rows that are sorted in memory at once. */
const RUN_ROWS = 131_072

/** Writes into `folder`, which must exist and be empty. Throws the file system's error. */
export function createSortedRuns(folder: string, runRows = RUN_ROWS): SortedRuns {
  let held: TapeRow[] = []
  let count = 0
  let runs = 0

  function flush(): void {
    if (held.length === 0) return
    runs += 1
    const writer = createPeriodWriter(folder, runs)
    try {
      for (const row of held.sort(compareRows)) writer.add(row)
      writer.finish()
    } finally {
      writer.abandon()
    }
    held = []
  }

  return {
    add(rows) {
      count += rows.length
      held.push(...rows)
      if (held.length >= runRows) flush()
    },
    end() {
      flush()
      return count
    },
  }
}
