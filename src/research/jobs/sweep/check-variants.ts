import { createHash } from 'node:crypto'
import { encodeJson } from '../../../base/codec.ts'
import { err, ok, type Result } from '../../../base/result.ts'
import type { ConfigProblem } from '../../../daemon/config/source/problem.ts'
import { loadConfig } from '../../../daemon/config/load/load-config.ts'
import type { LoadedConfig } from '../../../daemon/config/load/loaded-config.ts'
import { TRIAL_MS } from '../../../daemon/config/strategy/probe-strategy.ts'
import { strategiesFolder } from '../../../daemon/runtime/position/strategy-registry.ts'
import { shortKey, type Variant, variantChanges } from '../../sweep/variant.ts'
import { type OwnColumns, ownColumns } from '../backtest/own-data.ts'
import { z } from 'zod'
import type { LoadedStrategy } from '../../../core/strategy/define-strategy.ts'

const PROBLEMS_SHOWN = 10

/**
 * Loads the configuration of every variant and returns the sha-256 of each, including its strategy's code,
 * calibration and own data, regardless of file locations. The error lists each problem with its remedy and an affected variant.
 */
export async function checkVariants(
  file: string,
  variants: readonly Variant[],
): Promise<Result<readonly string[], string>> {
  const configs: string[] = []
  const problems = new Map<string, string>()
  let wrong = 0
  for (const [i, loaded] of (await checkEach(file, variants)).entries()) {
    if (loaded.ok) {
      configs.push(loaded.value)
      continue
    }
    wrong += 1
    for (const text of loaded.error) if (!problems.has(text)) problems.set(text, variants[i]!.label)
  }
  if (wrong === 0) return ok(configs)
  const shown = [...problems].slice(0, PROBLEMS_SHOWN).map(([text, label]) => `${text} (in ${label})`)
  const more = problems.size > PROBLEMS_SHOWN ? [`and ${problems.size - PROBLEMS_SHOWN} more problems`] : []
  return err(
    [`${wrong} of ${variants.length} variants are invalid configurations:`, ...shown, ...more].join('\n'),
  )
}

/** Returns for each variant the hash of its configuration, or its problems. */
export async function checkEach(
  file: string,
  variants: readonly Variant[],
): Promise<readonly Result<string, readonly string[]>[]> {
  const checked: Result<string, readonly string[]>[] = []
  const tried = new Set<unknown>([undefined])
  for (const { changes } of variants) {
    const use = changes['strategy.use']
    const loaded = await loadConfig(file, process.env, {
      strategiesFolder: strategiesFolder(),
      offline: true,
      evaluatesHere: true,
      changes: variantChanges(changes),
      // New code may loop while it is loaded or called, so it is tried in a separate thread.
      ...(tried.has(use) ? {} : { probe: { timeLimitMs: TRIAL_MS } }),
    })
    tried.add(use)
    if (!loaded.ok) {
      checked.push(err(problemTexts(loaded.error)))
      continue
    }
    const own = await ownColumns(loaded.value.backtest)
    checked.push(own.ok ? ok(configIdentity(loaded.value, own.value)) : err([own.error]))
  }
  return checked
}

/** A result would be stored as that of the configuration with which the sweep began. */
export const CHANGED =
  'the configuration, its strategy, calibration or own data changed while the sweep ran; restore it and run the command again, or begin a sweep in another folder'

/** Returns the sha-256 of everything in a configuration that decides a backtest, regardless of file locations. */
export function configIdentity({ core, backtest, venue }: LoadedConfig, own: OwnColumns | null): string {
  const { tape: _place, seed: _seed, fills: _fills, data: _file, ...settings } = backtest
  const { toleranceBps } = venue
  const deciding = encodeJson({ core, settings, toleranceBps, data: own?.sha256 })
  return createHash('sha256').update(deciding).digest('hex')
}

/** Returns problems without file locations: the faulty values are not in the file. */
export function problemTexts(problems: readonly ConfigProblem[]): readonly string[] {
  return problems.map(({ path, message }) => `${shortKey(path)}: ${message}`)
}

type Bounds = { readonly minimum?: number; readonly maximum?: number }

/**
 * Returns the default ranges of `--random` without `--space`, as JSON for `--space`: each positive number among the
 * strategy's parameters from half to twice its value, within the strategy's limits. Null = no such parameter.
 */
export function sweepSpace({ params, definition }: LoadedStrategy): string | null {
  const bounds = boundsOf(definition.params)
  const ranges = Object.entries(params as Readonly<Record<string, unknown>>).flatMap(([name, value]) => {
    if (typeof value !== 'number' || value <= 0) return []
    const { minimum = -Infinity, maximum = Infinity } = bounds[name] ?? {}
    const [from, to] = [Math.max(value / 2, minimum), Math.min(value * 2, maximum)]
    return from < to ? [[name, [from, to]] as const] : []
  })
  return ranges.length === 0 ? null : JSON.stringify(Object.fromEntries(ranges))
}

/** Returns each parameter's bounds by the strategy's schema; empty if the schema has no JSON form. */
function boundsOf(schema: z.ZodType): Readonly<Record<string, Bounds>> {
  const { properties } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
  return (properties ?? {}) as Readonly<Record<string, Bounds>>
}
