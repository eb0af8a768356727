import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { formatProblem } from '../../src/daemon/config/source/problem.ts'
import { loadConfig } from '../../src/daemon/config/load/load-config.ts'
import type { LoadedConfig } from '../../src/daemon/config/load/loaded-config.ts'

/** A configuration that a deployment runs, and the secrets that it names. */
export type DeployedConfig = {
  readonly loaded: LoadedConfig
  /** Paths behind `!file`. */
  readonly secretFiles: readonly string[]
  /** Names behind `!env`. */
  readonly variables: readonly string[]
}

const root = fileURLToPath(new URL('../../', import.meta.url))

/** `file` is relative to the repository. Throws with every problem that the daemon would tell. */
export async function deployedConfig(file: string): Promise<DeployedConfig> {
  const path = join(root, file)
  const options = { strategiesFolder: join(root, 'strategies'), offline: true }
  const loaded = await loadConfig(path, {}, options)
  if (!loaded.ok) throw new Error(loaded.error.map((problem) => formatProblem(problem)).join('\n'))
  const text = readFileSync(path, 'utf8').replaceAll(/^\s*#.*$/gm, '')
  const behind = (tag: string) =>
    [...text.matchAll(new RegExp(`!${tag} ([^\\s,}]+)`, 'g'))].map(([, where = '']) => where)
  return { loaded: loaded.value, secretFiles: behind('file'), variables: behind('env') }
}
