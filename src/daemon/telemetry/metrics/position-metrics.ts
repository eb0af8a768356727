import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import { RISK_RULE_NAMES } from '../../../core/alerts/risk-rules.ts'
import { absentGauge } from './optional-gauge.ts'
import { REQUOTE_REASONS } from './metric-labels.ts'

export type DecisionMetrics = {
  readonly tradingState: Gauge<'state'>
  readonly stillQuoted: Gauge
  readonly decisionSeconds: Histogram
  readonly riskRefusals: Counter<'rule'>
  readonly strategyFallbacks: Counter
  readonly guardAbsentSeconds: Gauge
  readonly buildInfo: Gauge<'version'>
}

const MICROSECOND = 1e-6
const DECISION_BUCKETS = [
  1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 50_000, 250_000, 1_000_000,
].map((microseconds) => Number((microseconds * MICROSECOND).toPrecision(6)))

/** What the core decides, how fast, and what risk says to it. */
export function decisionMetrics(registry: Registry): DecisionMetrics {
  const registers = [registry]
  const riskRefusals = new Counter({
    name: 'mizani_risk_refusals_total',
    help: 'Targets that a risk rule refused or changed, by rule.',
    labelNames: ['rule'],
    registers,
  })
  for (const rule of RISK_RULE_NAMES) riskRefusals.inc({ rule }, 0)
  return {
    riskRefusals,
    strategyFallbacks: new Counter({
      name: 'mizani_strategy_fallbacks_total',
      help: 'How often the strategy began to quote by something else than it should use: no calibration, or a model without a solution.',
      registers,
    }),
    guardAbsentSeconds: absentGauge(
      registry,
      'mizani_guard_absent_seconds',
      'For how long no one has watched the position: no guard holds out a lease to it. 0 while one does. Absent in a dry run.',
    ),
    tradingState: new Gauge({
      name: 'mizani_trading_state',
      help: '1 for the state that holds, 0 for the others: ACTIVE, REDUCING (only the side that brings the inventory back), HALTED (latched until an operator resumes).',
      labelNames: ['state'],
      registers,
    }),
    stillQuoted: absentGauge(
      registry,
      'mizani_still_quoted',
      '1 while the position is halted or paused and the venue was not seen to have stopped quoting it, which includes that nothing is known of that; 0 otherwise.',
    ),
    decisionSeconds: new Histogram({
      name: 'mizani_decision_seconds',
      help: 'Time from an event to its effects inside the core, without the wait for the journal.',
      buckets: DECISION_BUCKETS,
      registers,
    }),
    buildInfo: new Gauge({
      name: 'mizani_build_info',
      help: 'Always 1; the label has the running version.',
      labelNames: ['version'],
      registers,
    }),
  }
}

export type QuoteMetrics = {
  readonly quoteBps: Gauge<'side'>
  readonly quoteOn: Gauge<'side'>
  readonly active: Gauge
  readonly requotes: Counter<'reason'>
  readonly midTzs: Gauge
  readonly midAgeSeconds: Gauge
  readonly bestCompetitorBps: Gauge<'side'>
  readonly executionMidDeviationBps: Gauge<'stable'>
}

/** What we quote, and the mid and the competition it is quoted against. */
export function quoteMetrics(registry: Registry): QuoteMetrics {
  const registers = [registry]
  const requotes = new Counter({
    name: 'mizani_requotes_total',
    help: 'Spreads sent to the venue, by why: first, repair (the live quote was not known or not ours), safety, side (one turned on or off), threshold (the target moved far enough), pairs.',
    labelNames: ['reason'],
    registers,
  })
  for (const reason of REQUOTE_REASONS) requotes.inc({ reason }, 0)
  return {
    requotes,
    quoteBps: new Gauge({
      name: 'mizani_quote_bps',
      help: 'Spread that the venue holds for us on a side, in basis points of its mid. Absent while the quote is unknown and in a dry run. A side that is off keeps its spread: see mizani_quote_on.',
      labelNames: ['side'],
      registers,
    }),
    quoteOn: new Gauge({
      name: 'mizani_quote_on',
      help: '1 = the side is quoted at the venue, 0 = it is off. bid: takers sell shillings to us; ask: takers buy shillings from us. Absent while not known and in a dry run.',
      labelNames: ['side'],
      registers,
    }),
    active: absentGauge(
      registry,
      'mizani_active',
      '1 = the position is in the market at the venue, 0 = its capital is in the wallet, as in self-custody. Absent while not known.',
    ),
    midTzs: absentGauge(
      registry,
      'mizani_mid_tzs',
      "The venue's mid, TZS per USD. Absent before the first good one.",
    ),
    midAgeSeconds: absentGauge(
      registry,
      'mizani_mid_age_seconds',
      "Age of the venue's mid by the venue's own clock. Over a weekend it grows by design; absent where the venue does not date its mid.",
    ),
    bestCompetitorBps: new Gauge({
      name: 'mizani_best_competitor_bps',
      help: 'Spread of the provider that the venue would pick now for our probe, in basis points. Absent when that is our own quote, when no provider quotes the side, or when the probe did not request it.',
      labelNames: ['side'],
      registers,
    }),
    executionMidDeviationBps: new Gauge({
      name: 'mizani_execution_mid_deviation_bps',
      help: "How far the public rate's mid of the pair, at which its fills execute, is above GET /rate, in basis points; negative = below. Absent while they agree or the public rate names none.",
      labelNames: ['stable'],
      registers,
    }),
  }
}

export type VenueMetrics = {
  readonly venueRequests: Counter<'route' | 'outcome'>
  readonly venueRequestSeconds: Histogram
  readonly requestBudgetRemaining: Gauge
  readonly venueCapability: Gauge<'capability' | 'value'>
}

const REQUEST_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120]

/** How the venue answers, and how much we may still ask. */
export function venueMetrics(registry: Registry): VenueMetrics {
  const registers = [registry]
  return {
    venueRequests: new Counter({
      name: 'mizani_venue_requests_total',
      help: 'Requests to the venue by route and outcome: ok, partial, auth, rate-limit, refused, server, timeout, network, malformed; unknown = a change that may or may not have happened.',
      labelNames: ['route', 'outcome'],
      registers,
    }),
    venueRequestSeconds: new Histogram({
      name: 'mizani_venue_request_seconds',
      help: 'Time from sending a request to its whole answer or its failure, all routes. Activations and withdrawals settle on chain and may take a minute.',
      buckets: REQUEST_BUCKETS,
      registers,
    }),
    requestBudgetRemaining: absentGauge(
      registry,
      'mizani_request_budget_remaining',
      "Requests that the key's sliding window still allows now. Small by design: fills and quotes are polled as fast as it allows.",
    ),
    venueCapability: new Gauge({
      name: 'mizani_venue_capability',
      help: '1 = an answer of the venue has shown that it does this in this way (`mizani conformance` shows the answer). Absent while none has.',
      labelNames: ['capability', 'value'],
      registers,
    }),
  }
}
