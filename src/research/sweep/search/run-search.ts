import { err, invariant, ok, type Result } from '../../../base/result.ts'
import { seededRandom } from '../../../base/random.ts'
import type { Axis } from '../grid.ts'
import type { VariantChanges } from '../variant.ts'
import { childrenOf, firstGenomes, frontsOf, type Genome, type Scored, survivorsOf } from './nsga2.ts'
import {
  type Combination,
  combined,
  type Constraint,
  goalIn,
  missingMetric,
  type Objective,
  scoreOf,
  type VariantMetrics,
} from './objectives.ts'
import { changesOf, genesOf } from './space.ts'
import type { WorkEnd, WorkProgress } from '../../queue/run-here.ts'

/** A tape or a scenario on which variants are tried. */
export type Ground = {
  readonly name: string
  /** Returns the metrics of each variant, in order; null = stopped at the signal. Does not rerun earlier trials. */
  readonly measure: (
    variants: readonly VariantChanges[],
    observe: (done: number) => void,
  ) => Promise<Result<readonly VariantMetrics[] | null, string>>
}

export type SearchOrder = {
  readonly axes: readonly Axis[]
  /** Genome of the unchanged configuration, if it is in the space. */
  readonly present: Genome | null
  readonly population: number
  readonly generations: number
  readonly seed: number
  readonly objectives: readonly Objective[]
  readonly constraints: readonly Constraint[]
  readonly combination: Combination
  readonly grounds: readonly Ground[]
  /** Returns for each variant whether it is a valid configuration; an error ends the search. */
  readonly validate: (
    variants: readonly VariantChanges[],
  ) => Promise<Result<readonly Result<unknown, string>[], string>>
  readonly observe: (progress: WorkProgress) => void
}

/** A variant that was tried; empty `changes` = the unchanged configuration. */
export type SearchPoint = Scored & {
  readonly changes: VariantChanges
  /** The generation in which it was first tried, from 0. */
  readonly generation: number
  /** Combined over all grounds, and by ground. */
  readonly metrics: VariantMetrics
  readonly byGround: Readonly<Record<string, VariantMetrics>>
}

export type SearchResult = {
  /** Every variant tried, in order; the first is the unchanged configuration. */
  readonly points: readonly SearchPoint[]
  /** Indices in `points` of the undominated variants; empty = none satisfies the constraints. */
  readonly front: readonly number[]
  /** Number of combinations skipped as invalid configurations. */
  readonly invalid: number
}

/**
 * Searches the front of several objectives by NSGA-II. Each generation follows from the seed and the earlier measurements,
 * so an interrupted search whose grounds keep their measurements ends with the same front. The unchanged configuration is
 * tried first. The error names the variant that cannot be measured or run.
 */
export async function runSearch(order: SearchOrder): Promise<Result<WorkEnd<SearchResult>, string>> {
  const search = new Search(order)
  const started = await search.start()
  if (!started.ok) return started
  for (let generation = 1; generation < order.generations; generation++) {
    if (search.left) break
    const bred = await search.breed(generation)
    if (!bred.ok) return bred
    if (!bred.value) break
  }
  const still = search.left ? ok([]) : await order.validate([])
  if (!still.ok) return still
  return ok(
    search.left ? { kind: 'left', progress: search.progress(0) } : { kind: 'complete', ...search.end() },
  )
}

class Search {
  left = false
  readonly #order: SearchOrder
  readonly #points: SearchPoint[] = []
  readonly #tried = new Set<string>()
  readonly #total: number
  #population: readonly SearchPoint[] = []
  #invalid = 0
  #problem = ''

  constructor(order: SearchOrder) {
    this.#order = order
    this.#total = (order.population * order.generations + 1) * order.grounds.length
  }

  progress(running: number): WorkProgress {
    const { grounds } = this.#order
    const done = this.#points.length * grounds.length + running
    return { done: Math.min(done, this.#total), total: this.#total, before: 0 }
  }

  /** Tries the unchanged configuration and a population that covers the space evenly. */
  async start(): Promise<Result<null, string>> {
    const { axes, population, seed, present } = this.#order
    const first = firstGenomes(genesOf(axes), population, seededRandom(seed, 'search generation 0'))
    const unchanged = await this.#measure(0, [{ genome: present ?? [], changes: {} }])
    if (!unchanged.ok || this.left) return unchanged
    if (present !== null) this.#tried.add(JSON.stringify(changesOf(axes, present)))
    const measured = await this.#try(
      0,
      first.filter((genome) => this.#isNew(genome)),
    )
    if (!measured.ok || this.left) return measured
    if (this.#points.length < 2)
      return err(`--space: none of the first combinations is a valid configuration: ${this.#problem}`)
    this.#population = survivorsOf(this.#breeders(), population)
    return ok(null)
  }

  /** Returns false if the space has no untried combination left. */
  async breed(generation: number): Promise<Result<boolean, string>> {
    const { axes, population, seed } = this.#order
    const random = seededRandom(seed, `search generation ${generation}`)
    const how = { genes: genesOf(axes), size: population, random }
    const children = childrenOf(this.#population, how, (genome) => this.#isNew(genome))
    if (children.length === 0) return ok(false)
    const before = this.#points.length
    const measured = await this.#try(generation, children)
    if (!measured.ok) return measured
    this.#population = survivorsOf([...this.#population, ...this.#points.slice(before)], population)
    return ok(true)
  }

  end(): SearchResult {
    const [front = []] = frontsOf(this.#points)
    const places = new Map(this.#points.map((point, i) => [point, i]))
    const kept = front.filter(({ violation }) => violation === 0)
    return {
      points: this.#points,
      front: kept.map((point) => places.get(point)!),
      invalid: this.#invalid,
    }
  }

  /** The unchanged configuration is a parent only if it is in the space. */
  #breeders(): readonly SearchPoint[] {
    return this.#order.present === null ? this.#points.slice(1) : this.#points
  }

  /** Records the combination: two genomes with the same combination are one trial. */
  #isNew(genome: Genome): boolean {
    const key = JSON.stringify(changesOf(this.#order.axes, genome))
    if (this.#tried.has(key)) return false
    this.#tried.add(key)
    return true
  }

  async #try(generation: number, genomes: readonly Genome[]): Promise<Result<null, string>> {
    const { axes, validate } = this.#order
    const drawn = genomes.map((genome) => ({ genome, changes: changesOf(axes, genome) }))
    const checked = await validate(drawn.map(({ changes }) => changes))
    if (!checked.ok) return checked
    const valid = drawn.filter((_, i) => checked.value[i]?.ok === true)
    for (const one of checked.value) if (!one.ok) this.#problem ||= one.error
    this.#invalid += drawn.length - valid.length
    return this.#measure(generation, valid)
  }

  async #measure(
    generation: number,
    drawn: readonly { readonly genome: Genome; readonly changes: VariantChanges }[],
  ): Promise<Result<null, string>> {
    const { grounds, objectives, constraints, combination, observe } = this.#order
    const changes = drawn.map((one) => one.changes)
    const found: { readonly name: string; readonly metrics: readonly VariantMetrics[] }[] = []
    for (const [g, ground] of grounds.entries()) {
      const measured = await ground.measure(changes, (done) =>
        observe(this.progress(g * drawn.length + done)),
      )
      if (!measured.ok)
        return err(grounds.length === 1 ? measured.error : `${ground.name}: ${measured.error}`)
      if (measured.value === null) {
        this.left = true
        return ok(null)
      }
      found.push({ name: ground.name, metrics: measured.value })
    }
    const goalOf = goalIn(objectives, constraints)
    for (const [i, { genome, changes: own }] of drawn.entries()) {
      const byGround = found.map(({ name, metrics }) => ({ name, metrics: metrics[i]! }))
      const metrics = combined(byGround, combination, goalOf)
      const missing = missingMetric([...objectives, ...constraints], metrics)
      if (missing !== null) return err(missing)
      const score = scoreOf(metrics, objectives, constraints)
      invariant(score.objectives.every(Number.isFinite), 'every metric of a variant is a number')
      const grouped = Object.fromEntries(byGround.map((one) => [one.name, one.metrics]))
      this.#points.push({ genome, changes: own, generation, metrics, byGround: grouped, ...score })
    }
    observe(this.progress(0))
    return ok(null)
  }
}
