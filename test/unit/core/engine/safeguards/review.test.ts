import { describe, expect, it } from 'vitest'
import type { CoreConfig } from '../../../../../src/core/engine/model/config.ts'
import { buildView } from '../../../../../src/daemon/view/position-view.ts'
import type { ReviewLimits } from '../../../../../src/core/risk/risk-settings.ts'
import { coreConfig } from '../../../../support/core-config.ts'
import { type Harness, runCore } from '../../../../support/core-harness.ts'
import { bringDollars, bringShillings, NTZS, USD } from '../../../../support/taker.ts'
import { refused } from '../../../../support/answers.ts'

const { risk } = coreConfig()
const NONE: ReviewLimits = { fills: null, sameSideFills: null, usd: null }
const HOUR = 3_600_000

function desk(limits: Partial<ReviewLimits> | null, config: Partial<CoreConfig> = {}): Harness {
  const reviewAfter = limits === null ? null : { ...NONE, ...limits }
  return runCore(20_000, { config: { risk: { ...risk, reviewAfter }, ...config } })
}

const stateOf = (one: Harness) => one.state().decision?.tradingState
const rules = (one: Harness) => one.state().decision?.findings.map(({ rule }) => rule)

function ask(one: Harness, dollars = 100n): void {
  bringDollars(one.venue, dollars * USD)
  one.run(4_000)
}
function bid(one: Harness): void {
  bringShillings(one.venue, 250_000n * NTZS)
  one.run(4_000)
}

describe('a review that has become due', () => {
  it('by the third fill quotes the safe quote until a person resumes, through a restart too', () => {
    const one = desk({ fills: 3 })
    ask(one)
    bid(one)
    expect(stateOf(one)).toBe('ACTIVE')
    ask(one)
    expect(rules(one)).toEqual(['review'])
    expect(one.venue.held).toMatchObject({ bidBps: 500, askBps: 500 })
    one.restart()
    one.run(HOUR)
    expect(rules(one)).toEqual(['review'])
    expect(one.order({ name: 'resume' }).answer).toContain('3 fills')
    one.run(20_000)
    expect(one.venue.held).toMatchObject({ bidBps: 60, askBps: 60 })
  })

  it('by fills of one side in a row is not put off by fills of both sides in turn', () => {
    const one = desk({ sameSideFills: 3 })
    for (let i = 0; i < 4; i++) {
      ask(one)
      ask(one)
      bid(one)
    }
    expect(stateOf(one)).toBe('ACTIVE')
    for (let i = 0; i < 3; i++) ask(one)
    expect(rules(one)).toEqual(['review'])
  })

  it('by dollars counts both sides', () => {
    const one = desk({ usd: 250n * 10n ** 18n })
    ask(one)
    bid(one)
    expect(stateOf(one)).toBe('ACTIVE')
    ask(one)
    expect(rules(one)).toEqual(['review'])
  })

  it('never is where the setting is null or, in a journal of before it, absent', () => {
    for (const config of [{}, { risk }]) {
      const one = desk(null, config)
      for (let i = 0; i < 10; i++) ask(one)
      expect(stateOf(one)).toBe('ACTIVE')
    }
  })

  it('counts anew after a resume', () => {
    const one = desk({ fills: 2 })
    ask(one)
    ask(one)
    expect(rules(one)).toEqual(['review'])
    one.order({ name: 'resume' })
    ask(one)
    expect(stateOf(one)).toBe('ACTIVE')
    ask(one)
    expect(rules(one)).toEqual(['review'])
  })
})

describe('a review that a person puts off', () => {
  it('is not due before its time, is shown with the name, and counts anew from there', () => {
    const one = desk({ fills: 2 })
    const until = one.now + HOUR
    expect(one.order({ name: 'resume', reviewUntil: until })).toMatchObject({ accepted: true })
    for (let i = 0; i < 5; i++) ask(one)
    expect(stateOf(one)).toBe('ACTIVE')
    const shown = buildView(one.state(), one.now, { seq: 1, digest: '' }).review
    expect(shown).toMatchObject({ fills: 5, override: { who: 'amina', why: 'a test', until } })
    one.run(HOUR)
    expect(one.observations).toContainEqual(
      expect.objectContaining({ type: 'alert', code: 'review', message: expect.stringContaining('amina') }),
    )
    ask(one)
    expect(stateOf(one)).toBe('ACTIVE')
    ask(one)
    expect(rules(one)).toEqual(['review'])
  })

  it.each([
    [-1, 'in the past'],
    [25 * HOUR, '24 hours at most'],
  ])('until %i ms from now is refused: %s', (ms, words) => {
    const one = desk({ fills: 2 })
    const answer = one.order({ name: 'resume', reviewUntil: one.now + ms })
    expect(answer).toMatchObject(refused(words))
    ask(one)
    ask(one)
    expect(rules(one)).toEqual(['review'])
  })
})
