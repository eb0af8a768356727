import type { TapeProblem } from '../tape/model/batch.ts'
import { numberText } from './number-text.ts'

const SHOWN = 20

/** Problems of a tape for people: the first ones, then how many more there are. */
export function problemLines(problems: readonly TapeProblem[]): readonly string[] {
  const lines = problems
    .slice(0, SHOWN)
    .map(({ file, at, message }) => `problem    ${file}, ${at}: ${message}`)
  const more = problems.length - SHOWN
  return more > 0 ? [...lines, `problem    and ${numberText(String(more), 0)} more: see --json`] : lines
}

/** How many rows were skipped for them; null where that cannot be known. */
export function skippedRows(problems: readonly TapeProblem[]): number | null {
  return problems.reduce<number | null>(
    (sum, { skipped }) => (sum === null || skipped === null ? null : sum + skipped),
    0,
  )
}
