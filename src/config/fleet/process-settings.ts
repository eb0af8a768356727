import { ok, err, type Result } from '../../base/result.ts'
import type { FleetDefaults } from '../load/fleet-defaults.ts'
import { readHttp } from '../load/http.ts'
import type { LoadedConfig } from '../load/loaded-config.ts'
import { configSchema } from '../schema/schema.ts'
import { placeProblem } from '../source/merge-data.ts'
import type { ConfigProblem } from '../source/problem.ts'
import type { Env } from '../source/secret.ts'

/** What the positions of one process share: the server, the log, and where they were set. */
export type ProcessSettings = Pick<LoadedConfig, 'http' | 'log'> & {
  /** The file that they come from. */
  readonly file: string
}

/**
 * The server and the log of a fleet: those of its defaults where they stand there, else those of the first position,
 * with which every other one has to agree.
 */
export function readProcessSettings(
  defaults: FleetDefaults,
  files: readonly { readonly loaded: Result<LoadedConfig, unknown> }[],
  env: Env,
): Result<ProcessSettings, readonly ConfigProblem[]> {
  const { data, source } = defaults
  const [first] = files.flatMap(({ loaded }) => (loaded.ok ? [loaded.value] : []))
  if (first !== undefined && !('http' in data) && !('log' in data)) return ok(first)
  const { http: httpSection, log: logSection } = configSchema.shape
  const http = readHttp(httpSection.parse(data['http']), source.file, env)
  if (!http.ok) return err(http.error.map((finding) => placeProblem([source], finding)))
  return ok({
    http: first !== undefined && !('http' in data) ? first.http : http.value,
    log: first !== undefined && !('log' in data) ? first.log : logSection.parse(data['log']),
    file: source.file,
  })
}
