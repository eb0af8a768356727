import type { VariantMetrics } from './objectives.ts'
import type { SearchOrder, SearchPoint, SearchResult } from './run-search.ts'
import { numberVariants } from '../variant.ts'

/** A variant of the front, or the unchanged configuration. */
export type FrontPoint = Pick<SearchPoint, 'changes' | 'generation' | 'metrics' | 'byGround'> & {
  /** Number among all variants tried; 0 = the unchanged configuration. */
  readonly variant: number
  readonly label: string
  /** The variant satisfies all constraints. */
  readonly keepsConstraints: boolean
}

/** Content of `front.json`; equal searches give equal fronts. */
export type Front = Pick<
  SearchOrder,
  'objectives' | 'constraints' | 'combination' | 'seed' | 'population' | 'generations'
> & {
  readonly version: 1
  readonly grounds: readonly string[]
  /** Names and settings of the simulated markets; absent = none. */
  readonly worlds?: {
    readonly scenarios: readonly string[]
    readonly seeds: number
    readonly days: number
    /** Error of the reference feed, bps; null = no feed. */
    readonly feedTauBps: number | null
  }
  /** Number of variants tried: each is a trial of the deflated Sharpe ratio. */
  readonly tried: number
  /** Combinations that are not a valid configuration. */
  readonly invalid: number
  readonly unchanged: FrontPoint
  /** Sorted by the first objective, best first. */
  readonly front: readonly FrontPoint[]
}

/** Assembles a finished search with only the requested metrics. */
export function frontOf(
  { points, front, invalid }: SearchResult,
  settings: Pick<
    Front,
    | 'objectives'
    | 'constraints'
    | 'combination'
    | 'grounds'
    | 'worlds'
    | 'seed'
    | 'population'
    | 'generations'
  >,
): Front {
  const { objectives, constraints } = settings
  const names = [...new Set([...objectives, ...constraints].map(({ metric }) => metric))]
  const labels = numberVariants(points.slice(1).map(({ changes }) => changes))
  const asked = (metrics: VariantMetrics): VariantMetrics =>
    Object.fromEntries(names.map((name) => [name, metrics[name] ?? null]))
  const pointAt = (place: number): FrontPoint => {
    const { changes, generation, metrics, byGround, violation } = points[place] as SearchPoint
    return {
      variant: place,
      label: labels[place]!.label,
      changes,
      generation,
      metrics: asked(metrics),
      byGround: Object.fromEntries(Object.entries(byGround).map(([name, one]) => [name, asked(one)])),
      keepsConstraints: violation === 0,
    }
  }
  return {
    version: 1,
    ...settings,
    tried: points.length,
    invalid,
    unchanged: pointAt(0),
    front: front
      .toSorted((a, b) => points[a]!.objectives[0]! - points[b]!.objectives[0]! || a - b)
      .map(pointAt),
  }
}
