import type { TapeProblem } from '../../tape/model/batch.ts'
import { floatText } from '../../text/numbers.ts'

const SHOWN = 20

/** Problems of a tape for people: the first ones, then how many more there are. */
export function problemLines(problems: readonly TapeProblem[]): readonly string[] {
  const lines = problems
    .slice(0, SHOWN)
    .map(({ file, at, message }) => `problem    ${file}, ${at}: ${message}`)
  const more = problems.length - SHOWN
  return more > 0 ? [...lines, `problem    and ${floatText(more, 0)} more: see --json`] : lines
}

/** How many rows were skipped for them; null where that cannot be known. */
export function skippedRows(problems: readonly TapeProblem[]): number | null {
  return problems.reduce<number | null>(
    (sum, { skipped }) => (sum === null || skipped === null ? null : sum + skipped),
    0,
  )
}

/** What of a tape could not be read, a sentence each; of very many the first ones and how many more. */
export function tapeProblemTexts(problems: readonly TapeProblem[]): readonly string[] {
  const texts = problems.map(({ file, at, message, skipped }) => {
    const lost = skipped === null ? '; how many rows were lost is not known' : ''
    return `${file}, ${at}: ${message}${skipped === null || skipped === 0 ? lost : ` (${skipped} rows skipped)`}`
  })
  if (texts.length <= SHOWN) return texts
  return [...texts.slice(0, SHOWN), `and ${texts.length - SHOWN} more problems of the tape`]
}
