import { describe, expect, it } from 'vitest'
import {
  forgetConfirmation,
  patchConfirmed,
  patchRefused,
  patchSent,
  sideRead,
  sideUnreadable,
} from '../../../../src/core/quoting/confirmation.ts'
import { nextMove, type QuotingSettings } from '../../../../src/core/quoting/next-move.ts'
import {
  createQuoting,
  type QuotedSpread,
  type QuotingState,
} from '../../../../src/core/quoting/quote-state.ts'
import { approve } from '../../../../src/core/risk/approve.ts'
import { openLatch } from '../../../../src/core/risk/latch.ts'
import { approval, findingOf } from '../risk/support.ts'

const settings: QuotingSettings = { requoteThresholdBps: 2, minRequoteIntervalMs: 2_000, pairs: null }
const NOW = 1_000_000

const spread = (bidBps: number, askBps: number, change: Partial<QuotedSpread> = {}): QuotedSpread => ({
  bidBps,
  askBps,
  quoteBid: true,
  quoteAsk: true,
  quotePairs: null,
  ...change,
})
/** What risk approves of a wish; `closed` makes it a safety move. */
const target = (bidBps: number | null, askBps: number | null, safety = false) =>
  approve(
    { bidBps, askBps, reasons: [] },
    safety ? [findingOf(bidBps === null ? 'bid-off' : 'ask-off')] : [],
    openLatch(),
    0,
    approval(),
  ).target
const safe = approve(null, [findingOf('safe', 'paused')], openLatch(), 0, approval()).target

/** A quoter whose quote of `held` was confirmed at `NOW`. */
function standing(held: QuotedSpread): QuotingState {
  const state = createQuoting()
  patchSent(state, 1, held, NOW)
  patchConfirmed(state, held, held, NOW)
  return state
}

describe('a venue that states no side flags', () => {
  const unstated = (bidBps: number, askBps: number) => ({
    ...spread(bidBps, askBps),
    quoteBid: null,
    quoteAsk: null,
  })
  const off = spread(60, 500, { quoteAsk: false })

  it('from the first answer on keeps a side open at its idle spread, which counts as held and is not repaired', () => {
    const state = createQuoting()
    patchSent(state, 1, off, NOW, true)
    patchConfirmed(state, unstated(60, 500), off, NOW)
    expect(state).toMatchObject({ status: 'confirmed', flags: 'unstated', confirmed: spread(60, 500) })
    expect(nextMove(state, target(60, null, true), NOW + 9_999, settings)).toEqual({ kind: 'none' })
    expect(nextMove(state, target(60, 60), NOW + 9_999, settings)).toMatchObject({
      kind: 'patch',
      spread: spread(60, 60),
    })
  })

  it('and holds another idle spread than it was asked for differs', () => {
    const state = createQuoting()
    patchSent(state, 1, off, NOW, true)
    patchConfirmed(state, unstated(60, 80), off, NOW)
    expect(state).toMatchObject({ status: 'mismatch', confirmed: spread(60, 80), mismatches: 1 })
  })

  it('after it stated them closes its sides until a second answer in a row is without them', () => {
    const state = standing(spread(60, 60))
    const answer = (held: ReturnType<typeof unstated> | QuotedSpread) => {
      patchSent(state, 2, off, NOW)
      patchConfirmed(state, held, off, NOW)
      return [state.flags, state.confirmed?.quoteAsk, state.status]
    }
    expect(answer(unstated(60, 500))).toEqual(['missed', false, 'confirmed'])
    expect(answer(off)).toEqual([undefined, false, 'confirmed'])
    expect(answer(unstated(60, 500))).toEqual(['missed', false, 'confirmed'])
    expect(answer(unstated(60, 500))).toEqual(['ignored', true, 'confirmed'])
    expect(answer(off)).toEqual([undefined, false, 'confirmed'])
  })
})

describe('a quote that stands', () => {
  const eager = { ...settings, requoteThresholdBps: 0 }
  const off = spread(60, 500, { quoteAsk: false })
  it.each([
    ['is left alone when it is the one that is wanted', spread(60, 60), target(60, 60), settings, null],
    ['is left alone for less than the threshold', spread(60, 60), target(61, 59), settings, null],
    ['is moved from the threshold on: the bid', spread(60, 60), target(62, 60), settings, 'threshold'],
    ['is moved from the threshold on: the ask', spread(60, 60), target(60, 58), settings, 'threshold'],
    ['has a side turned off whatever the threshold is', spread(60, 60), target(60, null), settings, 'side'],
    ['has a side turned on whatever the threshold is', off, target(60, 60), settings, 'side'],
    ['keeps any number on a side that is off', { ...off, askBps: 77 }, target(60, null), settings, null],
    ['moves for a single bp where the threshold is zero', spread(60, 60), target(61, 60), eager, 'threshold'],
    ['never moves for no bp', spread(60, 60), target(60, 60), eager, null],
  ])('%s', (_, held, wanted, given, reason) => {
    const move = nextMove(standing(held), wanted, NOW + 9_999, given)
    if (reason === null) expect(move).toEqual({ kind: 'none' })
    else expect(move).toMatchObject({ kind: 'patch', reason })
  })

  it('waits for the minimum interval, to the millisecond', () => {
    const state = standing(spread(60, 60))
    expect(nextMove(state, target(90, 90), NOW + 1_999, settings)).toEqual({
      kind: 'wait',
      until: NOW + 2_000,
    })
    expect(nextMove(state, target(90, 90), NOW + 2_000, settings)).toMatchObject({ kind: 'patch' })
  })

  it('is made safe at once: safety waits for neither threshold nor interval', () => {
    const state = standing(spread(499, 499))
    expect(nextMove(state, safe, NOW + 1, settings)).toMatchObject({ kind: 'patch', reason: 'safety' })
    const closing = nextMove(standing(spread(60, 60)), target(60, null, true), NOW + 1, settings)
    expect(closing).toMatchObject({ kind: 'patch', spread: { quoteBid: true, quoteAsk: false, askBps: 500 } })
  })

  it.each([
    ['an equal spread', 60],
    ['a spread closer than the threshold', 61],
  ])('a change of the pairs with %s patches the quote with the new pairs', (_what, bps) => {
    const moved = nextMove(standing(spread(60, 60)), target(bps, 60), NOW + 9_999, {
      ...settings,
      pairs: ['USDC'],
    })
    expect(moved).toMatchObject({ kind: 'patch', reason: 'pairs', spread: { quotePairs: ['USDC'] } })
  })
})

describe('a PATCH under way', () => {
  it('is waited for, by safety too: two wishes while one is in flight become one', () => {
    const state = standing(spread(60, 60))
    patchSent(state, 2, spread(90, 90), NOW + 5_000)
    expect(nextMove(state, target(120, 120), NOW + 9_000, settings)).toEqual({ kind: 'none' })
    expect(nextMove(state, safe, NOW + 9_000, settings)).toEqual({ kind: 'none' })
    patchConfirmed(state, spread(90, 90), spread(90, 90), NOW + 9_100)
    expect(nextMove(state, target(150, 150), NOW + 9_100, settings)).toMatchObject({
      spread: { bidBps: 150, askBps: 150 },
    })
  })

  it('that was refused leaves what stood, and is tried again after a pause that grows', () => {
    const state = standing(spread(60, 60))
    const pauses: number[] = []
    let now = NOW + 10_000
    for (let refusals = 0; refusals < 7; refusals += 1) {
      patchSent(state, refusals + 2, spread(90, 90), now)
      patchRefused(state)
      const move = nextMove(state, target(90, 90), now, { ...settings, minRequoteIntervalMs: 0 })
      if (move.kind !== 'wait') throw new Error(`no pause but ${move.kind}`)
      pauses.push(move.until - now)
      now = move.until
    }
    expect(pauses).toEqual([500, 1_000, 2_000, 4_000, 8_000, 8_000, 8_000])
    expect(state).toMatchObject({ status: 'confirmed', confirmed: { bidBps: 60 } })
  })

  it('for safety that fails is tried again after a tenth of a second where its time ends, and only then', () => {
    const state = standing(spread(60, 60))
    patchSent(state, 2, spread(500, 500), NOW)
    patchRefused(state)
    patchRefused(state)
    const ask = (wanted: typeof safe, isLastMoment: boolean) =>
      nextMove(state, wanted, NOW + 10, settings, isLastMoment)
    expect(ask(safe, true)).toEqual({ kind: 'wait', until: NOW + 100 })
    expect(ask(safe, false)).toEqual({ kind: 'wait', until: NOW + 1_000 })
    expect(ask(target(90, 90), true)).toEqual({ kind: 'wait', until: NOW + 1_000 })
    expect(nextMove(state, safe, NOW + 100, settings, true)).toMatchObject({ reason: 'safety' })
    patchSent(state, 3, spread(500, 500), NOW + 100)
    expect(nextMove(state, safe, NOW + 900, settings, true)).toEqual({ kind: 'none' })
  })

  it('that was confirmed ends the pauses', () => {
    const state = standing(spread(60, 60))
    patchSent(state, 2, spread(90, 90), NOW)
    patchRefused(state)
    patchSent(state, 3, spread(90, 90), NOW + 500)
    patchConfirmed(state, spread(90, 90), spread(90, 90), NOW + 520)
    expect(state.failures).toBe(0)
  })
})

describe('a quote no one is sure of', () => {
  it('is read back on both sides before it is repaired', () => {
    const state = standing(spread(60, 60))
    patchSent(state, 2, spread(90, 90), NOW)
    forgetConfirmation(state, 'no answer')
    const later = NOW + 9_000
    expect(nextMove(state, target(90, 90), later, settings)).toEqual({ kind: 'read-back' })
    sideRead(state, 'bid', 90)
    expect(nextMove(state, target(90, 90), later, settings)).toEqual({ kind: 'read-back' })
    sideRead(state, 'ask', 90)
    // Also where it reads as wanted: whether the sides are on cannot be read.
    expect(nextMove(state, target(90, 90), later, settings)).toMatchObject({
      kind: 'patch',
      reason: 'repair',
    })
  })

  it('is repaired without a side that cannot be read', () => {
    const state = standing(spread(60, 60))
    forgetConfirmation(state, 'no answer')
    sideRead(state, 'bid', 60)
    sideUnreadable(state, 'ask')
    expect(nextMove(state, target(60, 60), NOW + 9_000, settings)).toMatchObject({ reason: 'repair' })
  })

  it('is made safe without reading anything first', () => {
    const state = createQuoting()
    expect(nextMove(state, safe, NOW, settings)).toMatchObject({ kind: 'patch', reason: 'first' })
  })

  it('is paced when the repair has no answer either', () => {
    const state = createQuoting()
    patchSent(state, 1, spread(500, 500), NOW)
    forgetConfirmation(state, 'no answer')
    expect(nextMove(state, safe, NOW, settings)).toEqual({ kind: 'wait', until: NOW + 500 })
  })
})

describe('a quote that differs', () => {
  it('from what was confirmed, because someone else moved it, is repaired', () => {
    const state = standing(spread(60, 60))
    sideRead(state, 'ask', 40)
    expect(state.status).toBe('mismatch')
    expect(nextMove(state, target(60, 60), NOW + 9_000, settings)).toMatchObject({ reason: 'repair' })
  })

  it('is found on a side that is off too: its idle spread is all that shows that no one turned it on', () => {
    const state = standing(spread(60, 500, { quoteAsk: false }))
    sideRead(state, 'ask', 500)
    expect(state.status).toBe('confirmed')
    sideRead(state, 'ask', 40)
    expect(state.status).toBe('mismatch')
    expect(nextMove(state, target(60, null), NOW + 9_000, settings)).toMatchObject({
      reason: 'repair',
      spread: { quoteAsk: false },
    })
  })

  it('from what was asked for is repaired with a growing pause, never as fast as the venue answers', () => {
    const state = createQuoting()
    let now = NOW
    const sentAt: number[] = []
    while (now < NOW + 60_000) {
      const move = nextMove(state, target(60, 60, false), now, settings)
      if (move.kind === 'patch') {
        sentAt.push(now)
        patchSent(state, sentAt.length, move.spread, now)
        now += 20
        patchConfirmed(state, spread(80, 80), move.spread, now)
      } else if (move.kind === 'wait') now = move.until
      else {
        sideUnreadable(state, 'bid')
        sideUnreadable(state, 'ask')
      }
    }
    expect(sentAt.length).toBeLessThan(13)
  })
})

describe('the pairs that a venue answers with', () => {
  it('are those asked for when it names all of them one by one, or none', () => {
    for (const quotePairs of [null, ['USDC', 'USDT', 'TGBP']]) {
      const state = createQuoting()
      patchSent(state, 1, spread(60, 60), NOW)
      patchConfirmed(state, spread(60, 60, { quotePairs }), spread(60, 60), NOW)
      expect(nextMove(state, target(60, 60), NOW + 9_999, settings)).toEqual({ kind: 'none' })
    }
  })

  it.each([
    ['may come in any order', ['USDC', 'USDT'], ['USDT', 'USDC'], 'confirmed'],
    ['that are others than asked for differ', ['USDC'], ['USDC', 'USDT'], 'mismatch'],
  ])('%s', (_, wanted, named, status) => {
    const state = createQuoting()
    const asked = spread(60, 60, { quotePairs: wanted })
    patchSent(state, 1, asked, NOW)
    patchConfirmed(state, spread(60, 60, { quotePairs: named }), asked, NOW)
    expect(state.status).toBe(status)
  })
})
