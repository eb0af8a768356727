import { expect, test } from 'vitest'
import type { Effect } from '../../../../src/core/engine/model/effect.ts'
import type { BestQuoteEvent } from '../../../../src/core/engine/model/event.ts'
import { RATE_ONE } from '../../../../src/base/money/rate.ts'
import { executionOf } from '../../../../src/daemon/view/execution-view.ts'
import { marketView } from '../../../../src/daemon/view/market-view.ts'
import { coreConfig } from '../../../support/core-config.ts'
import { coreHarness } from '../../../support/core-harness.ts'
import { bringDollars, USD } from '../../../support/taker.ts'
import { failureOf } from '../../../support/failure-of.ts'

test('the execution mid is stated while the public rate answers, and not while it fails or is off', () => {
  const harness = coreHarness()
  harness.run(30_000)
  expect(executionOf(harness.state())).toEqual({ isStated: true, keptAgeMs: null, apart: [] })
  harness.venue.answers.readBestQuote = () => failureOf('server')
  harness.run(5 * 60_000)
  expect(executionOf(harness.state()).isStated).toBe(false)
  harness.venue.answers = {}
  harness.run(5 * 60_000)
  expect(executionOf(harness.state()).isStated).toBe(true)
  const off = coreHarness({ config: { pacing: { ...coreConfig().pacing, publicRequestsPerMinute: 0 } } })
  off.run(30_000)
  expect(executionOf(off.state())).toEqual({ isStated: false, keptAgeMs: null, apart: [] })
})

const OTHER_MID = 2_525n * RATE_ONE

const elsewhere = (effect: Effect): Omit<BestQuoteEvent, 't' | 'request'> | 'silence' =>
  effect.type === 'readBestQuote'
    ? {
        type: 'bestQuote',
        side: effect.side,
        probe: effect.probe,
        mid: OTHER_MID,
        bestBps: effect.side === 'bid' ? 60 : 55,
        protocolFeeBps: 20,
        lowLiquidity: false,
      }
    : 'silence'

test('the last mid of a public rate that fails is shown with its age for as long as it is used, and GET /rate only once it is', () => {
  const harness = coreHarness({
    config: { strictReadings: true },
    venue: { answers: { readBestQuote: elsewhere } },
  })
  harness.run(2 * 60_000)
  const message = 'GET /swap/rate: 503'
  harness.venue.answers.readBestQuote = () => failureOf('server', { message })
  const failsAt = harness.now
  const texts = new Set<string>()
  for (let n = 0; n < 250; n += 1) {
    harness.run(1_000)
    const { isStated, keptAgeMs } = executionOf(harness.state())
    const isUsed = harness.state().market.mid === OTHER_MID
    expect(isStated).toBe(isUsed)
    if (keptAgeMs != null) expect(keptAgeMs).toBeLessThanOrEqual(harness.now - failsAt + 10_000)
    texts.add(isStated ? (keptAgeMs === null ? 'stated' : 'kept') : 'rate')
  }
  expect([...texts]).toEqual(['stated', 'kept', 'rate'])
  const alerts = () =>
    harness.observations.filter((one) => one.type === 'alert' && one.code === 'public-rate')
  expect(alerts()).toMatchObject([{ severity: 'warning', message: expect.stringContaining(message) }])
  harness.venue.answers = {}
  harness.run(60_000)
  expect(alerts()[1]).toMatchObject({ severity: 'info' })
})

test('a fill that no known mid explains is booked without a mid while the last one of a failing public rate is used', () => {
  const harness = coreHarness({
    config: { strictReadings: true },
    venue: { answers: { readBestQuote: elsewhere } },
  })
  harness.run(2 * 60_000)
  const booked = () => harness.observations.filter((one) => one.type === 'fillPosted').at(-1)
  bringDollars(harness.venue, 100n * USD, 'USDC', OTHER_MID)
  harness.run(4_000)
  expect(booked()).toMatchObject({ midAtFill: OTHER_MID })
  harness.venue.answers.readBestQuote = () => failureOf('server')
  harness.run(30_000)
  bringDollars(harness.venue, 101n * USD, 'USDC', 2_517n * RATE_ONE + 123_456_789n)
  harness.run(4_000)
  expect(booked()).toMatchObject({ formula: 'unexplained', midAtFill: null })
})

test('a pair whose mid differs from GET /rate is shown with both figures, and our own quote as the best one is marked', () => {
  const harness = coreHarness({
    venue: {
      answers: { readBestQuote: elsewhere },
    },
  })
  harness.run(2 * 60_000)
  const { execution, competition, mid } = marketView(harness.state(), harness.now)
  expect(execution.apart).toEqual([{ stable: 'USDC', mid: '2525', rate: '2500', deviationBps: 100 }])
  expect(mid).toBe('2525')
  expect(competition).toMatchObject({ bid: { bps: 60, isOwn: true }, ask: { bps: 55, isOwn: false } })
})
