import { describe, expect, test } from 'vitest'
import type { CoreConfig } from '../../../../../src/core/engine/model/config.ts'
import type { Effect } from '../../../../../src/core/engine/model/effect.ts'
import { RATE_ONE } from '../../../../../src/base/money/rate.ts'
import { capabilitiesOf } from '../../../../../src/daemon/view/capability-view.ts'
import { buildView } from '../../../../../src/daemon/view/position-view.ts'
import { coreConfig } from '../../../../support/core-config.ts'
import { coreHarness, type Harness } from '../../../../support/core-harness.ts'
import { failureOf } from '../../../../support/failure-of.ts'
import { bringDollars, USD } from '../../../../support/taker.ts'

const { quote, risk } = coreConfig()
const CORRIDOR = { min: 2_000n * RATE_ONE, max: 3_000n * RATE_ONE }
/** More dollars than the position may hold: its ask should be off. */
const FULL = { target: 0.5, limits: { USDC: { min: null, max: 10n * 10n ** 18n } } }

/** A desk at a venue that states no side flags, or at one that does. */
function deskAt(venue: 'measured' | 'contract', config: Partial<CoreConfig> = {}): Harness {
  const desk = coreHarness({ config: { quote: { ...quote, safeBps: 300, drainMs: 0 }, ...config } })
  if (venue === 'measured')
    desk.venue.answers.setQuote = (effect) => {
      if (effect.type !== 'setQuote') throw new Error(effect.type)
      desk.venue.held = { ...effect.spread, quoteBid: true, quoteAsk: true, quotePairs: null }
      return { type: 'quoteSet', spread: { ...effect.spread, quoteBid: null, quoteAsk: null } }
    }
  desk.run(60_000)
  expect(desk.state().activation.isActive).toBe(true)
  return desk
}

const patches = (effects: readonly Effect[]) => effects.filter(({ type }) => type === 'setQuote').length
const calls = ({ effects }: Harness) =>
  effects.flatMap((effect) => (effect.type === 'activate' ? [effect.isActive] : []))
const corridor = { risk: { ...risk, priceCorridor: CORRIDOR, maxMidStepBps: null } }

describe('a side that a limit of the inventory takes off', () => {
  test('is at 500 bps where the venue ignores side flags, without a repair and without a halt', () => {
    const desk = deskAt('measured', { inventory: FULL })
    expect(desk.venue.held).toMatchObject({ askBps: 500 })
    expect(desk.venue.held.bidBps).toBeLessThan(500)
    const before = patches(desk.effects)
    desk.run(1_200_000)
    expect(patches(desk.effects)).toBe(before)
    const { latch, activation, quoting } = desk.state()
    expect([latch.halted, activation.isActive, quoting.status]).toEqual([null, true, 'confirmed'])
  })

  test('is shown as one that cannot be closed in the state, its first reason and the message of the rule', () => {
    const desk = deskAt('measured', { inventory: FULL })
    const words = 'the ask cannot be closed at this venue, so quoted at 500 bps'
    const view = buildView(desk.state(), desk.now, { seq: 1, digest: '' })
    expect(view.quote.cannotClose).toBe(words)
    expect(view.quote.because[0]).toContain(words)
    const limits = { USDC: { min: null, max: 50_050n * 10n ** 18n } }
    const later = deskAt('measured', { inventory: { target: 0.5, limits } })
    bringDollars(later.venue, 100n * USD)
    later.run(30_000)
    const [refused] = later.observations.filter((one) => one.type === 'refusal')
    expect(refused).toMatchObject({ message: expect.stringContaining('cannot close the side') })
  })

  test('is at 500 bps after the first fill on it, even if the venue still states that it is off', () => {
    const desk = deskAt('contract', { inventory: FULL })
    expect(desk.venue.held).toMatchObject({ quoteAsk: false, askBps: 300 })
    desk.run(60_000)
    bringDollars(desk.venue, 100n * USD)
    desk.run(20_000)
    expect(desk.state().quoting.flags).toBe('ignored')
    desk.run(60_000)
    expect(desk.venue.held).toMatchObject({ askBps: 500 })
    expect(desk.state().quoting.flags).toBe('ignored')
    const flags = capabilitiesOf(desk.state()).find(({ name }) => name === 'side-flags')
    expect(flags).toMatchObject({ value: 'ignored', evidence: expect.stringContaining('filled') })
  })

  test('is off, and at quote.safeBps, where the venue states its flags', () => {
    const desk = deskAt('contract', { inventory: FULL })
    expect(desk.venue.held).toMatchObject({ quoteAsk: false, askBps: 300 })
    expect(buildView(desk.state(), desk.now, { seq: 1, digest: '' }).quote.cannotClose).toBeNull()
  })
})

describe('a mid outside the corridor', () => {
  test('deactivates where no side can be closed, and the position enters again after 10 minutes inside', () => {
    const desk = deskAt('measured', corridor)
    desk.venue.mid = 3_500n * RATE_ONE
    desk.run(30_000)
    expect([desk.venue.isActive, desk.state().latch.halted]).toEqual([false, null])
    desk.venue.mid = 2_500n * RATE_ONE
    desk.run(500_000)
    desk.venue.mid = 3_500n * RATE_ONE
    desk.run(60_000)
    desk.venue.mid = 2_500n * RATE_ONE
    desk.run(540_000)
    expect(desk.venue.isActive).toBe(false)
    desk.run(120_000)
    expect(desk.venue.isActive).toBe(true)
    expect(calls(desk)).toEqual([true, false, true])
  })

  test('is waited out by the process that follows too, and not where a person activates', () => {
    const desk = deskAt('measured', corridor)
    desk.venue.mid = 3_500n * RATE_ONE
    desk.run(30_000)
    desk.venue.mid = 2_500n * RATE_ONE
    desk.run(60_000)
    desk.restart()
    desk.run(240_000)
    expect(desk.venue.isActive).toBe(false)
    expect(desk.order({ name: 'activate' }).accepted).toBe(true)
    desk.run(30_000)
    expect(desk.venue.isActive).toBe(true)
  })

  test.each(['before', 'after'])(
    'deactivates a halted position that keeps the safe quote, halted %s it',
    (when) => {
      const desk = deskAt('measured', { risk: { ...corridor.risk, onHalt: 'safe' } })
      const halt = () => expect(desk.order({ name: 'halt' }).accepted).toBe(true)
      if (when === 'before') halt()
      desk.venue.answers.activate = () => failureOf('server', { outcome: 'unknown' })
      desk.venue.mid = 3_500n * RATE_ONE
      desk.run(30_000)
      if (when === 'after') halt()
      desk.venue.mid = 2_500n * RATE_ONE
      desk.run(10_000)
      delete desk.venue.answers.activate
      desk.run(240_000)
      expect([desk.venue.isActive, desk.state().latch.halted !== null]).toEqual([false, true])
    },
  )

  test('closes the losing side and stays where sides can be closed', () => {
    const desk = deskAt('contract', corridor)
    desk.venue.mid = 3_500n * RATE_ONE
    desk.run(30_000)
    expect(desk.venue.held).toMatchObject({ quoteAsk: false, bidBps: 300 })
    expect(desk.venue.isActive).toBe(true)
  })

  test('deactivates nothing where only people do, and both sides are as wide as the safe quote', () => {
    const desk = coreHarness({ config: { ...corridor, activation: 'manual' }, venue: { isActive: true } })
    desk.venue.answers.setQuote = (effect) => {
      if (effect.type !== 'setQuote') throw new Error(effect.type)
      desk.venue.held = { ...effect.spread, quoteBid: true, quoteAsk: true }
      return { type: 'quoteSet', spread: { ...effect.spread, quoteBid: null, quoteAsk: null } }
    }
    desk.run(30_000)
    desk.venue.mid = 3_500n * RATE_ONE
    desk.run(60_000)
    expect(calls(desk)).toEqual([])
    expect(desk.venue.held).toMatchObject({ bidBps: 500, askBps: 500 })
  })
})

test.each([
  ['measured', false],
  ['contract', true],
] as const)(
  'a halt by the price of a fill with onHalt safe at the %s venue leaves the position active: %s',
  (at, isActive) => {
    const desk = deskAt(at, { risk: { ...risk, onHalt: 'safe', maxFillPriceDeviationBps: 50 } })
    const [amountIn, amountOut] = [100n * 10n ** 18n, 400_000n * 10n ** 18n]
    const legs = { side: 'ask', inAsset: 'USDC', amountIn, outAsset: 'NTZS', amountOut, fee: 0n } as const
    desk.venue.fills.push({ id: 'bad', ...legs, earnedText: null, txHash: null, createdAt: null, raw: '{}' })
    desk.venue.amounts.USDC += amountIn
    desk.venue.amounts.NTZS -= amountOut
    desk.run(60_000)
    expect(desk.state().latch.halted?.rule).toBe('fill-price')
    expect(desk.venue.isActive).toBe(isActive)
  },
)
