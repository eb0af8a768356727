import { statfs } from 'node:fs/promises'
import { buildView } from '../view/build-view.ts'
import type { Metrics } from '../telemetry/metrics/metrics.ts'
import { setGauges } from '../telemetry/metrics/set-gauges.ts'
import { setSurroundings } from '../telemetry/shell-measures.ts'
import type { RunningPosition } from './run-position.ts'

/** The position's metrics as of now: `registry.getMetricsAsJSON()` after every gauge was set. */
export async function metricsOf(
  position: Pick<RunningPosition, 'state' | 'now' | 'seq' | 'digest'>,
  metrics: Metrics,
  storePath: string,
): Promise<object[]> {
  const storeFreeBytes = await freeBytes(storePath)
  const state = position.state()
  const { chain } = state.rfq
  setGauges(metrics, buildView(state, position.now(), { seq: position.seq(), digest: position.digest() }))
  setSurroundings(metrics, {
    clockOffsetMs: {
      venue: state.orders.venueOffsetMs,
      // A block that is older than its reading is how chains are; one from the future is a clock.
      chain: chain === null ? null : Math.max(0, chain.head.t - chain.readAt),
    },
    storeFreeBytes,
  })
  return metrics.registry.getMetricsAsJSON()
}

async function freeBytes(path: string): Promise<number | null> {
  try {
    const { bavail, bsize } = await statfs(path)
    return bavail * bsize
  } catch {
    return null
  }
}
