import { Worker } from 'node:worker_threads'
import { stackText } from '../../../base/result.ts'
import type { Ms } from '../../../base/time.ts'
import { createCalls } from '../../../base/threads/calls.ts'
import { endThread } from '../../../base/threads/end-thread.ts'
import { workerUrl } from '../../../base/threads/first-message.ts'
import { type InsideEvent, watchHeartbeat } from '../position/hang-watch.ts'
import type {
  PositionAnswers,
  PositionCall,
  PositionInit,
  PositionMessage,
  PositionMethod,
  ThreadAnswers,
  ThreadCall,
  ToWorker,
  WorkerAnswer,
  WorkerCall,
  WorkerInit,
  WorkerMessage,
} from '../worker/messages.ts'

/** Why a worker ended: one event took too long, or the thread died. */
export type WorkerEnd =
  /** `stuck`: the thread cannot even be terminated, and holds its stores until the process ends. */
  | { readonly how: 'hung' | 'stuck'; readonly inside: InsideEvent }
  /** `inside`: the event in progress when it died, which need not be the cause. */
  | { readonly how: 'died'; readonly why: string; readonly inside: InsideEvent | null }

/** A thread that runs positions, each identified by a slot. */
export type WorkerThread = {
  readonly start: (slot: number, init: PositionInit) => void
  readonly drop: (slot: number) => void
  /** Resolves with null if the position does not answer in time. */
  readonly ask: (
    slot: number,
    call: PositionCall,
    withinMs: Ms,
  ) => Promise<PositionAnswers[PositionMethod] | null>
  /** The combined answer of all positions; null = not in time. */
  readonly askAll: <Method extends ThreadCall['method']>(
    method: Method,
    withinMs: Ms,
  ) => Promise<ThreadAnswers[Method] | null>
  /** Terminates the thread immediately; `onEnd` is not called. */
  readonly end: () => Promise<unknown>
}

export type WorkerThreadParts = {
  readonly version: string
  readonly withChain: boolean
  readonly onMessage: (slot: number, message: PositionMessage) => void
  /** A timer of the thread threw; the thread continues. */
  readonly onFault: (text: string) => void
  /** Called once, when the thread is gone and its files are free. */
  readonly onEnd: (end: WorkerEnd) => void
}

/** A strategy that blocks a core for this long counts as hung. */
export const STRATEGY_TIMEOUT_MS: Ms = 1_000

const WORKER = workerUrl(import.meta.url, '../worker/trading-worker')
/**
 * A small nursery: the core makes little garbage, and memory is counted per worker. The heap limit ensures that a strategy which
 * fills the heap ends its worker before it exhausts the machine.
 *
 * The limit also determines how much garbage V8 keeps: a heap with a limit of 2 GiB or more is collected when it reaches four times
 * its size after the last collection, one with this limit at less than twice. Data that positions replace every few seconds outlives
 * the nursery.
 */
export const WORKER_LIMITS = { maxYoungGenerationSizeMb: 6, maxOldGenerationSizeMb: 1_536 }

export function startWorkerThread(parts: WorkerThreadParts): WorkerThread {
  const { version, withChain, onMessage, onFault, onEnd } = parts
  const calls = createCalls<WorkerCall, WorkerAnswer>()
  const watch = watchHeartbeat({
    hangMs: STRATEGY_TIMEOUT_MS,
    onHang: (inside) => void endHung(inside),
  })
  const workerData: WorkerInit = { version, heartbeat: watch.buffer, withChain }
  const worker = new Worker(WORKER, { workerData, resourceLimits: WORKER_LIMITS })
  let isOver = false
  let why = 'it ended on its own'
  worker.on('message', (message: WorkerMessage) => {
    if (message.type === 'answer') calls.answered(message)
    else if (message.type === 'fault') onFault(message.text)
    else if (!isOver) onMessage(message.slot, message.message)
  })
  worker.on('error', (error) => (why = stackText(error)))
  worker.on('exit', () => {
    if (leave()) onEnd({ how: 'died', why, inside: watch.inside() })
  })

  /** Marks the thread as over; returns false if it already was. */
  function leave(): boolean {
    if (isOver) return false
    isOver = true
    watch.close()
    calls.abandon(null)
    return true
  }

  async function endHung(inside: InsideEvent): Promise<void> {
    if (!leave()) return
    const hasEnded = await endThread(worker)
    onEnd({ how: hasEnded ? 'hung' : 'stuck', inside })
  }

  const post = (message: ToWorker) => worker.postMessage(message)
  const ask = async (call: WorkerCall, withinMs: Ms): Promise<WorkerAnswer> =>
    isOver ? null : calls.ask(worker, call, { withinMs, onLate: () => null })
  return {
    start: (slot, init) => post({ type: 'start', slot, init }),
    drop: (slot) => post({ type: 'drop', slot }),
    // The worker answers each method in its own shape.
    ask: (slot, call, withinMs) => ask({ slot, call }, withinMs) as ReturnType<WorkerThread['ask']>,
    askAll: <Method extends ThreadCall['method']>(method: Method, withinMs: Ms) =>
      ask({ slot: null, call: { method } }, withinMs) as Promise<ThreadAnswers[Method] | null>,
    async end() {
      leave()
      await endThread(worker)
    },
  }
}
