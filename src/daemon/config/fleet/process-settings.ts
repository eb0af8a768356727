import { ok, err, type Result } from '../../../base/result.ts'
import type { FleetDefaults } from '../load/fleet-defaults.ts'
import { httpWithoutSecrets, readHttp } from '../load/http.ts'
import { readNotify } from '../load/notify.ts'
import type { LoadedConfig, LoadedNotify } from '../load/loaded-config.ts'
import { configSchema } from '../schema/schema.ts'
import { placeProblem } from '../source/merge-data.ts'
import type { ConfigProblem } from '../source/problem.ts'
import type { Env } from '../source/secret.ts'
import { serverDifference } from './conflicts.ts'

/** The settings shared by all positions of a process: the server, the log, and the file that sets them. */
export type ProcessSettings = Pick<LoadedConfig, 'http' | 'log'> & {
  /** The file that contains them. */
  readonly file: string
}

/**
 * Returns the server and the log of a fleet: those of its defaults if set there, else those of the first position, with
 * which all others must agree. They cannot change while the process runs (`running`). With `env` null, reads no secret.
 */
export function readProcessSettings(
  defaults: FleetDefaults,
  files: readonly { readonly loaded: Result<LoadedConfig, unknown> }[],
  env: Env | null,
  running: ProcessSettings | null,
): Result<ProcessSettings, readonly ConfigProblem[]> {
  const written = settingsOf(defaults, files, env)
  if (running === null || !written.ok) return written
  const difference = serverDifference(running, written.value)
  if (difference === null || !(difference in defaults.data)) return ok(running)
  const message = `${difference} cannot change while running; restart the fleet`
  return err([placeProblem([defaults.source], { path: [difference], at: 'value', message })])
}

/** Returns the channels for alerts about the whole fleet; null = the defaults name none. */
export function readFleetNotify(
  { data, source }: FleetDefaults,
  env: Env,
): Result<LoadedNotify | null, readonly ConfigProblem[]> {
  const notify = readNotify(configSchema.shape.notify.parse(data['notify']), source.file, env)
  return notify.ok ? notify : err(notify.error.map((finding) => placeProblem([source], finding)))
}

function settingsOf(
  { data, source }: FleetDefaults,
  files: readonly { readonly loaded: Result<LoadedConfig, unknown> }[],
  env: Env | null,
): Result<ProcessSettings, readonly ConfigProblem[]> {
  const [first] = files.flatMap(({ loaded }) => (loaded.ok ? [loaded.value] : []))
  if (first !== undefined && !('http' in data) && !('log' in data)) return ok(first)
  const { http: httpSection, log: logSection } = configSchema.shape
  const section = httpSection.parse(data['http'])
  const http = env === null ? ok(httpWithoutSecrets(section)) : readHttp(section, source.file, env)
  if (!http.ok) return err(http.error.map((finding) => placeProblem([source], finding)))
  return ok({
    http: first !== undefined && !('http' in data) ? first.http : http.value,
    log: first !== undefined && !('log' in data) ? first.log : logSection.parse(data['log']),
    file: source.file,
  })
}
