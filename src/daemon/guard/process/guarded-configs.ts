import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { err, ok, type Result } from '../../../base/result.ts'
import { heartbeatProblem } from '../../config/load/alert.ts'
import { DEFAULTS_FILE } from '../../config/load/fleet-defaults.ts'
import { plainHttp } from '../../config/load/plain-http.ts'
import { type LoadedGuard, readGuard } from '../../config/load/guard.ts'
import { readHttp } from '../../config/load/http.ts'
import { readStore } from '../../config/load/store.ts'
import { parseConfig, type ParsedConfig } from '../../config/load/parse-config.ts'
import { formatProblem, type Finding } from '../../config/source/problem.ts'
import { type Env, readSecret } from '../../config/source/secret.ts'
import type { UnwatchedFile } from './settings.ts'

/** The part of a configuration that the guard needs. No strategy is loaded, so that a broken strategy cannot disable the guard. */
export type GuardedConfig = {
  readonly path: string
  readonly parsed: ParsedConfig
  readonly guard: LoadedGuard
}

/** Reads what it takes to ask the guard of a configuration; the error lists every problem with its path. */
export function readGuardedConfig(path: string, env: Env): Result<GuardedConfig, string> {
  const read = readIfGuarded(path, env, () => [])
  if (!read.ok) return read
  return read.value === null ? err(unwanted(path)) : ok(read.value)
}

function unwanted(path: string): string {
  return `${path}: guard is null: this configuration wants none`
}

/** Returns null if the configuration has `guard: null`. `judge` finds what is wrong beyond the address of the guard. */
function readIfGuarded(
  path: string,
  env: Env,
  judge: typeof actingFindings = actingFindings,
): Result<GuardedConfig | null, string> {
  const parsed = parseConfig(path, {})
  if (!parsed.ok) return err(parsed.error.map(formatProblem).join('\n'))
  const { file, place } = parsed.value
  const guard = readGuard(file, path, env)
  const wires = plainHttp(file, { rfq: null, chain: null }, env)
  const findings = [
    ...(guard.ok ? [] : guard.error),
    ...(wires.ok ? [] : wires.error),
    ...judge(file, path, env),
  ]
  if (!guard.ok || findings.length > 0)
    return err(findings.map((one) => formatProblem(place(one))).join('\n'))
  return ok(guard.value === null ? null : { path, parsed: parsed.value, guard: guard.value })
}

/** Returns what keeps the guard itself from acting. */
function actingFindings(file: ParsedConfig['file'], path: string, env: Env): readonly Finding[] {
  const http = readHttp(file.http, path, env)
  const store = readStore(file, path, env, true)
  const key = readSecret(file.venue.apiKey, path, env)
  return [
    ...(http.ok ? [] : http.error),
    ...(store.ok ? [] : store.error),
    ...(key.ok ? [] : [{ path: ['venue', 'apiKey'], at: 'value', message: key.error } as const]),
    ...heartbeatFindings(file, path, env),
  ]
}

function heartbeatFindings({ guard }: ParsedConfig['file'], path: string, env: Env): readonly Finding[] {
  const url = guard?.heartbeatUrl ?? null
  if (url === null) return []
  const read = readSecret(url, path, env)
  const message = read.ok ? heartbeatProblem(read.value.reveal()) : read.error
  return message === null ? [] : [{ path: ['guard', 'heartbeatUrl'], at: 'value', message }]
}

/** The configurations that a guard watches, and the files of a fleet's folder that it cannot watch. */
export type GuardedConfigs = {
  readonly configs: readonly GuardedConfig[]
  readonly unwatched: readonly UnwatchedFile[]
}

/**
 * Reads the configurations and fleet folders that a guard was given. In a folder, positions with `guard: null` are skipped and, unless
 * `isStrict`, so are invalid files: they must not keep the guard from the other positions. The error lists every problem.
 */
export function readGuardedConfigs(
  paths: readonly string[],
  env: Env,
  { isStrict }: { readonly isStrict: boolean },
): Result<GuardedConfigs, string> {
  const files = configFiles(paths)
  if (!files.ok) return files
  const configs: GuardedConfig[] = []
  const problems: string[] = []
  const leftOut: string[] = []
  const unwatched: UnwatchedFile[] = []
  for (const { file, isOfFolder } of files.value) {
    const read = readIfGuarded(file, env)
    if (!read.ok) {
      if (isStrict || !isOfFolder) problems.push(read.error)
      else unwatched.push({ file, why: read.error.split('\n')[0] ?? '' })
    } else if (read.value !== null) configs.push(read.value)
    else if (isOfFolder) leftOut.push(unwanted(file))
    else problems.push(unwanted(file))
  }
  if (problems.length > 0) return err(problems.join('\n'))
  if (configs.length > 0) return ok({ configs, unwatched })
  const none = [...unwatched.map(({ why }) => why), ...leftOut]
  return err(none.length === 0 ? 'there is no position to watch' : none.join('\n'))
}

type NamedFile = { readonly file: string; readonly isOfFolder: boolean }

/** Returns the configuration files of each fleet folder; other paths are returned unchanged. */
export function configFiles(paths: readonly string[]): Result<readonly NamedFile[], string> {
  try {
    return ok(
      paths.flatMap((path): readonly NamedFile[] =>
        // The reader of the file reports a missing path, with the same message as in every command.
        statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
          ? readdirSync(path)
              .filter((name) => name.endsWith('.yaml') && name !== DEFAULTS_FILE)
              .toSorted()
              .map((name) => ({ file: join(path, name), isOfFolder: true }))
          : [{ file: path, isOfFolder: false }],
      ),
    )
  } catch (error) {
    return err(error instanceof Error ? error.message : String(error))
  }
}
