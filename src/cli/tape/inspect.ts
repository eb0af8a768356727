import { HOUR_MS } from '../../base/time.ts'
import {
  createTapeSummary,
  measureTape,
  type TapeMeasure,
  type TapeSummary,
} from '../../store/tape/summary/summary.ts'
import { openTape } from '../../store/tape/folder/open-tape.ts'
import type { TapeProblem } from '../../store/tape/model/batch.ts'
import { EXIT_CODE } from '../../base/exit-code.ts'
import { fail, print, type OutputFormat } from '../output/print.ts'
import { tapeMeter } from '../output/progress.ts'
import { isoText, timeText } from '../../base/text/times.ts'
import { decimalText, floatText } from '../../base/text/numbers.ts'

/** Reads a whole tape and prints its rows, its gaps and its invalid rows. */
export async function tapeInspect(path: string, voice: OutputFormat): Promise<void> {
  const opened = openTape(path, { decisions: true })
  if (!opened.ok) return fail(voice, EXIT_CODE.usage, opened.error)
  const measure = measureTape(path)
  const meter = tapeMeter(() => measure.rows)
  const summary = createTapeSummary()
  for await (const batch of opened.value.batches()) {
    summary.add(batch)
    meter.add(batch.rows)
  }
  meter.end()
  const problems = opened.value.problems()
  const sum = summary.sum()
  print(voice, textOf(sum, measure, problems), {
    path,
    ...sum,
    from: isoText(sum.from),
    to: isoText(sum.to),
    gaps: sum.gaps.map(({ from, to }) => ({ from: isoText(from), to: isoText(to) })),
    files: measure.files,
    bytes: measure.bytes,
    skipped: skippedRows(problems),
    problems,
    exitCode: EXIT_CODE.ok,
  })
}

function textOf(sum: TapeSummary, measure: TapeMeasure, problems: readonly TapeProblem[]): string {
  const count = (value: number): string => floatText(value, 0)
  const window =
    sum.from === null || sum.to === null ? 'no rows' : `${timeText(sum.from)} to ${timeText(sum.to)}`
  const kinds = Object.entries(sum.rowsByKind)
    .filter(([, rows]) => rows > 0)
    .map(([kind, rows]) => `${count(rows)} ${kind}`)
  const fills = Object.entries(sum.fills)
    .filter(([, side]) => side.fills > 0)
    .map(([side, { fills: made, dollars }]) => `${count(made)} ${side} (${decimalText(dollars, 2)} dollars)`)
  return [
    `window     ${window}, ${count(sum.days)} days with rows`,
    `rows       ${count(sum.rows)}${kinds.length === 0 ? '' : `: ${kinds.join(', ')}`}`,
    `files      ${count(measure.files)}, ${count(measure.bytes)} bytes`,
    `fills      ${fills.length === 0 ? 'none' : fills.join(', ')}`,
    `prints     ${count(sum.prints)}`,
    `gaps       ${sum.gaps.length === 0 ? 'none' : `${count(sum.gaps.length)}, ${gapHours(sum)} h together`}`,
    ...problemLines(problems),
  ].join('\n')
}

function gapHours({ gaps }: TapeSummary): string {
  return (gaps.reduce((sum, { from, to }) => sum + (to - from), 0) / HOUR_MS).toFixed(1)
}

const SHOWN = 20

/** Renders a tape's problems for people: the first ones, then the number of others. */
export function problemLines(problems: readonly TapeProblem[]): readonly string[] {
  const lines = problems
    .slice(0, SHOWN)
    .map(({ file, at, message }) => `problem    ${file}, ${at}: ${message}`)
  const more = problems.length - SHOWN
  return more > 0 ? [...lines, `problem    and ${floatText(more, 0)} more: see --json`] : lines
}

/** Returns the number of rows skipped because of these problems; null = unknown. */
export function skippedRows(problems: readonly TapeProblem[]): number | null {
  return problems.reduce<number | null>(
    (sum, { skipped }) => (sum === null || skipped === null ? null : sum + skipped),
    0,
  )
}
