import type { LoadedConfig } from '../../../src/daemon/config/load/loaded-config.ts'
import { formatProblem } from '../../../src/daemon/config/source/problem.ts'
import { loadConfig } from '../../../src/daemon/config/load/load-config.ts'
import { strategiesFolder } from '../../../src/daemon/runtime/position/strategy-registry.ts'
import type { ConfigPatch } from '../daemon/position-folder.ts'
import { API_KEY, HTTP_TOKEN } from '../daemon/running-daemon.ts'
import type { CustodyMarket } from './custody-market.ts'

/** The market's configuration with these changes, loaded here as a command does. Throws what is wrong with it. */
export async function custodyConfig(market: CustodyMarket, patch: ConfigPatch = {}): Promise<LoadedConfig> {
  const env = { ...market.env, MIZANI_API_KEY: API_KEY, MIZANI_HTTP_TOKEN: HTTP_TOKEN }
  const loaded = await loadConfig(market.configure(patch), env, { strategiesFolder: strategiesFolder() })
  if (!loaded.ok) throw new Error(loaded.error.map(formatProblem).join('\n'))
  return loaded.value
}
