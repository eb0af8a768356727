import { type ChildProcess, spawn } from 'node:child_process'
import { readSync, writeSync } from 'node:fs'
import type { Socket } from 'node:net'
import { fileURLToPath } from 'node:url'
import { workerUrl } from '../threads/first-message.ts'
import type { Ms } from '../base/time.ts'
import { StrategyLost } from '../strategy/ask-strategy.ts'
import {
  FrameReader,
  frameOf,
  type FromStrategy,
  type Outcome,
  type StrategyQuestion,
  type StrategyRequest,
  type ToStrategy,
} from './strategy-wire.ts'

/** Why a process gave no answer: it took too long and was ended, or it ended by itself. */
export class ProcessEnded extends Error {
  override readonly name = 'ProcessEnded'
  readonly how: 'late' | 'ended'
  constructor(how: 'late' | 'ended') {
    super(how === 'late' ? 'no answer in time' : 'it ended without an answer')
    this.how = how
  }
}

export type AnswerQuestion = (question: StrategyQuestion) => unknown

/** A strategy has no use for more, and one that fills memory ends its process. */
const MAX_HEAP_MB = 128
const ENTRY = fileURLToPath(workerUrl(import.meta.url, './evaluate-worker'))
/** What the process may read of the disk: its own code. */
const OWN_CODE = fileURLToPath(new URL(import.meta.url.endsWith('.ts') ? '../../' : './', import.meta.url))
const FLAGS = [
  `--max-old-space-size=${MAX_HEAP_MB}`,
  '--max-semi-space-size=1',
  '--disable-sigusr1',
  '--permission',
  '--allow-worker',
  `--allow-fs-read=${OWN_CODE}`,
]
/** Looks at the pipe that cost no pause; after them a look costs less than the wait for the next turn of the scheduler. */
const EAGER_LOOKS = 3
const LONGEST_PAUSE_MS = 1

const NEVER = new Int32Array(new SharedArrayBuffer(4))
const chunk = Buffer.allocUnsafe(65_536)

let waits = 0
let noteWait: (isWaiting: boolean) => void = () => undefined

/** Called when this thread begins to wait for a strategy's process, and when it no longer does. */
export function onStrategyWait(note: (isWaiting: boolean) => void): void {
  noteWait = note
}

/**
 * One process that evaluates strategies. Calls are synchronous, as the core is: the thread reads the pipe until the answer is
 * there or the time is up, and then ends the process, whatever that is doing. Only the evaluation of a file is waited for
 * asynchronously.
 */
export class StrategyProcess {
  readonly #child: ChildProcess
  readonly #reader = new FrameReader()
  /** Answers to requests that no synchronous call waits for. */
  readonly #waiting = new Map<number, (answer: Outcome | ProcessEnded) => void>()
  #lastId = 0
  #hasEnded = false

  constructor() {
    this.#child = spawn(process.execPath, [...FLAGS, ENTRY], {
      env: {},
      cwd: OWN_CODE,
      stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
    })
    this.#child.on('error', () => void this.#lost('ended'))
    this.#child.on('exit', () => void this.#lost('ended'))
    this.#child.unref()
    const pipe = this.#pipe
    // While this thread does not wait, libuv reads the pipe.
    pipe?.on('data', (bytes: Buffer) => this.#take(bytes))
    pipe?.on('error', () => void this.#lost('ended'))
    pipe?.on('close', () => void this.#lost('ended'))
    pipe?.unref()
  }

  get hasEnded(): boolean {
    return this.#hasEnded
  }

  /** Whether an answer is still to come that no synchronous call waits for. */
  get isBusy(): boolean {
    return this.#waiting.size > 0
  }

  /** Asks and waits without holding this thread. Rejects with ProcessEnded. */
  async askLater(request: StrategyRequest, withinMs: Ms): Promise<Outcome> {
    const id = ++this.#lastId
    const answered = new Promise<Outcome>((resolve, reject) => {
      const timer = setTimeout(() => void this.#lost('late'), withinMs)
      this.#waiting.set(id, (answer) => {
        clearTimeout(timer)
        if (answer instanceof ProcessEnded) reject(answer)
        else resolve(answer)
      })
    })
    try {
      this.#send({ id, request }, performance.now() + withinMs)
    } catch {
      this.#lost('ended')
    }
    return answered
  }

  /** Asks and waits here, answering what the strategy asks meanwhile. Throws ProcessEnded. */
  ask(request: StrategyRequest, withinMs: Ms, answer: AnswerQuestion): Outcome {
    const id = ++this.#lastId
    const until = performance.now() + withinMs
    if (waits++ === 0) noteWait(true)
    try {
      this.#send({ id, request }, until)
      for (;;) {
        const message = this.#receive(until)
        if ('question' in message) this.#send({ reply: this.#replyTo(message.question, answer) }, until)
        else if (message.id === id) return message.answer
        else this.#settle(message.id, message.answer)
      }
    } finally {
      if (--waits === 0) noteWait(false)
    }
  }

  /** Ends the process with SIGKILL; open questions reject. */
  end(): void {
    this.#lost('ended')
  }

  /** A wrapped strategy whose process is lost takes this one along: it is in the middle of a call. */
  #replyTo(question: StrategyQuestion, answer: AnswerQuestion): Outcome {
    try {
      return { value: answer(question) }
    } catch (thrown) {
      if (!(thrown instanceof Error)) throw thrown
      if (thrown instanceof StrategyLost) {
        this.end()
        throw thrown
      }
      return { threw: { name: thrown.name, text: thrown.message } }
    }
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
    if (this.#hasEnded || typeof fd !== 'number' || fd < 0) throw new ProcessEnded('ended')
    return fd
  }

  #send(message: ToStrategy, until: number): void {
    const frame = frameOf(message)
    let sent = 0
    this.#attempt(until, () => {
      sent += writeSync(this.#descriptor, frame, sent)
      return sent === frame.length ? true : null
    })
  }

  #receive(until: number): FromStrategy {
    return this.#attempt(until, () => {
      const known = this.#next()
      if (known !== null) return known
      const count = readSync(this.#descriptor, chunk, 0, chunk.length, null)
      if (count === 0) throw new ProcessEnded('ended')
      this.#reader.add(chunk.subarray(0, count))
      return this.#next()
    })
  }

  /** Tries until there is a value, with growing pauses while the pipe is not ready. */
  #attempt<Value>(until: number, work: () => Value | null): Value {
    for (let looks = 0; ;) {
      // Also while the pipe is ready each time: a strategy may ask for random numbers without an end.
      if (performance.now() >= until) throw this.#lost('late')
      try {
        const value = work()
        if (value !== null) return value
        continue
      } catch (thrown) {
        if ((thrown as NodeJS.ErrnoException).code !== 'EAGAIN') throw this.#lost('ended')
      }
      looks += 1
      if (looks > EAGER_LOOKS) Atomics.wait(NEVER, 0, 0, Math.min(LONGEST_PAUSE_MS, looks / 50))
    }
  }

  #next(): FromStrategy | null {
    return this.#reader.next() as FromStrategy | null
  }

  #take(bytes: Buffer): void {
    try {
      this.#reader.add(bytes)
      for (let message = this.#next(); message !== null; message = this.#next())
        if ('answer' in message) this.#settle(message.id, message.answer)
    } catch {
      this.#lost('ended')
    }
  }

  #settle(id: number, answer: Outcome): void {
    const settle = this.#waiting.get(id)
    this.#waiting.delete(id)
    settle?.(answer)
  }

  #lost(how: ProcessEnded['how']): ProcessEnded {
    const ended = new ProcessEnded(how)
    if (this.#hasEnded) return ended
    this.#hasEnded = true
    this.#child.kill('SIGKILL')
    this.#pipe?.destroy()
    for (const settle of this.#waiting.values()) settle(ended)
    this.#waiting.clear()
    return ended
  }
}
