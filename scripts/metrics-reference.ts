import { createMetrics } from '../src/telemetry/metrics/metrics.ts'

type Described = {
  readonly name: string
  readonly help: string
  readonly type: string
  readonly labelNames?: readonly string[]
}

const HEADING = `# The metrics

<!-- Written by \`node scripts/metrics-docs.ts\` from the registry that the daemon itself uses; a test compares. -->

\`GET /metrics\` answers in the Prometheus text format with all positions of the process; every series has the
label \`position\`. A gauge whose value is not known has no series, never a series of zero.
Counters begin at zero with the process, the ledger does not: use \`mizani export\` to count fills over months.

[grafana/dashboards](../grafana/dashboards/mizani-overview.json) and
[grafana/alerts](../grafana/alerts/mizani.rules.yaml) use these metrics and no others.

| Metric | Kind | Labels | Meaning |
|---|---|---|---|
`

/** docs/metrics.md: every metric of a position, in the order in which it is registered. */
export function metricsReference(): string {
  const { registry } = createMetrics('any')
  const rows = (registry.getMetricsAsArray() as unknown as readonly Described[]).map(
    ({ name, help, type, labelNames = [] }) =>
      `| \`${name}\` | ${type} | ${labelNames.map((label) => `\`${label}\``).join(', ')} | ${help.replaceAll('|', '\\|')} |`,
  )
  return `${HEADING}${rows.join('\n')}\n`
}
