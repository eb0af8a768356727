import type { Metrics } from './metrics.ts'

/** One order's way through the signer, whether or not a signature came of it. */
export function observeSigning(metrics: Metrics, seconds: number): void {
  metrics.rfqSignSeconds.observe(seconds)
}
