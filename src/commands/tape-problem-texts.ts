import type { TapeProblem } from '../tape/model/batch.ts'

const SHOWN = 20

/** What of a tape could not be read, a sentence each; of very many the first ones and how many more. */
export function tapeProblemTexts(problems: readonly TapeProblem[]): readonly string[] {
  const texts = problems.map(({ file, at, message, skipped }) => {
    const lost = skipped === null ? '; how many rows were lost is not known' : ''
    return `${file}, ${at}: ${message}${skipped === null || skipped === 0 ? lost : ` (${skipped} rows skipped)`}`
  })
  if (texts.length <= SHOWN) return texts
  return [...texts.slice(0, SHOWN), `and ${texts.length - SHOWN} more problems of the tape`]
}
