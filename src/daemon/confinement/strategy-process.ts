import { type ChildProcess, spawn } from 'node:child_process'
import { readSync, writeSync } from 'node:fs'
import type { Socket } from 'node:net'
import { fileURLToPath } from 'node:url'
import type { Ms } from '../../base/time.ts'
import { StrategyLost } from '../../core/strategy/ask-strategy.ts'
import { workerUrl } from '../../base/threads/first-message.ts'
import {
  frameOf,
  type FromStrategy,
  type StrategyOutcome,
  readFrame,
  type StrategyQuestion,
  type StrategyRequest,
  type ToStrategy,
} from './strategy-wire.ts'

/** Why a process gave no answer: it took too long and was ended, or it ended by itself. */
export class ProcessEnded extends Error {
  readonly how: 'late' | 'ended'
  constructor(how: 'late' | 'ended') {
    super(how)
    this.how = how
  }
}

/** A strategy has no use for more, and one that fills memory ends its process. */
const MAX_HEAP_MB = 128
const ENTRY = fileURLToPath(workerUrl(import.meta.url, './evaluate-worker'))
/** What the process may read of the disk: its own code. */
const OWN_CODE = fileURLToPath(new URL(import.meta.url.endsWith('.ts') ? '../../../' : './', import.meta.url))
const FLAGS = [
  `--max-old-space-size=${MAX_HEAP_MB}`,
  '--max-semi-space-size=1',
  '--memory-saver-mode',
  '--disable-sigusr1',
  '--permission',
  '--allow-worker',
  `--allow-fs-read=${OWN_CODE}`,
]
/** Looks at the pipe without a pause between them; later ones cost more than the wait for the next turn of the scheduler. */
const EAGER_LOOKS = 3
const LONGEST_PAUSE_MS = 1
const NEVER = new Int32Array(new SharedArrayBuffer(4))

let waits = 0
let noteWait: (isWaiting: boolean) => void = () => undefined

/** Called when this thread begins to wait for a strategy's process, and when it no longer does. */
export function onStrategyWait(note: (isWaiting: boolean) => void): void {
  noteWait = note
}

/**
 * One process that evaluates strategies. Calls are synchronous, as the core is: the thread reads the pipe until the answer is
 * there or the time is up, and then ends the process, whatever that is doing.
 */
export class StrategyProcess {
  readonly #child: ChildProcess
  hasEnded = false

  constructor() {
    this.#child = spawn(process.execPath, [...FLAGS, ENTRY], {
      env: {},
      cwd: OWN_CODE,
      stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
    })
    const end = () => this.end()
    this.#child.on('error', end).on('exit', end).unref()
    this.#pipe?.on('error', end).on('close', end).unref()
  }

  /** Asks and waits, answering what the strategy asks meanwhile. Throws ProcessEnded; whatever it throws, the process has ended. */
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
    this.#child.kill('SIGKILL')
    this.#pipe?.destroy()
  }

  get #pipe(): Socket | null {
    return (this.#child.stdio[3] ?? null) as Socket | null
  }

  /**
   * The descriptor of the pipe, which is non-blocking. Node has no public name for it. Asked for at each use, because a closed
   * one may be another file by then.
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

/** What a strategy asks for and gets no value for is thrown at it, unless a process that it waits for was lost. */
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

/** Moves bytes as soon as the pipe is ready, with growing pauses until then. Throws ProcessEnded. */
function whenReady(until: number, move: () => number): number {
  for (let looks = 1; ; looks++) {
    // Also while the pipe is ready each time: a strategy may ask for random numbers without an end.
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
