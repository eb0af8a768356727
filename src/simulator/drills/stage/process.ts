import { type ChildProcessByStdio, spawn } from 'node:child_process'
import type { Readable } from 'node:stream'
import { z } from 'zod'
import { isRiskRule, RISK_RULES } from '../../../core/alerts/risk-rules.ts'
import { err, ok, type Result } from '../../../base/result.ts'

/** A log line that reports a problem; `at` is monotonic ms. */
export type ProcessNotice = { readonly at: number; readonly code: string; readonly what: string }

/** A process of the desk: its daemon or its guard. */
export type DrilledProcess = {
  /** Its URL. */
  readonly url: string
  readonly pid: number
  /** Warnings, errors and refusals of a rule in its log, oldest first. */
  readonly notices: readonly ProcessNotice[]
  /** The last output on standard error. */
  readonly complaint: () => string
  readonly hasEnded: () => boolean
  /** Resolves once it has ended; does nothing to a process that has ended. */
  readonly kill: (signal: NodeJS.Signals) => Promise<void>
}

export type ProcessStart = {
  /** The process's name in the error of a failed start. */
  readonly name: string
  /** The program, its options and arguments, ready to be spawned. */
  readonly command: readonly [string, ...string[]]
  readonly env: Readonly<Record<string, string>>
  /** The message of the log line that names its address. */
  readonly listening: string
  /** Receives the function that kills the process, before it listens. The function does nothing once the process has ended. */
  readonly onSpawn: (end: () => void) => void
}

/** Time limit for a process to listen, unless it ends before. Generous, because the machine may be busy. */
const LISTENS_MS = 120_000
const TOLD_LEVELS: ReadonlySet<string> = new Set(['warn', 'error', 'fatal'])
const COMPLAINT_CHARACTERS = 2_000

const logLine = z.object({
  level: z.string().optional(),
  event: z.string().optional(),
  code: z.string().optional(),
  rule: z.string().optional(),
  msg: z.string(),
  url: z.string().optional(),
})

/** Starts a process and waits until it listens; the error is its output before it ended. */
export async function startProcess({
  name,
  command: [program, ...args],
  env,
  listening,
  onSpawn,
}: ProcessStart): Promise<Result<DrilledProcess, string>> {
  const child = spawn(program, args, { env: { ...env }, stdio: ['ignore', 'pipe', 'pipe'] })
  onSpawn(() => child.kill('SIGKILL'))
  const log = followLog(child.stdout, listening)
  const end = followEnd(child)
  await Promise.race([log.listens, end.ended, timeout(LISTENS_MS)])
  const url = log.url()
  if (url === null) {
    child.kill('SIGKILL')
    await end.ended
    return err(end.complaint() || `the ${name} did not listen within ${LISTENS_MS / 1_000} s`)
  }
  return ok({
    url,
    pid: child.pid ?? 0,
    notices: log.notices,
    complaint: end.complaint,
    hasEnded: end.hasEnded,
    async kill(signal) {
      if (!end.hasEnded()) child.kill(signal)
      await end.ended
    },
  })
}

type Log = {
  readonly notices: readonly ProcessNotice[]
  readonly listens: Promise<void>
  readonly url: () => string | null
}

function followLog(stream: NodeJS.ReadableStream, listening: string): Log {
  const notices: ProcessNotice[] = []
  let url: string | null = null
  const listens = new Promise<void>((resolve) => {
    readLines(stream, (line) => {
      const read = lineOf(line)
      if (read === null) return
      if (read.msg === listening && read.url !== undefined) {
        url = read.url
        resolve()
      }
      const noticed = noticeOf(read)
      if (noticed !== null) notices.push(noticed)
    })
  })
  return { notices, listens, url: () => url }
}

type End = {
  readonly ended: Promise<void>
  readonly hasEnded: () => boolean
  readonly complaint: () => string
}

function followEnd(child: ChildProcessByStdio<null, Readable, Readable>): End {
  let complaint = ''
  let isOver = false
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    complaint = (complaint + text).slice(-COMPLAINT_CHARACTERS)
  })
  const ended = new Promise<void>((resolve) => {
    const end = () => {
      isOver = true
      resolve()
    }
    child.once('error', (error) => {
      complaint += error.message
      end()
    })
    child.once('close', end)
  })
  return { ended, hasEnded: () => isOver, complaint: () => complaint.trim() }
}

function noticeOf({ level, event, code, rule, msg }: z.infer<typeof logLine>): ProcessNotice | null {
  const isGrave = rule !== undefined && isRiskRule(rule) && RISK_RULES[rule].severity !== 'info'
  return isGrave || TOLD_LEVELS.has(level ?? '')
    ? { at: performance.now(), code: code ?? rule ?? event ?? 'log', what: msg }
    : null
}

function lineOf(line: string): z.infer<typeof logLine> | null {
  if (!line.startsWith('{')) return null
  const parsed = logLine.safeParse(jsonOf(line))
  return parsed.success ? parsed.data : null
}

function jsonOf(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    // A strategy may print other text to the same output as the log.
    return null
  }
}

function readLines(stream: NodeJS.ReadableStream, take: (line: string) => void): void {
  let rest = ''
  stream.setEncoding('utf8').on('data', (text: string) => {
    const lines = (rest + text).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) take(line)
  })
}

function timeout(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms).unref())
}
