import { monitorEventLoopDelay } from 'node:perf_hooks'
import { Gauge, Registry } from 'prom-client'
import { type MetricFamily, renderMetrics } from './exposition.ts'

/** One sample each: a scrape every 15 seconds has 1,500 of them, so that its p99.9 is no maximum. */
const SAMPLE_EVERY_MS = 10
const QUANTILES = [0.5, 0.99, 0.999, 1] as const

/**
 * Registers how late the event loop of this thread runs what is due: what a position waits for beside its own work. Each
 * reading covers the time since the one before.
 */
export function registerEventLoopDelay(registry: Registry, thread: string): void {
  const delay = monitorEventLoopDelay({ resolution: SAMPLE_EVERY_MS })
  delay.enable()
  const gauge = new Gauge({
    name: 'mizani_event_loop_delay_seconds',
    help: 'How late the event loop of a thread runs what is due, since the scrape before: quantiles of a sample every 10 ms. Threads: main, and one per worker of positions.',
    labelNames: ['thread', 'quantile'],
    registers: [registry],
    collect() {
      gauge.reset()
      if (delay.count === 0) return
      for (const quantile of QUANTILES) {
        // The library measures the time between two samples.
        const lateMs = Math.max(0, delay.percentile(quantile * 100) / 1e6 - SAMPLE_EVERY_MS)
        gauge.set({ thread, quantile: String(quantile) }, lateMs / 1_000)
      }
      delay.reset()
    },
  })
}

/** The metrics of a worker thread itself, without those of its positions. */
export function createThreadMetrics(thread: string): () => Promise<readonly MetricFamily[]> {
  const registry = new Registry()
  registerEventLoopDelay(registry, thread)
  return () => renderMetrics([{ registry, position: null }])
}
