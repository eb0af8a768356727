import { AggregatorRegistry, collectDefaultMetrics, Registry } from 'prom-client'

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
