import { describe, expect, test } from 'vitest'
import type { PositionView } from '../../../../../src/daemon/view/position-view.ts'
import { createMetrics, observeRequest } from '../../../../../src/daemon/telemetry/metrics/metrics.ts'
import { exampleRfqView } from '../example-rfq-view.ts'
import { exampleChallenger, exampleCompared } from '../../view/example-challenger.ts'
import { exampleScorecard } from '../../view/example-scorecard.ts'
import { exampleView, TWO_FEEDS } from '../example-view.ts'
import { metricsText } from '../metrics-text.ts'

/** Name and own labels, as issued: others script against them. */
const ISSUED = {
  mizani_quote_bps: ['side'],
  mizani_quote_on: ['side'],
  mizani_mid_tzs: [],
  mizani_mid_age_seconds: [],
  mizani_inventory: ['token'],
  mizani_inventory_share: [],
  mizani_fills_total: ['side'],
  mizani_guard_absent_seconds: [],
  mizani_still_quoted: [],
  mizani_fill_volume_usd_total: ['side'],
  mizani_fill_rows_quarantined_total: [],
  mizani_pnl_tzs: ['component'],
  mizani_pnl_usd: ['component'],
  mizani_trading_state: ['state'],
  mizani_reconciled: [],
  mizani_unreconciled: ['token'],
  mizani_balances_proven_age_seconds: [],
  mizani_venue_capability: ['capability', 'value'],
  mizani_venue_requests_total: ['route', 'outcome'],
  mizani_venue_request_seconds: [],
  mizani_request_budget_remaining: [],
  mizani_decision_seconds: [],
  mizani_requotes_total: ['reason'],
  mizani_risk_refusals_total: ['rule'],
  mizani_strategy_fallbacks_total: [],
  mizani_best_competitor_bps: ['side'],
  mizani_build_info: ['version'],
  mizani_scorecard_realised: ['side', 'measure', 'horizon'],
  mizani_scorecard_expected: ['side', 'measure', 'horizon', 'bound'],
  mizani_scorecard_outside: [],
  mizani_scorecard_age_seconds: [],
  mizani_challenger_difference_usd: ['bound'],
  mizani_challenger_days: [],
  mizani_challenger_suspended: [],
  mizani_tape_rows_total: [],
  mizani_tape_recording: [],
  mizani_rfq_open: ['side'],
  mizani_rfq_promised: ['token'],
  mizani_rfq_free: ['token'],
  mizani_rfq_signed_total: [],
  mizani_rfq_fills_total: [],
  mizani_rfq_rejected_total: ['code'],
  mizani_rfq_sign_seconds: [],
  mizani_gas_spent_eth_total: [],
  mizani_chain_lag_seconds: [],
  mizani_notifications_total: ['channel', 'outcome'],
  mizani_notifications_pending: ['channel'],
  mizani_active: [],
  mizani_inventory_limit: ['token', 'bound'],
  mizani_alerts_total: ['severity', 'code'],
  mizani_reloads_total: ['outcome'],
  mizani_clock_offset_seconds: ['clock'],
  mizani_store_free_bytes: [],
  mizani_execution_mid_deviation_bps: ['stable'],
  mizani_feeds_live: [],
  mizani_feed_live: ['feed'],
  mizani_feed_tzs: ['feed'],
  mizani_feed_age_seconds: ['feed'],
  mizani_reference_deviation_bps: [],
}

function lines(text: string, name: string): readonly string[] {
  return text.split('\n').filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `))
}

describe('createMetrics', () => {
  test('has of a feed what is known of it, and nothing of one that is gone', async () => {
    const metrics = createMetrics('desk-1')
    metrics.showView(exampleView({ reference: TWO_FEEDS }))
    const text = await metricsText(metrics)
    expect(lines(text, 'mizani_feed_tzs')).toEqual(['mizani_feed_tzs{feed="bank",position="desk-1"} 2590'])
    expect(lines(text, 'mizani_feed_live')).toEqual([
      'mizani_feed_live{feed="bank",position="desk-1"} 1',
      'mizani_feed_live{feed="desk",position="desk-1"} 0',
    ])
    expect(lines(text, 'mizani_reference_deviation_bps')[0]).toMatch(/ 40\.5$/)
    metrics.showView(exampleView())
    const alone = await metricsText(metrics)
    expect(lines(alone, 'mizani_feed_live')).toEqual([])
    expect(lines(alone, 'mizani_reference_deviation_bps')).toEqual([])
    expect(lines(alone, 'mizani_feeds_live')).toEqual(['mizani_feeds_live{position="desk-1"} 0'])
  })

  test('has the scorecard by side, measure and horizon, and nothing of it once there is no calibration', async () => {
    const metrics = createMetrics('desk-1')
    metrics.showView(exampleView({ now: 90_000, scorecard: exampleScorecard(90_000, { at: 60_000 }) }))
    const text = await metricsText(metrics)
    expect(lines(text, 'mizani_scorecard_realised')).toContain(
      'mizani_scorecard_realised{side="bid",measure="markout",horizon="next print",position="desk-1"} -12.5',
    )
    expect(lines(text, 'mizani_scorecard_expected')).toContain(
      'mizani_scorecard_expected{side="both",measure="fills",horizon="",bound="low",position="desk-1"} 188',
    )
    expect(lines(text, 'mizani_scorecard_outside')).toEqual(['mizani_scorecard_outside{position="desk-1"} 1'])
    expect(lines(text, 'mizani_scorecard_age_seconds')[0]).toMatch(/ 30$/)
    const missing = { at: null, card: null, outsideSince: null, problem: 'no result' }
    for (const scorecard of [null, missing]) {
      metrics.showView(exampleView({ scorecard }))
      expect((await metricsText(metrics)).match(/^mizani_scorecard\w+\{/gm)).toBeNull()
    }
  })

  test('has of a challenger what is known: before two days no difference, without a result nothing', async () => {
    const metrics = createMetrics('desk-1')
    metrics.showView(exampleView({ challenger: exampleChallenger(90_000) }))
    const text = await metricsText(metrics)
    const low = 'mizani_challenger_difference_usd{bound="low",position="desk-1"} -68.68'
    expect(lines(text, 'mizani_challenger_difference_usd')).toContain(low)
    const suspended = { since: 1, why: 'it threw' }
    const compared = exampleCompared(90_000, { difference: null })
    metrics.showView(exampleView({ challenger: exampleChallenger(90_000, { suspended, compared }) }))
    const later = await metricsText(metrics)
    expect(lines(later, 'mizani_challenger_suspended')).toEqual([
      'mizani_challenger_suspended{position="desk-1"} 1',
    ])
    expect(later.match(/^mizani_challenger_(difference_usd|days)\{/gm)).toBeNull()
    for (const challenger of [null, exampleChallenger(90_000, { since: null, at: null, compared: null })]) {
      metrics.showView(exampleView({ challenger }))
      expect((await metricsText(metrics)).match(/^mizani_challenger\w+\{/gm)).toBeNull()
    }
  })

  test('has exactly the metrics that were issued, each with its labels and the position', async () => {
    const metrics = createMetrics('desk-1')
    metrics.showView(
      exampleView({
        rfq: exampleRfqView(),
        reference: TWO_FEEDS,
        scorecard: exampleScorecard(2_000),
        challenger: exampleChallenger(2_000),
        execution: {
          isStated: true,
          apart: [{ stable: 'USDT', mid: '2600', rate: '2568', deviationBps: 125 }],
        },
      }),
    )
    observeRequest(metrics, 'GET /rate', 'ok', 0.02)
    metrics.tapeRecording.set(1)
    metrics.notifications.inc({ channel: 'slack', outcome: 'sent' }, 1)
    metrics.notificationsPending.set({ channel: 'slack' }, 0)
    metrics.showSurroundings({ clockOffsetMs: { venue: -40, chain: 0 }, storeFreeBytes: 1 })
    const json = await metrics.registry.getMetricsAsJSON()
    expect(json.map(({ name }) => name).sort()).toEqual(Object.keys(ISSUED).sort())
    for (const { name, values } of json) {
      const own = ISSUED[name as keyof typeof ISSUED]
      expect({ name, series: values.length > 0 }).toEqual({ name, series: true })
      for (const { labels } of values) {
        const names = Object.keys(labels).filter((label) => label !== 'le')
        expect([name, ...names.sort()]).toEqual([name, ...[...own].sort()])
      }
    }
  })

  test('every series carries the position', async () => {
    const metrics = createMetrics('desk-1')
    metrics.showView(exampleView({ rfq: exampleRfqView(), reference: TWO_FEEDS }))
    const series = (await metricsText(metrics)).split('\n').filter((line) => line.startsWith('mizani'))
    expect(series.length).toBeGreaterThan(200)
    expect(series.filter((line) => !line.includes('position="desk-1"}'))).toEqual([])
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
    expect(lines(text, 'mizani_fills_total')).toEqual([
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
})

describe('setGauges', () => {
  test('shows what the view knows in whole tokens, seconds and bps', async () => {
    const metrics = createMetrics('p')
    metrics.showView(exampleView())
    const text = await metricsText(metrics)
    for (const line of [
      'mizani_quote_bps{side="bid",position="p"} 40',
      'mizani_quote_on{side="ask",position="p"} 0',
      'mizani_active{position="p"} 1',
      'mizani_inventory_limit{token="NTZS",bound="min",position="p"} 100000',
      'mizani_mid_tzs{position="p"} 2600.5',
      'mizani_mid_age_seconds{position="p"} 90.5',
      'mizani_inventory{token="NTZS",position="p"} 1000000.25',
      'mizani_unreconciled{token="USDC",position="p"} 0',
      'mizani_reconciled{position="p"} 1',
      'mizani_balances_proven_age_seconds{position="p"} 4',
      'mizani_trading_state{state="ACTIVE",position="p"} 1',
      'mizani_trading_state{state="HALTED",position="p"} 0',
      'mizani_pnl_tzs{component="stale_mid",position="p"} -20',
      'mizani_request_budget_remaining{position="p"} 17',
      'mizani_best_competitor_bps{side="bid",position="p"} 35',
      'mizani_build_info{version="0.1.0",position="p"} 1',
    ])
      expect(text.split('\n')).toContain(line)
    expect(lines(text, 'mizani_best_competitor_bps')).toHaveLength(1)
    expect(lines(text, 'mizani_inventory')).toHaveLength(2)
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

  test('the deviation of an execution mid has a series while it differs, and our own quote is no competitor', async () => {
    const metrics = createMetrics('p')
    const shown = async (view: Partial<PositionView>) => {
      metrics.showView({ ...exampleView(), ...view })
      const text = await metricsText(metrics)
      const values = (name: string) => lines(text, name).map((line) => line.split(' ').at(-1))
      return [values('mizani_execution_mid_deviation_bps'), values('mizani_best_competitor_bps')]
    }
    const apart = [{ stable: 'USDT', mid: '2600', rate: '2568', deviationBps: 125 }] as const
    const best = { bps: 35, ageMs: 0, isOwn: false }
    expect(await shown({ execution: { isStated: true, apart } })).toEqual([['125'], ['35']])
    expect(await shown({ competition: { bid: { ...best, isOwn: true }, ask: null } })).toEqual([[], []])
  })

  test('what is no longer known loses its series and is never shown as zero', async () => {
    const metrics = createMetrics('p')
    const known = exampleView()
    metrics.showView(known)
    metrics.showView({
      ...known,
      mid: null,
      midAgeMs: null,
      isActive: null,
      bounds: { ...known.bounds, inventory: {} },
      pnl: null,
      balances: {},
      inventory: { usdShare: null, target: 0.5, imbalance: null },
      quote: { ...known.quote, status: 'unknown' },
      competition: { bid: null, ask: null },
      reconciliation: {
        state: 'pending',
        since: null,
        why: 'first poll',
        unreconciled: {},
        difference: {},
        covers: [],
        notStated: [],
        unreadable: [],
        provenAgeMs: null,
      },
    })
    const text = await metricsText(metrics)
    for (const name of [
      'mizani_active',
      'mizani_quote_bps',
      'mizani_quote_on',
      'mizani_mid_tzs',
      'mizani_mid_age_seconds',
      'mizani_inventory',
      'mizani_inventory_limit',
      'mizani_inventory_share',
      'mizani_pnl_tzs',
      'mizani_pnl_usd',
      'mizani_reconciled',
      'mizani_balances_proven_age_seconds',
      'mizani_unreconciled',
      'mizani_best_competitor_bps',
    ]) {
      expect({ name, lines: lines(text, name) }).toEqual({ name, lines: [] })
    }
  })

  test('a gap shows what is unreconciled, and only one trading state holds at a time', async () => {
    const metrics = createMetrics('p')
    metrics.showView(exampleView())
    metrics.showView(
      exampleView({
        tradingState: 'HALTED',
        reconciliation: {
          state: 'break',
          since: 5,
          why: 'balances',
          unreconciled: { USDC: '-3.25' },
          difference: { USDC: '-3.25' },
          covers: [],
          notStated: [],
          unreadable: [],
          provenAgeMs: null,
        },
      }),
    )
    const text = await metricsText(metrics)
    expect(lines(text, 'mizani_unreconciled')).toEqual([
      'mizani_unreconciled{token="NTZS",position="p"} 0',
      'mizani_unreconciled{token="USDC",position="p"} -3.25',
    ])
    expect(lines(text, 'mizani_reconciled')).toEqual(['mizani_reconciled{position="p"} 0'])
    expect(lines(text, 'mizani_trading_state').filter((line) => line.endsWith(' 1'))).toEqual([
      'mizani_trading_state{state="HALTED",position="p"} 1',
    ])
  })
})

describe('self-custody', () => {
  test('what is outstanding, committed and available is shown by side and token, the age of the chain in seconds', async () => {
    const metrics = createMetrics('p')
    metrics.showView(exampleView({ rfq: exampleRfqView() }))
    const text = await metricsText(metrics)
    for (const line of [
      'mizani_rfq_open{side="bid",position="p"} 0',
      'mizani_rfq_open{side="ask",position="p"} 2',
      'mizani_rfq_promised{token="NTZS",position="p"} 515000.5',
      'mizani_rfq_free{token="USDC",position="p"} -3.25',
      'mizani_chain_lag_seconds{position="p"} 2.5',
    ])
      expect(text.split('\n')).toContain(line)
  })

  test('without it, and before the chain was read, nothing is shown as zero', async () => {
    const metrics = createMetrics('p')
    metrics.showView(exampleView({ rfq: exampleRfqView() }))
    metrics.showView(exampleView({ rfq: exampleRfqView({ chain: null, free: {} }) }))
    const unread = await metricsText(metrics)
    expect(lines(unread, 'mizani_chain_lag_seconds')).toEqual([])
    expect(lines(unread, 'mizani_rfq_free')).toEqual([])
    expect(lines(unread, 'mizani_rfq_open')).toHaveLength(2)
    metrics.showView(exampleView({ rfq: null }))
    const off = await metricsText(metrics)
    for (const name of ['open', 'promised', 'free']) expect(lines(off, `mizani_rfq_${name}`)).toEqual([])
  })

  test('a signature of 60 us has a bucket of its size, and gas adds up in ether', async () => {
    const metrics = createMetrics('p')
    metrics.rfqSignSeconds.observe(60e-6)
    metrics.gasSpentEth.inc(0.00025)
    metrics.gasSpentEth.inc(0.0005)
    const text = await metricsText(metrics)
    expect(text).toContain('mizani_rfq_sign_seconds_bucket{le="0.00005",position="p"} 0')
    expect(text).toContain('mizani_rfq_sign_seconds_bucket{le="0.0001",position="p"} 1')
    expect(lines(text, 'mizani_gas_spent_eth_total')).toEqual([
      'mizani_gas_spent_eth_total{position="p"} 0.00075',
    ])
  })
})

describe('setSurroundings', () => {
  test('clocks are shown in seconds and the disk in bytes; what is no longer known has no series', async () => {
    const metrics = createMetrics('p')
    metrics.showSurroundings({ clockOffsetMs: { venue: -1_500, chain: 0 }, storeFreeBytes: 4_096 })
    const known = await metricsText(metrics)
    expect(lines(known, 'mizani_clock_offset_seconds')).toEqual([
      'mizani_clock_offset_seconds{clock="venue",position="p"} -1.5',
      'mizani_clock_offset_seconds{clock="chain",position="p"} 0',
    ])
    expect(lines(known, 'mizani_store_free_bytes')).toEqual(['mizani_store_free_bytes{position="p"} 4096'])
    metrics.showSurroundings({ clockOffsetMs: { venue: null, chain: null }, storeFreeBytes: null })
    const text = await metricsText(metrics)
    for (const name of ['mizani_clock_offset_seconds', 'mizani_store_free_bytes'])
      expect({ name, lines: lines(text, name) }).toEqual({ name, lines: [] })
  })
})

describe('observeRequest', () => {
  test('a route is counted under its contract name, whether named by effect, or by method and path with any prefix, query or case', async () => {
    const metrics = createMetrics('p')
    observeRequest(metrics, 'GET /api/v1/mm/quote?side=bid', 'ok', 0.1)
    observeRequest(metrics, 'get /quote', 'ok', 0.1)
    observeRequest(metrics, 'readQuote', 'ok', 0.1)
    observeRequest(metrics, 'GET /api/v1/swap/rate', 'timeout', 0.1)
    observeRequest(metrics, 'placeOrder', 'ok', 0.1)
    observeRequest(metrics, 'readChain', 'ok', 0.1)
    observeRequest(metrics, 'chain read', 'ok', 0.1)
    const text = await metricsText(metrics)
    expect(lines(text, 'mizani_venue_requests_total')).toEqual([
      'mizani_venue_requests_total{route="GET /quote",outcome="ok",position="p"} 3',
      'mizani_venue_requests_total{route="GET /swap/rate",outcome="timeout",position="p"} 1',
      'mizani_venue_requests_total{route="POST /rfq/orders",outcome="ok",position="p"} 1',
      'mizani_venue_requests_total{route="chain read",outcome="ok",position="p"} 2',
    ])
    expect(text).toContain('mizani_venue_request_seconds_count{position="p"} 7')
  })

  test('a thousand spellings of a route or an outcome make one series', async () => {
    const metrics = createMetrics('p')
    for (let i = 0; i < 1_000; i++) observeRequest(metrics, `GET /thing-${i}`, `outcome-${i}`, 0.1)
    expect(lines(await metricsText(metrics), 'mizani_venue_requests_total')).toEqual([
      'mizani_venue_requests_total{route="other",outcome="other",position="p"} 1000',
    ])
  })
})
