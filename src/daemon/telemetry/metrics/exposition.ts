import type { Metric, Registry } from 'prom-client'

/** The metrics of one position; null = the process's own, without the label `position`. */
export type PositionRegistry = { readonly registry: Registry; readonly position: string | null }

/**
 * One metric of many positions in Prometheus text format: its HELP and TYPE lines, and one line per series. Text,
 * because series as objects cost several times as much to send between threads.
 */
export type MetricFamily = { readonly name: string; readonly head: string; readonly series: string }

/** Renders the metrics of many positions, by metric. A metric without series has only its head. */
export async function renderMetrics(
  registries: readonly PositionRegistry[],
): Promise<readonly MetricFamily[]> {
  const parts: (readonly MetricFamily[])[] = []
  for (const registry of registries) parts.push(await renderRegistry(registry))
  return joinFamilies(parts)
}

/**
 * Joins the expositions of several threads. The format requires all series of a metric in one group after one head,
 * which comes from the first part with that metric.
 */
export function joinFamilies(parts: readonly (readonly MetricFamily[])[]): readonly MetricFamily[] {
  const joined = new Map<string, { readonly head: string; readonly series: string[] }>()
  for (const part of parts) {
    for (const { name, head, series } of part) {
      const before = joined.get(name)
      if (before === undefined) joined.set(name, { head, series: [series] })
      else before.series.push(series)
    }
  }
  return Array.from(joined, ([name, { head, series }]) => ({ name, head, series: series.join('') }))
}

async function renderRegistry({ registry, position }: PositionRegistry): Promise<readonly MetricFamily[]> {
  const common = position === null ? '' : labelText('position', position)
  const families: MetricFamily[] = []
  for (const { name } of registry.getMetricsAsArray()) {
    families.push(await renderMetric(registry.getSingleMetric(name), common))
  }
  return families
}

async function renderMetric(metric: Metric | undefined, common: string): Promise<MetricFamily> {
  if (metric === undefined) throw new Error('a registry has the metrics that it lists')
  const { name, help, type, values } = await metric.get()
  let series = ''
  for (const value of values) {
    const own = labelsText(value.labels)
    const labels = own === '' || common === '' ? own + common : `${own},${common}`
    series += `${seriesName(value, name)}${labels === '' ? '' : `{${labels}}`} ${valueText(value.value)}\n`
  }
  return { name, head: headOf(name, help, String(type)), series }
}

/** Buckets, sum and count of a histogram have separate names. */
function seriesName(value: object, name: string): string {
  return 'metricName' in value && typeof value.metricName === 'string' ? value.metricName : name
}

function headOf(name: string, help: string, type: string): string {
  return `# HELP ${name} ${escaped(help)}\n# TYPE ${name} ${type}\n`
}

function labelsText(labels: Readonly<Partial<Record<string, string | number>>>): string {
  let text = ''
  for (const name in labels) {
    const one = labelText(name, String(labels[name]))
    text = text === '' ? one : `${text},${one}`
  }
  return text
}

function labelText(name: string, value: string): string {
  // Nearly no value contains one of these: one search costs less than three replacements.
  const text = SPECIAL.test(value) ? escaped(value).replaceAll('"', '\\"') : value
  return `${name}="${text}"`
}

const SPECIAL = /[\\\n"]/

function escaped(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')
}

function valueText(value: number): string {
  if (Number.isFinite(value)) return String(value)
  if (Number.isNaN(value)) return 'NaN'
  return value > 0 ? '+Inf' : '-Inf'
}
