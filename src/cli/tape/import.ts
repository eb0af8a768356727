import { existsSync } from 'node:fs'
import { basename, resolve } from 'node:path'
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
import { writeFileAtomically } from '../output/write-file.ts'
import { readBankText } from '../treasury/show.ts'
import { saveTape } from '../../store/tape/writer/save-tape.ts'

type ImportOptions = OutputFormat & {
  readonly format: string
  readonly source?: string
  readonly tape?: string
  readonly feed?: string
  readonly scenario?: string
}

/** Lines that a note names. */
const SHOWN = 5

/** Writes the rates of a CSV file as a tape, a feed's file and a scenario; with one bad row nothing is written. */
export async function dataImport(path: string, options: ImportOptions): Promise<void> {
  const { tape, feed, scenario, source = null } = options
  const misnamed = sourceProblem(options)
  if (misnamed !== null) return fail(options, EXIT_CODE.usage, misnamed)
  const targets = [tape, feed, scenario].filter((to) => to !== undefined)
  const refused = newFilesProblem(targets)
  if (refused !== null) return fail(options, EXIT_CODE.failed, `${refused}; nothing was written`)
  const format = readYamlFile(options.format, rateFormatSchema, 'the format of a CSV file')
  if (!format.ok) return fail(options, EXIT_CODE.usage, format.error)
  const text = await readBankText(path)
  if (!text.ok) return fail(options, EXIT_CODE.usage, text.error)
  const read = importRates(text.value, format.value, Date.now())
  if (!read.ok) {
    const problems = read.error
    const lines = problems.map(({ line, message }) => `${path}, line ${line}: ${message}`)
    return fail(options, EXIT_CODE.failed, `${lines.join('\n')}\nnothing was written`, { problems })
  }
  const { rates, leftOut } = read.value
  const fitted = scenario === undefined ? ok('') : scenarioText(rates, basename(path))
  if (!fitted.ok) return fail(options, EXIT_CODE.failed, `${fitted.error}; nothing was written`)
  // Each file gets its name once those written later are filled: all or none are written.
  let write: () => Promise<Result<unknown, string>> = async () =>
    tape === undefined ? ok(undefined) : saveTape(tape, tapeRows(rates, source))
  for (const [to, filling] of [[feed, feedText(rates)] as const, [scenario, fitted.value] as const]) {
    if (to === undefined) continue
    const later = write
    write = () => writeFileAtomically(to, async (append) => (await append(filling), later()))
  }
  const written = await write()
  const files = targets.filter((to) => existsSync(to))
  if (!written.ok) {
    const done = files.length === 0 ? 'nothing was written' : `written before: ${files.join(', ')}`
    return fail(options, EXIT_CODE.failed, `${written.error}; ${done}`, { files })
  }
  const [from, to] = [isoText(rates[0]!.t), isoText(rates.at(-1)!.t)]
  const several = rates.filter((rate) => rate.lines.length > 1)
  const { lines: alike = [] } = several[0] ?? {}
  const more = alike.length > SHOWN ? ` and ${alike.length - SHOWN} more` : ''
  const first = alike.slice(0, SHOWN).join(', ') + more
  const note = `of several rates of one time the median counts: ${countText(several.length, 'time')}, the first in lines ${first}`
  const others = Object.keys(format.value.where).join(' or ')
  const lines = [
    `${countText(rates.length, 'rate')}, ${from} to ${to}`,
    ...(leftOut === 0 ? [] : [`${countText(leftOut, 'row')} with another ${others} left out`]),
    ...(alike.length === 0 ? [] : [note]),
    ...files.map((file) => `written to ${file}`),
  ]
  print(options, lines.join('\n'), { rates: rates.length, leftOut, from, to, files, exitCode: EXIT_CODE.ok })
}

function sourceProblem({ source, tape }: ImportOptions): string | null {
  if (source === undefined) return null
  if (tape === undefined) return '--source names the references of a tape; give --tape too'
  // oxlint-disable-next-line no-control-regex
  return /^[^\x00-\x1f\x7f]{1,64}$/.test(source.trim())
    ? null
    : '--source: expected a name of 1 to 64 characters on one line'
}

function newFilesProblem(targets: readonly string[]): string | null {
  const places = targets.map((to) => resolve(to))
  const taken = targets.find((to, index) => existsSync(to) || places.indexOf(places[index]!) < index)
  if (taken === undefined) return null
  const why = existsSync(taken) ? 'already exists' : 'is named twice'
  return `${taken} ${why} and is not overwritten; name a new file`
}
