import { expect, test } from 'vitest'
import type { BestQuoteEvent } from '../../../src/engine/model/event.ts'
import { RATE_ONE } from '../../../src/money/rate.ts'
import { executionOf } from '../../../src/view/execution-view.ts'
import { marketView } from '../../../src/view/market-view.ts'
import { coreConfig } from '../../support/core-config.ts'
import { coreHarness } from '../../support/core-harness.ts'
import { failureOf } from '../../support/failure-of.ts'

test('the execution mid is stated while the public rate answers, and not while it fails or is off', () => {
  const harness = coreHarness()
  harness.run(30_000)
  expect(executionOf(harness.state())).toEqual({ isStated: true, apart: [] })
  harness.venue.answers.readBestQuote = () => failureOf('server')
  harness.run(5 * 60_000)
  expect(executionOf(harness.state()).isStated).toBe(false)
  harness.venue.answers = {}
  harness.run(5 * 60_000)
  expect(executionOf(harness.state()).isStated).toBe(true)
  const off = coreHarness({ config: { pacing: { ...coreConfig().pacing, publicRequestsPerMinute: 0 } } })
  off.run(30_000)
  expect(executionOf(off.state())).toEqual({ isStated: false, apart: [] })
})

test('a pair whose mid differs from GET /rate is shown with both figures, and our own quote as the best one is marked', () => {
  const harness = coreHarness({
    venue: {
      answers: {
        readBestQuote(effect) {
          if (effect.type !== 'readBestQuote') return 'silence'
          const { side, probe } = effect
          const shown: Omit<BestQuoteEvent, 't' | 'request'> = {
            type: 'bestQuote',
            side,
            probe,
            mid: 2_525n * RATE_ONE,
            bestBps: side === 'bid' ? 60 : 55,
            protocolFeeBps: 20,
            lowLiquidity: false,
          }
          return shown
        },
      },
    },
  })
  harness.run(2 * 60_000)
  const { execution, competition, mid } = marketView(harness.state(), harness.now)
  expect(execution.apart).toEqual([{ stable: 'USDC', mid: '2525', rate: '2500', deviationBps: 100 }])
  expect(mid).toBe('2525')
  expect(competition).toMatchObject({ bid: { bps: 60, isOwn: true }, ask: { bps: 55, isOwn: false } })
})
