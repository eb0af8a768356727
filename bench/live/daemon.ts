import { spawn, type ChildProcess } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

/** One line of a process's JSON log, with when it was read. */
export type LogLine = { readonly event?: string; readonly time?: string; readonly [key: string]: unknown }

/** A real mizani process: what it prints, and how to end it. */
export type Daemon = {
  readonly pid: number
  /** When it was spawned, on the wall clock. */
  readonly spawnedAt: number
  readonly lines: readonly LogLine[]
  /** The first line, from now on or before, that fits; rejects after `withinMs` with what was printed. */
  readonly line: (fits: (line: LogLine) => boolean, withinMs: number) => Promise<LogLine>
  /** Resident memory in MiB; null where the system does not tell. */
  readonly rssMiB: () => number | null
  readonly hasEnded: () => boolean
  /** SIGTERM, and resolves with the exit code when it is gone. */
  readonly end: () => Promise<number | null>
}

/** The program from its sources, as npm starts it. */
const LAUNCH = fileURLToPath(new URL('../../src/launch.mjs', import.meta.url))

export function startDaemon(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  program = LAUNCH,
): Daemon {
  const spawnedAt = Date.now()
  const child = spawn(process.execPath, [program, ...args], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const lines: LogLine[] = []
  const waiting = new Set<(line: LogLine) => void>()
  const exited = new Promise<number | null>((resolve) => child.on('close', resolve))
  const hear = (text: string): void => {
    const line = parse(text)
    lines.push(line)
    for (const listener of waiting) listener(line)
  }
  for (const stream of [child.stdout, child.stderr]) createInterface({ input: stream }).on('line', hear)
  return {
    pid: pidOf(child),
    spawnedAt,
    lines,
    line: (fits, withinMs) => firstLine(lines, waiting, fits, withinMs),
    rssMiB: () => residentMiB(pidOf(child)),
    hasEnded: () => child.exitCode !== null || child.signalCode !== null,
    async end() {
      child.kill('SIGTERM')
      return exited
    },
  }
}

function firstLine(
  lines: readonly LogLine[],
  waiting: Set<(line: LogLine) => void>,
  fits: (line: LogLine) => boolean,
  withinMs: number,
): Promise<LogLine> {
  const known = lines.find(fits)
  if (known !== undefined) return Promise.resolve(known)
  return new Promise((resolve, reject) => {
    const listener = (line: LogLine): void => {
      if (!fits(line)) return
      clearTimeout(timer)
      waiting.delete(listener)
      resolve(line)
    }
    const timer = setTimeout(() => {
      waiting.delete(listener)
      const last = lines.slice(-5).map((line) => JSON.stringify(line))
      reject(new Error(`nothing that fits within ${withinMs} ms; the last lines: ${last.join('\n')}`))
    }, withinMs)
    waiting.add(listener)
  })
}

/** A line that is not JSON is kept as its text. */
function parse(text: string): LogLine {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as LogLine) : { text }
  } catch {
    return { text }
  }
}

function pidOf({ pid }: ChildProcess): number {
  if (pid === undefined) throw new Error('the process could not be started')
  return pid
}

function residentMiB(pid: number): number | null {
  if (process.platform !== 'linux') return null
  const kib = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return kib === undefined ? null : Math.round(Number(kib) / 102.4) / 10
}
