import { describe, expect, test } from 'vitest'
import {
  avellanedaStoikovPaths,
  avellanedaStoikovQuotes,
} from '../../../../../src/core/models/quotes/avellaneda-stoikov.ts'

const PAPER = {
  start: 100,
  horizon: 1,
  sigma: 2,
  step: 0.005,
  k: 1.5,
  a: 140,
  riskAversion: 0.1,
  paths: 2_000,
  seed: 7,
}

describe('the quotes of Avellaneda and Stoikov', () => {
  test('with dollars too many lie lower by gamma sigma^2 a lot, and at the end lie around the mid', () => {
    const early = avellanedaStoikovQuotes(PAPER, 3, 1)
    expect(early.reservationOffset).toBeCloseTo(-3 * 0.1 * 4, 12)
    expect(early.spread).toBeCloseTo(0.4 + 20 * Math.log1p(0.1 / 1.5), 12)
    const late = avellanedaStoikovQuotes(PAPER, 3, 0)
    expect(late.reservationOffset).toBeCloseTo(0, 12)
    expect(late.spread).toBeCloseTo(20 * Math.log1p(0.1 / 1.5), 12)
  })

  test('are further apart the more risk is disliked, where the horizon is far', () => {
    const spreads = [0.001, 0.01, 0.1, 0.5].map(
      (riskAversion) => avellanedaStoikovQuotes({ ...PAPER, riskAversion }, 0, 5).spread,
    )
    expect(spreads).toEqual(spreads.toSorted((a, b) => a - b))
  })
})

describe('the simulated paths', () => {
  test('of one seed are the same twice, and of another seed are others', () => {
    const first = avellanedaStoikovPaths(PAPER)
    expect(avellanedaStoikovPaths(PAPER)).toEqual(first)
    expect(avellanedaStoikovPaths({ ...PAPER, seed: 8 }).inventory.profit).not.toBe(first.inventory.profit)
  })

  test('without takers earn nothing and hold nothing', () => {
    const { inventory, symmetric } = avellanedaStoikovPaths({ ...PAPER, a: 0 })
    expect([inventory.profit, inventory.finalQStd, symmetric.profit, symmetric.finalQ]).toEqual([0, 0, 0, 0])
  })

  test('without volatility earn half a spread a fill, and both strategies are one', () => {
    const { inventory, symmetric } = avellanedaStoikovPaths({ ...PAPER, sigma: 0 })
    expect(inventory).toEqual(symmetric)
    const fills = 2 * 140 * Math.exp(-1.5 * (inventory.averageSpread / 2))
    expect(inventory.profit / ((fills * inventory.averageSpread) / 2)).toBeCloseTo(1, 1)
  })

  test('with more takers than steps fill each side once a step, as the rule clips the probability at 1', () => {
    const { symmetric } = avellanedaStoikovPaths({ ...PAPER, a: 1e9, sigma: 0, paths: 2 })
    expect(symmetric.profit).toBeCloseTo(200 * symmetric.averageSpread, 6)
    expect(symmetric.finalQStd).toBe(0)
  })
})
