import { fork } from 'node:child_process'
import { pathToFileURL } from 'node:url'

/** A bench file's default export: measures, and returns what it found as plain data. */
type Bench = () => Promise<Record<string, unknown>>

export type BenchOutcome =
  | { readonly ok: true; readonly result: Record<string, unknown> }
  | { readonly ok: false; readonly error: string }

/** Most benches take some ten minutes; that of the fleet looks at its memory for an hour. */
const LIMIT_MS = { long: 7_200_000, short: 300_000 }

/** Runs a bench in a process of its own, so that no bench warms up or litters another one's heap. */
export function measureApart(file: string, isShort: boolean): Promise<BenchOutcome> {
  const child = fork(import.meta.filename, [file], {
    // With `--cpu-prof` the child is what is to be profiled.
    execArgv: [...process.execArgv, '--expose-gc'],
    env: { ...process.env, MIZANI_BENCH: isShort ? 'short' : 'long' },
    timeout: isShort ? LIMIT_MS.short : LIMIT_MS.long,
    killSignal: 'SIGKILL',
    // What a bench prints is progress: stdout belongs to the document.
    stdio: ['ignore', process.stderr, process.stderr, 'ipc'],
  })
  return new Promise((resolve) => {
    let outcome: BenchOutcome | null = null
    child.on('message', (message) => {
      outcome = message as BenchOutcome
    })
    child.on('close', (code, signal) => {
      resolve(outcome ?? { ok: false, error: `ended with ${signal ?? `exit ${code}`} and no result` })
    })
  })
}

/** The child's part: runs one bench and sends its result up. Bigints travel as decimal text. */
async function measure(file: string): Promise<void> {
  const outcome = await runBench(file)
  const plain: unknown = JSON.parse(
    JSON.stringify(outcome, (_key, value: unknown) => (typeof value === 'bigint' ? value.toString() : value)),
  )
  process.send?.(plain, () => process.exit(outcome.ok ? 0 : 1))
}

async function runBench(file: string): Promise<BenchOutcome> {
  try {
    const loaded = (await import(pathToFileURL(file).href)) as { readonly default: Bench }
    return { ok: true, result: await loaded.default() }
  } catch (error) {
    console.error(error)
    return { ok: false, error: error instanceof Error ? error.message : String(error) }
  }
}

const [started, file] = process.argv.slice(1)
if (started === import.meta.filename && file !== undefined) await measure(file)
