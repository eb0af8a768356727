import type { Metrics } from './metrics.ts'

/** What one of our own transactions cost, in ether, once its receipt says it. */
export function observeGas(metrics: Metrics, eth: number): void {
  metrics.gasSpentEth.inc(eth)
}
