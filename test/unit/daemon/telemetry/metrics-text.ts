import {
  type MetricFamily,
  type PositionRegistry,
  renderMetrics,
} from '../../../../src/daemon/telemetry/metrics/exposition.ts'

/** What GET /metrics has of these positions. */
export async function metricsText(...registries: readonly PositionRegistry[]): Promise<string> {
  return textOf(await renderMetrics(registries))
}

export function textOf(families: readonly MetricFamily[]): string {
  return families.map(({ head, series }) => head + series).join('')
}
