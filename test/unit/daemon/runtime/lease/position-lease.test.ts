import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { GuardEvent } from '../../../../../src/core/engine/model/guard-state.ts'
import { createReconciliation } from '../../../../../src/core/ledger/reconciliation/state.ts'
import { DEFAULT_TERMS } from '../../../../../src/core/lease/terms.ts'
import {
  createPositionLease,
  endFormerLease,
} from '../../../../../src/daemon/runtime/lease/position-lease.ts'
import {
  createLeaseBuffer,
  type LeaseNews,
  renewingSide,
} from '../../../../../src/daemon/runtime/lease/shared-lease.ts'
import { momentNow } from '../../../../../src/base/threads/moment-now.ts'

const NEWS: LeaseNews = { kind: 'absent', words: '', fence: null, writes: [], requestsAgoMs: [] }
const SAFE = { bidBps: 500, askBps: 500, quoteBid: true, quoteAsk: true, quotePairs: null }

let close = (): void => undefined
beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }))
afterEach(() => {
  close()
  vi.useRealTimers()
})

/** A position as far as its lease looks at it. */
function lease(
  whenSilent: 'safe' | 'carry-on' = 'safe',
  before: { readonly hadGrant: boolean; readonly watch?: string; readonly why?: string } | null = null,
) {
  const buffer = createLeaseBuffer()
  const events: GuardEvent[] = []
  const state: Record<string, unknown> = {
    guard: before === null ? undefined : { watch: 'held', fence: 4, ...before },
    processStartedAt: 1_000,
    quoting: { confirmed: { bidBps: 60, askBps: 70 }, status: 'confirmed', inFlight: null },
    activation: { isActive: true },
    reconciliation: { ...createReconciliation(), state: 'reconciled', matchedAt: 1_500 },
    received: { balances: true, fills: true },
    market: { mid: null },
    config: { inventory: { target: 0.5 }, quote: { safeBps: 500 } },
  }
  const held = createPositionLease(buffer, { terms: DEFAULT_TERMS, whenSilent })
  const counted: number[] = []
  const loop = { isAlive: true }
  held.attach({
    state: () => state as never,
    now: () => 2_000,
    isAlive: () => loop.isAlive,
    submitGuard(event) {
      events.push(event)
      state['guard'] = { ...event, hadGrant: event.watch === 'held' || event.watch === 'waiting' }
    },
    countElsewhere: (times) => void counted.push(...times),
  })
  close = held.close
  const side = renewingSide(buffer)
  const renewedAgo = (ms: number, fence = 4) => {
    const { steadyMs, wallMs } = momentNow()
    side.renewed(fence, { steadyMs: steadyMs - ms, wallMs: wallMs - Math.floor(ms) })
  }
  const grant = (fence = 4) => {
    renewedAgo(0, fence)
    held.take({ ...NEWS, kind: 'granted', fence })
  }
  return { held, events, side, renewedAgo, grant, counted, loop }
}

describe('The lease of a position', () => {
  test('lets nothing out before it is known whether there is a guard, and everything where none exists', () => {
    const { held, events } = lease()
    expect(held.gate.mayStart()).toBe(false)
    held.take(NEWS)
    expect(held.gate.mayStart()).toBe(true)
    expect(held.gate.spreadTimeoutMs()).toBeNull()
    // The journal of a desk without a guard has no event of one.
    expect(events).toEqual([])
  })

  test('opens with a grant, closes where a write would end after the deadline, and opens with the next renewal', () => {
    const { held, renewedAgo, grant } = lease()
    grant()
    expect(held.gate.mayStart()).toBe(true)
    expect(held.gate.spreadTimeoutMs()).toBe(1_000)
    renewedAgo(2_100)
    expect(held.gate.mayStart()).toBe(false)
    renewedAgo(100)
    expect(held.gate.mayStart()).toBe(true)
  })

  test('counts a renewal of another number for nothing until the core has taken its grant', () => {
    const { held, renewedAgo, grant } = lease()
    grant()
    renewedAgo(0, 5)
    expect(held.gate.mayStart()).toBe(false)
    held.take({ ...NEWS, kind: 'granted', fence: 5 })
    expect(held.gate.mayStart()).toBe(true)
  })

  test('bars everything while the guard refuses, and hands its writes to the core', () => {
    const { held, events, counted } = lease()
    const writes = [{ what: 'deactivation', agoMs: 9 }] as const
    held.take({ ...NEWS, kind: 'refused', words: 'it acts', writes, requestsAgoMs: [40] })
    expect(held.gate.mayStart()).toBe(false)
    expect(events).toMatchObject([{ watch: 'waiting', why: 'it acts', writes: [{ what: 'deactivation' }] }])
    expect(counted).toEqual([1_960])
  })

  test('stays barred when a guard that acts has refused it and then falls silent, until the guard grants or is drained', () => {
    for (const whenSilent of ['safe', 'carry-on'] as const) {
      const { held, events, grant } = lease(whenSilent)
      const refused = { ...NEWS, kind: 'refused', words: 'latched' } as const
      held.take(refused)
      held.take(NEWS)
      expect(held.gate.mayStart()).toBe(false)
      expect(events.map(({ watch }) => watch)).toEqual(['waiting', 'waiting'])
      expect(events.at(-1)?.why).toContain('started again')
      grant(5)
      expect(held.gate.mayStart()).toBe(true)
      held.take(refused)
      held.take(NEWS)
      held.take({ ...NEWS, kind: 'drained' })
      expect(held.gate.mayStart()).toBe(true)
      expect(events.at(-1)).toMatchObject({ watch: 'unwatched' })
      close()
    }
  })

  test('stays barred after a restart too, where the journal has that the guard refused and no one answers', () => {
    for (const whenSilent of ['safe', 'carry-on'] as const) {
      const { held, events } = lease(whenSilent, { hadGrant: true, watch: 'waiting', why: 'the guard acts' })
      held.take(NEWS)
      expect(held.gate.mayStart()).toBe(false)
      expect(held.gate.spreadTimeoutMs()).toBe(1_000)
      expect(events).toMatchObject([
        { watch: 'waiting', why: expect.stringMatching(/^the guard acts; the guard does not answer now/) },
      ])
      close()
    }
  })

  test('is lapsed where another process held the lease before the guard fell silent', () => {
    const { held, events } = lease('carry-on')
    held.take({ ...NEWS, kind: 'held', words: 'another process holds the lease' })
    expect(events.at(-1)).toMatchObject({ watch: 'waiting' })
    held.take(NEWS)
    expect(events.at(-1)).toMatchObject({ watch: 'lapsed' })
    expect(held.gate.mayStart()).toBe(false)
  })

  test('bars nothing once no guard is configured any longer', () => {
    const events: GuardEvent[] = []
    const of = (watch: string | null) => ({
      state: () => ({ guard: watch === null ? undefined : { watch } }) as never,
      now: () => 2_000,
      submitGuard: (event: GuardEvent) => void events.push(event),
    })
    for (const watch of [null, 'unwatched', 'waiting']) endFormerLease(of(watch))
    expect(events).toMatchObject([{ type: 'guard', t: 2_000, watch: 'unwatched', fence: null }])
  })

  test('after a start with a granted lease in the journal lets the safe quote out alone, or carries on', () => {
    const safe = lease('safe', { hadGrant: true })
    safe.held.take(NEWS)
    expect(safe.events).toMatchObject([{ watch: 'closing' }])
    expect(safe.held.gate.mayStart()).toBe(true)
    close()
    const other = lease('carry-on', { hadGrant: true })
    other.held.take(NEWS)
    expect(other.events).toMatchObject([{ watch: 'unwatched' }])
  })

  test('is marked as starting for 30 s without a first lease, and never once it has held one', () => {
    const { held, events } = lease('safe', { hadGrant: true })
    held.take(NEWS)
    vi.advanceTimersByTime(29_900)
    expect(events).toMatchObject([{ watch: 'closing', isStarting: true }])
    vi.advanceTimersByTime(100)
    expect(events).toHaveLength(2)
    expect(events.at(-1)).toMatchObject({ watch: 'closing' })
    expect(events.at(-1)).not.toHaveProperty('isStarting')
    close()
    const other = lease()
    other.held.take({ ...NEWS, kind: 'held', words: 'another process holds the lease' })
    other.grant(5)
    other.renewedAgo(2_100, 5)
    vi.advanceTimersByTime(100)
    expect(other.events.map(({ watch, isStarting }) => [watch, isStarting])).toEqual([
      ['waiting', true],
      ['held', undefined],
      ['lapsed', undefined],
    ])
  })

  test('goes from held over closing to lapsed as the guard falls silent, and to unwatched with carry-on', () => {
    const { events, renewedAgo, grant } = lease()
    grant()
    for (const ago of [1_500, 1_700, 2_100]) {
      renewedAgo(ago)
      vi.advanceTimersByTime(100)
    }
    expect(events.map(({ watch }) => watch)).toEqual(['held', 'closing', 'lapsed'])
    close()
    const other = lease('carry-on')
    other.grant()
    other.renewedAgo(2_100)
    vi.advanceTimersByTime(100)
    expect(other.events.map(({ watch }) => watch)).toEqual(['held', 'unwatched'])
    expect(other.held.gate.mayStart()).toBe(true)
  })

  test('lets the safe quote alone out again once the guard has been silent for D and a second, and nothing once it refuses', () => {
    const { held, events, renewedAgo, grant } = lease()
    const quote = (bidBps: number, quoteBid = true) => ({ ...SAFE, bidBps, quoteBid })
    grant()
    renewedAgo(60_000)
    held.take(NEWS)
    expect(events.at(-1)).toMatchObject({ watch: 'lapsed' })
    vi.advanceTimersByTime(5_400)
    expect(held.gate.mayStart(quote(500))).toBe(false)
    vi.advanceTimersByTime(100)
    expect(events.at(-1)).toMatchObject({ watch: 'lapsed', maySetSafe: true })
    expect(held.gate.mayStart(quote(500))).toBe(true)
    expect(held.gate.mayStart(quote(60, false))).toBe(true)
    expect(held.gate.mayStart(quote(60))).toBe(false)
    expect(held.gate.mayStart()).toBe(false)
    expect(held.gate.spreadTimeoutMs()).toBe(1_000)
    held.take({ ...NEWS, kind: 'refused', words: 'it acts' })
    held.take(NEWS)
    vi.advanceTimersByTime(60_000)
    expect(held.gate.mayStart(quote(500))).toBe(false)
  })

  test('counts only silence that its own loop has seen: after it was stopped nothing leaves at once', () => {
    const { held, renewedAgo, grant } = lease()
    grant()
    renewedAgo(600_000)
    held.take(NEWS)
    expect(held.gate.mayStart(SAFE)).toBe(false)
  })

  test('shows with each count what the renewal carries, and at the end that the position has left', () => {
    const { held, side } = lease()
    expect(side.read()).toEqual({
      count: 1,
      quote: { bidBps: 60, askBps: 70 },
      isActive: true,
      worse: null,
      isReconciled: true,
      hasLeft: false,
      isHandedOver: false,
    })
    held.leave('as-configured')
    expect(side.read()).toMatchObject({ count: 2, hasLeft: true, isHandedOver: false })
  })

  test('counts on through a hand-over though the loop has stopped, and shows that it was handed over', () => {
    const { held, side, loop } = lease()
    loop.isAlive = false
    vi.advanceTimersByTime(1_000)
    expect(side.read().count).toBe(1)
    held.keepCounting()
    vi.advanceTimersByTime(1_000)
    expect(side.read().count).toBe(6)
    held.leave('handed-over')
    expect(side.read()).toMatchObject({ hasLeft: true, isHandedOver: true })
  })

  test('shows nothing of an end that left the position unsettled: the guard acts', () => {
    const { held, side } = lease()
    held.leave('unsettled')
    expect(side.read()).toMatchObject({ count: 1, hasLeft: false })
  })
})
