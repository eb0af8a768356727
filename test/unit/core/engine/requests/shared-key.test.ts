import { describe, expect, test } from 'vitest'
import type { VenueFailure } from '../../../../../src/core/engine/model/venue-answer.ts'
import { elsewhereFrom, recentKeyRequests } from '../../../../../src/core/engine/requests/key-access.ts'
import { coreHarness, type Harness, runCore } from '../../../../support/core-harness.ts'

const LIMITED: VenueFailure = {
  kind: 'rate-limit',
  code: 'RATE_LIMIT',
  status: 429,
  route: 'GET /rate',
  message: 'GET /rate: 429 RATE_LIMIT',
  retriable: true,
  outcome: 'failed',
  retryAfterMs: 1_000,
}

const alerts = (one: Harness) => one.alerts('shared-key')

describe('two programs on one key', () => {
  test('are named when the venue refuses as too many while we have sent few, once an hour', () => {
    const one = runCore(120_000)
    one.venue.answers.readRate = () => LIMITED
    one.run(120_000)
    expect(alerts(one)).toHaveLength(1)
    expect(alerts(one)[0]).toMatchObject({
      severity: 'warning',
      message: expect.stringMatching(/second daemon with its own store: .*sent only \d+ of 60 /),
    })
    one.run(3_000_000)
    expect(alerts(one)).toHaveLength(1)
    one.run(1_200_000)
    expect(alerts(one)).toHaveLength(2)
  })

  test('are not suspected when it is we who sent so much: what commands sent through us counts', () => {
    const one = runCore(120_000)
    const times = Array.from({ length: 40 }, (_, index) => one.now - 400 + index * 10)
    one.give({ type: 'requestsElsewhere', t: one.now, lane: 'key', times })
    one.venue.answers.readRate = () => LIMITED
    one.run(20_000)
    expect(one.effects.some(({ type }) => type === 'readRate')).toBe(true)
    expect(alerts(one)).toEqual([])
  })

  test('after a restart are named no sooner than the hour is over', () => {
    const one = coreHarness()
    one.venue.answers.readRate = () => LIMITED
    one.run(60_000)
    one.restart()
    one.run(60_000)
    expect(alerts(one)).toHaveLength(1)
  })
})

describe('requests of commands', () => {
  test('take from the budget of the key: with sixty of them in a minute the daemon and they together send sixty', () => {
    const one = runCore(120_000)
    const until = one.now + 60_000
    const from = one.now
    let sent = 0
    for (let t = one.now; t < until; t += 250) {
      one.run(250)
      if (elsewhereFrom(one.state(), one.now, 'key') > one.now) continue
      one.give({ type: 'requestsElsewhere', t: one.now, lane: 'key', times: [one.now] })
      sent += 1
    }
    const own = one.keyed.filter((at) => at > from && at <= until).length
    expect(sent).toBeGreaterThan(5)
    expect(own + sent).toBeLessThanOrEqual(60)
    // What is left for safety and fills is never taken by a command.
    expect(own).toBeGreaterThan(10)
  })

  test('are shown to anyone who reads the store, with our own', () => {
    const one = runCore(5_000)
    const before = recentKeyRequests(one.state(), one.now).length
    one.give({ type: 'requestsElsewhere', t: one.now, lane: 'key', times: [one.now - 10, one.now] })
    one.give({ type: 'requestsElsewhere', t: one.now, lane: 'public', times: [one.now] })
    expect(recentKeyRequests(one.state(), one.now)).toHaveLength(before + 2)
    expect(recentKeyRequests(one.state(), one.now + 62_000)).toEqual([])
  })
})
