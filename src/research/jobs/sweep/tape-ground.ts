import { availableParallelism } from 'node:os'
import { join, resolve } from 'node:path'
import { ok, type Result } from '../../../base/result.ts'
import type { LoadedConfig } from '../../../daemon/config/load/loaded-config.ts'
import { makeManifest, type Manifest, tapeIdentity } from '../../sweep/results/identity.ts'
import { runSweep, runVariants, type VariantsOrder } from '../../sweep/run-sweep.ts'
import type { Ground } from '../../sweep/search/run-search.ts'
import { type VariantChanges, numberVariants } from '../../sweep/variant.ts'
import { windowOf } from '../../../store/tape/summary/tape-window.ts'
import { version } from '../../../base/text/version.ts'
import type { Question, SearchRequest } from './question.ts'
import { queueOf, seedOf, SWEEP_WORKER } from './order-sweep.ts'
import { checkVariants } from './check-variants.ts'

/** Paths and options of a search. */
export type Place = {
  readonly options: SearchRequest
  readonly config: LoadedConfig
  readonly signal: AbortSignal
  /** Identity of each tape. */
  readonly identities: readonly string[]
}

/** Returns the identity of each tape's content. */
export async function tapeIdentities(tapes: Question['tapes']): Promise<Result<readonly string[], string>> {
  const identities: string[] = []
  for (const { path } of tapes) {
    const identity = await tapeIdentity(path)
    if (!identity.ok) return identity
    identities.push(identity.value)
  }
  return ok(identities)
}

export type TapeGround = {
  readonly ground: Ground
  /** Returns the ranking, the walk-forward and the deflated Sharpe ratios of everything that was tried. */
  readonly report: (tried: readonly VariantChanges[]) => Promise<Result<unknown, string>>
}

/** Evaluates variants on one tape: each generation is a sweep in one folder, so that measurements are kept and counted. */
export function tapeGround(
  place: Place,
  tape: Question['tapes'][number],
  index: number,
  { pool, isAlone }: { readonly pool: NonNullable<VariantsOrder['pool']> | null; readonly isAlone: boolean },
): TapeGround {
  const { options, signal, identities } = place
  let isFirst = true
  const orderOf = (manifest: Manifest): Omit<VariantsOrder, 'observe'> => ({
    manifest,
    configFile: resolve(options.config),
    tapePath: tape.path,
    allowSkipped: options.allowSkipped === true,
    out: isAlone ? options.out : join(options.out, tape.name),
    add: options.add === true || !isFirst,
    worker: SWEEP_WORKER,
    workers: options.workers ?? availableParallelism(),
    queue: queueOf(options),
    pool,
    signal,
  })
  const manifestOf = (changes: readonly VariantChanges[]) => manifestFor(place, identities[index]!, changes)
  return {
    ground: {
      name: tape.name,
      async measure(changes, observe) {
        // The unchanged configuration is variant 0 of every sweep, and alone in the first one.
        const isPresent = changes.length === 1 && Object.keys(changes[0]!).length === 0
        const manifest = await manifestOf(isPresent ? [] : changes)
        if (!manifest.ok) return manifest
        const ran = await runVariants({
          ...orderOf(manifest.value),
          observe: ({ done }) => observe(isPresent ? done : Math.max(0, done - 1)),
        })
        isFirst = false
        if (!ran.ok || ran.value.kind === 'left') return ran.ok ? ok(null) : ran
        return ok(ran.value.results.slice(isPresent ? 0 : 1).map(({ metrics }) => metrics))
      },
    },
    async report(tried) {
      const manifest = await manifestOf(tried)
      if (!manifest.ok) return manifest
      const report = { splits: options.splits, heatmap: [] }
      return runSweep({ ...orderOf(manifest.value), report, observe: () => undefined })
    },
  }
}

async function manifestFor(
  { options, config }: Place,
  tape: string,
  changes: readonly VariantChanges[],
): Promise<Result<Manifest, string>> {
  const variants = numberVariants(changes)
  const configs = await checkVariants(options.config, variants)
  if (!configs.ok) return configs
  return ok(
    makeManifest({
      product: version,
      configs: configs.value,
      tape,
      window: windowOf(options),
      fills: options.fills ?? config.backtest.fills,
      seed: seedOf(options, config),
      variants,
    }),
  )
}
