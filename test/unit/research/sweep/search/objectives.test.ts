import { describe, expect, it } from 'vitest'
import {
  combined,
  parseConstraint,
  parseObjective,
  scoreOf,
} from '../../../../../src/research/sweep/search/objectives.ts'

describe('--objective', () => {
  it.each([
    ['maxDrawdownUsd', { metric: 'maxDrawdownUsd', goal: 'min' }],
    ['edgeBps.mean', { metric: 'edgeBps.mean', goal: 'max' }],
    ['min edgeBps.mean', { metric: 'edgeBps.mean', goal: 'min' }],
    ['  max   inventory.meanAbs ', { metric: 'inventory.meanAbs', goal: 'max' }],
    ['inventory.p95', { metric: 'inventory.p95', goal: 'min' }],
  ])('%s is %j', (text, objective) => expect(parseObjective(text)).toEqual({ ok: true, value: objective }))

  it.each(['', 'best pnl', 'max', 'min 5', 'a b c', 'pnl;drop'])('refuses "%s" with an example', (text) => {
    const parsed = parseObjective(text)
    // A lone word is a name, whatever it is.
    if (text === 'max') expect(parsed.ok).toBe(true)
    else
      expect(parsed).toMatchObject({
        ok: false,
        error: expect.stringContaining('min maxDrawdownUsd') as string,
      })
  })
})

describe('--constraint', () => {
  it.each([
    ['fillsADay>=1', { metric: 'fillsADay', relation: '>=', bound: 1 }],
    [' maxDrawdownUsd <= 2.5e3 ', { metric: 'maxDrawdownUsd', relation: '<=', bound: 2_500 }],
  ])('%s is %j', (text, constraint) => expect(parseConstraint(text)).toEqual({ ok: true, value: constraint }))

  it.each(['fillsADay', 'fillsADay>1', 'fillsADay>=', 'fillsADay>=many', '>=1', 'a>=Infinity', 'a>=1 b'])(
    'refuses "%s" with an example',
    (text) =>
      expect(parseConstraint(text)).toMatchObject({
        ok: false,
        error: expect.stringContaining('fillsADay>=1') as string,
      }),
  )
})

describe('the score of a variant', () => {
  it('is minimised, and a missed constraint counts by its share of the bound', () => {
    const constraints = [
      { metric: 'fills', relation: '>=', bound: 10 },
      { metric: 'risk', relation: '<=', bound: 4 },
    ] as const
    const objectives = [
      { metric: 'earned', goal: 'max' },
      { metric: 'risk', goal: 'min' },
    ] as const
    expect(scoreOf({ earned: 7, risk: 5, fills: 8 }, objectives, constraints)).toEqual({
      objectives: [-7, 5],
      violation: 0.2 + 0.25,
    })
    expect(scoreOf({ earned: null, risk: 1, fills: 20 }, objectives, constraints).violation).toBeGreaterThan(
      1e9,
    )
  })

  it('over several tapes is unknown where one of them has no figure', () => {
    const grounds = [
      { name: 'a', metrics: { x: 1, y: 2 } },
      { name: 'b', metrics: { x: null, y: 4 } },
    ]
    expect(combined(grounds, 'mean', () => 'max')).toEqual({ x: null, y: 3 })
    expect(combined(grounds, 'worst', () => 'max')).toEqual({ x: null, y: 2 })
  })
})
