import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { err, ok, type Result } from '../../../base/result.ts'
import { fleetSection, type FleetSettings } from '../schema/fleet.ts'
import { configSchema } from '../schema/schema.ts'
import { type ConfigText, readConfigText } from './config-text.ts'
import { describeIssues } from '../source/describe-issues.ts'
import type { ConfigProblem, Finding, PathStep } from '../source/problem.ts'
import { placeProblem } from '../source/merge-data.ts'

/** The only file of a fleet that is not a position. */
export const DEFAULTS_FILE = 'defaults.yaml'

/** The settings that all positions of a fleet share. */
export type FleetDefaults = {
  readonly source: ConfigText
  /** Each position's file is merged into this: everything except the `fleet` block. */
  readonly data: Readonly<Record<string, unknown>>
  readonly settings: FleetSettings
}

/**
 * Returns the fleet defaults of a position's file: `defaults.yaml` in its folder, if that has a `fleet` block. So a
 * file is the same position, with the same store and lock, for every command. Null = not in a fleet. `known` is the
 * text if already read; null = the file was not in a fleet then.
 */
export function readDefaultsBeside(
  file: string,
  known?: string | null,
): Result<FleetDefaults | null, readonly ConfigProblem[]> {
  const path = join(dirname(file), DEFAULTS_FILE)
  if (known === null || path === file || (known === undefined && !existsSync(path))) return ok(null)
  const source = readConfigText(path, known)
  if (!source.ok) return source
  return 'fleet' in source.value.tree.data ? readDefaults(source.value) : ok(null)
}

/** Validates `defaults.yaml`: its own settings, without those that only a position can have. */
export function readDefaults(source: ConfigText): Result<FleetDefaults, readonly ConfigProblem[]> {
  const { fleet, ...data } = source.tree.data
  const findings: Finding[] = []
  const settings = fleetSection.safeParse(fleet)
  if (!settings.success) {
    const inFleet = describeIssues(settings.error.issues, fleetSection, fleet)
    findings.push(...inFleet.map((finding) => ({ ...finding, path: ['fleet', ...finding.path] })))
  }
  if ('name' in data) findings.push(NAMED)
  const partial = configSchema.safeParse({ ...data, name: 'defaults' })
  if (!partial.success) {
    const described = describeIssues(partial.error.issues, configSchema, data)
    findings.push(...described.filter(({ path }) => stands(data, path)))
  }
  if (findings.length > 0 || !settings.success) {
    return err(findings.map((finding) => placeProblem([source], finding)))
  }
  return ok({ source, data, settings: settings.data })
}

const NAMED: Finding = {
  path: ['name'],
  at: 'key',
  message: 'each position needs its own name; omit it here and set it in each file',
}

/** A missing setting may be in each position's file. */
function stands(data: unknown, path: readonly PathStep[]): boolean {
  let at: unknown = data
  for (const step of path) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, step)) return false
    at = (at as Readonly<Record<PathStep, unknown>>)[step]
  }
  return true
}
