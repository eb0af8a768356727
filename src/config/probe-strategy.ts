import { Worker } from 'node:worker_threads'
import { err, ok, type Result } from '../base/result.ts'
import type { DescribedIssue } from './describe-issues.ts'
import type { LoadStrategyOptions, StrategyWish } from './load-strategy.ts'

/** What the probe is given and what it says: plain data between threads. */
export type ProbeOrder = { readonly wish: StrategyWish; readonly options: LoadStrategyOptions }
export type ProbeAnswer = Result<null, readonly DescribedIssue[]>

/** Source in a checkout; in a build the worker lies as a file of its own beside the bundle. */
const WORKER_URL = import.meta.url.endsWith('.ts')
  ? new URL('./probe-worker.ts', import.meta.url)
  : new URL('./probe-worker.js', import.meta.url)

/** A strategy has no use for more, and one that fills memory must not take ours. */
const MAX_HEAP_MB = 128

/**
 * Tries a strategy in a throw-away worker: import, validate, `init`, one `quote` on a neutral context. What
 * throws, hangs or ends the thread is an error value after at most `timeLimitMs`. Parameters are plain
 * data of the configuration file.
 */
export async function probeStrategy(
  wish: StrategyWish,
  options: LoadStrategyOptions,
  timeLimitMs: number,
): Promise<ProbeAnswer> {
  const order: ProbeOrder = { wish, options }
  const worker = new Worker(WORKER_URL, {
    workerData: order,
    stdout: true,
    stderr: true,
    env: {},
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
  })
  try {
    return await answerOf(worker, timeLimitMs)
  } finally {
    await worker.terminate()
  }
}

function answerOf(worker: Worker, timeLimitMs: number): Promise<ProbeAnswer> {
  return new Promise((settle) => {
    const fail = (message: string) => settle(err([{ path: ['use'], at: 'value', message }]))
    const timer = setTimeout(() => {
      fail(`no answer within ${timeLimitMs} ms; loading it, init and one quote together must take less`)
    }, timeLimitMs)
    worker.once('message', (answer: ProbeAnswer) => settle(answer.ok ? ok(null) : answer))
    worker.once('error', (thrown: unknown) => {
      const text = thrown instanceof Error ? thrown.message : String(thrown)
      fail(`it broke the trial run: ${text.split('\n')[0] ?? text}; repair the file`)
    })
    worker.once('exit', () => {
      clearTimeout(timer)
      fail('it ended the trial run without an answer; a strategy must not end the process')
    })
  })
}
