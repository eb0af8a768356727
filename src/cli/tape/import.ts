import { basename } from 'node:path'
import { EXIT_CODE } from '../../base/exit-code.ts'
import { ok, type Result } from '../../base/result.ts'
import { countText } from '../../base/text/numbers.ts'
import { isoText } from '../../base/text/times.ts'
import {
  feedText,
  importRates,
  rateFormatSchema,
  scenarioText,
  tapeRows,
} from '../../research/jobs/import/import-rates.ts'
import { readYamlFile } from '../../research/jobs/read-scenarios.ts'
import { fail, type OutputFormat, print } from '../output/print.ts'
import { writeTextAtomically } from '../output/write-file.ts'
import { readBankText } from '../treasury/show.ts'
import { saveTape } from '../../store/tape/writer/save-tape.ts'

type ImportOptions = OutputFormat & {
  readonly format: string
  readonly source?: string
  readonly tape?: string
  readonly feed?: string
  readonly scenario?: string
}

/** Writes the rates of a CSV file as a tape, a feed's file and a scenario; with one bad row nothing is written. */
export async function dataImport(path: string, options: ImportOptions): Promise<void> {
  const format = readYamlFile(options.format, rateFormatSchema)
  if (!format.ok) return fail(options, EXIT_CODE.usage, format.error)
  const text = await readBankText(path)
  if (!text.ok) return fail(options, EXIT_CODE.usage, text.error)
  const read = importRates(text.value, format.value)
  if (!read.ok) {
    const lines = read.error.map(({ line, message }) => `${path}, line ${line}: ${message}`)
    return fail(options, EXIT_CODE.failed, `${lines.join('\n')}\nnothing was written`, {
      problems: read.error,
    })
  }
  const { rates, leftOut } = read.value
  const fitted = options.scenario === undefined ? ok('') : scenarioText(rates, basename(path))
  if (!fitted.ok) return fail(options, EXIT_CODE.failed, `${fitted.error}; nothing was written`)
  const { source = null } = options
  const writers: Readonly<
    Record<'tape' | 'feed' | 'scenario', (to: string) => Promise<Result<unknown, string>>>
  > = {
    tape: (to) => saveTape(to, tapeRows(rates, source)),
    feed: (to) => writeTextAtomically(to, feedText(rates)),
    scenario: (to) => writeTextAtomically(to, fitted.value),
  }
  const files: string[] = []
  for (const kind of ['tape', 'feed', 'scenario'] as const) {
    const to = options[kind]
    if (to === undefined) continue
    const written = await writers[kind](to)
    if (!written.ok) return fail(options, EXIT_CODE.failed, written.error, { files })
    files.push(to)
  }
  const [from, to] = [isoText(rates[0]!.t), isoText(rates.at(-1)!.t)]
  const several = rates.filter((rate) => rate.lines.length > 1)
  const first = several[0]?.lines.join(', ')
  const note = `of several rates of one time the median counts: ${countText(several.length, 'time')}, the first in lines ${first}`
  const others = Object.keys(format.value.where).join(' or ')
  const lines = [
    `${countText(rates.length, 'rate')}, ${from} to ${to}`,
    ...(leftOut === 0 ? [] : [`${countText(leftOut, 'row')} with another ${others} left out`]),
    ...(first === undefined ? [] : [note]),
    ...files.map((file) => `written to ${file}`),
  ]
  print(options, lines.join('\n'), { rates: rates.length, leftOut, from, to, files, exitCode: EXIT_CODE.ok })
}
