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

/** The lines of series, of one metric where it is named. */
export function seriesOf(text: string, name = ''): readonly string[] {
  return text.split('\n').filter((line) => /^\w/.test(line) && line.split(/[{ ]/)[0]?.startsWith(name))
}

/** The lines that went, with `-` before them, and those that came, with `+`. */
export function seriesThatChanged(before: readonly string[], after: readonly string[]): string {
  const gone = before.filter((line) => !after.includes(line)).map((line) => `- ${line}`)
  return [...gone, ...after.filter((line) => !before.includes(line)).map((line) => `+ ${line}`)].join('\n')
}
