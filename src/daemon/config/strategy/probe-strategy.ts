import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { z } from 'zod'
import { SECOND_MS, type Ms } from '../../../base/time.ts'
import { LOADING_TIMEOUT_MS } from '../../confinement/evaluate-apart.ts'
import { err, errorText, ok, type Result } from '../../../base/result.ts'
import { endThread } from '../../../base/threads/end-thread.ts'
import { bareEnv, firstMessage, type NoMessage, workerUrl } from '../../../base/threads/first-message.ts'
import type { Finding } from '../source/problem.ts'
import type { LoadStrategyOptions, StrategyReference, StrategyWithSources } from './load-strategy.ts'

/** Request and answer of the probe: plain data between threads. */
export type ProbeOrder = {
  readonly wish: StrategyReference
  readonly options: LoadStrategyOptions
  /** Whether `init` and `quote` are called once. */
  readonly asks: boolean
}
export type ProbeAnswer = Result<ProbedStrategy, readonly Finding[]>
/** The data of a strategy without its code. */
type ProbedStrategy = {
  readonly params: unknown
  readonly sourceHash: string
  readonly sources: readonly string[]
  readonly quotesNothing?: string
}

const WORKER = workerUrl(import.meta.url, './probe-worker')

/** The time limit of a command's trial. Most of it is the start of a thread, which is slow on a busy machine. */
export const TRIAL_MS: Ms = 20_000
/** Extra time in which the thread reports a process that it had to kill. */
const MARGIN_MS: Ms = SECOND_MS
/** A strategy needs no more, and one that fills memory must not exhaust ours. */
const MAX_HEAP_MB = 128

export type StrategyProber = {
  /** Runs after the strategies queued before. Never rejects. */
  readonly probe: (
    wish: StrategyReference,
    options: LoadStrategyOptions,
    asks: boolean,
  ) => Promise<Result<StrategyWithSources, readonly Finding[]>>
  /** Ends the thread once every request was answered. */
  readonly close: () => Promise<void>
}

/**
 * Tries a strategy in a disposable worker: evaluates and validates it, then calls `init` and one `quote` on a neutral context. A strategy
 * that throws, hangs or ends the thread yields an error within `timeLimitMs`. Parameters are plain data of the configuration file. The
 * returned strategy has no code: asking it throws.
 */
export async function probeStrategy(
  wish: StrategyReference,
  options: LoadStrategyOptions,
  timeLimitMs: number,
  asks = true,
): Promise<Result<StrategyWithSources, readonly Finding[]>> {
  const prober = createStrategyProber(timeLimitMs)
  try {
    return await prober.probe(wish, options, asks)
  } finally {
    await prober.close()
  }
}

/**
 * Tries many strategies one by one in a disposable worker, because hundreds of positions mostly run the same code. A strategy that throws,
 * hangs or ends the thread fails alone; the next one gets a new thread.
 */
export function createStrategyProber(timeLimitMs: number): StrategyProber {
  let worker: Worker | null = null
  let turn: Promise<unknown> = Promise.resolve()

  async function ask(order: ProbeOrder): Promise<Result<StrategyWithSources, readonly Finding[]>> {
    const asked = (worker ??= startProbe())
    const first = await answerOf(asked, order, timeLimitMs + MARGIN_MS, () => (worker = null))
    if (first.ok) return first.value.ok ? ok(withoutCode(order.wish.use, first.value.value)) : first.value
    worker = null
    await endThread(asked)
    return err([{ path: ['use'], at: 'value', message: problemOf(first.error, timeLimitMs) }])
  }

  return {
    probe(wish, options, asks) {
      const apartWithinMs = Math.min(timeLimitMs, LOADING_TIMEOUT_MS)
      const answer = turn.then(() => ask({ wish, options: { ...options, apartWithinMs }, asks }))
      turn = answer
      return answer
    },
    async close() {
      await turn
      if (worker === null) return
      const last = worker
      const ending = once(last, 'exit', { signal: AbortSignal.timeout(MARGIN_MS) })
      last.postMessage('end')
      await ending.catch(() => undefined)
      await endThread(last)
    },
  }
}

function startProbe(): Worker {
  return new Worker(WORKER, {
    stdout: true,
    stderr: true,
    env: bareEnv(),
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
  })
}

/** `onExit`: the thread may also end between two requests because of leftovers of a strategy. */
function answerOf(
  worker: Worker,
  order: ProbeOrder,
  timeLimitMs: number,
  onExit: () => void,
): Promise<Result<ProbeAnswer, NoMessage>> {
  // Remove the listeners of the previous request.
  for (const event of ['message', 'error', 'exit']) worker.removeAllListeners(event)
  worker.once('exit', onExit)
  const answer = firstMessage<ProbeAnswer>(worker, timeLimitMs)
  worker.postMessage(order)
  return answer
}

/** Returns a strategy without its code; asking it throws. */
export function withoutCode(use: string, { sources, ...known }: ProbedStrategy): StrategyWithSources {
  const elsewhere = () => {
    throw new Error(`strategy ${use} runs in a separate thread and was called in another one`)
  }
  const definition = { name: use, params: z.unknown(), init: elsewhere, quote: elsewhere }
  return { strategy: { use, definition, inner: {}, ...known }, sources }
}

function problemOf(silence: NoMessage, timeLimitMs: number): string {
  if (silence.how === 'late')
    return `no answer within ${timeLimitMs} ms; loading it, init and one quote together must take less`
  if (silence.how === 'ended')
    return 'it ended the trial run without an answer; a strategy must not end the process'
  const text = errorText(silence.error)
  return `it broke the trial run: ${text.split('\n')[0] ?? text}; repair the file`
}
