import { Worker } from 'node:worker_threads'
import { z } from 'zod'
import { err, errorText, ok, type Result } from '../../base/result.ts'
import { firstMessage, type NoMessage, workerUrl } from '../../threads/first-message.ts'
import type { Finding } from '../source/problem.ts'
import type { LoadStrategyOptions, StrategyReference, StrategyWithSources } from './load-strategy.ts'

/** What the probe is given and what it says: plain data between threads. */
export type ProbeOrder = {
  readonly wish: StrategyReference
  readonly options: LoadStrategyOptions
  /** Whether `init` and `quote` are called once. */
  readonly asks: boolean
}
export type ProbeAnswer = Result<ProbedStrategy, readonly Finding[]>
/** What is known of a strategy without its code. */
export type ProbedStrategy = {
  readonly params: unknown
  readonly sourceHash: string
  readonly sources: readonly string[]
}

const WORKER = workerUrl(import.meta.url, './probe-worker')

/** A strategy has no use for more, and one that fills memory must not take ours. */
const MAX_HEAP_MB = 128

/**
 * Tries a strategy in a throw-away worker: evaluate, validate, `init`, one `quote` on a neutral context. What
 * throws, hangs or ends the thread is an error value after at most `timeLimitMs`. Parameters are plain
 * data of the configuration file. The strategy that is returned has all but its code: asking it throws.
 */
export async function probeStrategy(
  wish: StrategyReference,
  options: LoadStrategyOptions,
  timeLimitMs: number,
  asks = true,
): Promise<Result<StrategyWithSources, readonly Finding[]>> {
  const order: ProbeOrder = { wish, options, asks }
  const worker = new Worker(WORKER, {
    workerData: order,
    stdout: true,
    stderr: true,
    env: {},
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
  })
  try {
    const first = await firstMessage<ProbeAnswer>(worker, timeLimitMs)
    if (!first.ok) return err([{ path: ['use'], at: 'value', message: problemOf(first.error, timeLimitMs) }])
    const answer = first.value
    return answer.ok ? ok(withoutCode(wish.use, answer.value)) : answer
  } finally {
    await worker.terminate()
  }
}

function withoutCode(use: string, { params, sourceHash, sources }: ProbedStrategy): StrategyWithSources {
  const elsewhere = () => {
    throw new Error(`strategy ${use} runs in a thread of its own and was asked in another one`)
  }
  const definition = { name: use, params: z.unknown(), init: elsewhere, quote: elsewhere }
  return { strategy: { use, definition, params, inner: {}, sourceHash }, sources }
}

function problemOf(silence: NoMessage, timeLimitMs: number): string {
  if (silence.how === 'late')
    return `no answer within ${timeLimitMs} ms; loading it, init and one quote together must take less`
  if (silence.how === 'ended')
    return 'it ended the trial run without an answer; a strategy must not end the process'
  const text = errorText(silence.error)
  return `it broke the trial run: ${text.split('\n')[0] ?? text}; repair the file`
}
