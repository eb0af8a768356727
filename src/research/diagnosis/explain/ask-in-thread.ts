import { dirname, resolve } from 'node:path'
import { Worker } from 'node:worker_threads'
import { err, errorText, type Result } from '../../../base/result.ts'
import type { Ms } from '../../../base/time.ts'
import type { LoadedConfig } from '../../../daemon/config/load/loaded-config.ts'
import type { LoadStrategyOptions, StrategyReference } from '../../../daemon/config/strategy/load-strategy.ts'
import type { Calibration } from '../../../core/models/calibration.ts'
import { strategiesFolder } from '../../../daemon/runtime/position/strategy-registry.ts'
import type { StrategyQuote } from '../../../core/strategy/define-strategy.ts'
import { endThread } from '../../../base/threads/end-thread.ts'
import { bareEnv, firstMessage, workerUrl } from '../../../base/threads/first-message.ts'
import type { Situation } from './situation.ts'

/** Plain data for the thread. */
export type AskOrder = {
  readonly wish: StrategyReference
  readonly where: LoadStrategyOptions
  readonly learned: Calibration | null
  readonly situations: readonly Situation[]
}

const WORKER = workerUrl(import.meta.url, './ask-worker')
/** Loading it and calling it a few hundred times takes a tenth of a second. */
const TIME_LIMIT_MS: Ms = 20_000

/**
 * Returns the strategy's target in each situation, loaded and called in a thread that is discarded. The error describes the
 * failure of the strategy: it cannot be loaded, throws, returns no quote, or takes too long.
 */
export async function askInThread(
  { file, core, allowedCode }: LoadedConfig,
  situations: readonly Situation[],
): Promise<Result<readonly StrategyQuote[], string>> {
  const { use, params } = core.strategy
  const where = { folder: strategiesFolder(), baseFolder: dirname(resolve(file)), allow: allowedCode }
  const learned = core.calibration?.learned ?? null
  const order: AskOrder = { wish: { use, params }, where, learned, situations }
  const worker = new Worker(WORKER, {
    workerData: order,
    stdout: true,
    stderr: true,
    env: bareEnv(),
    execArgv: [],
  })
  try {
    const first = await firstMessage<Result<readonly StrategyQuote[], string>>(worker, TIME_LIMIT_MS)
    if (first.ok) return first.value
    const { error: silence } = first
    if (silence.how === 'late')
      return err(`the strategy gave no answer within ${TIME_LIMIT_MS / 1_000} s; does it loop?`)
    if (silence.how === 'ended') return err('the strategy ended its thread without an answer')
    return err(`the strategy broke its thread: ${errorText(silence.error)}`)
  } finally {
    await endThread(worker)
  }
}
