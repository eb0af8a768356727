import { spawn, type ChildProcess } from 'node:child_process'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { PositionView } from '../../../src/daemon/view/position-view.ts'
import { PROGRAM, SHORT_LIFE } from './program.ts'
import { until } from './until.ts'

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))

export type Exit = { readonly code: number | null; readonly signal: NodeJS.Signals | null }

/** `mizani run`, or another command that serves, as a process of its own: what it says, its HTTP API, and how it ended. */
export type RunningDaemon = AsyncDisposable & {
  readonly child: ChildProcess
  /** Where its console listens, once it says so; fails with its output when it ends before. */
  readonly url: () => Promise<string>
  readonly output: () => string
  readonly errors: () => string
  readonly exit: Promise<Exit>
  readonly state: (position?: string) => Promise<PositionView>
  readonly get: (path: string) => Promise<{ readonly status: number; readonly body: unknown }>
  readonly post: (
    command: string,
    body?: object,
    token?: string,
    headers?: Readonly<Record<string, string>>,
  ) => Promise<{ readonly status: number; readonly body: unknown }>
  readonly kill: (signal: NodeJS.Signals) => Promise<Exit>
}

export type RunOptions = {
  readonly configs: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  /** Through npm, as the README says it, instead of node itself. */
  readonly npm?: boolean
  /** The program's file, where it is not the sources that run. */
  readonly program?: string
  /** Instead of `run`. */
  readonly command?: readonly string[]
  /** What starts node, such as `ip netns exec NAME`. */
  readonly under?: readonly string[]
}

/** The keys that the test configurations name. */
export const API_KEY = 'mm_test_sandbox'
export const HTTP_TOKEN = 'the-operators-token'

/** Many processes start here: node keeps what it made of the sources instead of making it every time. */
export const TEST_ENV = {
  MIZANI_API_KEY: API_KEY,
  MIZANI_HTTP_TOKEN: HTTP_TOKEN,
  NODE_COMPILE_CACHE: join(tmpdir(), 'mizani-e2e-code'),
} as const

const started = new Set<ChildProcess>()

/** Starts a daemon. One that still runs at the end of the file is ended by `end-daemons.ts`, with the daemons of failed tests. */
export function runDaemon({
  configs,
  env = {},
  npm = false,
  program: file = PROGRAM,
  command = ['run'],
  under = [],
}: RunOptions): RunningDaemon {
  const args = [...command, ...configs.flatMap((file) => ['--config', file])]
  const whole = npm ? ['npx', 'mizani', ...args] : [...under, process.execPath, ...SHORT_LIFE, file, ...args]
  const [program = process.execPath, ...rest] = whole
  const child = spawn(program, rest, {
    cwd: ROOT,
    env: { ...process.env, ...TEST_ENV, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    // A group of its own, so that endDaemons also ends what npm started.
    detached: npm,
  })
  started.add(child)
  let out = ''
  let err = ''
  child.stdout?.setEncoding('utf8').on('data', (text: string) => (out += text))
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (err += text))
  let ended: Exit | null = null
  const exit = new Promise<Exit>((resolve) => {
    child.once('close', (code, signal) => {
      started.delete(child)
      ended = { code, signal }
      resolve(ended)
    })
  })

  async function url(): Promise<string> {
    return until('the daemon listens', () => {
      const found = /"msg":"listening","url":"([^"]+)"/.exec(out)?.[1]
      if (found === undefined && ended !== null)
        throw new Error(`the daemon ended with ${JSON.stringify(ended)}:\n${err}\n${out}`)
      return found
    })
  }

  async function ask(path: string, init: RequestInit): Promise<{ status: number; body: unknown }> {
    const answer = await fetch(`${await url()}${path}`, { ...init, signal: AbortSignal.timeout(10_000) })
    return { status: answer.status, body: parsed(await answer.text()) }
  }

  return {
    child,
    url,
    output: () => out,
    errors: () => err,
    exit,
    get: (path) => ask(path, {}),
    async state(position) {
      const query = position === undefined ? '' : `?position=${position}`
      const { status, body } = await ask(`/api/v1/state${query}`, {})
      if (status !== 200) throw new Error(`the state is answered with ${status}: ${JSON.stringify(body)}`)
      return body as PositionView
    },
    post: (command, body = {}, token = HTTP_TOKEN, headers = {}) =>
      ask(`/api/v1/${command}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
        body: JSON.stringify(body),
      }),
    async kill(signal) {
      child.kill(signal)
      return exit
    },
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL')
      await exit
    },
  }
}

/** Ends what a failed test left behind. */
export async function endDaemons(): Promise<void> {
  await Promise.all(
    [...started].map(async (child) => {
      const gone = new Promise((resolve) => child.once('close', resolve))
      if (child.spawnfile === 'npx') process.kill(-(child.pid ?? 0), 'SIGKILL')
      else child.kill('SIGKILL')
      await gone
    }),
  )
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
