import { seededRandom } from '../../src/base/random.ts'
import {
  childrenOf,
  firstGenomes,
  type Gene,
  type Genome,
  type Scored,
  survivorsOf,
} from '../../src/research/sweep/search/nsga2.ts'

/** Zitzler, Deb and Thiele, Evolutionary Computation 8(2), 2000, doi:10.1162/106365600568202: problems whose fronts are known. */
export const PROBLEMS: Readonly<Record<string, (f1: number, g: number) => number>> = {
  ZDT1: (f1, g) => g * (1 - Math.sqrt(f1 / g)),
  ZDT2: (f1, g) => g * (1 - (f1 / g) ** 2),
  ZDT3: (f1, g) => g * (1 - Math.sqrt(f1 / g) - (f1 / g) * Math.sin(10 * Math.PI * f1)),
}

/** How far the points of a known front are from the nearest member of the last generation. */
export function distancesToFront(
  name: string,
  { genes: count, size, generations }: { genes: number; size: number; generations: number },
): { readonly mean: number; readonly most: number } {
  const f2 = PROBLEMS[name]!
  const score = (genome: Genome): Scored => {
    const [x1, ...rest] = genome
    const g = 1 + (9 * rest.reduce((sum, x) => sum + x, 0)) / rest.length
    return { genome, objectives: [x1!, f2(x1!, g)], violation: 0 }
  }
  const genes = Array.from({ length: count }, (): Gene => ({ kind: 'range' }))
  const random = seededRandom(7, name)
  let all: readonly Scored[] = firstGenomes(genes, size, random).map(score)
  for (let generation = 0; generation < generations; generation++)
    all = survivorsOf([...all, ...childrenOf(all, { genes, size, random }, () => true).map(score)], size)
  const points = Array.from({ length: 1_001 }, (_, i) => [i / 1_000, f2(i / 1_000, 1)] as const)
  const front = points.filter(([x, y]) => !points.some(([a, b]) => a < x && b <= y))
  const distances = front.map(([x, y]) =>
    Math.min(...all.map(({ objectives: [a, b] }) => Math.hypot(a! - x, b! - y))),
  )
  const mean = distances.reduce((sum, one) => sum + one, 0) / distances.length
  return { mean, most: Math.max(...distances) }
}
