import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { keepFigures } from './figures/keep-figures.ts'
import { machine } from './harness/machine.ts'
import { measureApart, type BenchOutcome } from './harness/measure-apart.ts'
import { bestRatios, fallenRatios, ratiosOf, type RecordedRatios } from './harness/ratio-gate.ts'

const ENDING = '.bench.ts'
const RATIOS = join(import.meta.dirname, 'ratios.json')
/** A machine may be disturbed for as long as a short bench takes: only what is low three times has fallen. */
const ATTEMPTS = 3
const OPTIONS = {
  short: { type: 'boolean', default: false },
  record: { type: 'boolean', default: false },
  figures: { type: 'boolean', default: false },
} as const

/**
 * `npm run bench [-- --short|--figures] [NAME...]`: runs bench/NAME.bench.ts, or all of them, each in a process of its
 * own. One JSON document goes to stdout, progress to stderr. `--short` is for CI: little is measured, every bench runs
 * to its end, and a ratio to the plain loop that fell by a third against bench/ratios.json fails; with `--record` that
 * file is written instead. `--figures` keeps the results in bench/figures.json and renders docs/figures.md from it.
 * Exit 1 when a bench failed, did not end in time or fell; 2 when a word is unknown.
 */
async function runAll(words: readonly string[]): Promise<number> {
  const chosen = choiceOf(words)
  if (typeof chosen === 'string') {
    console.error(chosen)
    return 2
  }
  const { names, isShort, isRecorded, isKept } = chosen
  const results: Record<string, unknown> = {}
  const recorded: Record<string, RecordedRatios[string]> = readRatios()
  let failed = 0
  for (const name of names) {
    const { outcome, ratios } = await runOne(name, isShort, isShort && !isRecorded ? recorded : null)
    if (isRecorded && ratios !== null) recorded[name] = ratios
    results[name] = outcome.ok ? outcome.result : { error: outcome.error }
    if (!outcome.ok) failed++
    else if (isKept) keepFigures(name, machine(), outcome.result)
  }
  if (isRecorded && failed === 0) writeFileSync(RATIOS, JSON.stringify(recorded, null, 2) + '\n')
  console.log(JSON.stringify({ machine: machine(), results }, null, 2))
  return failed === 0 ? 0 : 1
}

type Choice = {
  readonly names: readonly string[]
  readonly isShort: boolean
  readonly isRecorded: boolean
  readonly isKept: boolean
}

/** The sentence tells what is wrong with the words. */
function choiceOf(words: readonly string[]): Choice | string {
  const known = readdirSync(import.meta.dirname)
    .filter((file) => file.endsWith(ENDING))
    .map((file) => file.slice(0, -ENDING.length))
    .sort()
  let parsed
  try {
    parsed = parseArgs({ args: [...words], options: OPTIONS, allowPositionals: true })
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
  const { values, positionals } = parsed
  const unknown = positionals.filter((name) => !known.includes(name))
  if (unknown.length > 0)
    return `no such bench: ${unknown.join(', ')}; there are: ${known.join(', ') || 'none'}`
  if (values.record && !values.short) return '--record keeps the ratios of the short form: add --short'
  if (values.figures && values.short) return '--figures keeps what the long form measures: leave out --short'
  return {
    names: positionals.length > 0 ? positionals : known,
    isShort: values.short,
    isRecorded: values.record,
    isKept: values.figures,
  }
}

/** With `recorded` the ratios are judged, the best of several runs; null = they are not. */
async function runOne(
  name: string,
  isShort: boolean,
  recorded: RecordedRatios | null,
): Promise<{ readonly outcome: BenchOutcome; readonly ratios: RecordedRatios[string] | null }> {
  let ratios: RecordedRatios[string] | null = null
  for (let attempt = 1; ; attempt++) {
    console.error(attempt === 1 ? `${name} ...` : `${name} once more ...`)
    const startedAt = performance.now()
    const outcome = await measureApart(join(import.meta.dirname, name + ENDING), isShort)
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
    console.error(`${name} ${outcome.ok ? 'done' : `FAILED: ${outcome.error}`} in ${seconds} s`)
    const measured = outcome.ok ? ratiosOf(outcome.result) : null
    if (measured === null) return { outcome, ratios: null }
    ratios = bestRatios(measured, ratios ?? {})
    const fallen = recorded === null ? [] : fallenRatios(name, ratios, recorded)
    if (fallen.length === 0) return { outcome, ratios }
    for (const sentence of fallen) console.error(sentence)
    if (attempt === ATTEMPTS) return { outcome: { ok: false, error: fallen.join('; ') }, ratios }
  }
}

function readRatios(): Record<string, RecordedRatios[string]> {
  return JSON.parse(readFileSync(RATIOS, 'utf8')) as Record<string, RecordedRatios[string]>
}

process.exitCode = await runAll(process.argv.slice(2))
