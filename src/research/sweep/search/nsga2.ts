import { invariant } from '../../../base/result.ts'
import type { Random } from '../../../base/random.ts'

/** A gene of the search: a number in [0, 1], or an index into a list of `choices`. */
export type Gene = { readonly kind: 'range' } | { readonly kind: 'choice'; readonly choices: number }
export type Genome = readonly number[]

/** A genome with its scores. Every objective is minimised. */
export type Scored = {
  readonly genome: Genome
  readonly objectives: readonly number[]
  /** Sum of all constraint violations; 0 = feasible. */
  readonly violation: number
}

/** Distribution indices of crossover and mutation: higher values keep children closer to their parents. */
const ETA_CROSSOVER = 15
const ETA_MUTATION = 20
const CROSSOVER_SHARE = 0.9
/** Attempts to draw a child that differs from those before; a small space has no more. */
const MOST_DRAWS = 50

/**
 * Returns whether `one` dominates `other`: feasible where the other is not, or less infeasible, or both feasible and `one`
 * no worse in any objective and better in at least one. Source: Deb, Pratap, Agarwal, Meyarivan 2002, section VI.
 */
export function dominates(one: Scored, other: Scored): boolean {
  if (one.violation !== other.violation) return one.violation < other.violation
  let isBetter = false
  for (const [i, value] of one.objectives.entries()) {
    const than = other.objectives[i]!
    if (value > than) return false
    if (value < than) isBetter = true
  }
  return isBetter
}

/** Returns the fronts of a population, best first: no member dominates another of its own or of an earlier front. */
export function frontsOf<Member extends Scored>(population: readonly Member[]): readonly Member[][] {
  const dominated = population.map((): number[] => [])
  const above = new Int32Array(population.length)
  for (const [i, one] of population.entries())
    for (const [j, other] of population.entries())
      if (dominates(one, other)) {
        dominated[i]!.push(j)
        above[j] = above[j]! + 1
      }
  const fronts: Member[][] = []
  let places = population.flatMap((_, i) => (above[i] === 0 ? [i] : []))
  while (places.length > 0) {
    fronts.push(places.map((i) => population[i]!))
    const next: number[] = []
    for (const i of places)
      for (const j of dominated[i]!) {
        above[j] = above[j]! - 1
        if (above[j] === 0) next.push(j)
      }
    places = next.toSorted((a, b) => a - b)
  }
  return fronts
}

/**
 * Returns each member's crowding distance: the sum over the objectives of the distance between its neighbours, as a
 * share of the front's width; Infinity at the ends. Source: the same, section III-B.
 */
export function crowdingOf(front: readonly Scored[]): readonly number[] {
  const room = new Float64Array(front.length)
  for (const k of front[0]?.objectives.keys() ?? []) {
    const order = front.map((_, i) => i).toSorted((a, b) => valueOf(front, a, k) - valueOf(front, b, k))
    const [first, last] = [order[0]!, order.at(-1)!]
    const width = valueOf(front, last, k) - valueOf(front, first, k)
    room[first] = room[last] = Infinity
    if (!(width > 0) || width === Infinity) continue
    for (let i = 1; i < order.length - 1; i++)
      room[order[i]!] =
        room[order[i]!]! + (valueOf(front, order[i + 1]!, k) - valueOf(front, order[i - 1]!, k)) / width
  }
  return [...room]
}

function valueOf(front: readonly Scored[], i: number, k: number): number {
  return front[i]!.objectives[k]!
}

/** A member with its rank; 0 is the best front. Within a rank, members with more room are preferred. */
type Placed<Member> = { readonly member: Member; readonly rank: number; readonly room: number }

function placed<Member extends Scored>(population: readonly Member[]): readonly Placed<Member>[] {
  return frontsOf(population).flatMap((front, rank) => {
    const rooms = crowdingOf(front)
    return front.map((member, i) => ({ member, rank, room: rooms[i]! }))
  })
}

/** Returns the best `size` members of a population: by front, and within the last front by room. */
export function survivorsOf<Member extends Scored>(
  population: readonly Member[],
  size: number,
): readonly Member[] {
  return placed(population)
    .toSorted((a, b) => a.rank - b.rank || (a.room === b.room ? 0 : b.room - a.room))
    .slice(0, size)
    .map(({ member }) => member)
}

/** Returns genomes that cover the space evenly: each gene takes each of `size` equal parts of its range once. McKay 1979. */
export function firstGenomes(genes: readonly Gene[], size: number, random: Random): readonly Genome[] {
  const columns = genes.map((gene) =>
    shuffled(
      Array.from({ length: size }, (_, i) =>
        gene.kind === 'range' ? (i + random()) / size : Math.floor(((i + random()) / size) * gene.choices),
      ),
      random,
    ),
  )
  return Array.from({ length: size }, (_, i) => columns.map((column) => column[i]!))
}

/**
 * Returns `size` children of a population by binary tournaments, simulated binary crossover and polynomial mutation; choices
 * are taken from either parent and redrawn. `isNew` rejects genomes already tried, so a small space yields fewer children.
 * Source: the same, section III-C; Deb, Agrawal 1995.
 */
export function childrenOf(
  population: readonly Scored[],
  {
    genes,
    size,
    random,
  }: { readonly genes: readonly Gene[]; readonly size: number; readonly random: Random },
  isNew: (genome: Genome) => boolean,
): readonly Genome[] {
  invariant(population.length > 0, 'a generation without parents')
  const parents = placed(population)
  const pick = (): Genome => {
    const [one, other] = [0, 1].map(() => parents[Math.floor(random() * parents.length)]!)
    const isFirst = one!.rank === other!.rank ? one!.room >= other!.room : one!.rank < other!.rank
    return (isFirst ? one! : other!).member.genome
  }
  const children: Genome[] = []
  for (let failed = 0; children.length < size && failed < MOST_DRAWS;) {
    const [one, other] = crossed(genes, pick(), pick(), random)
    const fresh = [one, other].map((genome) => mutated(genes, genome, random)).filter(isNew)
    failed = fresh.length === 0 ? failed + 1 : 0
    children.push(...fresh.slice(0, size - children.length))
  }
  return children
}

function crossed(
  genes: readonly Gene[],
  one: Genome,
  other: Genome,
  random: Random,
): readonly [Genome, Genome] {
  if (random() >= CROSSOVER_SHARE) return [one, other]
  const [left, right]: [number[], number[]] = [[...one], [...other]]
  for (const [i, gene] of genes.entries()) {
    if (random() < 0.5) continue
    const [a, b] = [one[i]!, other[i]!]
    ;[left[i], right[i]] = gene.kind === 'choice' ? [b, a] : binaryCrossed(a, b, random)
  }
  return [left, right]
}

/** Returns two children around two parents, within [0, 1]. */
function binaryCrossed(a: number, b: number, random: Random): readonly [number, number] {
  const [low, high] = a < b ? [a, b] : [b, a]
  const distance = high - low
  if (distance < 1e-12) return [a, b]
  const draw = random()
  const spreadOf = (room: number): number => {
    const alpha = 2 - (1 + (2 * room) / distance) ** -(ETA_CROSSOVER + 1)
    const inverse = 1 / (ETA_CROSSOVER + 1)
    return draw <= 1 / alpha ? (draw * alpha) ** inverse : (1 / (2 - draw * alpha)) ** inverse
  }
  const middle = (low + high) / 2
  const below = within(middle - (spreadOf(low) * distance) / 2)
  const above = within(middle + (spreadOf(1 - high) * distance) / 2)
  return random() < 0.5 ? [below, above] : [above, below]
}

/** Mutates one gene per genome on average. */
function mutated(genes: readonly Gene[], genome: Genome, random: Random): Genome {
  return genome.map((value, i) => {
    const gene = genes[i]!
    if (random() >= 1 / genes.length) return value
    if (gene.kind === 'choice') return Math.floor(random() * gene.choices)
    const draw = random()
    const inverse = 1 / (ETA_MUTATION + 1)
    const towards = (room: number, share: number): number =>
      (share + (1 - share) * (1 - room) ** (ETA_MUTATION + 1)) ** inverse
    return within(value + (draw < 0.5 ? towards(value, 2 * draw) - 1 : 1 - towards(1 - value, 2 - 2 * draw)))
  })
}

function within(value: number): number {
  return Math.min(1, Math.max(0, value))
}

/** Fisher and Yates. */
function shuffled(values: readonly number[], random: Random): readonly number[] {
  const result = [...values]
  for (let i = result.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1))
    ;[result[i], result[j]] = [result[j]!, result[i]!]
  }
  return result
}
