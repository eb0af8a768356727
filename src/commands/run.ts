import type { LoadedConfig } from '../config/loaded-config.ts'
import { clashOf } from './clash-of.ts'
import { EXIT_CODE } from './exit-code.ts'
import { loadOrExplain } from './load-or-explain.ts'
import { fail } from './say.ts'
import { servePositions } from './serve-positions.ts'

const VOICE = { json: false }

/** The daemon, in the foreground, until a signal ends it. */
export async function run(options: { readonly config: readonly string[] }): Promise<void> {
  const configs: LoadedConfig[] = []
  for (const file of options.config) {
    const config = await loadOrExplain(file, VOICE, { forTrading: true, apart: 'load' })
    if (config !== null) configs.push(config)
  }
  if (configs.length < options.config.length) return
  const clash = clashOf(configs)
  if (clash !== null) return fail(VOICE, EXIT_CODE.usage, clash)
  await servePositions(configs)
}
