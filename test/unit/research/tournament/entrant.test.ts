import { describe, expect, test } from 'vitest'
import {
  entrantProblemsOf,
  tournamentSchema,
  variantsOf,
} from '../../../../src/research/tournament/entrant.ts'

const file = (over: object) => tournamentSchema.parse({ strategies: [{ name: 'a', use: 'glft' }], ...over })

describe('the file of a tournament', () => {
  test('a grid gives every combination, and a key with = sets several parameters to one value', () => {
    const { strategies } = file({
      strategies: [{ name: 'a', use: 'x', params: { keep: 1 }, grid: { 'b=c': [1, 2], d: [3, 4] } }],
    })
    const variants = variantsOf(strategies[0]!)
    expect(variants.ok && variants.value.map(({ params }) => params)).toEqual([
      { keep: 1, b: 1, c: 1, d: 3 },
      { keep: 1, b: 1, c: 1, d: 4 },
      { keep: 1, b: 2, c: 2, d: 3 },
      { keep: 1, b: 2, c: 2, d: 4 },
    ])
    expect(variants.ok && variants.value[0]?.label).toBe('b=c 1, d 3')
  })

  test('a grid with more than a thousand variants is refused', () => {
    const many = Array.from({ length: 40 }, (_, value) => value)
    const { strategies } = file({ strategies: [{ name: 'a', use: 'x', grid: { b: many, c: many } }] })
    expect(variantsOf(strategies[0]!)).toMatchObject({
      ok: false,
      error: expect.stringContaining('1600 variants'),
    })
  })

  test('training and test seeds that meet are refused where something is tuned, and only there', () => {
    const seeds = { firstSeed: 20, seeds: 10, firstTrainingSeed: 1, trainingSeeds: 20 }
    const tuned = [{ name: 'a', use: 'x', grid: { b: [1, 2] } }]
    expect(entrantProblemsOf(file(seeds))).toEqual([])
    expect(entrantProblemsOf(file({ ...seeds, strategies: tuned }))).toEqual([
      expect.stringMatching(/1 to 20 and .* 20 to 29/),
    ])
    expect(entrantProblemsOf(file({ ...seeds, strategies: tuned, trainingSeeds: 19 }))).toEqual([])
    expect(entrantProblemsOf(file({ ...seeds, strategies: tuned, firstTrainingSeed: 29 }))).toEqual([
      expect.stringMatching(/overlap/),
    ])
    expect(entrantProblemsOf(file({ ...seeds, strategies: tuned, firstTrainingSeed: 30 }))).toEqual([])
  })

  test('a name twice and an unknown key are refused', () => {
    const twice = {
      strategies: [
        { name: 'a', use: 'x' },
        { name: 'a', use: 'y' },
      ],
    }
    expect(tournamentSchema.safeParse(twice).success).toBe(false)
    expect(tournamentSchema.safeParse({ strategies: [{ name: 'a', use: 'x', tau: 3 }] }).success).toBe(false)
  })
})
