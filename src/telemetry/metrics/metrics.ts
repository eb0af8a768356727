import { AggregatorRegistry, collectDefaultMetrics, Registry } from 'prom-client'
import {
  decisionMetrics,
  type DecisionMetrics,
  quoteMetrics,
  type QuoteMetrics,
  venueMetrics,
  type VenueMetrics,
} from './position-metrics.ts'
import { feedMetrics, type FeedMetrics } from './feed-metrics.ts'
import {
  hostMetrics,
  type HostMetrics,
  notifyMetrics,
  type NotifyMetrics,
  tapeMetrics,
  type TapeMetrics,
} from './host-metrics.ts'
import { ledgerMetrics, type LedgerMetrics } from './ledger-metrics.ts'
import { rfqMetrics, type RfqMetrics } from './rfq-metrics.ts'

/** One position's metrics. `registry` adds the label `position` to every one of them. */
export type Metrics = QuoteMetrics &
  LedgerMetrics &
  VenueMetrics &
  FeedMetrics &
  TapeMetrics &
  RfqMetrics &
  NotifyMetrics &
  DecisionMetrics &
  HostMetrics & { readonly registry: Registry }

/**
 * The metrics of a position, by the names that others script against. A gauge whose value is not known
 * has no series at all, never a series of zero. Counters start at zero with the process.
 */
export function createMetrics(position: string): Metrics {
  const registry = new Registry()
  registry.setDefaultLabels({ position })
  return {
    registry,
    ...quoteMetrics(registry),
    ...ledgerMetrics(registry),
    ...venueMetrics(registry),
    ...feedMetrics(registry),
    ...decisionMetrics(registry),
    ...tapeMetrics(registry),
    ...rfqMetrics(registry),
    ...notifyMetrics(registry),
    ...hostMetrics(registry),
  }
}

/** What `registry.getMetricsAsJSON()` of one position gave; plain data that crosses threads. */
export type MetricsJson = readonly object[]

export type Scrape = { readonly contentType: string; readonly text: string }

/** prom-client's own counts that end in _total without being counters: promtool refuses the names. */
const MISNAMED = [
  'nodejs_active_resources_total',
  'nodejs_active_handles_total',
  'nodejs_active_requests_total',
]

/**
 * Makes the text of GET /metrics: the positions' metrics, which differ in their `position` label, and the
 * process's own (memory, CPU, event loop of the main thread). A position that did not answer is absent.
 */
export function createScrape(): (positions: readonly MetricsJson[]) => Promise<Scrape> {
  const own = new Registry()
  collectDefaultMetrics({ register: own })
  for (const name of MISNAMED) own.removeSingleMetric(name)
  return async (positions) => {
    const parts = [...positions, await own.getMetricsAsJSON()]
    const whole = AggregatorRegistry.aggregate(parts)
    return { contentType: whole.contentType, text: await whole.metrics() }
  }
}
