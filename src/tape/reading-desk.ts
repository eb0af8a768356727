import type { FillGate } from './fill-gate.ts'
import type { ProblemLog } from './problem-log.ts'
import type { RowKind } from './tape-row.ts'

/** What every reader of a file needs: where problems go, what decides about fills, which rows are wanted. */
export type ReadingDesk = {
  readonly log: ProblemLog
  readonly fills: FillGate
  readonly wants: (kind: RowKind) => boolean
}
