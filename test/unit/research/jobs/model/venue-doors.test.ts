import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { infiniteFigures } from '../../../../../src/research/jobs/model/door.ts'
import { DOORS } from '../../../../../src/research/jobs/model/doors.ts'

/** The answer of a model with its warnings, or the messages about its parameters. */
function ask(name: string, params: object) {
  const warnings: string[] = []
  const door = DOORS.find((each) => each.name === name)
  const answer = door?.answer(params, (sentence) => warnings.push(sentence))
  if (answer === undefined) throw new Error(`no model ${name}`)
  return answer.ok
    ? { figures: answer.value as Record<string, unknown>, warnings }
    : { problems: answer.error.map(({ path, message }) => `${path.join('.')}: ${message}`) }
}

const V1 = { k: 0.016666667, A: 40, sigma: 25, gamma: 0.002, Q: 20 }

describe('the fields of an answer', () => {
  test.each<[string, object, readonly string[]]>([
    ['policy', V1, ['rho', 'iterations', 'rows']],
    ['pickoff', { ghat: 0, tau: 60, b: 60 }, ['loss', 'hitProbability']],
    ['leak', { b: 40, s0: 16.84, sigma: 21.3, tau: 15, margin: 20, days: 1 }, ['loss', 'hitProbability']],
    [
      'take-all',
      { b: 40, margin: 20, sigma: 21.3, looksPerDay: 8, days: 1, s0: 16.839 },
      ['loss', 'probability'],
    ],
    ['reply', { rivals: 1, best: 66, cost: 20, k: 0.0167, tolerance: 5 }, ['bps', 'threshold']],
    ['fair-value', { sigma: 24, prior: { mean: 0, sd: 15 }, at: 1 }, ['ghat', 'tau']],
  ])('of %s are exactly those that are documented', (name, params, fields) => {
    expect(Object.keys(ask(name, params).figures ?? {})).toEqual(fields)
  })

  test('of the policy have one row an inventory with its ask and its bid, null where a side is off', () => {
    const { figures } = ask('policy', { ...V1, Q: 1 })
    const rows = figures?.['rows'] as readonly object[]
    expect(rows.map((row) => Object.keys(row))).toEqual(rows.map(() => ['q', 'ask', 'bid']))
    expect(rows[2]).toMatchObject({ q: 1, ask: null })
  })
})

describe('the parameters of the policy', () => {
  test('A stands for the side that has no figure of its own', () => {
    const [both, own] = [ask('policy', V1), ask('policy', { ...V1, A: 1, ABuy: 40, ASell: 40 })]
    expect(own).toEqual(both)
    expect(ask('policy', { ...V1, ASell: 0 }).figures).not.toEqual(both.figures)
  })

  test('are refused where neither A nor both of ABuy and ASell are given', () => {
    const { A: _, ...rest } = V1
    expect(ask('policy', { ...rest, ABuy: 40 }).problems).toEqual([
      ': A is missing; expected A, or both ABuy and ASell',
    ])
  })

  test('ABuy is who sells dollars to us: without them the ask is off and the bid is not', () => {
    const rows = ask('policy', { ...V1, ABuy: 0 }).figures?.['rows'] as readonly {
      ask: unknown
      bid: unknown
    }[]
    expect([rows[30]?.ask, typeof rows[30]?.bid]).toEqual([null, 'number'])
  })
})

test('a price war below the lowest allowed spread is refused', () => {
  const war = { cost: 0, k: 0.0167, tolerance: 5, answerDays: 1, discountPerDay: 0.1 }
  expect(ask('price-war', { ...war, best: 15 }).problems).toEqual([
    'best: nothing below it is allowed; must be at least tolerance + 11',
  ])
  expect(ask('price-war', { ...war, best: 16 }).figures).toHaveProperty('undercut')
})

describe('the published rate', () => {
  test('is fitted to steps, or has its moments computed, and not both', () => {
    expect(ask('published-rate', { sigma: 20, kappa: 1, noise: 0 }).figures).toHaveProperty('autocorrelation')
    const steps = Array.from({ length: 60 }, (_, i) => 20 * Math.sin(i * i))
    expect(ask('published-rate', { steps }).figures?.['fit']).toHaveProperty('kappa.low')
    for (const wrong of [{}, { sigma: 20 }, { sigma: 20, kappa: 1, noise: 0, steps }])
      expect(ask('published-rate', wrong).problems).toHaveLength(1)
  })

  test('without scatter has no fit, and a warning', () => {
    const { figures, warnings } = ask('published-rate', { steps: Array.from({ length: 30 }, () => 0) })
    expect(figures).toEqual({ fit: null })
    expect(warnings).toHaveLength(1)
  })
})

describe('whatever is admitted', () => {
  const real = (min: number, max: number) => fc.double({ min, max, noNaN: true })
  const whole = (min: number, max: number) => fc.integer({ min, max })
  const bps = real(0, 1e4)

  test.each<[string, fc.Arbitrary<object>]>([
    ['pickoff', fc.record({ ghat: real(-1e5, 1e5), tau: real(0, 1e5), b: real(-1e5, 1e5) })],
    ['leak', fc.record({ b: bps, s0: bps, sigma: bps, tau: bps, margin: bps, days: real(1e-6, 1e4) })],
    [
      'reply',
      fc.record({
        rivals: whole(0, 50),
        best: bps,
        cost: real(0, 1e3),
        k: real(1e-4, 1),
        tolerance: whole(0, 490),
      }),
    ],
    [
      'price-war',
      fc.record({
        best: whole(100, 500),
        cost: real(0, 1e3),
        k: real(1e-4, 1),
        tolerance: whole(0, 89),
        answerDays: real(0, 1e4),
        discountPerDay: real(1e-6, 100),
      }),
    ],
    [
      'one-side',
      fc.record({
        retailUsdPerDay: real(0, 1e12),
        reservationBps: real(0.1, 1e4),
        poolUsd: real(0, 1e12),
        looksPerDay: real(0, 1e6),
        informedTau: bps,
        margin: bps,
        ghat: real(-1e4, 1e4),
        gapSd: bps,
      }),
    ],
    [
      'fair-value',
      fc.record({
        sigma: bps,
        prior: fc.record({ mean: real(-1e5, 1e5), sd: real(0, 1e5) }),
        readings: fc.array(fc.record({ t: real(-1e4, 1e4), value: real(-1e5, 1e5), sd: real(1e-6, 1e5) }), {
          maxLength: 5,
        }),
        at: real(-1e4, 1e4),
      }),
    ],
    ['published-rate', fc.record({ sigma: bps, kappa: real(0.01, 1), noise: bps })],
    ['published-rate', fc.record({ steps: fc.array(real(-1e5, 1e5), { minLength: 20, maxLength: 40 }) })],
  ])('%s answers with numbers', (name, params) => {
    fc.assert(
      fc.property(params, (given) => {
        const { figures, problems } = ask(name, given)
        expect(problems).toBeUndefined()
        expect(infiniteFigures(figures)).toEqual([])
      }),
      { numRuns: 25 },
    )
  })
})
