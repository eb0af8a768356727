import { describe, expect, test } from 'vitest'
import {
  drain,
  fireIfSilent,
  type GrantSettings,
  restartWaiting,
  releaseGrant,
  renew,
  takeUp,
  type Watched,
} from '../../../../../src/daemon/guard/position/grants.ts'
import { emptyRecord } from '../../../../../src/daemon/guard/position/record.ts'
import type { PositionRenewal } from '../../../../../src/daemon/guard/protocol/renewal.ts'
import { renewalOf } from '../guarded-position.ts'

const SETTINGS: GrantSettings = { waitMs: 4_500, renewMs: 1_000, handBack: 'auto' }
const [A, B] = ['a'.repeat(32), 'b'.repeat(32)]

const fresh = () => takeUp(emptyRecord(), { now: 0, wall: 0 })
const ask = (
  watched: Watched,
  holder: string,
  now: number,
  changes: Partial<PositionRenewal> = {},
  settings = SETTINGS,
) => renew(watched, renewalOf(now + 1, changes), { holder, deadlineMs: 3_000, now }, settings)
/** A position whose lease the first daemon holds since 0. */
function held(settings = SETTINGS): Watched {
  const watched = fresh()
  ask(watched, A, 0, {}, settings)
  return watched
}
const tick = (watched: Watched, now: number, settings = SETTINGS) =>
  fireIfSilent(watched, { now, wall: 1_000_000 + now }, settings)

describe('A daemon that stands by', () => {
  const STANDS_BY = { count: null, quote: null, isActive: null, isReconciled: false } as const

  test('is let go first: the guard waits a second longer while it renews, and no longer once it is gone', () => {
    const watched = held()
    expect(ask(watched, B, 1_000, STANDS_BY)).toMatchObject({ refusal: 'not-vouched' })
    ask(watched, B, 4_000, STANDS_BY)
    expect(tick(watched, 5_499)).toBe(false)
    expect(tick(watched, 5_500)).toBe(true)
    const alone = held()
    ask(alone, B, 1_000, STANDS_BY)
    expect(tick(alone, 4_499)).toBe(false)
    expect(tick(alone, 4_500)).toBe(true)
  })

  test('is given up after three of its own renewals that did not come, however slow those are', () => {
    const slow = { ...SETTINGS, renewMs: 5_000, waitMs: 20_000 }
    const watched = held(slow)
    ask(watched, B, 14_000, STANDS_BY, slow)
    expect(tick(watched, 20_999, slow)).toBe(false)
    expect(tick(watched, 21_000, slow)).toBe(true)
  })

  test('changes nothing of what the holder shows, and is shown once it holds the lease itself', () => {
    const watched = held()
    ask(watched, B, 500, STANDS_BY)
    expect(watched.shown?.quote).toEqual({ bidBps: 60, askBps: 70 })
    const quote = { bidBps: 61, askBps: 71 }
    expect(ask(watched, B, 4_600, { quote })).toEqual({ fence: 2, isNew: true })
    expect(watched.shown?.quote).toEqual(quote)
    // The wait of the one that took over is the usual one again.
    expect(tick(watched, 9_100)).toBe(true)
  })
})

describe('The guard grants', () => {
  test('a lease to the first who asks, and extends it for as long as the counter grows', () => {
    const watched = fresh()
    expect(ask(watched, A, 0)).toEqual({ fence: 1, isNew: true })
    expect(ask(watched, A, 1_000)).toEqual({ fence: 1, isNew: false })
    expect(tick(watched, 5_499)).toBe(false)
    expect(tick(watched, 5_500)).toBe(true)
  })

  test('nothing for a counter that stands still: a process whose loop hangs is no holder', () => {
    const watched = fresh()
    ask(watched, A, 0, { count: 9 })
    expect(ask(watched, A, 4_000, { count: 9 })).toMatchObject({ refusal: 'not-vouched' })
    expect(ask(watched, A, 4_100, { count: null })).toMatchObject({ refusal: 'not-vouched' })
    expect(tick(watched, 4_500)).toBe(true)
  })

  test('the next process its lease after D, with a larger number, once it has reconciled', () => {
    const watched = held()
    expect(ask(watched, B, 4_499)).toMatchObject({ refusal: 'held' })
    expect(ask(watched, B, 4_500, { isReconciled: false })).toMatchObject({ refusal: 'held' })
    expect(ask(watched, B, 4_500)).toMatchObject({ refusal: 'not-vouched' })
    expect(ask(watched, B, 4_501)).toEqual({ fence: 2, isNew: true })
    expect(ask(watched, A, 4_600)).toMatchObject({ refusal: 'held' })
  })

  test('at once where the holder has left, and no one leaves for another one', () => {
    const watched = held()
    ask(watched, B, 10, { isLeaving: true })
    expect(ask(watched, B, 20)).toMatchObject({ refusal: 'held' })
    ask(watched, A, 30, { isLeaving: true })
    expect(tick(watched, 60_000)).toBe(false)
    expect(ask(watched, B, 60_001, { isReconciled: false })).toEqual({ fence: 2, isNew: true })
  })

  test('the lease at once to a next holder that has reconciled, where the one before has handed the position over', () => {
    const watched = held()
    ask(watched, A, 1_000, { isLeaving: true, isHandedOver: true })
    expect(ask(watched, B, 1_100, { isReconciled: false })).toMatchObject({ refusal: 'held' })
    expect(ask(watched, B, 1_200)).toEqual({ fence: 2, isNew: true })
    // The next one is watched as every other holder.
    expect(ask(watched, A, 1_300)).toMatchObject({ refusal: 'held' })
  })

  test('no peace to a position that was handed over and that no one took: it acts D later', () => {
    const watched = held()
    ask(watched, A, 1_000, { isLeaving: true, isHandedOver: true })
    expect(tick(watched, 5_499)).toBe(false)
    expect(tick(watched, 5_500)).toBe(true)
  })

  test('a lease that was held out to the next holder to no one else where its own holder lives after all', () => {
    const watched = held()
    ask(watched, A, 1_000, { isLeaving: true, isHandedOver: true })
    expect(ask(watched, A, 1_100)).toEqual({ fence: 1, isNew: false })
    expect(ask(watched, B, 1_200)).toMatchObject({ refusal: 'held' })
  })

  test('nothing under terms that its own wait does not cover', () => {
    const watched = fresh()
    const answer = renew(watched, renewalOf(1), { holder: A, deadlineMs: 3_100, now: 0 }, SETTINGS)
    expect(answer).toMatchObject({ refusal: 'terms', words: expect.stringContaining('4650') })
  })
})

describe('A daemon whose terms the wait of the guard does not cover', () => {
  const askUnfit = (watched: Watched, holder: string, now: number, changes: Partial<PositionRenewal> = {}) =>
    renew(watched, renewalOf(now + 1, changes), { holder, deadlineMs: 3_100, now }, SETTINGS)

  test('is barred while the guard acts, and gets no lease when it has reconciled', () => {
    const watched = held()
    tick(watched, 4_500)
    const answer = askUnfit(watched, B, 5_000)
    expect(answer).toMatchObject({ refusal: 'guarding', words: expect.stringContaining('4650') })
    expect(watched.hold).not.toBeNull()
  })

  test('is barred while another process holds the lease', () => {
    const watched = held()
    expect(askUnfit(watched, B, 1_000)).toMatchObject({
      refusal: 'held',
      words: expect.stringContaining('4650'),
    })
    expect(ask(watched, A, 1_100)).toEqual({ fence: 1, isNew: false })
  })

  test('ends its own lease: it quotes as without a guard, so the guard never fires for it', () => {
    const watched = held()
    expect(askUnfit(watched, A, 1_000)).toMatchObject({ refusal: 'terms' })
    expect(watched.kept.holder).toBeNull()
    expect(tick(watched, 60_000)).toBe(false)
  })

  test('may leave all the same', () => {
    const watched = held()
    askUnfit(watched, A, 1_000, { isLeaving: true })
    expect(watched.kept.holder).toBeNull()
  })
})

describe('A guard that acts', () => {
  const fired = (settings = SETTINGS) => {
    const watched = held(settings)
    tick(watched, 4_500, settings)
    return watched
  }

  test('hands back when the daemon has reconciled and no request is under way, also to the same process', () => {
    const watched = fired()
    expect(ask(watched, A, 5_000, { isReconciled: false })).toMatchObject({ refusal: 'guarding' })
    watched.isBusy = true
    expect(ask(watched, A, 5_100)).toMatchObject({ refusal: 'guarding' })
    watched.isBusy = false
    expect(ask(watched, A, 5_200)).toEqual({ fence: 2, isNew: true })
    expect(watched.hold).toBeNull()
  })

  test('waits for a person where guard.handBack is person', () => {
    const settings: GrantSettings = { ...SETTINGS, handBack: 'person' }
    const watched = fired(settings)
    expect(ask(watched, B, 5_000, {}, settings)).toMatchObject({ refusal: 'person' })
    releaseGrant(watched)
    expect(ask(watched, B, 5_100, {}, settings)).toMatchObject({ fence: 2 })
  })

  test('stays after the third firing within an hour until it is released', () => {
    const watched = fired()
    ask(watched, A, 5_000)
    tick(watched, 9_500)
    ask(watched, A, 10_000)
    tick(watched, 14_500)
    expect(ask(watched, A, 15_000)).toMatchObject({
      refusal: 'latched',
      words: expect.stringContaining('3 times'),
    })
    releaseGrant(watched)
    expect(ask(watched, A, 16_000)).toMatchObject({ fence: 4 })
    expect(tick(watched, 20_500)).toBe(true)
    expect(watched.kept.latched).toBeNull()
  })

  test('fires two times an hour indefinitely without a latch', () => {
    const watched = fresh()
    for (let hour = 0; hour < 12; hour += 1) {
      const at = hour * 3_700_000
      for (const part of [0, 100_000]) {
        ask(watched, A, at + part)
        expect(tick(watched, at + part + 4_500)).toBe(true)
      }
    }
    expect(watched.kept.latched).toBeNull()
  })

  test('continues after a restart where it was, and waits D for a lease that may still be held', () => {
    const { kept } = fired()
    const again = takeUp(structuredClone(kept), { now: 100, wall: (kept.guardingSince ?? 0) + 61_000 })
    expect(again.hold?.since).toBe(100 - 61_000)
    const watched = held()
    const next = takeUp(structuredClone(watched.kept), { now: 77, wall: 0 })
    expect(tick(next, 77 + 4_499)).toBe(false)
    expect(ask(next, A, 200)).toEqual({ fence: 1, isNew: false })
    expect(tick(next, 4_699)).toBe(false)
    expect(tick(next, 4_700)).toBe(true)
  })
})

describe('A guard that did not run', () => {
  test('waits the whole time anew', () => {
    const watched = held()
    restartWaiting(watched, 30_000)
    expect(tick(watched, 34_499)).toBe(false)
    expect(tick(watched, 34_500)).toBe(true)
  })

  test('that was drained never fires, and what it does already stays', () => {
    const watched = held()
    drain(watched)
    expect(tick(watched, 60_000)).toBe(false)
    const acting = held()
    tick(acting, 4_500)
    drain(acting)
    expect(acting.hold).not.toBeNull()
  })
})
