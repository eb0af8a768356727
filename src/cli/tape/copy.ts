import { measureTape } from '../../store/tape/summary/summary.ts'
import { openTape } from '../../store/tape/folder/open-tape.ts'
import { mergeTapes, type NamedTape, readRows } from '../../store/tape/folder/merge-tapes.ts'
import { EXIT_CODE } from '../../base/exit-code.ts'
import { fail, print, type OutputFormat } from '../output/print.ts'
import { createProblemLog } from '../../store/tape/model/problems.ts'
import type { TapeProblem } from '../../store/tape/model/batch.ts'
import type { TapeRow } from '../../store/tape/model/row.ts'
import { problemLines, skippedRows } from './inspect.ts'
import { tapeMeter } from '../output/progress.ts'
import { isoText, timeText } from '../../base/text/times.ts'
import { floatText } from '../../base/text/numbers.ts'
import { saveTape } from '../../store/tape/writer/save-tape.ts'

/** Rewrites a tape in the other form: text if `to` ends in .jsonl, otherwise a folder of Parquet files. */
export async function tapeConvert(from: string, to: string, voice: OutputFormat): Promise<void> {
  const opened = openTape(from, { decisions: true })
  if (!opened.ok) return fail(voice, EXIT_CODE.usage, opened.error)
  const source = opened.value
  const total = (): number => measureTape(from).rows
  await copyTape({ rows: readRows(source), total, problems: source.problems, repeated: () => 0 }, to, voice)
}

type TapeMergeOptions = OutputFormat & { readonly out: string }

/** Merges several tapes into one; equal rows are written once. */
export async function tapeMerge(paths: readonly string[], options: TapeMergeOptions): Promise<void> {
  const tapes: NamedTape[] = []
  for (const path of paths) {
    const opened = openTape(path, { decisions: true })
    if (!opened.ok) return fail(options, EXIT_CODE.usage, opened.error)
    tapes.push({ path, source: opened.value })
  }
  const log = createProblemLog()
  let repeated = 0
  await copyTape(
    {
      rows: mergeTapes(tapes, log, () => void repeated++),
      total: () => paths.reduce((sum, path) => sum + measureTape(path).rows, 0),
      problems: () => [...tapes.flatMap(({ source }) => source.problems()), ...log.list()],
      repeated: () => repeated,
    },
    options.out,
    options,
  )
}

/** Rows of a copy, and its final report. */
type TapeCopy = {
  readonly rows: AsyncIterable<TapeRow>
  /** The approximate number of rows. */
  readonly total: () => number
  readonly problems: () => readonly TapeProblem[]
  /** The number of rows dropped as duplicates. */
  readonly repeated: () => number
}

/** Writes rows to a new tape at `to`, with progress, and prints the numbers of written and skipped rows. */
export async function copyTape(
  { rows, total, problems, repeated }: TapeCopy,
  to: string,
  voice: OutputFormat,
): Promise<void> {
  const meter = tapeMeter(total)
  const saved = await saveTape(to, meter.count(rows))
  meter.end()
  if (!saved.ok) return fail(voice, EXIT_CODE.failed, saved.error, { problems: problems() })
  const { value } = saved
  const count = (number: number): string => floatText(number, 0)
  const window =
    value.from === null || value.to === null ? '' : `, ${timeText(value.from)} to ${timeText(value.to)}`
  const text = [
    `written    ${count(value.rows)} rows to ${to}${window}`,
    `files      ${count(value.files)}, ${count(value.bytes)} bytes`,
    ...(repeated() === 0 ? [] : [`repeated   ${count(repeated())} equal rows: written once`]),
    ...problemLines(problems()),
  ].join('\n')
  print(voice, text, {
    out: to,
    ...value,
    from: isoText(value.from),
    to: isoText(value.to),
    repeated: repeated(),
    skipped: skippedRows(problems()),
    problems: problems(),
    exitCode: EXIT_CODE.ok,
  })
}
