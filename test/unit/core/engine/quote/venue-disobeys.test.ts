import { describe, expect, it } from 'vitest'
import type { Effect } from '../../../../../src/core/engine/model/effect.ts'
import { buildView, readiness } from '../../../../../src/daemon/view/position-view.ts'
import { activationAnswer } from '../../../../support/answers.ts'
import { coreConfig } from '../../../../support/core-config.ts'
import { coreHarness, type Harness, runCore } from '../../../../support/core-harness.ts'
import { failureOf } from '../../../../support/failure-of.ts'

const { risk } = coreConfig()
const FIXED = { bidBps: 60, askBps: 60, quoteBid: true, quoteAsk: true, quotePairs: null }
const leaving = (desk: Harness) =>
  desk.effects.filter((effect) => effect.type === 'activate' && !effect.isActive)
const safePatches = (effects: readonly Effect[]) =>
  effects.filter((effect) => effect.type === 'setQuote' && effect.spread.bidBps === 500)
const viewNow = (desk: Harness) => buildView(desk.state(), desk.now, { seq: 1, digest: '' })

/** In the market at 60 bps, then paused: the safe quote is wanted from here on. */
function pausedDesk(config: Parameters<typeof coreHarness>[0] = {}): Harness {
  const desk = runCore(30_000, config)
  expect(desk.venue).toMatchObject({ isActive: true, held: FIXED })
  return desk
}

describe('a venue that keeps another spread than the safe one', () => {
  const answersWith = (desk: Harness) => (effect: Effect) =>
    effect.type === 'setQuote' ? { type: 'quoteSet' as const, spread: desk.venue.held } : 'silence'

  it('in its answers is left after five repairs, within 20 s, with a critical notice', () => {
    const desk = pausedDesk()
    desk.venue.answers.setQuote = answersWith(desk)
    desk.order({ name: 'pause' })
    desk.run(20_000)
    const left = desk.effects.findIndex((effect) => effect.type === 'activate' && !effect.isActive)
    expect(safePatches(desk.effects.slice(0, left))).toHaveLength(1 + 5)
    expect(desk.alerts('quote-not-held')).toMatchObject([{ severity: 'critical' }])
    expect(desk.venue.isActive).toBe(false)
    expect(desk.state().latch.halted).toMatchObject({ rule: 'quote-not-held' })
  })

  it('is left also where halting means the safe quote and activation is a matter of people', () => {
    const config = { risk: { ...risk, onHalt: 'safe' as const }, activation: 'manual' as const }
    const desk = runCore(30_000, { config, venue: { isActive: true } })
    desk.venue.answers.setQuote = answersWith(desk)
    desk.order({ name: 'pause' })
    desk.run(20_000)
    expect(desk.venue.isActive).toBe(false)
  })

  it('behind an answer that repeats the request is found by the read-back and left', () => {
    const desk = pausedDesk()
    desk.venue.answers.setQuote = (effect) =>
      effect.type === 'setQuote' ? { type: 'quoteSet', spread: effect.spread } : 'silence'
    desk.order({ name: 'pause' })
    // The first read-back comes with the regular check of the quote, every one after it with its repair.
    desk.run(420_000)
    expect(desk.state().latch.halted).toMatchObject({ rule: 'quote-not-held' })
    expect(desk.venue.isActive).toBe(false)
  })

  it('behind PATCHes that never get an answer is found by the read-backs and left', () => {
    const desk = pausedDesk()
    desk.venue.answers.setQuote = () => failureOf('timeout')
    desk.order({ name: 'pause' })
    desk.run(60_000)
    expect(desk.state().latch.halted).toMatchObject({ rule: 'quote-not-held' })
    expect(desk.venue.isActive).toBe(false)
  })

  it('and then holds it is no reason to leave: five mismatches and a quote that is read back as asked are forgotten', () => {
    const desk = pausedDesk()
    let wrong = 0
    desk.venue.answers.setQuote = (effect) => {
      if (effect.type !== 'setQuote') return 'silence'
      wrong += 1
      if (wrong > 5) desk.venue.held = effect.spread
      return { type: 'quoteSet', spread: desk.venue.held }
    }
    desk.order({ name: 'pause' })
    desk.run(60_000)
    expect(desk.venue.held).toMatchObject({ bidBps: 500, askBps: 500 })
    expect(desk.state().quoting.mismatches).toBe(0)
    expect(desk.state().latch.halted).toBeNull()
    expect(leaving(desk)).toEqual([])
  })

  it('for longer than an outage lasts is another thing than an outage, which never halts', () => {
    const desk = pausedDesk()
    for (const kind of ['setQuote', 'readQuote'] as const)
      desk.venue.answers[kind] = () => failureOf('server')
    desk.order({ name: 'pause' })
    desk.run(600_000)
    expect(desk.state().latch.halted).toBeNull()
  })
})

describe('a key that is refused', () => {
  it('once, with 401, and then works is no lost key', () => {
    const desk = pausedDesk()
    let refusals = 0
    desk.venue.answers.readFills = () => {
      refusals += 1
      delete desk.venue.answers.readFills
      return failureOf('auth', { status: 401 })
    }
    desk.run(120_000)
    expect(refusals).toBe(1)
    expect(desk.state().latch.halted).toBeNull()
    expect(desk.state().decision?.tradingState).toBe('ACTIVE')
  })

  it('by everything halts five seconds after the first refusal, and not before', () => {
    const desk = pausedDesk()
    const refused = () => failureOf('auth', { status: 401, route: 'GET /any' })
    for (const kind of ['readAccount', 'readRate', 'readBalances', 'readFills', 'readQuote'] as const)
      desk.venue.answers[kind] = refused
    desk.run(4_900)
    expect(desk.state().latch.halted).toBeNull()
    desk.run(6_000)
    expect(desk.state().latch.halted).toMatchObject({ rule: 'auth' })
    expect(desk.alerts('auth')).toMatchObject([{ severity: 'critical' }])
  })

  it('now and then, with successes of the same request in between, trades on', () => {
    const desk = pausedDesk()
    let turn = 0
    desk.venue.answers.readRate = () => {
      turn += 1
      if (turn % 2 === 0) return failureOf('auth', { status: 401 })
      const { mid, rateUpdatedAt, quotable } = desk.venue
      return { type: 'rate', mid, problem: null, rateUpdatedAt, quotable, venueTime: desk.now }
    }
    desk.run(300_000)
    expect(turn).toBeGreaterThan(10)
    expect(desk.state().latch.halted).toBeNull()
  })

  it('for one request only (403) halts although all others succeed', () => {
    const desk = pausedDesk()
    desk.venue.answers.readBalances = () => failureOf('auth', { status: 403 })
    desk.run(60_000)
    expect(desk.state().latch.halted).toMatchObject({ rule: 'auth' })
  })
})

describe('a position that is wanted in the market and is not', () => {
  it('is not ready, shows the reason, and is alerted about after a minute, once', () => {
    const desk = coreHarness()
    const message = 'POST /activate: 405 METHOD_NOT_ALLOWED'
    desk.venue.answers.activate = () => failureOf('refused', { status: 405, message })
    desk.run(30_000)
    expect(desk.state().decision?.tradingState).toBe('ACTIVE')
    expect(readiness(desk.state(), desk.now)).toMatchObject({
      ready: false,
      why: [expect.stringContaining(message)],
    })
    expect(viewNow(desk).missing).toMatchObject({ why: message })
    expect(desk.alerts('not-active')).toEqual([])
    desk.run(600_000)
    const [alert, ...more] = desk.alerts('not-active')
    expect(alert).toMatchObject({ severity: 'critical', message: expect.stringContaining(message) })
    expect(more).toEqual([])
    delete desk.venue.answers.activate
    desk.run(120_000)
    expect(readiness(desk.state(), desk.now)).toEqual({ ready: true, why: [] })
    expect(viewNow(desk).missing).toBeNull()
  })

  it('is alerted about also where the venue says done and does nothing', () => {
    const desk = coreHarness()
    desk.venue.answers.activate = () => activationAnswer({ isActive: false })
    desk.run(70_000)
    expect(desk.alerts('not-active')).toHaveLength(1)
  })

  it('is not one that people took out: nothing is alerted about after a deactivation by command', () => {
    const desk = pausedDesk()
    desk.order({ name: 'deactivate' })
    desk.run(300_000)
    expect(desk.venue.isActive).toBe(false)
    expect(desk.alerts('not-active')).toEqual([])
    expect(viewNow(desk).missing).toBeNull()
  })
})
