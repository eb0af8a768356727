import { collectDefaultMetrics, Gauge, Registry } from 'prom-client'
import type { Ms } from '../../../base/time.ts'
import { registerEventLoopDelay } from './event-loop-delay.ts'
import { joinFamilies, renderMetrics, type MetricFamily } from './exposition.ts'
import { registerMemoryGrowth } from './memory-growth.ts'

/** A source of metrics: a thread with its positions, or metrics of the process. */
export type MetricsSource = {
  /** The number of positions whose metrics are missing while it does not answer. */
  readonly positions: number
  /** Resolves with null if there is no answer in time; a starting source may take longer for its first answer. */
  readonly read: (withinMs: Ms) => Promise<readonly MetricFamily[] | null>
}

/** Returns the process metrics of this thread, which always answers. */
export function registrySource({ registry }: { readonly registry: Registry }): MetricsSource {
  return { positions: 0, read: () => renderMetrics([{ registry, position: null }]) }
}

type Scrape = { readonly contentType: string; readonly text: string }

/** Scrapers usually wait ten seconds, and one that scrapes every second still gets every answer. */
const ANSWER_MS = 800

/** prom-client's own counts whose names end in _total without being counters; promtool rejects them. */
const MISNAMED = [
  'nodejs_active_resources_total',
  'nodejs_active_handles_total',
  'nodejs_active_requests_total',
]

/**
 * Returns the text of GET /metrics: the metrics of all sources, which differ in their label `position`, and the
 * process's own (memory, CPU, event loop of the main thread). Omits a source that does not answer and counts its
 * positions as missing. Overlapping scrapes share one reading.
 */
export function createScrape(sources: () => readonly MetricsSource[]): () => Promise<Scrape> {
  const process = processMetrics()
  let running: Promise<Scrape> | null = null

  async function scrape(): Promise<Scrape> {
    const asked = sources()
    const answers = await Promise.all(asked.map(({ read }) => read(ANSWER_MS)))
    const missing = asked.reduce(
      (sum, { positions }, index) => sum + (answers[index] === null ? positions : 0),
      0,
    )
    process.positionsMissing.set(missing)
    const parts = answers.filter((answer) => answer !== null)
    const own = await renderMetrics([{ registry: process.registry, position: null }])
    const text = joinFamilies([...parts, own]).map(({ head, series }) => head + series)
    return { contentType: process.registry.contentType, text: text.join('') }
  }

  return () => (running ??= scrape().finally(() => (running = null)))
}

type ProcessMetrics = { readonly registry: Registry; readonly positionsMissing: Gauge }

/** Metrics of the process, without the label `position`. */
export function processMetrics(): ProcessMetrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  for (const name of MISNAMED) registry.removeSingleMetric(name)
  const positionsMissing = new Gauge({
    name: 'mizani_scrape_positions_missing',
    help: 'Positions whose metrics are missing from this scrape, because they did not answer in time. If it stays above 0, they hang or keep restarting.',
    registers: [registry],
  })
  registerEventLoopDelay(registry, 'main')
  registerMemoryGrowth(registry)
  return { registry, positionsMissing }
}
