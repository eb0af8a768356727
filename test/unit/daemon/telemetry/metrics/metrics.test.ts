import { describe, expect, test } from 'vitest'
import type { PositionView } from '../../../../../src/daemon/view/position-view.ts'
import { createMetrics, observeRequest } from '../../../../../src/daemon/telemetry/metrics/metrics.ts'
import { exampleRfqView } from '../example-rfq-view.ts'
import { exampleChallenger, exampleCompared } from '../../view/example-challenger.ts'
import { exampleScorecard } from '../../view/example-scorecard.ts'
import { exampleView, TWO_FEEDS, unprovenBooks } from '../example-view.ts'
import { expectGolden } from '../../../../support/expect-golden.ts'
import { metricsText, seriesOf, seriesThatChanged } from '../metrics-text.ts'

const NOW = 90_000
const KNOWN = exampleView()
const EVERYTHING: Partial<PositionView> = {
  now: NOW,
  rfq: exampleRfqView(),
  reference: TWO_FEEDS,
  scorecard: exampleScorecard(NOW, { at: 60_000 }),
  challenger: exampleChallenger(NOW),
  execution: { isStated: true, apart: [{ stable: 'USDT', mid: '2600', rate: '2568', deviationBps: 125 }] },
}

/** What a position shows, one after another. */
const SHOWN: Readonly<Record<string, Partial<PositionView>>> = {
  'no feeds, and no deviation of an execution mid': {
    ...EVERYTHING,
    reference: KNOWN.reference,
    execution: KNOWN.execution,
  },
  'a scorecard without a result': {
    scorecard: { at: null, card: null, outsideSince: null, problem: 'no result' },
    challenger: exampleChallenger(NOW),
  },
  'no scorecard; a suspended challenger of less than two days': {
    challenger: exampleChallenger(NOW, {
      suspended: { since: 1, why: 'it threw' },
      compared: exampleCompared(NOW, { difference: null }),
    }),
  },
  'a challenger without a result': {
    challenger: exampleChallenger(NOW, { since: null, at: null, compared: null }),
  },
  'self-custody before the chain was read': { rfq: exampleRfqView({ chain: null, free: {} }) },
  'no self-custody': {},
  'our own quote is the best one': {
    competition: { bid: { bps: 35, ageMs: 0, isOwn: true }, ask: null },
  },
  'a break of the reconciliation, and a halt': {
    tradingState: 'HALTED',
    reconciliation: unprovenBooks('break', 'balances', 5, { USDC: '-3.25' }),
  },
  'nothing is known any longer': {
    mid: null,
    midAgeMs: null,
    isActive: null,
    bounds: { ...KNOWN.bounds, inventory: {} },
    pnl: null,
    balances: {},
    inventory: { usdShare: null, target: 0.5, imbalance: null },
    quote: { ...KNOWN.quote, status: 'unknown' },
    competition: { bid: null, ask: null },
    reconciliation: unprovenBooks('pending', 'first poll'),
  },
}

describe('the metrics of a position', () => {
  test('are those of the golden file, others script against them; what is no longer known loses its series', async () => {
    const metrics = createMetrics('p')
    observeRequest(metrics, 'GET /rate', 'ok', 0.02)
    metrics.tapeRecording.set(1)
    metrics.notifications.inc({ channel: 'slack', outcome: 'sent' }, 1)
    metrics.notificationsPending.set({ channel: 'slack' }, 0)
    metrics.showSurroundings({ clockOffsetMs: { venue: -1_500, chain: 0 }, storeFreeBytes: 4_096 })
    metrics.showView(exampleView(EVERYTHING))
    for (const { name, values } of await metrics.registry.getMetricsAsJSON())
      expect({ name, hasSeries: values.length > 0 }).toEqual({ name, hasSeries: true })
    let last = seriesOf(await metricsText(metrics))
    expect(last.filter((line) => !line.includes('position="p"}'))).toEqual([])
    let golden = last.join('\n')
    const note = async (claim: string) => {
      const now = seriesOf(await metricsText(metrics))
      golden += `\n\n${claim}\n${seriesThatChanged(last, now)}`
      last = now
    }
    for (const [claim, view] of Object.entries(SHOWN)) {
      metrics.showView(exampleView(view))
      await note(claim)
    }
    metrics.showSurroundings({ clockOffsetMs: { venue: null, chain: null }, storeFreeBytes: null })
    await note('no clock and no disk is known')
    await expectGolden('metrics', golden)
  })

  test('every HELP text is a sentence that says what the number means', async () => {
    for (const { name, help } of await createMetrics('p').registry.getMetricsAsJSON()) {
      expect(`${name}: ${help}`).toMatch(/^mizani_\w+: [A-Z0-9].{20,}\.$/)
    }
  })

  test('before anything is known no gauge has a series, while counters stand at zero', async () => {
    for (const { name, type, values } of await createMetrics('p').registry.getMetricsAsJSON()) {
      if (String(type) === 'gauge') expect({ name, values }).toEqual({ name, values: [] })
    }
    const text = await metricsText(createMetrics('p'))
    expect(seriesOf(text, 'mizani_fills_total')).toEqual([
      'mizani_fills_total{side="bid",position="p"} 0',
      'mizani_fills_total{side="ask",position="p"} 0',
    ])
  })

  test('a decision of a few microseconds falls into a bucket of its own size', async () => {
    const metrics = createMetrics('p')
    metrics.decisionSeconds.observe(3e-6)
    const text = await metricsText(metrics)
    expect(text).toContain('mizani_decision_seconds_bucket{le="0.000002",position="p"} 0')
    expect(text).toContain('mizani_decision_seconds_bucket{le="0.000005",position="p"} 1')
    expect(text).toContain('mizani_decision_seconds_bucket{le="0.000001",position="p"} 0')
  })

  test('a signature of 60 us has a bucket of its size, and gas adds up in ether', async () => {
    const metrics = createMetrics('p')
    metrics.rfqSignSeconds.observe(60e-6)
    metrics.gasSpentEth.inc(0.00025)
    metrics.gasSpentEth.inc(0.0005)
    const text = await metricsText(metrics)
    expect(text).toContain('mizani_rfq_sign_seconds_bucket{le="0.00005",position="p"} 0')
    expect(text).toContain('mizani_rfq_sign_seconds_bucket{le="0.0001",position="p"} 1')
    expect(seriesOf(text, 'mizani_gas_spent_eth_total')).toEqual([
      'mizani_gas_spent_eth_total{position="p"} 0.00075',
    ])
  })

  test('the components of the PnL sum to its total', async () => {
    const metrics = createMetrics('p')
    const view = exampleView()
    metrics.showView(view)
    for (const unit of ['tzs', 'usd'] as const) {
      const json = await metrics.registry.getSingleMetric(`mizani_pnl_${unit}`)?.get()
      const sum = json?.values.reduce((all, { value }) => all + value, 0)
      expect(sum).toBeCloseTo(Number(view.pnl?.[unit].total), 9)
    }
  })
})

describe('observeRequest', () => {
  test('a request is counted under the route of its call', async () => {
    const metrics = createMetrics('p')
    observeRequest(metrics, 'GET /quote', 'ok', 0.1)
    observeRequest(metrics, 'GET /quote', 'ok', 0.1)
    observeRequest(metrics, 'POST /payouts', 'timeout', 0.1)
    const text = await metricsText(metrics)
    expect(seriesOf(text, 'mizani_venue_requests_total')).toEqual([
      'mizani_venue_requests_total{route="GET /quote",outcome="ok",position="p"} 2',
      'mizani_venue_requests_total{route="POST /payouts",outcome="timeout",position="p"} 1',
    ])
    expect(text).toContain('mizani_venue_request_seconds_count{position="p"} 3')
  })

  test('a thousand spellings of an outcome make one series', async () => {
    const metrics = createMetrics('p')
    for (let i = 0; i < 1_000; i++) observeRequest(metrics, 'GET /rate', `outcome-${i}`, 0.1)
    expect(seriesOf(await metricsText(metrics), 'mizani_venue_requests_total')).toEqual([
      'mizani_venue_requests_total{route="GET /rate",outcome="other",position="p"} 1000',
    ])
  })
})
