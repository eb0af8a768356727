import { formatProblem } from '../../../daemon/config/source/problem.ts'
import { EXIT_CODE } from '../../../base/exit-code.ts'
import { alignColumns } from '../../output/tables.ts'
import { fail, type OutputFormat, print, printWarning } from '../../output/print.ts'
import { type Door, infiniteFigures } from '../../../research/jobs/model/door.ts'
import { readModelParams } from '../../../research/jobs/model/read-params.ts'

export type AnswerOptions = OutputFormat & { readonly params: string }

/**
 * Computes one model and prints its figures. Exit code 2 for invalid parameters, 1 if a figure exceeds the range of a
 * float64.
 */
export function answerModel(door: Door, options: AnswerOptions): void {
  const read = readModelParams(options.params)
  if (!read.ok)
    return fail(options, EXIT_CODE.usage, read.error.map(formatProblem).join('\n'), { problems: read.error })
  const warnings: string[] = []
  const answer = door.answer(read.value.data, (sentence) => warnings.push(sentence))
  if (!answer.ok) {
    const problems = read.value.explain(answer.error, door.params)
    const help = `\`mizani model ${door.name} --help\` lists every parameter with its unit.`
    const text = [...problems.map(formatProblem), help].join('\n')
    return fail(options, EXIT_CODE.usage, text, { problems })
  }
  const infinite = infiniteFigures(answer.value)
  if (infinite.length > 0) {
    const words = `${door.name}: ${infinite.slice(0, 3).join(', ')} would not be finite; use less extreme parameters`
    return fail(options, EXIT_CODE.failed, words)
  }
  for (const warning of warnings) printWarning(`${door.name}: ${warning}`)
  print(options, figureLines(answer.value).join('\n'), answer.value)
}

const DIGITS = 7

/** Prints names and figures in two columns; a list of records becomes a separate table. */
export function figureLines(answer: object): string[] {
  const plain: (readonly [string, string])[] = []
  const tables: string[] = []
  const walk = (value: object, path: string): void => {
    for (const [key, inner] of Object.entries(value) as [string, unknown][]) {
      const name = path === '' ? key : `${path}.${key}`
      if (isRecordList(inner)) tables.push('', name, ...tableLines(inner))
      else if (Array.isArray(inner)) plain.push([name, inner.map(figureText).join(' ')])
      else if (typeof inner === 'object' && inner !== null) walk(inner, name)
      else plain.push([name, figureText(inner)])
    }
  }
  walk(answer, '')
  const lines = [...alignColumns(plain, (column) => column === 0), ...tables]
  return lines[0] === '' ? lines.slice(1) : lines
}

function isRecordList(value: unknown): value is readonly object[] {
  return Array.isArray(value) && value.length > 0 && typeof value[0] === 'object' && value[0] !== null
}

function tableLines(records: readonly object[]): string[] {
  const names = Object.keys(records[0] ?? {})
  const rows = records.map((record) =>
    names.map((name) => figureText((record as Readonly<Record<string, unknown>>)[name])),
  )
  return alignColumns([names, ...rows], () => false)
}

/** Formats seven digits; null is a side that is off, or an undefined figure. */
function figureText(value: unknown): string {
  if (value === null || value === undefined) return '-'
  if (typeof value === 'number') return String(Number(value.toPrecision(DIGITS)))
  return typeof value === 'string' ? value : JSON.stringify(value)
}
