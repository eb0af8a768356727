import { Counter, Histogram, type Gauge, type Registry } from 'prom-client'
import { absentGauge } from './optional-gauge.ts'

export type VenueMetrics = {
  readonly venueRequests: Counter<'route' | 'outcome'>
  readonly venueRequestSeconds: Histogram
  readonly requestBudgetRemaining: Gauge
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
      help: 'From sending a request to its whole answer or its failure, all routes. Activations and withdrawals settle on chain and may take a minute.',
      buckets: REQUEST_BUCKETS,
      registers,
    }),
    requestBudgetRemaining: absentGauge(
      registry,
      'mizani_request_budget_remaining',
      "Requests that the key's sliding window still allows now. Small by design: fills and quotes are polled as fast as it allows.",
    ),
  }
}
