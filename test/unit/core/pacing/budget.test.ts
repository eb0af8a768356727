import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decodeJson, encodeJson } from '../../../../src/base/codec.ts'
import { budgetRemaining, effectiveLimit, maySend, maySendFrom } from '../../../../src/core/pacing/budget.ts'
import {
  createPacing,
  isPublicPoll,
  type PacingSettings,
  type PacingState,
  POLL_KINDS,
  type PollKind,
} from '../../../../src/core/pacing/state.ts'
import { expedite, restartPolls } from '../../../../src/core/pacing/reschedule.ts'
import { nextDueAt, nextPoll } from '../../../../src/core/pacing/poll-schedule.ts'
import {
  recordAnswered,
  recordFailed,
  recordRateLimited,
  recordSent,
} from '../../../../src/core/pacing/record-requests.ts'
import { busiest, DEFAULTS } from './support.ts'

type Step =
  | { do: 'wait'; ms: number }
  | { do: 'poll' | 'restart' }
  | { do: 'write'; purpose: 'safety' | 'quote' }
  | { do: 'demand'; kind: PollKind; ago: number }
  | { do: 'fail'; kind: PollKind }
  | { do: 'answer'; kind: PollKind; newFills: number }
  | { do: 'limited'; retryAfterMs: number | null; lane: 'key' | 'public' }

const kinds = fc.constantFrom(...POLL_KINDS)
const steps = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: fc.record({ do: fc.constant('wait' as const), ms: fc.nat(4_000) }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('wait' as const), ms: fc.nat(90_000) }) },
    { weight: 12, arbitrary: fc.record({ do: fc.constant('poll' as const) }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('restart' as const) }) },
    {
      weight: 8,
      arbitrary: fc.record({
        do: fc.constant('write' as const),
        purpose: fc.constantFrom('safety' as const, 'quote' as const),
      }),
    },
    {
      weight: 4,
      arbitrary: fc.record({ do: fc.constant('demand' as const), kind: kinds, ago: fc.nat(5_000) }),
    },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('fail' as const), kind: kinds }) },
    {
      weight: 8,
      arbitrary: fc.record({ do: fc.constant('answer' as const), kind: kinds, newFills: fc.nat(100) }),
    },
    {
      weight: 1,
      arbitrary: fc.record({
        do: fc.constant('limited' as const),
        retryAfterMs: fc.option(fc.integer({ min: -5, max: 100_000 })),
        lane: fc.constantFrom('key' as const, 'public' as const),
      }),
    },
  ),
  { maxLength: 400, size: 'max' },
)

const settingsOf: fc.Arbitrary<PacingSettings> = fc.record({
  requestsPerMinute: fc.integer({ min: 1, max: 120 }),
  reservePerMinute: fc.nat(20),
  publicRequestsPerMinute: fc.nat(40),
  fillsIntervalMs: fc.integer({ min: 100, max: 10_000 }),
  rateIntervalMs: fc.integer({ min: 100, max: 10_000 }),
  balancesIntervalMs: fc.integer({ min: 100, max: 30_000 }),
  accountIntervalMs: fc.integer({ min: 100, max: 60_000 }),
  quoteCheckIntervalMs: fc.integer({ min: 100, max: 300_000 }),
  requestTimeoutMs: fc.integer({ min: 100, max: 30_000 }),
})

/** Applies one step as an obedient sender would; `sent` collects departures per budget. */
function apply(
  state: PacingState,
  settings: PacingSettings,
  now: number,
  step: Exclude<Step, { do: 'wait' }>,
  sent: { key: number[]; public: number[] },
): void {
  switch (step.do) {
    case 'poll': {
      const kind = nextPoll(state, settings, now)
      if (kind === null) return
      const since = state.polls[kind].inFlightSince
      expect(since === null || now >= since + settings.requestTimeoutMs).toBe(true)
      recordSent(state, now, kind)
      sent[isPublicPoll(kind) ? 'public' : 'key'].push(now)
      return
    }
    case 'write':
      if (!maySend(state, settings, now, step.purpose)) return
      recordSent(state, now, step.purpose === 'quote' ? 'quoteWrite' : 'safetyWrite')
      sent.key.push(now)
      return
    case 'demand':
      return expedite(state, step.kind, now - step.ago)
    case 'fail':
      return recordFailed(state, now, step.kind)
    case 'answer':
      return recordAnswered(state, settings, now, step.kind, { newFills: step.newFills })
    case 'limited':
      return recordRateLimited(state, settings, now, step.retryAfterMs, step.lane)
    case 'restart':
      return restartPolls(state, now % 2 === 0)
  }
}

describe('the request budget of a key', () => {
  it("A key's 60 requests a minute are never exceeded: in whatever order requests and answers come", () => {
    let writes = 0
    fc.assert(
      fc.property(settingsOf, steps, (settings, script) => {
        const state = createPacing(settings)
        const sent = { key: [] as number[], public: [] as number[] }
        let now = 1_000_000
        for (const step of script as Step[]) {
          if (step.do === 'wait') now += step.ms
          else apply(state, settings, now, step, sent)
          expect(budgetRemaining(state, settings, now)).toBeLessThanOrEqual(settings.requestsPerMinute)
        }
        expect(busiest(sent.key, 60_000)).toBeLessThanOrEqual(settings.requestsPerMinute)
        expect(busiest(sent.public, 60_000)).toBeLessThanOrEqual(settings.publicRequestsPerMinute)
        writes += sent.key.length
      }),
      { numRuns: 100 },
    )
    expect(writes).toBeGreaterThan(1_000)
  })

  it('nextPoll returns no poll before nextDueAt, and progresses from there', () => {
    fc.assert(
      fc.property(
        settingsOf,
        steps,
        fc.double({ min: 0, max: 1, noNaN: true }),
        (settings, script, share) => {
          const state = createPacing(settings)
          const sent = { key: [] as number[], public: [] as number[] }
          let now = 1_000_000
          for (const step of script as Step[]) {
            if (step.do === 'wait') now += step.ms
            else apply(state, settings, now, step, sent)
          }
          const due = nextDueAt(state, settings, now)
          if (nextPoll(state, settings, now) === null) expect(due).toBeGreaterThan(now)
          else expect(due).toBe(now)
          const before = now + (due - now) * share
          if (due > now && before < due) expect(nextPoll(state, settings, before)).toBeNull()
          let wake = due
          for (let tries = 0; nextPoll(state, settings, wake) === null; tries++) {
            expect(tries).toBeLessThan(100)
            wake = nextDueAt(state, settings, wake)
          }
        },
      ),
      { numRuns: 100 },
    )
  })

  it('pacing state behaves the same after a round trip through the snapshot', () => {
    fc.assert(
      fc.property(settingsOf, steps, (settings, script) => {
        let restored = createPacing(settings)
        const kept = createPacing(settings)
        const sent = { key: [] as number[], public: [] as number[] }
        let now = 1_000_000
        for (const step of script as Step[]) {
          if (step.do === 'wait') now += step.ms
          else {
            apply(kept, settings, now, step, sent)
            apply(restored, settings, now, step, sent)
          }
          restored = decodeJson(encodeJson(restored)) as PacingState
        }
        expect(restored).toEqual(kept)
      }),
      { numRuns: 25 },
    )
  })

  it('asking for the next poll or its time changes no state', () => {
    const state = createPacing(DEFAULTS)
    for (let i = 0; i < 70; i++) recordSent(state, i * 1_000, 'quoteWrite')
    const before = encodeJson(state)
    nextPoll(state, DEFAULTS, 500_000)
    nextDueAt(state, DEFAULTS, 500_000)
    maySend(state, DEFAULTS, 500_000, 'quote')
    maySendFrom(state, DEFAULTS, 500_000, 'quote')
    expect(budgetRemaining(state, DEFAULTS, 500_000)).toBe(60)
    expect(encodeJson(state)).toBe(before)
  })

  it('ten of sixty requests stay free for safety writes', () => {
    const state = createPacing(DEFAULTS)
    let polls = 0
    while (maySend(state, DEFAULTS, 0, 'poll')) {
      recordSent(state, 0, 'rate')
      polls++
    }
    expect(polls).toBe(50)
    expect(maySend(state, DEFAULTS, 0, 'quote')).toBe(false)
    let safety = 0
    while (maySend(state, DEFAULTS, 0, 'safety')) {
      recordSent(state, 0, 'safetyWrite')
      safety++
    }
    expect(safety).toBe(10)
    expect(budgetRemaining(state, DEFAULTS, 0)).toBe(0)
    expect(maySend(state, DEFAULTS, 60_999, 'safety')).toBe(false)
    expect(maySend(state, DEFAULTS, 61_000, 'safety')).toBe(true)
    expect(maySendFrom(state, DEFAULTS, 10, 'safety')).toBe(61_000)
  })

  it('quote writes take at most a third of the unreserved capacity, so that polls of fills continue', () => {
    const state = createPacing(DEFAULTS)
    let writes = 0
    while (maySend(state, DEFAULTS, 0, 'quote')) {
      recordSent(state, 0, 'quoteWrite')
      writes++
    }
    expect(writes).toBe(17)
    expect(maySend(state, DEFAULTS, 0, 'poll')).toBe(true)
    expect(maySend(state, DEFAULTS, 0, 'safety')).toBe(true)
    expect(maySendFrom(state, DEFAULTS, 5, 'quote')).toBe(61_000)
  })

  it('the request window stays bounded: an hour of requests keeps little more than a minute of times', () => {
    const state = createPacing(DEFAULTS)
    for (let i = 0; i < 3_600; i++) recordSent(state, i * 1_000, 'fills')
    expect(state.key.sent.times.length).toBeLessThan(200)
  })
})

describe('a 429', () => {
  it('a 429 blocks every request until its Retry-After and reduces the limit by a fifth', () => {
    const state = createPacing(DEFAULTS)
    recordRateLimited(state, DEFAULTS, 100_000, 7_000)
    expect(maySend(state, DEFAULTS, 106_999, 'safety')).toBe(false)
    expect(nextPoll(state, { ...DEFAULTS, publicRequestsPerMinute: 0 }, 106_999)).toBeNull()
    expect(budgetRemaining(state, DEFAULTS, 106_999)).toBe(0)
    expect(nextDueAt(state, { ...DEFAULTS, publicRequestsPerMinute: 0 }, 100_000)).toBe(107_000)
    expect(maySend(state, DEFAULTS, 107_000, 'safety')).toBe(true)
    expect(effectiveLimit(state, DEFAULTS, 107_000)).toBe(48)
  })

  it('several 429s of one burst reduce the limit once, and one after the block reduces it again', () => {
    const state = createPacing(DEFAULTS)
    recordRateLimited(state, DEFAULTS, 0, 5_000)
    recordRateLimited(state, DEFAULTS, 10, 9_000)
    expect(effectiveLimit(state, DEFAULTS, 10)).toBe(48)
    expect(maySend(state, DEFAULTS, 9_009, 'safety')).toBe(false)
    recordRateLimited(state, DEFAULTS, 9_010, 1_000)
    expect(effectiveLimit(state, DEFAULTS, 9_010)).toBe(38)
  })

  it('a reduced limit regrows by one request for every ten clean seconds, up to the configured limit', () => {
    const state = createPacing(DEFAULTS)
    recordRateLimited(state, DEFAULTS, 0, 5_000)
    expect(effectiveLimit(state, DEFAULTS, 14_999)).toBe(48)
    expect(effectiveLimit(state, DEFAULTS, 15_000)).toBe(49)
    expect(effectiveLimit(state, DEFAULTS, 125_000)).toBe(60)
    expect(effectiveLimit(state, DEFAULTS, 1_250_000)).toBe(60)
  })

  it('no number of 429s reduces the limit below a sixth, and polls continue there', () => {
    const state = createPacing(DEFAULTS)
    let now = 0
    for (let i = 0; i < 40; i++) {
      recordRateLimited(state, DEFAULTS, now, 1_000)
      now += 1_000
    }
    expect(effectiveLimit(state, DEFAULTS, now)).toBe(10)
    expect(maySend(state, DEFAULTS, now, 'poll')).toBe(true)
  })

  it('a Retry-After blocks for at most five minutes, and one that is no number counts as absent', () => {
    const state = createPacing(DEFAULTS)
    recordRateLimited(state, DEFAULTS, 0, 1e12)
    expect(maySendFrom(state, DEFAULTS, 0, 'safety')).toBe(300_000)
    const other = createPacing(DEFAULTS)
    recordRateLimited(other, DEFAULTS, 0, Number.NaN)
    expect(maySendFrom(other, DEFAULTS, 0, 'safety')).toBe(10_000)
  })

  it('a 429 of the public endpoint does not block the key', () => {
    const state = createPacing(DEFAULTS)
    recordRateLimited(state, DEFAULTS, 0, 30_000, 'public')
    expect(maySend(state, DEFAULTS, 1, 'poll')).toBe(true)
    expect(effectiveLimit(state, DEFAULTS, 1)).toBe(60)
    expect(effectiveLimit(state, DEFAULTS, 1, 'public')).toBe(24)
  })
})
