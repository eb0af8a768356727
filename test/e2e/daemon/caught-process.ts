import { vi } from 'vitest'
import { runProgram } from '../../../src/cli/program.ts'
import { PROGRAM } from './program.ts'
import { TEST_ENV } from './running-daemon.ts'

/** A command line within this process, with what it wrote and how it ended. */
export type CaughtProcess = {
  readonly out: () => string
  readonly err: () => string
  /** Reaches what the command listens for, and no one else in this process. */
  readonly signal: (name: NodeJS.Signals) => void
  /** The exit code; rejects with what the command threw. */
  readonly ended: Promise<number>
}

class Exited extends Error {
  readonly code: number
  constructor(code: number) {
    super(`exit ${code}`)
    this.code = code
  }
}

/** What the first strategy that is loaded takes from its thread, and clients of the test go on to need. */
const WEB = { Headers, Request, Response }
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/**
 * Runs a command line of mizani as main.ts does, but in the process of the test, which measures what it covers. Streams,
 * exit, arguments and environment are the command's own until it ends, so one runs at a time.
 */
export function catchProcess(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): CaughtProcess {
  const [out, err] = [caughtStream(process.stdout), caughtStream(process.stderr)]
  const restoreEnvironment = setEnvironment({ ...TEST_ENV, ...env })
  const { argv } = process
  const known = SIGNALS.map((name) => process.listeners(name))
  const own = () =>
    SIGNALS.map((name, index) =>
      process.listeners(name).filter((one) => known[index]?.includes(one) !== true),
    )
  let leave: (code: number) => void = () => undefined
  const left = new Promise<number>((resolve) => (leave = resolve))
  process.argv = [process.execPath, PROGRAM, ...args]
  process.exitCode = 0
  const exit = vi.spyOn(process, 'exit').mockImplementation((code) => {
    const exited = new Exited(Number(code ?? process.exitCode ?? 0))
    leave(exited.code)
    throw exited
  })
  const ended = Promise.race([left, codeOf(runProgram(process.argv))]).finally(() => {
    for (const [index, name] of SIGNALS.entries())
      for (const listener of own()[index] ?? []) process.off(name, listener)
    exit.mockRestore()
    process.argv = argv
    process.exitCode = 0
    Object.assign(globalThis, WEB)
    restoreEnvironment()
    out.restore()
    err.restore()
  })
  return {
    out: out.text,
    err: err.text,
    signal(name) {
      for (const listener of own()[SIGNALS.indexOf(name as (typeof SIGNALS)[number])] ?? []) {
        try {
          listener(name)
        } catch (thrown) {
          if (!(thrown instanceof Exited)) throw thrown
        }
      }
    },
    ended,
  }
}

async function codeOf(work: Promise<unknown>): Promise<number> {
  try {
    await work
    return Number(process.exitCode ?? 0)
  } catch (thrown) {
    if (thrown instanceof Exited) return thrown.code
    throw thrown
  }
}

/** What is written to the stream, which itself shows nothing of it. */
function caughtStream(stream: NodeJS.WriteStream) {
  const listeners = stream.listeners('error')
  let text = ''
  const write = vi.spyOn(stream, 'write').mockImplementation((chunk, ...rest: unknown[]) => {
    text += typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString('utf8')
    const done = rest.find((one) => typeof one === 'function')
    if (done !== undefined) queueMicrotask(() => done())
    return true
  })
  return {
    text: () => text,
    restore() {
      write.mockRestore()
      for (const listener of stream.listeners('error'))
        if (!listeners.includes(listener)) stream.off('error', listener as () => void)
    },
  }
}

/** Sets variables of the environment; what it gives sets them as they were. */
export function setEnvironment(env: Readonly<Record<string, string>>): () => void {
  const before = Object.keys(env).map((name) => [name, process.env[name]] as const)
  Object.assign(process.env, env)
  return () => {
    for (const [name, value] of before) {
      if (value === undefined) delete process.env[name]
      else process.env[name] = value
    }
  }
}
