import { loadConfig, type LoadConfigOptions } from '../config/load/load-config.ts'
import type { LoadedConfig } from '../config/load/loaded-config.ts'
import { formatProblem } from '../config/source/problem.ts'
import { strategiesFolder } from '../runtime/position/strategy-registry.ts'
import { EXIT_CODE } from './exit-code.ts'
import { fail, type OutputFormat } from './output/print.ts'

/** Most of it is the start of a thread, which a busy machine draws out. */
export const TRIAL_MS = 20_000

/**
 * A validated configuration, or null after every problem was printed with its place and exit code 2 set.
 * `apart` is for commands that never ask the strategy: it is loaded, or asked once as well, in a thread of its own. `tried`
 * asks it once in such a thread before it is loaded here.
 */
export async function loadOrExplain(
  file: string,
  voice: OutputFormat,
  {
    apart,
    tried = false,
    ...options
  }: Pick<LoadConfigOptions, 'offline' | 'changes' | 'forTrading' | 'skipStrategy'> & {
    readonly apart?: 'ask' | 'load'
    readonly tried?: boolean
  } = {},
): Promise<LoadedConfig | null> {
  const loaded = await loadConfig(file, process.env, {
    strategiesFolder: strategiesFolder(),
    ...options,
    ...(apart === undefined ? {} : { probe: { timeLimitMs: TRIAL_MS, only: apart } }),
    ...(tried ? { probe: { timeLimitMs: TRIAL_MS } } : {}),
  })
  if (loaded.ok) return loaded.value
  fail(voice, EXIT_CODE.usage, loaded.error.map(formatProblem).join('\n'), { problems: loaded.error })
  return null
}
