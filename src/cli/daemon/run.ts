import { findConflicts, isSameServer, otherGuard } from '../../daemon/config/fleet/conflicts.ts'
import type { LoadedConfig } from '../../daemon/config/load/loaded-config.ts'
import { EXIT_CODE } from '../../base/exit-code.ts'
import { loadOrExplain } from '../load-or-explain.ts'
import { fail } from '../output/print.ts'
import { servePositions } from './serve-positions.ts'

const VOICE = { json: false }

/** The daemon, in the foreground, until a signal ends it. */
export async function run(options: { readonly config: readonly string[] }): Promise<void> {
  const configs: LoadedConfig[] = []
  for (const file of options.config) {
    const config = await loadOrExplain(file, VOICE, { forTrading: true, strategy: 'load-apart' })
    if (config !== null) configs.push(config)
  }
  if (configs.length < options.config.length) return
  const conflict = findConflict(configs)
  if (conflict !== null) return fail(VOICE, EXIT_CODE.usage, conflict)
  await servePositions(configs)
}

/**
 * Returns why these configurations cannot run in one process, in a sentence; null = they can. They share only the HTTP
 * server and the guard.
 */
export function findConflict(configs: readonly LoadedConfig[]): string | null {
  const [conflict] = findConflicts(configs)
  if (conflict !== undefined) return conflict.message
  const [first] = configs
  const other = configs.find((config) => first !== undefined && !isSameServer(config.http, first.http))
  if (other !== undefined)
    return `${other.file}: http differs from ${first?.file ?? ''}; positions of one process share one HTTP server`
  const unlike = configs.find((config) => otherGuard(config, configs) !== null)
  const guard = unlike === undefined ? null : otherGuard(unlike, configs)
  if (guard === null) return null
  return `${unlike?.file ?? ''}: ${guard.key} differs from ${guard.file}; one guard watches all positions of a process, and \`guard: null\` is for those that it shall not watch`
}
