import { createHash } from 'node:crypto'
import type { CoreConfig } from '../../core/engine/model/config.ts'

/** A run's configuration, one key with its value per row, sorted by key. */
export type ConfigurationRows = readonly { readonly key: string; readonly value: string }[]

type Parts = {
  readonly core: CoreConfig
  readonly settings: object
  readonly toleranceBps: number
}

/**
 * Returns every input of a backtest: the core's configuration with all defaults, which has no secret, the backtest
 * settings, the hashes of the strategy's code and of the calibration, and a hash over all of them. The calibration's
 * contents are omitted, because its hash identifies it.
 */
export function configurationRows({ core, settings, toleranceBps }: Parts): ConfigurationRows {
  const { calibration, ...plain } = core
  const { tape: _tape, ...backtest } = settings as { readonly tape?: unknown }
  const rows = [
    ...flatten('', plain),
    ...flatten('backtest', backtest),
    { key: 'calibration.sourceHash', value: calibration === null ? 'none' : calibration.sourceHash },
    { key: 'venue.toleranceBps', value: String(toleranceBps) },
  ].toSorted((a, b) => (a.key < b.key ? -1 : 1))
  const hash = createHash('sha256').update(JSON.stringify(rows)).digest('hex')
  return [{ key: 'sha256 of all below', value: hash }, ...rows]
}

function flatten(path: string, value: unknown): ConfigurationRows {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    const entries = Object.entries(value)
    if (entries.length > 0)
      return entries.flatMap(([name, inner]) => flatten(path === '' ? name : `${path}.${name}`, inner))
  }
  return [{ key: path, value: textOf(value) }]
}

/** Amounts are whole base units. */
function textOf(value: unknown): string {
  if (typeof value === 'string') return value
  return (
    JSON.stringify(value, (_name, inner: unknown) => (typeof inner === 'bigint' ? String(inner) : inner)) ??
    'none'
  )
}
