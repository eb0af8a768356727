import type { Ms } from '../base/time.ts'
import type { TapeProblem } from '../tape/model/batch.ts'
import type { TapeRow } from '../tape/model/row.ts'
import { EXIT_CODE } from './exit-code.ts'
import { numberText, timeText } from './number-text.ts'
import { problemLines, skippedRows } from './problem-lines.ts'
import { saveTape } from './save-tape.ts'
import { fail, say, type Voice } from './say.ts'
import { tapeMeter } from './tape-meter.ts'

/** What is copied, and what there is to say about it when that is done. */
export type TapeCopy = {
  readonly rows: AsyncIterable<TapeRow>
  /** About how many rows. */
  readonly total: number
  readonly problems: () => readonly TapeProblem[]
  /** Rows that were left out because there was an equal one. */
  readonly repeated: () => number
}

/** Writes rows to a new tape at `to`, with progress, and says what was written and what was not. */
export async function copyTape(
  { rows, total, problems, repeated }: TapeCopy,
  to: string,
  voice: Voice,
): Promise<void> {
  const meter = tapeMeter(total, process.stderr, () => performance.now())
  const saved = await saveTape(to, meter.count(rows))
  meter.end()
  if (!saved.ok) return fail(voice, EXIT_CODE.failed, saved.error, { problems: problems() })
  const { value } = saved
  const count = (number: number): string => numberText(String(number), 0)
  const window =
    value.from === null || value.to === null ? '' : `, ${timeText(value.from)} to ${timeText(value.to)}`
  const text = [
    `written    ${count(value.rows)} rows to ${to}${window}`,
    `files      ${count(value.files)}, ${count(value.bytes)} bytes`,
    ...(repeated() === 0
      ? []
      : [`repeated   ${count(repeated())} rows that were there already: written once`]),
    ...problemLines(problems()),
  ].join('\n')
  say(voice, text, {
    out: to,
    ...value,
    from: isoOf(value.from),
    to: isoOf(value.to),
    repeated: repeated(),
    skipped: skippedRows(problems()),
    problems: problems(),
    exitCode: EXIT_CODE.ok,
  })
}

function isoOf(t: Ms | null): string | null {
  return t === null ? null : new Date(t).toISOString()
}
