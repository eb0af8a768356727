import { readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { err, ok, type Result } from '../../../base/result.ts'
import { DEFAULTS_FILE, type FleetDefaults, readDefaults } from '../load/fleet-defaults.ts'
import { loadConfig } from '../load/load-config.ts'
import type { LoadedConfig, LoadedNotify } from '../load/loaded-config.ts'
import type { FleetSettings } from '../schema/fleet.ts'
import { readConfigText } from '../load/config-text.ts'
import type { ConfigProblem } from '../source/problem.ts'
import type { Env } from '../source/secret.ts'
import { createStrategyProber } from '../strategy/probe-strategy.ts'
import { type ProcessSettings, readFleetNotify, readProcessSettings } from './process-settings.ts'
import { refuseConflicts } from './refuse-conflicts.ts'

/** A file of the folder: its position, or its problems. */
export type FleetFile = {
  readonly file: string
  readonly loaded: Result<LoadedConfig, readonly ConfigProblem[]>
}

/** The content of a fleet's folder. */
export type LoadedFleet = {
  readonly folder: string
  readonly defaults: FleetDefaults
  readonly settings: FleetSettings
  /** The process's only server and log. */
  readonly process: ProcessSettings
  /** The channels for alerts about the whole fleet. */
  readonly notify: LoadedNotify | null
  /** By file name. */
  readonly files: readonly FleetFile[]
}

/** Returns a fleet's valid configurations, by file name. */
export function loadedConfigs({ files }: LoadedFleet): readonly LoadedConfig[] {
  return files.flatMap(({ loaded }) => (loaded.ok ? [loaded.value] : []))
}

export type LoadFleetOptions = {
  readonly strategiesFolder: string
  /** The time limit per strategy, which is evaluated and asked once in a disposable thread; null = strategies are not read. */
  readonly probeLimitMs: number | null
  /** The running configurations: they keep their claims, and another file with the same claim is refused. */
  readonly running?: {
    readonly configs: readonly LoadedConfig[]
    /** The process's current server and log, which cannot change. */
    readonly process: ProcessSettings
  }
  /** The previous result and the absolute paths that changed since: files that depend on none of them are not loaded again. */
  readonly before?: { readonly fleet: LoadedFleet; readonly changed: ReadonlySet<string> }
  /** For work without a venue: secrets are not read, and strategies are not asked. */
  readonly offline?: boolean
  readonly onProgress?: (done: number, total: number) => void
}

/**
 * Reads the folder of a fleet: `defaults.yaml`, and every other `*.yaml` as a position. Problems of a file are returned with that file; the
 * error is an unreadable folder or invalid defaults. Never throws for the content of files.
 */
export async function loadFleet(
  folder: string,
  env: Env,
  options: LoadFleetOptions,
): Promise<Result<LoadedFleet, readonly ConfigProblem[]>> {
  const names = positionFiles(folder)
  if (!names.ok) return err([atStart(folder, names.error)])
  const text = readConfigText(join(folder, DEFAULTS_FILE))
  if (!text.ok) return text
  if (!('fleet' in text.value.tree.data)) return err([atStart(text.value.file, NO_FLEET_BLOCK)])
  const defaults = readDefaults(text.value)
  if (!defaults.ok) return defaults
  const files: FleetFile[] = []
  const { strategiesFolder, probeLimitMs, offline = false, onProgress } = options
  const prober = probeLimitMs === null ? null : createStrategyProber(probeLimitMs)
  const tried =
    probeLimitMs === null || prober === null
      ? { skipStrategy: true }
      : { probe: { timeLimitMs: probeLimitMs, only: offline ? 'load' : 'ask', prober } as const }
  const common = { strategiesFolder, offline, forTrading: true, defaults: defaults.value, ...tried }
  try {
    for (const name of names.value) {
      const file = join(folder, name)
      const kept = keptFrom(options.before, file, defaults.value)
      const loaded = kept ?? (await loadConfig(file, env, common))
      files.push({ file, loaded: name.endsWith('.yml') ? err([atStart(file, YML)]) : loaded })
      onProgress?.(files.length, names.value.length)
    }
  } finally {
    await prober?.close()
  }
  const process = readProcessSettings(
    defaults.value,
    files,
    offline ? null : env,
    options.running?.process ?? null,
  )
  if (!process.ok) return process
  const notify = offline ? ok(null) : readFleetNotify(defaults.value, env)
  if (!notify.ok) return notify
  const judged = refuseConflicts(files, process.value, options.running?.configs ?? [])
  const { settings } = defaults.value
  const shared = { settings, process: process.value, notify: notify.value }
  return ok({ folder, defaults: defaults.value, ...shared, files: judged })
}

const NO_FLEET_BLOCK =
  'no fleet block, which makes its folder a fleet; add `fleet: {}`, or fleet: { limits: { maxLossUsd: 5000 } }'
const YML = 'a fleet reads files that end in .yaml; rename it'

/** Returns the folder's files except the defaults and names that begin with a dot, which belong to editors or a ConfigMap. */
export function positionFiles(folder: string): Result<readonly string[], string> {
  try {
    const names = readdirSync(folder).filter(
      (name) => /\.ya?ml$/.test(name) && !name.startsWith('.') && name !== DEFAULTS_FILE,
    )
    return ok(names.sort())
  } catch (thrown) {
    const code = (thrown as { code?: string }).code ?? 'unreadable'
    return err(`cannot be read as a folder (${code}); give the folder of a fleet, which has ${DEFAULTS_FILE}`)
  }
}

function keptFrom(
  before: LoadFleetOptions['before'],
  file: string,
  defaults: FleetDefaults,
): FleetFile['loaded'] | null {
  if (before === undefined || !isSameForPositions(before.fleet.defaults, defaults)) return null
  const earlier = before.fleet.files.find((one) => one.file === file)
  if (earlier === undefined || !earlier.loaded.ok) return null
  const own = earlier.loaded.value.watchFiles.filter((path) => path !== resolve(defaults.source.file))
  return own.some((path) => before.changed.has(path)) ? null : earlier.loaded
}

/** A change of fleet limits or comments does not require loading every position again. */
function isSameForPositions(one: FleetDefaults, other: FleetDefaults): boolean {
  return JSON.stringify(one.data) === JSON.stringify(other.data)
}

function atStart(file: string, message: string): ConfigProblem {
  return { file, line: 1, column: 1, path: '(file)', message, excerpt: null }
}
