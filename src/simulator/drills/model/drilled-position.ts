import { dirname, resolve } from 'node:path'
import { err, ok, type Result } from '../../../base/result.ts'
import { readDefaultsBeside } from '../../../daemon/config/load/fleet-defaults.ts'
import { parseConfig } from '../../../daemon/config/load/parse-config.ts'
import { readStore } from '../../../daemon/config/load/store.ts'
import type { ConfigFile } from '../../../daemon/config/schema/schema.ts'
import { readConfigText } from '../../../daemon/config/load/config-text.ts'
import { mergeData } from '../../../daemon/config/source/merge-data.ts'
import type { ConfigProblem } from '../../../daemon/config/source/problem.ts'
import type { Env } from '../../../daemon/config/source/secret.ts'
import type { StorePlace } from '../../../store/place.ts'
import type { Peak } from './peak.ts'

/** The drilled desk: its own configuration, without its secrets. */
export type DrilledPosition = {
  readonly config: ConfigFile
  /** The configuration as written, fleet defaults merged in: the source of the drilled daemon's file. */
  readonly data: Readonly<Record<string, unknown>>
  /** The base of relative paths in the configuration. */
  readonly baseFolder: string
  /** The busiest minute in the desk's own journal. */
  readonly peak: Peak
}

/** A position, and the store whose busiest minute the drill uses; null = the store is in PostgreSQL and is not read. */
type ReadPosition = Omit<DrilledPosition, 'peak'> & { readonly place: StorePlace | null }

/**
 * Reads and validates the configuration. Every secret stays a reference; `readsStore` resolves only that of a store
 * in PostgreSQL. Opens and sends nothing.
 */
export function readDrilledPosition(
  file: string,
  readsStore = false,
  env: Env = process.env,
): Result<ReadPosition, readonly ConfigProblem[]> {
  const parsed = parseConfig(file, {})
  if (!parsed.ok) return parsed
  const own = readConfigText(file)
  if (!own.ok) return own
  const defaults = readDefaultsBeside(file)
  if (!defaults.ok) return defaults
  const written =
    defaults.value === null ? own.value.tree.data : mergeData(defaults.value.data, own.value.tree.data)
  const config = parsed.value.file
  if (config.risk.priceCorridor === null) return err([parsed.value.place(NO_CORRIDOR)])
  const desk = {
    config,
    data: written as Readonly<Record<string, unknown>>,
    baseFolder: dirname(resolve(file)),
  }
  if (config.store.postgres !== null && !readsStore) return ok({ ...desk, place: null })
  const store = readStore(config, file, env, false)
  return store.ok ? ok({ ...desk, place: store.value.place }) : err(store.error.map(parsed.value.place))
}

/** Returns whether the configuration itself names a guard: the default address may have no guard behind it. */
export function hasGuard({ config, data }: Pick<DrilledPosition, 'config' | 'data'>): boolean {
  return config.guard !== null && Object.hasOwn(data, 'guard')
}

const NO_CORRIDOR = {
  path: ['risk', 'priceCorridor'],
  at: 'value',
  message:
    "missing, and a drill quotes: priceCorridor: { min: '2300', max: '2900' }, the lowest and highest TZS per USD to ever quote from; `mizani check` proposes one",
} as const
