import type { Metrics } from './metrics.ts'

/** Counts one event's way through the core. On the hot path: no log line, no label. */
export function observeDecision(metrics: Metrics, seconds: number): void {
  metrics.decisionSeconds.observe(seconds)
}
