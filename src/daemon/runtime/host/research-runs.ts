import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, rmSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { constants, setPriority } from 'node:os'
import { join, resolve } from 'node:path'
import { err, errorText, ok, type Result } from '../../../base/result.ts'
import { bareEnv } from '../../../base/threads/first-message.ts'
import { runAfter } from '../../../base/threads/timing.ts'
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../base/time.ts'
import { checkChanges, mergeChanges } from '../../config/load/changes.ts'
import type { LoadedConfig } from '../../config/load/loaded-config.ts'
import type { ResearchRun } from '../../console/answers.ts'
import type { ResearchOrder, ResearchPort, ResearchRefusal } from '../../console/position-port.ts'

type Position = Pick<LoadedConfig, 'file' | 'changes' | 'research'> & {
  readonly store: Pick<LoadedConfig['store'], 'path' | 'place'>
}

type ResearchParts = {
  readonly find: (position: string) => Position | undefined
  /** The program that has the commands `backtest` and `whatif`; default: the one that runs. */
  readonly program?: string
  readonly maxHeapMb?: number
  readonly withinMs?: number
}

/** Reports are kept for this many runs; older ones are deleted. */
const MOST_RUNS = 5
const MAX_HEAP_MB = 1_024
const WITHIN_MS = HOUR_MS
const MOST_ERROR_CHARACTERS = 16_384
const MOST_LINE = 500
const NEW_RUN = { endedAt: null, state: 'running', progress: null, problem: null } as const
/** In the store of the position, because the container has no other folder that can be written. */
const FOLDER = 'console-reports'
/** A child whose daemon was killed ends too: its standard input closes. */
const END_WITH_DAEMON = `data:text/javascript,${encodeURIComponent(
  "import{isMainThread}from'node:worker_threads';if(isMainThread)process.stdin.once('close',()=>process.kill(process.pid,'SIGKILL')).resume().unref()",
)}`
/** Lines of Node around an error: stack frames, garbage collections, rulers. */
const NOT_AN_ERROR = /^(?:\s|[-<[}^]|\d+: 0x|Node\.js v|$)/
const PROGRESS = /^(?:[\d,.]+ of |replaying )/

/**
 * Runs a backtest or a what-if of a position in a child process: one at a time, at the lowest priority, within limits of memory and time,
 * without this process's environment. The child reads no secret.
 */
export function createResearchRuns(parts: ResearchParts): ResearchPort {
  const { find, withinMs = WITHIN_MS } = parts
  const list = createRunList()
  let current: { readonly id: string; readonly end: End } | null = null

  function run(order: ResearchOrder, options: readonly string[], folder: string): ResearchRun {
    const { inForce: _inForce, ...asked } = order
    const id = randomBytes(16).toString('hex')
    const report = join(folder, `${id}.html`)
    const child = startChild(asked.kind, [...options, '--report', report], parts)
    const started: ResearchRun = { ...NEW_RUN, ...asked, id, startedAt: Date.now() }
    list.keep(started, report)
    const end = watch(child, withinMs, {
      onProgress: (progress) => list.update(id, { progress }),
      onEnd(state, why) {
        current = null
        const isFinished = state === null && existsSync(report)
        const outcome = isFinished ? 'finished' : (state ?? 'failed')
        const problem = isFinished ? null : why
        list.update(id, { endedAt: Date.now(), progress: null, state: outcome, problem })
      },
    })
    current = { id, end }
    return started
  }

  return {
    since: Date.now(),
    tapes: (position) => find(position)?.research.tapes ?? [],
    runs: list.all,
    start(order) {
      const running = list.all().find(({ id }) => id === current?.id)
      if (running !== undefined) return busy(running)
      const position = find(order.position)
      if (position === undefined) return refused(`there is no position named ${order.position}`)
      const options = optionsOf(order, position)
      if (!options.ok) return options
      try {
        return ok(run(order, options.value, list.folderOf(position)))
      } catch (thrown) {
        return refused(`the run cannot be started: ${errorText(thrown)}`)
      }
    },
    cancel(id, who) {
      if (current?.id !== id) return false
      current.end('cancelled', `cancelled by ${who}`)
      return true
    },
    report: (id) => list.report(id),
    close: () => current?.end('cancelled', 'the daemon ended'),
  }
}

/** The latest runs, newest first, with the files of their reports. */
function createRunList() {
  const runs: { run: ResearchRun; readonly report: string }[] = []
  const cleaned = new Set<string>()
  return {
    all: () => runs.map(({ run }) => run),
    keep(run: ResearchRun, report: string): void {
      runs.unshift({ run, report })
      for (const old of runs.splice(MOST_RUNS)) rmSync(old.report, { force: true })
    },
    update(id: string, changes: Partial<ResearchRun>): void {
      const found = runs.find(({ run }) => run.id === id)
      if (found !== undefined) found.run = { ...found.run, ...changes }
    },
    async report(id: string): Promise<string | null> {
      const found = runs.find(({ run }) => run.id === id && run.state === 'finished')
      return found === undefined ? null : readFile(found.report, 'utf8').catch(() => null)
    },
    /** Returns the folder of the reports, without those of an earlier process. */
    folderOf({ store }: Position): string {
      const folder = resolve(store.path, FOLDER)
      if (!cleaned.has(folder)) rmSync(folder, { recursive: true, force: true })
      cleaned.add(folder)
      mkdirSync(folder, { recursive: true, mode: 0o700 })
      return folder
    },
  }
}

type End = (state: 'failed' | 'cancelled', why: string) => void

type Watcher = {
  readonly onProgress: (line: string) => void
  /** `state`: null = the command succeeded. */
  readonly onEnd: (state: 'failed' | 'cancelled' | null, why: string) => void
}

/** Watches a child until it ends. Returns the function that ends it. */
function watch(child: ChildProcess, withinMs: number, { onProgress, onEnd }: Watcher): End {
  let ended: { readonly state: 'failed' | 'cancelled'; readonly why: string } | null = null
  const output = readOutput(child, onProgress)
  const end: End = (state, why) => {
    ended ??= { state, why }
    child.kill('SIGKILL')
  }
  const timer = runAfter(() => end('failed', `it did not end within ${withinMs / MINUTE_MS} min`), withinMs)
  child.once('error', (error) => void (ended ??= { state: 'failed', why: errorText(error) }))
  // A process that the child started may keep the pipe open.
  child.once('exit', () => runAfter(() => child.stderr?.destroy(), SECOND_MS).unref())
  child.once('close', (code, signal) => {
    clearTimeout(timer)
    if (ended !== null) onEnd(ended.state, ended.why)
    else onEnd(code === 0 ? null : 'failed', output.problem(code, signal))
  })
  return end
}

function busy({ kind, position }: ResearchRun): Result<never, ResearchRefusal> {
  const message = `a ${kind} of ${position} is running, and there is one at a time; wait for it or cancel it`
  return err({ isBusy: true, message })
}

function refused(message: string): Result<never, ResearchRefusal> {
  return err({ isBusy: false, message })
}

/** Returns the options of the command. A tape must be one of the configured ones, letter by letter. */
function optionsOf(
  { kind, tape, fills, changes, inForce }: ResearchOrder,
  { file, changes: initial, research, store }: Position,
): Result<readonly string[], ResearchRefusal> {
  const allowed = checkChanges(changes)
  if (!allowed.ok) return refused(allowed.error)
  const merged = mergeChanges(mergeChanges(initial, inForce), changes)
  const model = fills === null ? [] : ['--fills', fills]
  const common = ['--config', file, '--changes', JSON.stringify(merged), ...model]
  if (kind === 'backtest') {
    if (tape !== null && research.tapes.includes(tape)) return ok([...common, '--tape', tape])
    return refused(
      'tape: not one of research.tapes in the configuration; add it there and restart the daemon',
    )
  }
  if (tape !== null) return refused('tape: a what-if runs over the journal of the position; leave it out')
  if (typeof store.place === 'string') return ok([...common, '--store', store.place])
  return refused(
    'the journal is in PostgreSQL, whose secret a run from the console does not get; use `mizani whatif --store URL`',
  )
}

function startChild(
  command: string,
  options: readonly string[],
  { program = process.argv[1] ?? '', maxHeapMb = MAX_HEAP_MB }: ResearchParts,
): ChildProcess {
  const flags = [`--max-old-space-size=${maxHeapMb}`, '--disable-sigusr1', '--import', END_WITH_DAEMON]
  const child = spawn(process.execPath, [...flags, program, command, ...options], {
    env: bareEnv(),
    stdio: ['pipe', 'ignore', 'pipe'],
  })
  child.stdin.on('error', () => undefined)
  try {
    // Before it has threads, which inherit the priority.
    if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_LOW)
  } catch {
    // It has ended already.
  }
  return child
}

/** Reads what the child reports: the latest progress, and in the end its last error. */
function readOutput(child: ChildProcess, onProgress: (line: string) => void) {
  let text = ''
  child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
    text = `${text}${chunk}`.slice(-MOST_ERROR_CHARACTERS)
    const progress = text.split('\n').findLast((line) => PROGRESS.test(line))
    if (progress !== undefined) onProgress(progress.slice(0, MOST_LINE))
  })
  return {
    problem(code: number | null, signal: NodeJS.Signals | null): string {
      const last = text.split('\n').findLast((line) => !NOT_AN_ERROR.test(line) && !PROGRESS.test(line))
      const how =
        signal === null ? `it ended with exit code ${code} and no report` : `it was ended by ${signal}`
      return (last ?? how).slice(0, MOST_LINE)
    },
  }
}
