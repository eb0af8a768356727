import { type ChildProcessByStdio, spawn } from 'node:child_process'
import type { Readable } from 'node:stream'
import { z } from 'zod'
import { isRiskRule, RISK_RULES } from '../../alerts/risk-rules.ts'
import { err, ok, type Result } from '../../base/result.ts'
import { openHttpClient } from '../../http/client.ts'
import { type PositionView, viewSchema } from '../../view/position-view.ts'

/** A line of the daemon's log that names something that is not as it should be; `at` is monotonic ms. */
export type Notice = { readonly at: number; readonly code: string; readonly what: string }

export type DaemonProcess = {
  /** Its state, or null where it does not answer. */
  readonly view: () => Promise<PositionView | null>
  /** Warnings, errors and refusals of a rule in its log, oldest first. */
  readonly notices: readonly Notice[]
  /** The last words on standard error. */
  readonly complaint: () => string
  readonly hasEnded: () => boolean
  readonly pid: number
  readonly kill: (signal: NodeJS.Signals) => Promise<void>
}

export type DaemonStart = {
  /** The program, its options and arguments, ready to be spawned. */
  readonly command: readonly [string, ...string[]]
  readonly env: Readonly<Record<string, string>>
  readonly cwd: string
  readonly token: string
  /** Hears how to end the process at once, before it listens; a process that has ended is left alone. */
  readonly onSpawn: (end: () => void) => void
}

const LIMITS = { timeoutMs: 2_000, maxBytes: 4_194_304, connections: 1 } as const
const LISTENS_MS = 45_000
/** How often the drilled daemon looks at its clock and its parent. */
const POLL_MS = 250
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

/** Starts the daemon as a process of its own; an error is what it wrote before it ended. */
export async function startDaemon({
  command: [program, ...args],
  env,
  cwd,
  token,
  onSpawn,
}: DaemonStart): Promise<Result<DaemonProcess, string>> {
  const child = spawn(program, args, { cwd, env: { ...env }, stdio: ['ignore', 'pipe', 'pipe'] })
  onSpawn(() => child.kill('SIGKILL'))
  const log = followLog(child.stdout)
  const end = followEnd(child)
  await Promise.race([log.listens, end.ended, timeout(LISTENS_MS)])
  const origin = log.url()
  if (origin === null) {
    child.kill('SIGKILL')
    await end.ended
    return err(end.complaint() || `the daemon did not listen within ${LISTENS_MS / 1_000} s`)
  }
  const http = openHttpClient(LIMITS)
  return ok({
    notices: log.notices,
    complaint: end.complaint,
    hasEnded: end.hasEnded,
    pid: child.pid ?? 0,
    async view() {
      const headers = { authorization: `Bearer ${token}` }
      const answer = await http.send({ origin, method: 'GET', path: '/api/v1/state', headers, body: null })
      if (!answer.ok || answer.value.status !== 200) return null
      const view = viewSchema.safeParse(JSON.parse(answer.value.text))
      return view.success ? view.data : null
    },
    async kill(signal) {
      if (!end.hasEnded()) child.kill(signal)
      await end.ended
      await http.close()
    },
  })
}

type Log = {
  readonly notices: readonly Notice[]
  readonly listens: Promise<void>
  readonly url: () => string | null
}

function followLog(stream: NodeJS.ReadableStream): Log {
  const notices: Notice[] = []
  let url: string | null = null
  const listens = new Promise<void>((resolve) => {
    readLines(stream, (line) => {
      const read = lineOf(line)
      if (read === null) return
      if (read.msg === 'listening' && read.url !== undefined) {
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

function noticeOf({ level, event, code, rule, msg }: z.infer<typeof logLine>): Notice | null {
  const isGrave = rule !== undefined && isRiskRule(rule) && RISK_RULES[rule].severity !== 'info'
  return isGrave || TOLD_LEVELS.has(level ?? '')
    ? { at: performance.now(), code: code ?? rule ?? event ?? 'log', what: msg }
    : null
}

function lineOf(line: string): z.infer<typeof logLine> | null {
  if (!line.startsWith('{')) return null
  const parsed = logLine.safeParse(JSON.parse(line))
  return parsed.success ? parsed.data : null
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

/**
 * Loaded before the drilled daemon, in each of its threads: a wall clock that the drill can set, and an end with the
 * drill itself (`drillPid`), however that ended: its folder is gone then. A module as a `data:` URL needs no file beside
 * the program.
 */
export function preloadUrl(clockFile: string, drillPid: number): string {
  const code = `
import { existsSync, readFileSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'
const trueNow = Date.now.bind(Date)
let offsetMs = 0
Date.now = () => trueNow() + offsetMs
const file = ${JSON.stringify(clockFile)}
const look = () => {
  if (existsSync(file)) offsetMs = Number(readFileSync(file, 'utf8'))
  else if (isMainThread) process.kill(process.pid, 'SIGKILL')
  if (isMainThread && process.ppid !== ${drillPid}) process.kill(process.pid, 'SIGKILL')
}
look()
setInterval(look, ${POLL_MS}).unref()
`
  return `data:text/javascript,${encodeURIComponent(code)}`
}
