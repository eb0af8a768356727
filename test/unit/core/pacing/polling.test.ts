import { describe, expect, it } from 'vitest'
import { createPacing, type PacingState, POLL_KINDS } from '../../../../src/core/pacing/state.ts'
import { expedite, restartPolls, retunePacing } from '../../../../src/core/pacing/reschedule.ts'
import { maySend } from '../../../../src/core/pacing/budget.ts'
import {
  intervalsHoldUntil,
  nextDueAt,
  nextPoll,
  pollInterval,
} from '../../../../src/core/pacing/poll-schedule.ts'
import { recordAnswered, recordFailed, recordSent } from '../../../../src/core/pacing/record-requests.ts'
import { busiest, DEFAULTS, gaps, runPolls, sendAll } from './support.ts'

const MINUTE = 60_000

/** Everything was just polled and answered at this time: nothing is due. */
function settled(now: number): PacingState {
  const state = createPacing(DEFAULTS)
  for (const kind of POLL_KINDS) state.polls[kind].expedited = false
  for (const kind of sendAll(state, DEFAULTS, now)) recordAnswered(state, DEFAULTS, now, kind)
  return state
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value) / values.length
}

describe('polling', () => {
  it('all polls are due at the start, in the order quote, balances, account, mid, fills', () => {
    const order = ['quoteBid', 'quoteAsk', 'balances', 'account', 'rate', 'fills', 'publicBid', 'publicAsk']
    expect(sendAll(createPacing(DEFAULTS), DEFAULTS, 0)).toEqual(order)
    const before = { ...DEFAULTS, fillsYield: false }
    expect(sendAll(createPacing(before), before, 0)).toEqual([...POLL_KINDS])
  })

  it('at most one request of a kind is in flight until it is answered or counts as lost', () => {
    const state = createPacing(DEFAULTS)
    sendAll(state, DEFAULTS, 0)
    expedite(state, 'fills')
    expect(nextPoll(state, DEFAULTS, 9_999)).toBeNull()
    expect(nextPoll(state, DEFAULTS, 10_000)).toBe('quoteBid')
    recordAnswered(state, DEFAULTS, 10_000, 'quoteBid')
    recordAnswered(state, DEFAULTS, 10_000, 'quoteAsk')
    expect(nextPoll(state, DEFAULTS, 10_000)).toBe('balances')
  })

  it('an expedited poll is due at once and precedes the others', () => {
    const state = settled(0)
    expect(nextPoll(state, DEFAULTS, 100)).toBeNull()
    expedite(state, 'fills')
    expect(nextDueAt(state, DEFAULTS, 100)).toBe(100)
    expedite(state, 'quoteAsk')
    expect(sendAll(state, DEFAULTS, 100)).toEqual(['quoteAsk', 'fills'])
  })

  it('polls of balances that every fill expedites do not consume the budget', () => {
    const state = settled(0)
    expedite(state, 'balances')
    expect(nextPoll({ ...state }, DEFAULTS, 1_999)).toBeNull()
    expect(sendAll(state, DEFAULTS, 4_999)).not.toContain('balances')
    expect(sendAll(state, DEFAULTS, 5_000)).toContain('balances')
  })

  it('an answer in flight does not satisfy a poll that was expedited after it left', () => {
    const state = settled(0)
    expedite(state, 'quoteBid')
    recordSent(state, 100, 'quoteBid')
    expedite(state, 'quoteBid')
    recordAnswered(state, DEFAULTS, 200, 'quoteBid')
    expect(nextPoll(state, DEFAULTS, 200)).toBe('quoteBid')
    recordSent(state, 200, 'quoteBid')
    recordAnswered(state, DEFAULTS, 250, 'quoteBid')
    expect(nextPoll(state, DEFAULTS, 250)).toBeNull()
  })

  it('expediting for a cause before the request in flight left sends no second request', () => {
    const state = settled(0)
    expedite(state, 'quoteBid', 100)
    recordSent(state, 200, 'quoteBid')
    expedite(state, 'quoteBid', 100)
    recordAnswered(state, DEFAULTS, 300, 'quoteBid')
    expect(nextPoll(state, DEFAULTS, 300)).toBeNull()
  })

  it('a poll backs off longer after each failure, with a jitter that equal histories share', () => {
    const waits = (state: PacingState): number[] => {
      const result: number[] = []
      let now = 0
      for (let i = 0; i < 8; i++) {
        recordSent(state, now, 'fills')
        recordFailed(state, now, 'fills')
        expedite(state, 'fills')
        result.push(state.polls.fills.backOffUntil - now)
        now = state.polls.fills.backOffUntil
      }
      return result
    }
    const first = waits(createPacing(DEFAULTS))
    const full = [1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000]
    first.forEach((wait, i) => {
      expect(wait).toBeGreaterThanOrEqual(full[i]! / 2)
      expect(wait).toBeLessThanOrEqual(full[i]!)
    })
    expect(new Set(first).size).toBe(first.length)
    expect(waits(createPacing(DEFAULTS))).toEqual(first)
    expect(waits(createPacing(DEFAULTS, 4_711))).not.toEqual(first)
  })

  it('an expedited poll that fails still backs off, and one answer ends the back-off', () => {
    const state = settled(0)
    expedite(state, 'quoteBid')
    recordSent(state, 10, 'quoteBid')
    recordFailed(state, 20, 'quoteBid')
    expedite(state, 'quoteBid')
    expect(nextPoll(state, DEFAULTS, 500)).toBeNull()
    expect(nextPoll(state, DEFAULTS, 1_020)).toBe('quoteBid')
    recordSent(state, 1_020, 'quoteBid')
    recordAnswered(state, DEFAULTS, 1_030, 'quoteBid')
    expect(state.polls.quoteBid).toMatchObject({ failures: 0, backOffUntil: 0, inFlightSince: null })
  })

  it('after a restart all polls are due within the budget that the venue still counts', () => {
    const state = createPacing(DEFAULTS)
    for (let i = 0; i < 48; i++) recordSent(state, 0, 'safetyWrite')
    sendAll(state, DEFAULTS, 0)
    restartPolls(state, true)
    expect(sendAll(state, DEFAULTS, 1_000).filter((kind) => !kind.startsWith('public'))).toEqual([])
    expect(sendAll(state, DEFAULTS, 61_000)).toContain('fills')
  })

  it('a process that takes over polls at once, also what the one before asked for a moment ago', () => {
    const state = settled(0)
    for (const kind of ['rate', 'balances', 'account'] as const) {
      recordSent(state, 1_000, kind)
      recordAnswered(state, DEFAULTS, 1_010, kind)
    }
    const before = structuredClone(state)
    restartPolls(state, true)
    expect(sendAll(state, DEFAULTS, 1_100)).toEqual(expect.arrayContaining(['rate', 'balances', 'account']))
    // As journals have it that were written before.
    restartPolls(before, false)
    expect(sendAll(before, DEFAULTS, 1_100)).not.toContain('balances')
  })

  it('retuning applies a shorter interval at once', () => {
    const state = settled(0)
    const faster = { ...DEFAULTS, accountIntervalMs: 45_000 }
    retunePacing(state, faster, 1_000)
    expect(state.polls.account.dueAt).toBe(46_000)
    expect(state.polls.fills.dueAt).toBeLessThan(2_100)
  })

  it('no poll goes to the public endpoint while its limit is 0', () => {
    const off = { ...DEFAULTS, publicRequestsPerMinute: 0 }
    const state = createPacing(off)
    expect(sendAll(state, off, 0)).toEqual(['quoteBid', 'quoteAsk', 'balances', 'account', 'rate', 'fills'])
    expect(nextDueAt(state, off, 0)).toBe(10_000)
  })
})

describe('the default intervals', () => {
  it('the default intervals fit into sixty requests a minute for an hour without the reserve', () => {
    const state = createPacing(DEFAULTS)
    const sent = runPolls(state, DEFAULTS, { from: 0, to: 60 * MINUTE, latencyMs: 150 })
    const key = sent.filter((one) => !one.kind.startsWith('public')).map((one) => one.at)
    expect(busiest(key, MINUTE)).toBeLessThanOrEqual(50)
    expect(mean(gaps(sent, 'fills'))).toBeLessThan(2_100)
    const later = sent.filter((one) => one.at > 2 * MINUTE)
    expect(Math.max(...gaps(later, 'rate'))).toBeLessThanOrEqual(6_100)
    expect(Math.max(...gaps(later, 'balances'))).toBeLessThanOrEqual(15_100)
    expect(Math.max(...gaps(later, 'quoteAsk'))).toBeLessThanOrEqual(60_100)
    const open = sent
      .filter((one) => one.kind === 'publicBid' || one.kind === 'publicAsk')
      .map((one) => one.at)
    expect(busiest(open, MINUTE)).toBeLessThanOrEqual(30)
    expect(open.length).toBeGreaterThan(28 * 60)
  })

  it('while the quote moves five times a minute and is read back, fills yield and what shows a foreign hand does not', () => {
    const sent = requoting(12_000, true)
    const later = sent.filter(({ at }) => at > 2 * MINUTE)
    expect(Math.max(...gaps(later, 'balances'))).toBeLessThan(17_500)
    expect(Math.max(...gaps(later, 'account'))).toBeLessThan(70_000)
    expect(Math.max(...gaps(later, 'fills'))).toBeLessThanOrEqual(3 * DEFAULTS.fillsIntervalMs)
  })

  it('the defaults show a fill within five seconds while answers take 300 ms and the quote moves six times a minute', () => {
    // A fill right after a poll left waits for the next one to leave and to be answered.
    expect(Math.max(...gaps(requoting(10_000, false), 'fills')) + 300).toBeLessThan(5_000)
  })
})

/** Half an hour of polls beside a quote that moves this often, and is read back on both sides or not. */
function requoting(everyMs: number, isReadBack: boolean): ReturnType<typeof runPolls> {
  const state = createPacing(DEFAULTS)
  let lastWrite = 0
  return runPolls(state, DEFAULTS, {
    from: 0,
    to: 30 * MINUTE,
    latencyMs: 300,
    onWake: (now) => {
      if (now - lastWrite < everyMs || !maySend(state, DEFAULTS, now, 'quote')) return
      lastWrite = now
      recordSent(state, now, 'quoteWrite')
      if (isReadBack) for (const side of ['quoteBid', 'quoteAsk'] as const) expedite(state, side, now)
    },
  })
}

describe('adaptive polling of fills', () => {
  it('at twenty fills a second no poll of fills misses the 100-row window', () => {
    const state = createPacing(DEFAULTS)
    const sent = runPolls(state, DEFAULTS, {
      from: 0,
      to: 10 * MINUTE,
      latencyMs: 200,
      fillsUntil: (time) => Math.floor(time / 50),
    })
    const between = gaps(sent, 'fills').map((gap) => gap / 50)
    expect(Math.max(...between)).toBeLessThan(100)
    const late = gaps(
      sent.filter((one) => one.at > MINUTE),
      'fills',
    )
    expect(Math.max(...late)).toBeLessThan(2_000)
    const key = sent.filter((one) => !one.kind.startsWith('public')).map((one) => one.at)
    expect(busiest(key, MINUTE)).toBeLessThanOrEqual(50)
    expect(gaps(sent, 'rate').length).toBeGreaterThan(25)
  })

  it('fills are polled faster within two polls of a surge, and at the base interval minutes after it', () => {
    const state = settled(0)
    let now = 0
    const poll = (newFills: number): number => {
      now = state.polls.fills.dueAt
      recordSent(state, now, 'fills')
      recordAnswered(state, DEFAULTS, now, 'fills', { newFills })
      return state.polls.fills.dueAt - now
    }
    expect(poll(0)).toBeLessThan(2_100)
    poll(80)
    expect(poll(80)).toBeLessThan(1_700)
    for (let i = 0; i < 240; i++) poll(0)
    expect(poll(0)).toBeGreaterThanOrEqual(2_000)
  })

  it('the history that the first poll returns does not count as a surge of fills', () => {
    const state = createPacing(DEFAULTS)
    recordSent(state, 0, 'fills')
    recordAnswered(state, DEFAULTS, 100, 'fills', { newFills: 100 })
    expect(state.fills.perMs).toBe(0)
  })
})

describe('the time until which the intervals hold', () => {
  it('ends when the next write leaves the minute, and does not end without writes', () => {
    const state = createPacing(DEFAULTS)
    expect(intervalsHoldUntil(state, DEFAULTS, 0)).toBe(Infinity)
    for (let i = 0; i < 20; i++) recordSent(state, i < 10 ? 1_000 : 9_000, 'quoteWrite')
    const until = intervalsHoldUntil(state, DEFAULTS, 10_000)
    expect(until).toBe(62_000)
    const at = (t: number) => pollInterval(state, DEFAULTS, t, 'rate')
    expect(at(until - 1)).toBe(at(10_000))
    expect(at(until)).toBeLessThan(at(10_000))
  })

  it('is the present while a limit regrows after a refusal', () => {
    const state = createPacing(DEFAULTS)
    state.key.limit = 20
    expect(intervalsHoldUntil(state, DEFAULTS, 5_000)).toBe(5_000)
  })
})

describe('a budget that is too small for the base intervals', () => {
  const small = { ...DEFAULTS, requestsPerMinute: 20, reservePerMinute: 5 }

  it('in a small budget all intervals stretch until they fit, before 0.3.0 that of fills least', () => {
    const state = createPacing(small)
    const stretch = (settings: typeof small) => ({
      fills: pollInterval(state, settings, 0, 'fills') / small.fillsIntervalMs,
      rate: pollInterval(state, settings, 0, 'rate') / small.rateIntervalMs,
      balances: pollInterval(state, settings, 0, 'balances') / small.balancesIntervalMs,
    })
    const now = stretch(small)
    expect(now.fills).toBeGreaterThan(3)
    expect(now.rate).toBeCloseTo(now.fills, 9)
    expect(now.balances).toBeCloseTo(now.rate, 9)
    const before = stretch({ ...small, fillsYield: false })
    expect(before.fills).toBeGreaterThan(1)
    expect(before.rate).toBeCloseTo(3 * before.fills, 9)
    const perMinute = (['fills', 'rate', 'balances', 'account', 'quoteBid', 'quoteAsk'] as const)
      .map((kind) => MINUTE / pollInterval(state, small, 0, kind))
      .reduce((sum, rate) => sum + rate)
    expect(perMinute).toBeLessThanOrEqual(15)
    expect(perMinute).toBeGreaterThan(14)
  })

  it('in a small budget every kind is polled over three hours', () => {
    const state = createPacing(small)
    const sent = runPolls(state, small, { from: 0, to: 180 * MINUTE, latencyMs: 200 })
    for (const kind of ['fills', 'rate', 'balances', 'account', 'quoteBid', 'quoteAsk'] as const) {
      expect(gaps(sent, kind).length).toBeGreaterThanOrEqual(1)
    }
    // The base intervals want 47 a minute and 15 are to be had.
    expect(mean(gaps(sent, 'rate'))).toBeLessThan(4 * small.rateIntervalMs)
    expect(mean(gaps(sent, 'fills'))).toBeLessThan(4 * small.fillsIntervalMs)
  })

  it('writes reduce the polls in a small budget, and never stop them', () => {
    const state = createPacing(DEFAULTS)
    const sent = runPolls(state, DEFAULTS, {
      from: 0,
      to: 30 * MINUTE,
      latencyMs: 200,
      onWake: (now, all) => {
        if (!maySend(state, DEFAULTS, now, 'quote')) return
        recordSent(state, now, 'quoteWrite')
        all.push({ at: now, kind: 'quoteWrite' })
      },
    })
    const key = sent.filter((one) => !one.kind.startsWith('public')).map((one) => one.at)
    expect(busiest(key, MINUTE)).toBeLessThanOrEqual(50)
    const writes = sent.filter((one) => one.kind === 'quoteWrite').length
    expect(writes).toBeGreaterThan(15 * 29)
    const fills = gaps(sent, 'fills')
    // A strategy that requotes as often as it may stretches the polls of fills threefold, not more.
    expect(Math.max(...fills.slice(60))).toBeLessThanOrEqual(6_000)
  })
})
