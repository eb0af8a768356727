import { describe, expect, it } from 'vitest'
import type { Effect } from '../../../../../src/core/engine/model/effect.ts'
import type { StrategyContext } from '../../../../../src/core/strategy/context.ts'
import { quoteReadAnswer } from '../../../../support/answers.ts'
import { coreHarness, type Harness, runCore } from '../../../../support/core-harness.ts'
import { failureOf } from '../../../../support/failure-of.ts'
import { testStrategy } from '../../../../support/test-strategy.ts'

const patches = (desk: Harness) => desk.effects.filter((effect) => effect.type === 'setQuote')
const kinds = (effects: readonly Effect[]) => effects.map(({ type }) => type)

/** A desk in the market whose strategy wants what `wish` says, asked anew with every decision. */
function wishingDesk() {
  const wish = { bps: 60 }
  const desk = runCore(16_000, {
    strategy: testStrategy(() => ({ bidBps: wish.bps, askBps: wish.bps, reasons: ['a wish'] })),
  })
  desk.effects.length = 0
  return { desk, wish }
}

describe('a wish that moves', () => {
  it('moves the quote, confirmed by the venue', () => {
    const { desk, wish } = wishingDesk()
    wish.bps = 90
    desk.run(16_000)
    expect(patches(desk)).toHaveLength(1)
    expect(desk.venue.held).toMatchObject({ bidBps: 90, askBps: 90 })
    expect(desk.state().quoting).toMatchObject({ status: 'confirmed', confirmed: { bidBps: 90 } })
  })

  it('while a PATCH is in flight waits, and of several wishes only the last is sent', () => {
    const { desk, wish } = wishingDesk()
    desk.venue.answers.setQuote = () => 'silence'
    wish.bps = 90
    desk.run(16_000)
    for (const bps of [100, 110, 120]) {
      wish.bps = bps
      desk.venue.mid += 10n ** 18n
      desk.venue.rateUpdatedAt = desk.now
      desk.run(16_000)
    }
    expect(patches(desk)).toHaveLength(1)
    const [first] = patches(desk)
    delete desk.venue.answers.setQuote
    if (first?.type !== 'setQuote') throw new Error('no PATCH')
    desk.give({ type: 'quoteSet', t: desk.now, request: first.id, spread: first.spread })
    desk.run(16_000)
    expect(patches(desk).map((patch) => patch.type === 'setQuote' && patch.spread.bidBps)).toEqual([90, 120])
  })

  it('at every decision never takes the budget from the fills', () => {
    let turn = 0
    const restless = testStrategy(() => ({ bidBps: 60 + ((turn += 10) % 200), askBps: 60, reasons: [] }))
    const desk = runCore(16_000, { strategy: restless })
    desk.effects.length = 0
    desk.run(60_000)
    expect(patches(desk).length).toBeGreaterThan(3)
    expect(patches(desk).length).toBeLessThanOrEqual(17)
    expect(kinds(desk.effects).filter((kind) => kind === 'readFills').length).toBeGreaterThanOrEqual(10)
  })
})

describe('a PATCH without an answer', () => {
  it('makes the status of the quote unknown, reads both sides back, and only then repairs', () => {
    const { desk, wish } = wishingDesk()
    let lost = 0
    desk.venue.answers.setQuote = (effect) => {
      lost += 1
      if (lost > 1 && effect.type === 'setQuote') {
        desk.venue.held = effect.spread
        return { type: 'quoteSet', spread: effect.spread }
      }
      return failureOf('timeout')
    }
    wish.bps = 90
    desk.run(16_000)
    const writesAndReads = kinds(desk.effects).filter((kind) => kind === 'setQuote' || kind === 'readQuote')
    expect(writesAndReads).toEqual(['setQuote', 'readQuote', 'readQuote', 'setQuote'])
    expect(desk.observations.filter(({ type }) => type === 'quoteStatusChanged').slice(-2)).toMatchObject([
      { status: 'unknown' },
      { status: 'confirmed' },
    ])
  })

  it('is read back and repaired again when the repair had no answer either', () => {
    const { desk, wish } = wishingDesk()
    let lost = 0
    desk.venue.answers.setQuote = () => {
      lost += 1
      if (lost === 3) delete desk.venue.answers.setQuote
      return failureOf('timeout')
    }
    wish.bps = 90
    desk.run(20_000)
    expect(lost).toBe(3)
    expect(desk.state().quoting.status).toBe('confirmed')
    expect(desk.venue.held).toMatchObject({ bidBps: 90, askBps: 90 })
  })

  it('is repaired although one of the sides can never be read back', () => {
    const { desk, wish } = wishingDesk()
    desk.venue.answers.readQuote = () => failureOf('malformed', { outcome: 'failed' })
    desk.venue.answers.setQuote = () => {
      delete desk.venue.answers.setQuote
      return failureOf('timeout')
    }
    wish.bps = 90
    desk.run(15_000)
    expect(desk.venue.held).toMatchObject({ bidBps: 90, askBps: 90 })
    expect(desk.state().quoting.status).toBe('confirmed')
  })
})

describe('a process that takes over', () => {
  it('does not leave an old quote standing because the quote endpoint is broken', () => {
    const desk = coreHarness({ venue: { isActive: true } })
    desk.venue.held = { bidBps: 11, askBps: 11, quoteBid: true, quoteAsk: true, quotePairs: null }
    desk.venue.answers.readQuote = () => failureOf('server', { outcome: 'failed' })
    desk.restart()
    desk.run(16_000)
    expect(desk.venue.held).toMatchObject({ bidBps: 60, askBps: 60 })
  })

  it('makes the quote safe within seconds where the venue tells it nothing', () => {
    const desk = coreHarness()
    for (const route of ['readAccount', 'readRate', 'readBalances', 'readFills', 'readQuote'] as const) {
      desk.venue.answers[route] = () => 'silence'
    }
    desk.venue.held = { bidBps: 11, askBps: 11, quoteBid: true, quoteAsk: true, quotePairs: null }
    desk.restart()
    desk.run(16_000)
    expect(desk.venue.held).toMatchObject({ bidBps: 500, askBps: 500 })
  })
})

describe('a PATCH that the venue refuses', () => {
  it('is tried again more and more slowly, and said out loud when it keeps being refused', () => {
    const { desk, wish } = wishingDesk()
    desk.venue.answers.setQuote = () => failureOf('refused', { status: 400 })
    wish.bps = 90
    desk.run(60_000)
    expect(patches(desk).length).toBeLessThan(14)
    expect(desk.alerts('quote-stuck')).toHaveLength(1)
    expect(desk.state().quoting).toMatchObject({ status: 'confirmed', confirmed: { bidBps: 60 } })
  })

  it('is reported as over with the next change that the venue confirms', () => {
    const { desk, wish } = wishingDesk()
    desk.venue.answers.setQuote = () => failureOf('server', { status: 503, outcome: 'unknown' })
    wish.bps = 90
    desk.run(60_000)
    delete desk.venue.answers.setQuote
    desk.run(120_000)
    expect(desk.alerts('quote-stuck').map(({ severity }) => severity)).toEqual(['critical', 'info'])
  })
})

describe('a PATCH that fails is reported with what it means for the quote', () => {
  it.each([
    ['refused', { status: 400 }, 'the venue refused; 60/60 is still live'],
    ['network', { outcome: 'failed' }, 'the request did not reach the venue; 60/60 is still live'],
    ['server', { status: 500, outcome: 'unknown' }, 'the live quote is unknown until it is read back'],
  ] as const)('%s', (kind, change, meaning) => {
    const { desk, wish } = wishingDesk()
    desk.venue.answers.setQuote = () => failureOf(kind, change)
    wish.bps = 90
    desk.run(16_000)
    const failed = desk.observations.find((one) => one.type === 'requestFailed')
    expect(failed).toMatchObject({ meaning })
  })
})

describe('a quote that someone else moved', () => {
  it('is found by the read-back and put back', () => {
    const { desk } = wishingDesk()
    desk.venue.held = { ...desk.venue.held, askBps: 15 }
    desk.run(1_000_000)
    expect(desk.venue.held).toMatchObject({ bidBps: 60, askBps: 60 })
    expect(patches(desk)).toHaveLength(1)
  })

  it('is not seen in an answer that was asked for before our own change was confirmed', () => {
    const { desk, wish } = wishingDesk()
    desk.venue.answers.readQuote = () => 'silence'
    desk.run(1_000_000)
    const asked = desk.effects.findLast((effect) => effect.type === 'readQuote')
    wish.bps = 90
    desk.run(16_000)
    desk.effects.length = 0
    const { now: t } = desk
    desk.give(
      quoteReadAnswer({ t, request: asked?.id ?? 0, side: 'bid', spreadBps: 60, mid: desk.venue.mid }),
    )
    desk.run(16_000)
    expect(desk.state().quoting.status).toBe('confirmed')
    expect(patches(desk)).toEqual([])
  })
})

describe('a venue that answers a PATCH with something else', () => {
  it('is shown as differing and asked again with a pause, not as fast as it answers', () => {
    const desk = coreHarness()
    desk.venue.answers.setQuote = (effect) =>
      effect.type === 'setQuote' ? { type: 'quoteSet', spread: { ...effect.spread, bidBps: 77 } } : 'silence'
    desk.run(60_000)
    expect(desk.state().quoting.status).toBe('mismatch')
    expect(patches(desk).length).toBeLessThan(14)
    expect(desk.effects.filter(({ type }) => type === 'activate')).toEqual([])
  })
})

describe('the quote in the context of a strategy', () => {
  it('the context has the confirmed quote, and no quote until it is confirmed', () => {
    const seen: StrategyContext['standing'][] = []
    runCore(16_000, {
      strategy: testStrategy((context) => {
        seen.push(context.standing)
        return { bidBps: 60, askBps: null, reasons: [] }
      }),
    })
    expect(seen[0]).toEqual({ bidBps: null, askBps: null })
    expect(seen.at(-1)).toEqual({ bidBps: 60, askBps: null })
  })
})

it('continues deciding in a dry run that was started again, from a dry run or from a live one', () => {
  for (const mode of ['dry-run', 'live'] as const) {
    const held = { bidBps: 45, askBps: 55, quoteBid: true, quoteAsk: true, quotePairs: null }
    const desk = coreHarness({ config: { mode }, venue: { isActive: true, held } })
    // As the performer does: what a dry run would send is agreed to, and the venue never learns of it.
    const pretend = (effect: Effect) =>
      effect.type === 'setQuote' ? ({ type: 'quoteSet', spread: effect.spread } as const) : 'silence'
    if (mode === 'dry-run') desk.venue.answers.setQuote = pretend
    desk.run(60_000)
    expect(desk.state().quoting.status).toBe('confirmed')
    desk.venue.answers.setQuote = pretend
    desk.restart({ ...desk.state().config, mode: 'dry-run' })
    expect(desk.state().quoting.status).toBe('unknown')
    desk.run(60_000)
    expect(desk.state().quoting.status).toBe('confirmed')
  }
})
