import type { CompletenessState } from './completeness.ts'
import { judgeFill } from './fill-memory.ts'
import { rememberFill } from './remember-fill.ts'
import type { Fill } from './fill.ts'

/** What became of the rows of one poll. */
export type FillAdmission = {
  /** To be posted, oldest first, each exactly once for ever. Empty before the opening. */
  readonly fresh: readonly Fill[]
  /** Same id, other amounts than before: posted as first seen; one of the two is wrong. */
  readonly changed: readonly Fill[]
  /** Older than what is remembered and not known: not posted, the balances decide. */
  readonly tooOld: readonly Fill[]
  /** Rows that were known already. */
  readonly seenBefore: number
  /** Rows never seen before, posted or not. */
  readonly added: number
}

/**
 * Decides which rows are new and remembers them: a row reported twice, in any order, by any process of
 * this position, comes out of here once. Rows seen before the opening are in the opening.
 */
export function admitFills(state: CompletenessState, rows: readonly Fill[]): FillAdmission {
  const fresh: Fill[] = []
  const changed: Fill[] = []
  const tooOld: Fill[] = []
  let seenBefore = 0
  for (const row of rows) {
    const verdict = judgeFill(state.memory, row)
    if (verdict === 'known') seenBefore += 1
    else if (verdict === 'changed') {
      seenBefore += 1
      changed.push(row)
    } else {
      rememberFill(state.memory, row)
      if (verdict === 'too-old') tooOld.push(row)
      else fresh.push(row)
    }
  }
  const added = fresh.length + tooOld.length
  return { fresh: state.opened ? fresh : [], changed, tooOld, seenBefore, added }
}
