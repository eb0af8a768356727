import type { VariantMetrics } from './objectives.ts'
import type { SearchOrder, SearchPoint, SearchResult } from './run-search.ts'
import { numberVariants } from '../variant.ts'

/** A variant of the front, or the configuration as it is. */
export type FrontPoint = Pick<SearchPoint, 'changes' | 'generation' | 'metrics' | 'byGround'> & {
  /** Its number among all that were tried; 0 is the configuration as it is. */
  readonly variant: number
  readonly label: string
  /** Whether it keeps to all constraints. */
  readonly keepsConstraints: boolean
}

/** What `front.json` holds: equal searches give equal fronts. */
export type Front = Pick<
  SearchOrder,
  'objectives' | 'constraints' | 'combination' | 'seed' | 'population' | 'generations'
> & {
  readonly version: 1
  readonly grounds: readonly string[]
  /** Which grounds are simulated markets, and how they were played; missing = none is. */
  readonly worlds?: {
    readonly scenarios: readonly string[]
    readonly seeds: number
    readonly days: number
    /** Error of the reference feed, bps; null = none exists. */
    readonly feedTauBps: number | null
  }
  /** How many were tried: each is a trial of the deflated Sharpe ratio. */
  readonly tried: number
  /** Combinations that are no valid configuration. */
  readonly invalid: number
  readonly unchanged: FrontPoint
  /** By the first objective, the best first. */
  readonly front: readonly FrontPoint[]
}

/** Puts a finished search together: of the metrics only those that were asked for. */
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
