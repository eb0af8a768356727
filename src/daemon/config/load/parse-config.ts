import { err, ok, type Result } from '../../../base/result.ts'
import { type Changes, namesNoSetting, withChanges } from './changes.ts'
import type { FleetLimits } from '../schema/fleet.ts'
import { configSchema, type ConfigFile } from '../schema/schema.ts'
import { type ConfigText, readConfigText } from './config-text.ts'
import { describeIssues } from '../source/describe-issues.ts'
import { mergeData, placeProblem } from '../source/merge-data.ts'
import type { ConfigProblem, Finding } from '../source/problem.ts'
import { type FleetDefaults, readDefaultsBeside } from './fleet-defaults.ts'
import { Secret } from '../source/secret.ts'
import { join } from 'node:path'

/** The accepted texts of a configuration, so that a restart does not depend on the current files. */
export type AcceptedTexts = { readonly file: string; readonly defaults: string | null }

/** A configuration's sources: its own file and, in a fleet, the defaults next to it. */
export type ConfigSources = {
  readonly file: string
  /** Null = not in a fleet. */
  readonly defaults: string | null
  /** Limits over all positions of the fleet together; null outside a fleet. */
  readonly fleetLimits: FleetLimits | null
  /** The files' texts; they may contain more than keys, so nothing prints them. */
  readonly accepted: Secret
}

/** Returns the files' texts of an accepted configuration, to load the same configuration again. */
export function acceptedTexts({ accepted }: ConfigSources): AcceptedTexts {
  return JSON.parse(accepted.reveal()) as AcceptedTexts
}

export type ParsedConfig = {
  readonly file: ConfigFile
  readonly sources: ConfigSources
  /** Returns a finding with the file, line and column of its value. */
  readonly place: (finding: Finding) => ConfigProblem
}

type ParseOptions = {
  readonly changes?: Changes
  readonly texts?: AcceptedTexts
  /** The defaults of the file's folder, if already read. */
  readonly defaults?: FleetDefaults
}

/** Reads, merges with the fleet's defaults and validates. Secrets are still references. */
export function parseConfig(
  path: string,
  { changes = {}, texts: read, defaults: known }: ParseOptions,
): Result<ParsedConfig, readonly ConfigProblem[]> {
  const own = readConfigText(path, read?.file)
  if (!own.ok) return own
  const beside = known === undefined ? readDefaultsBeside(path, read?.defaults) : ok(known)
  if (!beside.ok) return beside
  const defaults = beside.value
  const merged = defaults === null ? own.value.tree.data : mergeData(defaults.data, own.value.tree.data)
  const data = withChanges(merged, changes)
  const places: readonly [ConfigText, ...ConfigText[]] =
    defaults === null ? [own.value] : [own.value, defaults.source]
  const place = (finding: Finding): ConfigProblem => {
    const placed = placeProblem(places, finding)
    if (!Object.keys(changes).some((key) => `${placed.path}.`.startsWith(`${key}.`))) return placed
    return { ...placed, excerpt: '  set by the command: the line of the file holds another value' }
  }
  const reserved = Object.keys(changes).find((key) => namesNoSetting(key, changes[key]))
  if (reserved !== undefined)
    return err([place({ path: reserved.split('.'), at: 'value', message: 'unknown key; leave it out' })])
  // A process parses a configuration once or twice, and compiling each section would take 20 ms.
  const parsed = configSchema.safeParse(data, { jitless: true })
  if (!parsed.success) return err(describeIssues(parsed.error.issues, configSchema, data).map(place))
  const texts: AcceptedTexts = { file: own.value.text, defaults: defaults?.source.text ?? null }
  const sources: ConfigSources = {
    file: path,
    defaults: defaults?.source.file ?? null,
    fleetLimits: defaults?.settings.limits ?? null,
    accepted: new Secret(JSON.stringify(texts)),
  }
  const isOwnStore = defaults === null || changes['store.path'] !== undefined
  return ok({ file: isOwnStore ? parsed.data : inFleetStore(parsed.data), sources, place })
}

/** In a fleet `store.path` is the parent of every position's store. */
function inFleetStore(file: ConfigFile): ConfigFile {
  return { ...file, store: { ...file.store, path: join(file.store.path, file.name) } }
}
