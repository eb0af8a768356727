import { Registry } from 'prom-client'
import { decisionMetrics, type DecisionMetrics } from './decision-metrics.ts'
import { feedMetrics, type FeedMetrics } from './feed-metrics.ts'
import { hostMetrics, type HostMetrics } from './host-metrics.ts'
import { ledgerMetrics, type LedgerMetrics } from './ledger-metrics.ts'
import { notifyMetrics, type NotifyMetrics } from './notify-metrics.ts'
import { quoteMetrics, type QuoteMetrics } from './quote-metrics.ts'
import { rfqMetrics, type RfqMetrics } from './rfq-metrics.ts'
import { tapeMetrics, type TapeMetrics } from './tape-metrics.ts'
import { venueMetrics, type VenueMetrics } from './venue-metrics.ts'

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
 * has no series at all: absence is said by absence, never by zero. Counters start at zero with the process.
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
