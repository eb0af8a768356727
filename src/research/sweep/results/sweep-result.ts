import { createHash } from 'node:crypto'
import { heatmapOf, type Heatmap } from '../ranking/heatmap.ts'
import type { Manifest } from './identity.ts'
import { contestOf, type OtherTrials, type Ranking, rankVariants } from '../ranking/rank-variants.ts'
import type { EarlierSweep } from './folder.ts'
import type { VariantResult } from '../variant-job.ts'
import { FILLS_BEFORE_SUSPENSION } from './variant-metrics.ts'
import { walkForward, type WalkForward } from '../ranking/walk-forward.ts'

/** Content of `result.json`, derived from the results alone. */
export type SweepResult = Omit<Manifest, 'variants' | 'configs' | 'version'> & {
  readonly version: 1
  readonly from: string
  readonly to: string
  readonly variantsTried: number
  readonly ranking: Ranking
  readonly walkForward: WalkForward | null
  readonly heatmap: Heatmap | null
  /** Limitations that a reader must know before trusting the figures. */
  readonly warnings: readonly string[]
  /** sha-256 over every variant's result including its days, and over this document. */
  readonly digest: string
}

export type ReportChoice = {
  readonly splits: number
  /** Paths of at most two keys for the heatmap; empty = the two that matter most. */
  readonly heatmap: readonly string[]
}

const FEW_DAYS = 30

/** Assembles a finished sweep. Equal results give an equal document, in whatever order they arrived. */
export function sweepResult(
  manifest: Manifest,
  results: readonly VariantResult[],
  earlierSweeps: readonly EarlierSweep[],
  { splits, heatmap }: ReportChoice,
): SweepResult {
  const common = commonWarnings(results)
  const tried = results.flatMap((result) => {
    const variant = manifest.variants[result.variant]
    if (variant === undefined) return []
    const own = result.warnings.filter((warning) => !common.includes(warning))
    return [{ variant, result: { ...result, warnings: own } }]
  })
  const contest = contestOf(tried)
  const ranking = rankVariants(contest, otherTrials(manifest, earlierSweeps), manifest.seed)
  const forward = walkForward(contest, splits, manifest.seed)
  const { variants: _variants, configs: _configs, version, ...named } = manifest
  const first = results[0]
  const document = {
    version,
    ...named,
    from: new Date(first?.from ?? 0).toISOString(),
    to: new Date(first?.to ?? 0).toISOString(),
    variantsTried: ranking.trials.count,
    ranking,
    walkForward: forward,
    heatmap: heatmapOf(ranking.variants, heatmap),
    warnings: [...suspendedWarnings(results), ...common, ...warningsOf(ranking, splits, forward)],
  }
  const hash = createHash('sha256').update(JSON.stringify(document))
  for (const { elapsedMs: _timing, ...result } of results) hash.update(JSON.stringify(result))
  return { ...document, digest: hash.digest('hex') }
}

/** Counts each configuration as one trial, even if it was tried several times or under other names. */
function otherTrials({ configs }: Manifest, sweeps: readonly EarlierSweep[]): OtherTrials {
  const here = new Map(configs.map((config, index) => [config, index]))
  const trials = new Map<string, VariantResult['daily']>()
  for (const { manifest, results } of sweeps) {
    for (const { variant, daily } of results) {
      const config = manifest.configs[variant]
      if (config !== undefined && !here.has(config)) trials.set(config, daily)
    }
  }
  const twins = configs.flatMap((config, index) => (here.get(config) === index ? [] : [index]))
  return { earlier: [...trials.values()], twins: new Set(twins) }
}

/** Returns the warnings that every variant has; they are about the tape and shown once. */
function commonWarnings([first, ...others]: readonly VariantResult[]): readonly string[] {
  return (first?.warnings ?? []).filter((warning) =>
    others.every(({ warnings }) => warnings.includes(warning)),
  )
}

function suspendedWarnings(results: readonly VariantResult[]): readonly string[] {
  const { length } = results.filter(({ metrics }) => metrics[FILLS_BEFORE_SUSPENSION] === 0)
  return length === 0
    ? []
    : [
        `${length} of ${results.length} variants were suspended before their first fill: their figures are those of the safe quote, and their warnings say why`,
      ]
}

function warningsOf(
  { days, sharpeOf, rankedBy, variants }: Ranking,
  splits: number,
  forward: WalkForward | null,
): readonly string[] {
  const best = variants[0]
  const halted = variants.filter(({ warnings }) => warnings.length > 0)
  const deflated = best?.sharpe?.deflated
  return [
    days < FEW_DAYS
      ? [`${days} days are few: the intervals below are rough, and most rankings of so few days are luck`]
      : [],
    forward === null ? [`${days} days cannot be cut into ${splits + 1} stretches: no walk-forward`] : [],
    sharpeOf === 'pnl'
      ? [
          `results of an older version here have no PnL less holding: the Sharpe ratios ${rankedBy === 'pnl' ? 'and the ranking ' : ''}are of the daily PnL; sweep into a new --out for the others`,
        ]
      : [],
    deflated !== undefined && deflated < 0.95
      ? [
          `the best variant is not clearly better than luck: with so many tried its deflated Sharpe is ${deflated.toFixed(3)}, under 0.95`,
        ]
      : [],
    (best?.syntheticShare ?? 0) > 0.2
      ? [
          "more than a fifth of the best variant's fills are synthetic: they are a supposition of the fill model",
        ]
      : [],
    halted.length > 0
      ? [
          `${halted.length} of ${variants.length} variants ran with warnings of their own: see them in result.json`,
        ]
      : [],
  ].flat()
}
