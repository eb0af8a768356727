import { createHash } from 'node:crypto'
import type { Ms } from '../../../base/time.ts'
import type { LoadedConfig } from '../../../daemon/config/load/loaded-config.ts'
import { type KeptDrill, STALE_MS } from '../../../store/kept-drills.ts'
import { version } from '../../../base/text/version.ts'
import { CONTROLS } from './catalogue.ts'

export type ControlsReport = ReturnType<typeof controlsReport>

/**
 * Returns every control with its setting and its last drill. If the configuration was read without secrets (`withSecrets`
 * false), settings next to a secret are reported as not read.
 */
export function controlsReport(
  config: LoadedConfig,
  drills: readonly KeptDrill[],
  now: Ms,
  { withSecrets = true }: { readonly withSecrets?: boolean } = {},
) {
  const states = CONTROLS.map(({ name, when, rules, test, value, besideSecrets, drills: names }) => ({
    name,
    when,
    rules,
    test,
    /** Null = missing. */
    value: withSecrets || besideSecrets !== true ? value(config) : 'not read: it is next to secrets',
    lastDrill: lastOf(drills, names, now),
  }))
  return {
    position: config.core.name,
    at: new Date(now).toISOString(),
    software: version,
    strategy: `${config.core.strategy.use} ${config.core.strategy.sourceHash}`,
    /** Hash of the configuration's text, which ties the report to it. */
    configSha256: createHash('sha256').update(config.sources.accepted.reveal()).digest('hex'),
    controls: states,
    missing: states.filter(({ value }) => value === null).length,
  }
}

function lastOf(drills: readonly KeptDrill[], names: readonly string[], now: Ms) {
  const own = drills.filter(({ name }) => names.includes(name))
  const last = own.toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at)).at(-1)
  if (last === undefined) return null
  const { name, at, passed } = last
  return { name, at, passed, isStale: now - Date.parse(at) > STALE_MS }
}
