import { type ChildProcess, spawn } from 'node:child_process'
import { readSync, writeSync } from 'node:fs'
import type { Socket } from 'node:net'
import { fileURLToPath } from 'node:url'
import type { Ms } from '../../base/time.ts'
import { StrategyLost } from '../../core/strategy/ask-strategy.ts'
import { workerUrl } from '../../base/threads/first-message.ts'
import { bundleProcess, readSources } from './bundle-strategy.ts'
import { rememberedFile } from './script-cache.ts'
import {
  frameOf,
  type FromStrategy,
  type StrategyOutcome,
  readFrame,
  type StrategyQuestion,
  type StrategyRequest,
  type ToStrategy,
} from './strategy-wire.ts'

/** A process that did not answer: it was killed at the time limit, or it ended unexpectedly. */
export class ProcessEnded extends Error {
  readonly how: 'late' | 'ended'
  constructor(how: 'late' | 'ended') {
    super(how)
    this.how = how
  }
}

/** A strategy needs no more; one that exceeds it ends its process. */
const MAX_HEAP_MB = 128
const ENTRY = fileURLToPath(workerUrl(import.meta.url, './evaluate-worker'))
const IS_CHECKOUT = import.meta.url.endsWith('.ts')
/** The only files that the process may read: its own code. */
const OWN_CODE = fileURLToPath(new URL(IS_CHECKOUT ? '../../../' : './', import.meta.url))
const FLAGS = [
  `--max-old-space-size=${MAX_HEAP_MB}`,
  '--max-semi-space-size=1',
  '--memory-saver-mode',
  '--disable-sigusr1',
  '--permission',
  '--allow-worker',
  `--allow-fs-read=${OWN_CODE}`,
]
/** The number of reads of the pipe without a pause; more would cost more than waiting for the scheduler. */
const EAGER_LOOKS = 3
const LONGEST_PAUSE_MS = 1
const NEVER = new Int32Array(new SharedArrayBuffer(4))

let waits = 0
let noteWait: (isWaiting: boolean) => void = () => undefined

/** Called when this thread begins and stops waiting for a strategy's process. */
export function onStrategyWait(note: (isWaiting: boolean) => void): void {
  noteWait = note
}

let code: Promise<string> | null = null

/** Returns the file that the processes run: in a checkout its sources as one module, which starts in a third of the time. */
export function processCode(): Promise<string> {
  code ??= IS_CHECKOUT ? asOneModule() : Promise.resolve(ENTRY)
  return code
}

async function asOneModule(): Promise<string> {
  const sources = readSources(ENTRY)
  if (!sources.ok) throw new Error(`the sources of a strategy's process cannot be read: ${sources.error}`)
  const origin = { kind: 'process' as const, entry: 'evaluate-worker.ts', sources: sources.value }
  return (await rememberedFile(origin, () => bundleProcess(ENTRY))) ?? ENTRY
}

/**
 * A process that evaluates strategies. Calls are synchronous, like the core: the thread reads the pipe until the
 * answer arrives or the time is up, and then kills the process.
 */
export class StrategyProcess {
  readonly #child: ChildProcess
  /** Resolves once the process is gone. */
  readonly gone: Promise<void>
  hasEnded = false

  /** `file` is that of `processCode`. */
  constructor(file: string) {
    this.#child = spawn(process.execPath, [...FLAGS, file], {
      env: {},
      cwd: OWN_CODE,
      stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
    })
    const { promise, resolve } = Promise.withResolvers<void>()
    this.gone = promise
    this.#child.once('exit', () => resolve()).once('error', () => resolve())
    const end = () => this.end()
    this.#child.on('error', end).on('exit', end).unref()
    this.#pipe?.on('error', end).on('close', end).unref()
  }

  /**
   * Sends a request and waits, answering the strategy's questions meanwhile. Throws ProcessEnded; after any error the process has ended.
   */
  ask(
    request: StrategyRequest,
    withinMs: Ms,
    reply: (question: StrategyQuestion) => unknown,
  ): StrategyOutcome {
    const until = performance.now() + withinMs
    if (waits++ === 0) noteWait(true)
    try {
      for (let message: ToStrategy = { request }; ;) {
        this.#send(message, until)
        const received = this.#receive(until)
        if ('answer' in received) return received.answer
        message = { reply: replyTo(received.question, reply) }
      }
    } catch (thrown) {
      this.end()
      throw thrown
    } finally {
      if (--waits === 0) noteWait(false)
    }
  }

  end(): void {
    if (this.hasEnded) return
    this.hasEnded = true
    // It holds the thread until it is collected, so that `gone` settles.
    this.#child.ref()
    this.#child.kill('SIGKILL')
    this.#pipe?.destroy()
  }

  get #pipe(): Socket | null {
    return (this.#child.stdio[3] ?? null) as Socket | null
  }

  /**
   * The descriptor of the pipe, which is non-blocking. Node has no public name for it. Read at each use, because a
   * closed descriptor may since refer to another file.
   */
  get #descriptor(): number {
    const { _handle: handle } = (this.#pipe ?? {}) as { readonly _handle?: { readonly fd?: number } | null }
    const fd = handle?.fd
    if (this.hasEnded || typeof fd !== 'number' || fd < 0) throw new ProcessEnded('ended')
    return fd
  }

  #send(message: ToStrategy, until: number): void {
    const frame = frameOf(message)
    for (let sent = 0; sent < frame.length;)
      sent += whenReady(until, () => writeSync(this.#descriptor, frame, sent))
  }

  #receive(until: number): FromStrategy {
    const read = (into: Buffer, from: number) =>
      whenReady(until, () => readSync(this.#descriptor, into, from, into.length - from, null))
    return readFrame(read) as FromStrategy
  }
}

/** A question without a value throws inside the strategy, unless a process that it was waiting for was lost. */
function replyTo(
  question: StrategyQuestion,
  reply: (question: StrategyQuestion) => unknown,
): StrategyOutcome {
  try {
    return { value: reply(question) }
  } catch (thrown) {
    if (!(thrown instanceof Error) || thrown instanceof StrategyLost) throw thrown
    return { threw: { name: thrown.name, text: thrown.message } }
  }
}

/** Moves bytes once the pipe is ready, with growing pauses until then. Throws ProcessEnded. */
function whenReady(until: number, move: () => number): number {
  for (let looks = 1; ; looks++) {
    // Checked even if the pipe is always ready: a strategy may request random numbers endlessly.
    if (performance.now() >= until) throw new ProcessEnded('late')
    try {
      const count = move()
      if (count > 0) return count
    } catch (thrown) {
      if ((thrown as NodeJS.ErrnoException).code !== 'EAGAIN') throw new ProcessEnded('ended')
      if (looks > EAGER_LOOKS) Atomics.wait(NEVER, 0, 0, Math.min(LONGEST_PAUSE_MS, looks / 50))
      continue
    }
    throw new ProcessEnded('ended')
  }
}
