import { describe, expect, it } from 'vitest'
import type { Effect } from '../../../../../src/core/engine/model/effect.ts'
import { fillsAnswer } from '../../../../support/answers.ts'
import { coreConfig } from '../../../../support/core-config.ts'
import { coreHarness, type Harness, runCore } from '../../../../support/core-harness.ts'

const { quote } = coreConfig()
const LIST = ['USDC', 'USDT']
const rules = (desk: Harness) => desk.state().decision?.findings.map(({ rule }) => rule)

/** A venue that takes every PATCH and answers with these pairs; undefined = says nothing of them. */
function deskWhose(pairs: readonly string[] | null | undefined): Harness {
  const desk = coreHarness({ config: { quote: { ...quote, pairs: LIST } } })
  desk.venue.answers.setQuote = (effect: Effect) => {
    if (effect.type !== 'setQuote') return 'silence'
    desk.venue.held = { ...effect.spread, quotePairs: pairs ?? null }
    const named = pairs === undefined ? {} : { namesPairs: true }
    return { type: 'quoteSet', spread: desk.venue.held, ...named }
  }
  desk.run(30_000)
  return desk
}

describe('a list of pairs', () => {
  it('is what every PATCH sends', () => {
    const desk = runCore(30_000, { config: { quote: { ...quote, pairs: LIST } } })
    expect(desk.venue.held).toMatchObject({ bidBps: 60, quotePairs: LIST })
    expect(desk.state().decision?.tradingState).toBe('ACTIVE')
  })

  it.each([
    ['null', null, 'all pairs'],
    ['with more than the list', ['USDC', 'USDT', 'TGBP'], 'TGBP'],
  ])(
    'that the venue answers %s gets the safe quote with the next request, and stays out of the market',
    (_, pairs, actual) => {
      const desk = deskWhose(pairs)
      expect(rules(desk)).toEqual(['unasked-pairs'])
      expect(desk.state().decision?.findings).toMatchObject([{ effect: 'safe', actual }])
      expect(desk.venue.held).toMatchObject({ bidBps: 500, askBps: 500 })
      expect(desk.venue.isActive).toBe(false)
      desk.run(3_600_000)
      expect(rules(desk)).toEqual(['unasked-pairs'])
      // It is no spread that is not held: nothing is repaired over and over, and no one is halted.
      expect(desk.effects.filter(({ type }) => type === 'setQuote').length).toBeLessThan(5)
      expect(desk.state().latch.halted).toBeNull()
    },
  )

  it('that the venue does not mention in its answer is taken as asked', () => {
    const desk = deskWhose(undefined)
    expect(desk.state().decision?.tradingState).toBe('ACTIVE')
    expect(desk.state().quoting.confirmed?.quotePairs).toEqual(LIST)
  })

  it('that is ignored is traded with after quote.pairs: null, and after a restart is ignored still', () => {
    const desk = deskWhose(null)
    desk.restart()
    desk.run(30_000)
    expect(rules(desk)).toEqual(['unasked-pairs'])
    const config = { ...desk.state().config, quote: { ...quote, pairs: null } }
    desk.give({ type: 'reloaded', t: desk.now, config })
    desk.run(60_000)
    expect(rules(desk)).toEqual([])
    expect(desk.venue.held).toMatchObject({ bidBps: 60, quotePairs: null })
    expect(desk.venue.isActive).toBe(true)
  })

  it('that the venue takes later lifts the rule', () => {
    const desk = deskWhose(null)
    delete desk.venue.answers.setQuote
    desk.venue.answers.setQuote = (effect) =>
      effect.type === 'setQuote' ? { type: 'quoteSet', spread: effect.spread, namesPairs: true } : 'silence'
    desk.restart()
    desk.run(60_000)
    expect(rules(desk)).toEqual([])
  })
})

it('a fill in a token that no one can own takes shillings that the books miss: the safe quote, then HALTED', () => {
  const desk = runCore(30_000, { config: { quote: { ...quote, pairs: LIST } } })
  const taken = 250_000n * 10n ** 18n
  desk.venue.amounts.NTZS -= taken
  desk.give(
    fillsAnswer({
      t: desk.now,
      request: 0,
      sentAt: desk.now,
      quarantined: [{ id: 'TGBP-1', reason: 'TGBP is no token of ours', raw: '{}' }],
    }),
  )
  desk.run(60_000)
  expect(desk.observations).toContainEqual(expect.objectContaining({ type: 'rowQuarantined' }))
  expect(desk.state().decision?.tradingState).not.toBe('ACTIVE')
  desk.run(120_000)
  expect(desk.state().latch.halted).not.toBeNull()
})
