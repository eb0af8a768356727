import { Counter, Gauge, Histogram, Registry } from 'prom-client'
import { raisedCodes } from '../../../core/alerts/core-alerts.ts'
import { RISK_RULE_NAMES } from '../../../core/alerts/risk-rules.ts'
import { SIDES } from '../../../base/money/side.ts'
import { BOOK_GAUGES } from './book-gauges.ts'
import { MARKET_GAUGES } from './market-gauges.ts'
import { ORDER_CODES, REQUEST_OUTCOMES, REQUOTE_REASONS, wordOf } from './metric-labels.ts'
import { absentGauge, gaugesOf, registerGauges } from './view-gauges.ts'

/** One position's metrics, and their registry. */
export type Metrics = ReturnType<typeof createMetrics>

/**
 * Creates a position's metrics, under names that others script against. A gauge with an unknown value has no series,
 * never a zero. Counters start at zero with the process.
 */
export function createMetrics(position: string) {
  const registry = new Registry()
  return {
    registry,
    position,
    /** Shows a view of the position in its gauges. */
    showView: registerGauges(registry, [...MARKET_GAUGES, ...BOOK_GAUGES]),
    /** Shows the position's dependencies outside its own books. */
    showSurroundings: registerGauges(registry, SURROUNDINGS),
    ...tradingCounters(registry),
    ...orderCounters(registry),
    ...durations(registry),
    ...notifyMetrics(registry),
    tapeRows: counter(
      registry,
      'mizani_tape_rows_total',
      'Rows written to the tape. Stays at zero without a recording.',
    ),
    tapeRecording: absentGauge(
      registry,
      'mizani_tape_recording',
      '1 = a tape is being written, 0 = writing failed and the recording has stopped. Absent where record.path is not set.',
    ),
    reloads: counter(
      registry,
      'mizani_reloads_total',
      'Reloads of the configuration by outcome: adopted completely, or refused with the old one kept.',
      ['outcome'],
      ['taken', 'refused'].map((outcome) => ({ outcome })),
    ),
  }
}

/** A position's dependencies outside its own books; null = unknown. */
type Surroundings = {
  readonly clockOffsetMs: { readonly venue: number | null; readonly chain: number | null }
  readonly storeFreeBytes: number | null
}

const { single, labelled } = gaugesOf<Surroundings>()
const SURROUNDINGS = [
  labelled(
    'mizani_clock_offset_seconds',
    ['clock'],
    "Another clock minus this machine's: the venue's by the Date of its answers, the chain's by its newest block where that is ahead of the reading. Absent while not measured.",
    ({ clockOffsetMs }) =>
      Object.entries(clockOffsetMs).map(([clock, ms]) => [clock, ms === null ? null : ms / 1_000]),
  ),
  single(
    'mizani_store_free_bytes',
    "Room left for this user on the file system of the position's store. Absent where the system does not report it.",
    ({ storeFreeBytes }) => storeFreeBytes,
  ),
]

/** A counter; the series of `start` are there from the beginning, at zero, so that a rule can see their first increase. */
export function counter<Label extends string>(
  registry: Registry,
  name: string,
  help: string,
  labelNames: readonly Label[] = [],
  start: readonly Record<Label, string>[] = [],
): Counter<Label> {
  const made = new Counter({ name, help, labelNames, registers: [registry] })
  for (const labels of start) made.inc(labels, 0)
  return made
}

/** Counters of the core's decisions and bookings, and of the position's alerts. */
function tradingCounters(registry: Registry) {
  const bySide = SIDES.map((side) => ({ side }))
  return {
    requotes: counter(
      registry,
      'mizani_requotes_total',
      'Spreads sent to the venue, by why: first, repair (the live quote was not known or not ours), safety, side (one turned on or off), threshold (the target moved far enough), pairs.',
      ['reason'],
      REQUOTE_REASONS.map((reason) => ({ reason })),
    ),
    fills: counter(
      registry,
      'mizani_fills_total',
      'Fills posted to the ledger since this process started. bid: we bought shillings; ask: we sold them.',
      ['side'],
      bySide,
    ),
    fillVolumeUsd: counter(
      registry,
      'mizani_fill_volume_usd_total',
      'Dollars that changed hands in those fills.',
      ['side'],
      bySide,
    ),
    quarantinedRows: counter(
      registry,
      'mizani_fill_rows_quarantined_total',
      'Rows of GET /fills that were set aside since this process started: not parsed, changed after they were booked, or too old. The store has each row.',
    ),
    riskRefusals: counter(
      registry,
      'mizani_risk_refusals_total',
      'Targets that a risk rule refused or changed, by rule.',
      ['rule'],
      RISK_RULE_NAMES.map((rule) => ({ rule })),
    ),
    strategyFallbacks: counter(
      registry,
      'mizani_strategy_fallbacks_total',
      'Number of times the strategy switched to a fallback: no calibration, or a model without a solution.',
    ),
    alerts: counter(
      registry,
      'mizani_alerts_total',
      'Alerts that the position itself raised since this process started, by severity (warning, critical) and code; docs/runbook.md has every code.',
      ['severity', 'code'],
      [...raisedCodes()].flatMap(([code, severities]) => severities.map((severity) => ({ severity, code }))),
    ),
  }
}

/** The outcomes of signed orders, and the costs of their transactions. */
function orderCounters(registry: Registry) {
  return {
    rfqSigned: counter(
      registry,
      'mizani_rfq_signed_total',
      'Orders signed and sent, whether or not the venue accepted them.',
    ),
    rfqFills: counter(
      registry,
      'mizani_rfq_fills_total',
      'Fills of orders seen on the chain, parts counted one by one. A fill that a reorganisation reverses stays counted.',
    ),
    rfqRejected: counter(
      registry,
      'mizani_rfq_rejected_total',
      "Orders that were not signed, or that the venue did not accept, by code: the venue's own, or the signer's. Orders that were certainly never signed are void; all others stay outstanding.",
      ['code'],
      ORDER_CODES.map((code) => ({ code })),
    ),
    gasSpentEth: counter(
      registry,
      'mizani_gas_spent_eth_total',
      'Gas paid for our own transactions (cancellations, approvals), in ether, since this process started.',
    ),
  }
}

const microseconds = (buckets: readonly number[]) =>
  buckets.map((bucket) => Number((bucket * 1e-6).toPrecision(6)))

/** Durations of decisions, requests and signatures, and the outcomes of requests. */
function durations(registry: Registry) {
  const registers = [registry]
  return {
    decisionSeconds: new Histogram({
      name: 'mizani_decision_seconds',
      help: 'Time from an event to its effects inside the core, without the wait for the journal.',
      buckets: microseconds([
        1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 50_000, 250_000, 1_000_000,
      ]),
      registers,
    }),
    venueRequests: counter(
      registry,
      'mizani_venue_requests_total',
      'Requests to the venue by route and outcome: ok, partial, auth, rate-limit, refused, server, timeout, network, malformed; unknown = a write whose effect is not known.',
      ['route', 'outcome'],
    ),
    venueRequestSeconds: new Histogram({
      name: 'mizani_venue_request_seconds',
      help: 'Time from sending a request to its whole answer or its failure, all routes. Activations and withdrawals settle on chain and may take a minute.',
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120],
      registers,
    }),
    // From a key in this process (50 us) to a slow remote signer (seconds).
    rfqSignSeconds: new Histogram({
      name: 'mizani_rfq_sign_seconds',
      help: 'Time from an order to its signature, including hash, checks and the wait for a remote signer.',
      buckets: microseconds([
        20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 50_000, 250_000, 1_000_000, 5_000_000,
      ]),
      registers,
    }),
  }
}

/** Counts a request to the venue: `route` is that of its call, which no answer can change; `outcome` is 'ok' or the failure's kind. */
export function observeRequest(metrics: Metrics, route: string, outcome: string, seconds: number): void {
  metrics.venueRequests.inc({ route, outcome: wordOf(REQUEST_OUTCOMES, outcome) })
  metrics.venueRequestSeconds.observe(seconds)
}

export type NotifyMetrics = ReturnType<typeof notifyMetrics>

/** Counters of notification delivery; the channels are telegram, slack and webhook. */
function notifyMetrics(registry: Registry) {
  return {
    notifications: counter(
      registry,
      'mizani_notifications_total',
      'Notifications by channel and outcome: sent; retry (one attempt failed); refused (the channel rejected it); failed (given up for now); held (sent later in a digest); lost (the process ended first). Refused and failed messages are sent in a digest too.',
      ['channel', 'outcome'],
    ),
    notificationsPending: new Gauge({
      name: 'mizani_notifications_pending',
      help: 'Notifications not yet delivered, including those held for a digest. If it stays above 0, the channel does not accept them.',
      labelNames: ['channel'],
      registers: [registry],
    }),
  }
}

/** Creates the metrics of a position's messages, separate because they are counted outside its thread. */
export function createNotifyMetrics(position: string) {
  const registry = new Registry()
  return { registry, position, ...notifyMetrics(registry) }
}
