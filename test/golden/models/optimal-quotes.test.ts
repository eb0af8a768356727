import { describe, expect, test } from 'vitest'
import { glftRule } from '../../../src/core/models/glft.ts'
import { glftStationary } from '../../../src/research/models/quotes/glft-exact.ts'
import { answerOf, figure } from '../../support/model-answer.ts'

type Row = readonly [spread: number, profit: number, profitStd: number, finalQStd: number]

describe('Avellaneda and Stoikov, quant.md 2.1 (Quantitative Finance 8(3) and 20,000 paths of our own)', () => {
  const paper = { s: 100, T: 1, sigma: 2, dt: 0.005, k: 1.5, A: 140, paths: 20_000, seed: 1 }

  test.each<{ gamma: number; inventory: Row; symmetric: Row; published: readonly [Row, Row] }>([
    {
      gamma: 0.1,
      inventory: [1.4918, 64.86, 6.52, 2.91],
      symmetric: [1.4918, 68.24, 13.47, 8.35],
      published: [
        [1.49, 65.0, 6.6, 2.9],
        [1.49, 68.4, 12.7, 8.4],
      ],
    },
    {
      gamma: 0.01,
      inventory: [1.349, 68.38, 8.92, 5.18],
      symmetric: [1.349, 68.64, 13.7, 8.67],
      published: [
        [1.35, 68.6, 8.7, 5.1],
        [1.35, 68.8, 12.8, 8.7],
      ],
    },
  ])(
    'gamma $gamma: spread to four digits, means within 1.5 %, standard deviations within 8 %',
    ({ gamma, ...rows }) => {
      const answer = answerOf('avellaneda-stoikov', { ...paper, gamma })
      for (const [index, strategy] of (['inventory', 'symmetric'] as const).entries()) {
        const found = ['averageSpread', 'profit', 'profitStd', 'finalQStd'].map((name) =>
          figure(answer, `${strategy}.${name}`),
        )
        const off = (row: Row | undefined) =>
          found.map((value, at) => Math.abs(value / (row?.[at] ?? NaN) - 1))
        expect(found[0]).toBeCloseTo(rows[strategy][0], 4)
        for (const row of [rows[strategy], rows.published[index]]) {
          const [spread, profit, profitStd, finalQStd] = off(row)
          expect(spread).toBeLessThan(0.005)
          expect(profit).toBeLessThan(0.015)
          expect(profitStd).toBeLessThan(0.08)
          expect(finalQStd).toBeLessThan(0.08)
        }
        expect(figure(answer, `${strategy}.profitSe`)).toBeCloseTo(
          (found[2] ?? NaN) / Math.sqrt(paper.paths),
          10,
        )
        expect(Math.abs(figure(answer, `${strategy}.finalQ`))).toBeLessThan(0.15)
      }
    },
  )
})

describe("Gueant, Lehalle and Fernandez-Tapia, quant.md 2.2 (the paper's figures 1 to 3)", () => {
  const answer = answerOf('glft', {
    sigma: 0.3,
    A: 0.9,
    k: 0.3,
    gamma: 0.01,
    T: 600,
    Q: 30,
    q: [0, 1, 5, 10],
  })

  test('base 3.278982, c .067866, stationary sd 4.9493 exact and 4.9556 by 1/sqrt(2kc)', () => {
    expect(answer['base']).toBeCloseTo(3.278982, 6)
    expect(answer['c']).toBeCloseTo(0.067866, 6)
    expect(answer['stationarySd']).toBeCloseTo(4.9493, 4)
    expect(1 / Math.sqrt(2 * 0.3 * figure(answer, 'c'))).toBeCloseTo(4.9556, 4)
  })

  test('exact quotes at q = 0, 1, 5, 10 to six digits, and their mirror images', () => {
    const exact = [
      [0, 3.313045, 3.313045],
      [1, 3.381168, 3.244919],
      [5, 3.653479, 2.972522],
      [10, 3.992933, 2.632802],
    ]
    for (const [index, [q, bid, ask]] of exact.entries()) {
      expect(figure(answer, `exact.${index}.q`)).toBe(q)
      expect(figure(answer, `exact.${index}.bid`)).toBeCloseTo(bid ?? NaN, 6)
      expect(figure(answer, `exact.${index}.ask`)).toBeCloseTo(ask ?? NaN, 6)
    }
  })

  test('closed form at q = 0, 1, 10 to six digits', () => {
    for (const [index, bid, ask] of [
      [0, 3.312915, 3.312915],
      [1, 3.380781, 3.245049],
      [3, 3.991574, 2.634257],
    ]) {
      expect(figure(answer, `closed.${index}.bid`)).toBeCloseTo(bid ?? NaN, 6)
      expect(figure(answer, `closed.${index}.ask`)).toBeCloseTo(ask ?? NaN, 6)
    }
  })

  test('half-life of the inventory 50.711 days by the spectrum, 51.099 by the formula', () => {
    const market = { a: 0.9, k: 0.3, sigmaBps: 0.3, riskAversion: 0.01 }
    expect(glftStationary({ ...market, limitLots: 30 }).halfLifeDays).toBeCloseTo(50.711, 3)
    expect(glftRule(market).halfLifeDays).toBeCloseTo(51.099, 3)
  })
})

describe('Gueant 2017, quant.md 1.3 and 2.2', () => {
  test('public notebook of model A: half-spread 20.47208533844371, skew 9.76326865029227', () => {
    const params = { A: 2.986162360812285, k: 0.04235741115084049, gamma: 0.05, delta: 1, sigma: 10.69 }
    const { halfSpread, skew } = answerOf('glft-size', params)
    expect(halfSpread).toBeCloseTo(20.47208533844371, 12)
    expect(skew).toBeCloseTo(9.76326865029227, 12)
  })
})
