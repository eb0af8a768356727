import { monitorEventLoopDelay } from 'node:perf_hooks'
import { Gauge, Registry } from 'prom-client'
import { type MetricFamily, renderMetrics } from './exposition.ts'

/** Interval of samples: a scrape every 15 seconds has 1,500, so that its p99.9 is not a maximum. */
const SAMPLE_EVERY_MS = 10
const QUANTILES = [0.5, 0.99, 0.999, 1] as const

/**
 * Registers the delay of this thread's event loop, which adds to each position's own work. Each reading covers the
 * time since the previous one.
 */
export function registerEventLoopDelay(registry: Registry, thread: string): void {
  const delay = monitorEventLoopDelay({ resolution: SAMPLE_EVERY_MS })
  delay.enable()
  const gauge = new Gauge({
    name: 'mizani_event_loop_delay_seconds',
    help: 'Delay of due work in the event loop of a thread since the previous scrape: quantiles of samples taken every 10 ms. Threads: main, and one per worker of positions.',
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

/** Returns a worker thread's own metrics, without its positions'. */
export function createThreadMetrics(thread: string): () => Promise<readonly MetricFamily[]> {
  const registry = new Registry()
  registerEventLoopDelay(registry, thread)
  return () => renderMetrics([{ registry, position: null }])
}
