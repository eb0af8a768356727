import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { seededRandom } from '../../../../../src/base/random.ts'
import {
  childrenOf,
  crowdingOf,
  dominates,
  firstGenomes,
  frontsOf,
  type Gene,
  type Genome,
  type Scored,
  survivorsOf,
} from '../../../../../src/research/sweep/search/nsga2.ts'
import { distancesToFront } from '../../../../support/known-fronts.ts'

const scored: fc.Arbitrary<Scored> = fc.record({
  genome: fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 2, maxLength: 2 }),
  objectives: fc.array(fc.integer({ min: 0, max: 6 }), { minLength: 3, maxLength: 3 }),
  violation: fc.constantFrom(0, 0, 0, 1, 2),
})
const population = fc.array(scored, { minLength: 1, maxLength: 40 })

describe('non-dominated sorting', () => {
  it('ranks as brute force does: a front is what no one that is left dominates', () => {
    fc.assert(
      fc.property(population, (all) => {
        let left = [...all]
        for (const front of frontsOf(all)) {
          const best = left.filter((one) => !left.some((other) => dominates(other, one)))
          expect(new Set(front)).toEqual(new Set(best))
          left = left.filter((one) => !front.includes(one))
        }
        expect(left).toEqual([])
      }),
    )
  })

  it('never loses a point that no one dominates while there is room for all of them', () => {
    fc.assert(
      fc.property(population, (all) => {
        const best = all.filter((one) => !all.some((other) => dominates(other, one)))
        const kept = survivorsOf(all, Math.max(best.length, 5))
        for (const one of best) expect(kept).toContain(one)
      }),
    )
  })

  it('prefers what meets the constraints, whatever the objectives are', () => {
    const within = { genome: [0], objectives: [9, 9], violation: 0 }
    const outside = { genome: [0], objectives: [0, 0], violation: 0.1 }
    expect(dominates(within, outside)).toBe(true)
    expect(dominates(outside, within)).toBe(false)
    expect(dominates(outside, { ...outside, violation: 0.2 })).toBe(true)
  })

  it('gives the ends of a front all the room, and a member among others what its neighbours leave', () => {
    const at = (x: number, y: number): Scored => ({ genome: [x], objectives: [x, y], violation: 0 })
    expect(crowdingOf([at(0, 4), at(1, 3), at(2, 2), at(4, 0)])).toEqual([Infinity, 1, 1.5, Infinity])
    expect(crowdingOf([at(1, 1), at(1, 1)])).toEqual([Infinity, Infinity])
  })
})

describe('genomes', () => {
  const genes: readonly Gene[] = [{ kind: 'range' }, { kind: 'choice', choices: 3 }, { kind: 'range' }]

  it('stay within their ranges and choices through any generations', () => {
    fc.assert(
      fc.property(fc.integer(), (seed) => {
        const random = seededRandom(seed, 'search')
        let all = firstGenomes(genes, 12, random)
        for (let generation = 0; generation < 5; generation++) {
          for (const [a, b, c] of all) {
            for (const one of [a!, c!]) expect(one >= 0 && one <= 1).toBe(true)
            expect([0, 1, 2]).toContain(b)
          }
          const parents = all.map((genome) => ({
            genome,
            objectives: [genome[0]!, 1 - genome[2]!],
            violation: 0,
          }))
          all = childrenOf(parents, { genes, size: 12, random }, () => true)
          expect(all).toHaveLength(12)
        }
      }),
      { numRuns: 50 },
    )
  })

  it('begin spread evenly: each gene takes each part of its range once', () => {
    const first = firstGenomes(genes, 9, seededRandom(1, 'search'))
    expect(first.map(([a]) => Math.floor(9 * a!)).toSorted((a, b) => a - b)).toEqual([
      0, 1, 2, 3, 4, 5, 6, 7, 8,
    ])
    expect(first.map(([, b]) => b).toSorted((a, b) => a! - b!)).toEqual([0, 0, 0, 1, 1, 1, 2, 2, 2])
  })

  it('are never tried twice, and end where the space has no more', () => {
    const few: readonly Gene[] = [{ kind: 'choice', choices: 4 }]
    const tried = new Set(['0', '1'])
    const isNew = (genome: Genome): boolean => {
      const isFresh = !tried.has(String(genome[0]))
      tried.add(String(genome[0]))
      return isFresh
    }
    const parents = [{ genome: [0], objectives: [0, 1], violation: 0 }]
    const children = childrenOf(parents, { genes: few, size: 20, random: seededRandom(1, 'x') }, isNew)
    expect(children.map(([a]) => a).toSorted((a, b) => a! - b!)).toEqual([2, 3])
  })
})

it('the search comes within .02 of the front of ZDT1 with ten genes, after 60 generations of 40', () => {
  expect(distancesToFront('ZDT1', { genes: 10, size: 40, generations: 60 }).mean).toBeLessThan(0.02)
})
