import { loadConfig, type LoadConfigOptions } from '../config/load-config.ts'
import type { LoadedConfig } from '../config/loaded-config.ts'
import { formatProblem } from '../config/format-problem.ts'
import { strategiesFolder } from '../runtime/strategies-folder.ts'
import { EXIT_CODE } from './exit-code.ts'
import { fail, type Voice } from './say.ts'

/** A validated configuration, or null after every problem was printed with its place and exit code 2 set. */
export async function loadOrExplain(
  file: string,
  voice: Voice,
  options: Pick<LoadConfigOptions, 'offline' | 'changes' | 'forTrading'> = {},
): Promise<LoadedConfig | null> {
  const loaded = await loadConfig(file, process.env, { strategiesFolder: strategiesFolder(), ...options })
  if (loaded.ok) return loaded.value
  fail(voice, EXIT_CODE.usage, loaded.error.map(formatProblem).join('\n'), { problems: loaded.error })
  return null
}
