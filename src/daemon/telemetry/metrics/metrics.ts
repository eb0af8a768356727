import { Registry } from 'prom-client'
import type { PositionRegistry } from './exposition.ts'
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
import { challengerMetrics, type ChallengerMetrics } from './challenger-metrics.ts'
import { scorecardMetrics, type ScorecardMetrics } from './scorecard-metrics.ts'
import { rfqMetrics, type RfqMetrics } from './rfq-metrics.ts'

/** One position's metrics, and the registry that they are rendered from. */
export type Metrics = QuoteMetrics &
  LedgerMetrics &
  VenueMetrics &
  FeedMetrics &
  TapeMetrics &
  RfqMetrics &
  NotifyMetrics &
  DecisionMetrics &
  ScorecardMetrics &
  ChallengerMetrics &
  HostMetrics &
  PositionRegistry

/**
 * The metrics of a position, by the names that others script against. A gauge whose value is not known
 * has no series at all, never a series of zero. Counters start at zero with the process.
 */
export function createMetrics(position: string): Metrics {
  const registry = new Registry()
  return {
    registry,
    position,
    ...quoteMetrics(registry),
    ...ledgerMetrics(registry),
    ...venueMetrics(registry),
    ...feedMetrics(registry),
    ...decisionMetrics(registry),
    ...scorecardMetrics(registry),
    ...challengerMetrics(registry),
    ...tapeMetrics(registry),
    ...rfqMetrics(registry),
    ...notifyMetrics(registry),
    ...hostMetrics(registry),
  }
}
