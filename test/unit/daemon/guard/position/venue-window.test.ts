import { describe, expect, test } from 'vitest'
import fc from 'fast-check'
import {
  answerCame,
  emptyWindow,
  mayActAtVenue,
  mayWatch,
  requestLeaves,
  type VenueWindow,
} from '../../../../../src/daemon/guard/position/venue-window.ts'

const PER_MINUTE = 60
const WALL = Date.UTC(2026, 10, 23)

function answered(window: VenueWindow, now: number, status: number, headers: Record<string, string> = {}) {
  answerCame(window, { status, headers }, { now, wall: WALL })
}
function sent(times: number, now = 0): VenueWindow {
  const window = emptyWindow()
  for (let one = 0; one < times; one += 1) requestLeaves(window, now)
  return window
}

describe('While the daemon lives the guard', () => {
  test('has ten of the requests of a minute, and the first of them again after it', () => {
    expect(mayWatch(sent(8), 0, 2)).toBe(true)
    expect(mayWatch(sent(9), 0, 2)).toBe(false)
    const full = sent(10)
    expect(mayWatch(full, 60_999, 1)).toBe(false)
    expect(mayWatch(full, 61_000, 1)).toBe(true)
  })

  test('reads nothing while the venue refuses the key, or states that little is left', () => {
    const refused = sent(1)
    answered(refused, 0, 429, { 'retry-after': '20' })
    expect([mayWatch(refused, 19_999, 2), mayWatch(refused, 20_000, 2)]).toEqual([false, true])
    const scarce = sent(1)
    answered(scarce, 0, 200, { 'x-ratelimit-remaining': '4', 'x-ratelimit-reset': '30' })
    expect([mayWatch(scarce, 29_999, 2), mayWatch(scarce, 30_000, 2)]).toEqual([false, true])
  })
})

describe('Once it has fired the guard', () => {
  test('has all of the minute, and leaves the last of it to writes', () => {
    expect(mayActAtVenue(sent(56), 0, 'read', PER_MINUTE)).toBe(true)
    expect(mayActAtVenue(sent(57), 0, 'read', PER_MINUTE)).toBe(false)
    expect(mayActAtVenue(sent(59), 0, 'write', PER_MINUTE)).toBe(true)
    expect(mayActAtVenue(sent(60), 0, 'write', PER_MINUTE)).toBe(false)
    expect(mayActAtVenue(sent(60), 61_000, 'write', PER_MINUTE)).toBe(true)
  })

  test.each([1, 2, 3, 4, 7])('can still read where the key has %d a minute', (perMinute) => {
    expect(mayActAtVenue(emptyWindow(), 0, 'read', perMinute)).toBe(true)
  })

  test.each([
    ['the seconds of Retry-After', { 'retry-after': '12' }, 12_000],
    ['its date', { 'retry-after': 'Mon, 23 Nov 2026 00:00:09 GMT' }, 9_000],
    ['a second where it names none', { 'retry-after': '0' }, 1_000],
    ['no longer than a minute where it asks for an hour', { 'retry-after': '3600' }, 61_000],
    ['six seconds without it', {}, 6_000],
    ['six seconds where it is a riddle', { 'retry-after': 'soon' }, 6_000],
  ])('waits for %s after a refusal, and writes at once then', (_, headers, ms) => {
    const window = sent(1)
    answered(window, 1_000, 429, headers)
    expect(mayActAtVenue(window, 1_000 + ms - 1, 'write', PER_MINUTE)).toBe(false)
    expect(mayActAtVenue(window, 1_000 + ms, 'write', PER_MINUTE)).toBe(true)
  })

  test.each([503, 401, 200, 207])('is held up by no Retry-After of a %d', (status) => {
    const window = sent(1)
    answered(window, 0, status, { 'retry-after': '30' })
    expect(mayActAtVenue(window, 0, 'write', PER_MINUTE)).toBe(true)
  })

  test('sends what the venue states to be left, less what has left since, until the reset', () => {
    const window = emptyWindow()
    answered(window, 0, 200, { 'ratelimit-remaining': '2', 'ratelimit-reset': '40' })
    expect(mayActAtVenue(window, 0, 'read', PER_MINUTE)).toBe(false)
    for (const _ of [1, 2]) {
      expect(mayActAtVenue(window, 0, 'write', PER_MINUTE)).toBe(true)
      requestLeaves(window, 0)
    }
    expect(mayActAtVenue(window, 39_999, 'write', PER_MINUTE)).toBe(false)
    expect(mayActAtVenue(window, 40_000, 'write', PER_MINUTE)).toBe(true)
  })

  test.each([
    [{ 'ratelimit-remaining': 'none' }],
    [{ 'ratelimit-remaining': '-1' }],
    [{ 'ratelimit-reset': '0' }],
    [{}],
  ])('takes %j for no statement', (headers) => {
    const window = emptyWindow()
    answered(window, 0, 200, headers)
    expect(mayActAtVenue(window, 0, 'read', PER_MINUTE)).toBe(true)
  })

  test('is never silenced for longer than a minute, whatever the headers hold', () => {
    const text = fc.oneof(fc.string(), fc.nat().map(String), fc.constant('99999999999'))
    const headers = fc.record(
      {
        'retry-after': text,
        'ratelimit-remaining': text,
        'ratelimit-reset': text,
        'x-ratelimit-remaining': text,
        'x-ratelimit-reset': text,
      },
      { requiredKeys: [] },
    )
    fc.assert(
      fc.property(headers, fc.constantFrom(200, 429, 503), (given, status) => {
        const window = emptyWindow()
        answered(window, 0, status, given)
        return (
          mayActAtVenue(window, 61_000, 'write', PER_MINUTE) &&
          mayActAtVenue(window, 61_000, 'read', PER_MINUTE)
        )
      }),
    )
  })
})
