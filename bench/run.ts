import { fork } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { availableParallelism, cpus, loadavg, totalmem } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

/** A bench file's default export: measures, and says what it found in plain data. */
type Bench = () => Promise<Record<string, unknown>>

type Outcome =
  | { readonly ok: true; readonly result: Record<string, unknown> }
  | { readonly ok: false; readonly error: string }

const ENDING = '.bench.ts'
const MEASURE = '--measure'
const SHORT = '--short'
/** The longest bench takes some ten minutes. */
const LIMIT_MS = { long: 1_800_000, short: 120_000 }

/**
 * `npm run bench [-- --short] [NAME...]`: runs bench/NAME.bench.ts, or all of them, each in a process of its own so
 * that no one warms up or litters another one's heap. One JSON document goes to stdout, progress to
 * stderr. Exit 1 when a bench failed or did not end in time, 2 when a name is unknown. `--short` measures next to
 * nothing: it is for CI, which learns that every bench still runs to its end.
 */
async function runAll(words: readonly string[]): Promise<number> {
  const isShort = words.includes(SHORT)
  const wanted = words.filter((word) => word !== SHORT)
  const known = readdirSync(import.meta.dirname)
    .filter((file) => file.endsWith(ENDING))
    .map((file) => file.slice(0, -ENDING.length))
    .sort()
  const unknown = wanted.filter((name) => !known.includes(name))
  if (unknown.length > 0) {
    console.error(`no such bench: ${unknown.join(', ')}; there are: ${known.join(', ') || 'none'}`)
    return 2
  }
  const results: Record<string, unknown> = {}
  let failed = 0
  for (const name of wanted.length > 0 ? wanted : known) {
    console.error(`${name} ...`)
    const startedAt = performance.now()
    const outcome = await measureApart(join(import.meta.dirname, name + ENDING), isShort)
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
    console.error(`${name} ${outcome.ok ? 'done' : `FAILED: ${outcome.error}`} in ${seconds} s`)
    results[name] = outcome.ok ? outcome.result : { error: outcome.error }
    if (!outcome.ok) failed++
  }
  console.log(JSON.stringify({ machine: machine(), results }, null, 2))
  return failed === 0 ? 0 : 1
}

/** What a figure means nothing without. No host name: the document is for publishing. */
function machine(): Record<string, unknown> {
  return {
    cpu: cpus()[0]?.model.trim() ?? 'unknown',
    cores: availableParallelism(),
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    platform: `${process.platform}-${process.arch}`,
    node: process.versions.node,
    /** Others that were at work: more than the cores, and every time below is longer than it had to be. */
    loadAverage: Math.round((loadavg()[0] ?? 0) * 10) / 10,
  }
}

function measureApart(file: string, isShort: boolean): Promise<Outcome> {
  const child = fork(import.meta.filename, [MEASURE, file], {
    execArgv: ['--expose-gc'],
    env: { ...process.env, MIZANI_BENCH: isShort ? 'short' : 'long' },
    timeout: isShort ? LIMIT_MS.short : LIMIT_MS.long,
    killSignal: 'SIGKILL',
    // What a bench prints is progress: stdout belongs to the document.
    stdio: ['ignore', process.stderr, process.stderr, 'ipc'],
  })
  return new Promise((resolve) => {
    let outcome: Outcome | null = null
    child.on('message', (message) => {
      outcome = message as Outcome
    })
    child.on('close', (code, signal) => {
      resolve(outcome ?? { ok: false, error: `ended with ${signal ?? `exit ${code}`} and no result` })
    })
  })
}

/** The child's part: run one bench and hand its result up. Bigints travel as decimal text. */
async function measure(file: string): Promise<void> {
  const outcome = await runBench(file)
  const plain: unknown = JSON.parse(
    JSON.stringify(outcome, (_key, value: unknown) => (typeof value === 'bigint' ? value.toString() : value)),
  )
  process.send?.(plain, () => process.exit(outcome.ok ? 0 : 1))
}

async function runBench(file: string): Promise<Outcome> {
  try {
    const loaded = (await import(pathToFileURL(file).href)) as { readonly default: Bench }
    return { ok: true, result: await loaded.default() }
  } catch (error) {
    console.error(error)
    return { ok: false, error: error instanceof Error ? error.message : String(error) }
  }
}

const [first, second] = process.argv.slice(2)
if (first === MEASURE && second !== undefined) await measure(second)
else process.exitCode = await runAll(process.argv.slice(2))
