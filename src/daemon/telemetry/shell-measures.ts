import type { Metrics } from './metrics/metrics.ts'
import { REQUEST_OUTCOMES, routeWord, wordOf } from './metrics/metric-labels.ts'
import type { NotifyMetrics } from './metrics/host-metrics.ts'

/** Counts one event's way through the core. On the hot path: no log line, no label. */
export function observeDecision(metrics: Metrics, seconds: number): void {
  metrics.decisionSeconds.observe(seconds)
}

/**
 * Counts a request to the venue: `route` is an effect's type or method and path; `outcome` is
 * 'ok' or the failure's kind.
 */
export function observeRequest(metrics: Metrics, route: string, outcome: string, seconds: number): void {
  metrics.venueRequests.inc({ route: routeWord(route), outcome: wordOf(REQUEST_OUTCOMES, outcome) })
  metrics.venueRequestSeconds.observe(seconds)
}

/** One order's way through the signer, whether or not a signature came of it. */
export function observeSigning(metrics: Metrics, seconds: number): void {
  metrics.rfqSignSeconds.observe(seconds)
}

/** What one of our own transactions cost, in ether, once its receipt says it. */
export function observeGas(metrics: Metrics, eth: number): void {
  metrics.gasSpentEth.inc(eth)
}

/** Messages to one channel that met one outcome. */
export function observeNotification(
  metrics: NotifyMetrics,
  channel: string,
  outcome: string,
  messages: number,
): void {
  metrics.notifications.inc({ channel, outcome }, messages)
}

/** What a position stands on, beyond its own books; null = not known. */
type Surroundings = {
  readonly clockOffsetMs: { readonly venue: number | null; readonly chain: number | null }
  readonly storeFreeBytes: number | null
}

/** Puts clocks and disk into their gauges; what is not known loses its series. */
export function setSurroundings(metrics: Metrics, surroundings: Surroundings): void {
  const { clockOffsetMs, storeFreeBytes } = surroundings
  for (const clock of ['venue', 'chain'] as const) {
    const offset = clockOffsetMs[clock]
    if (offset === null) metrics.clockOffsetSeconds.remove({ clock })
    else metrics.clockOffsetSeconds.set({ clock }, offset / 1_000)
  }
  if (storeFreeBytes === null) metrics.storeFreeBytes.remove()
  else metrics.storeFreeBytes.set(storeFreeBytes)
}
