import type { Registry } from 'prom-client'
import { createMetrics } from '../src/daemon/telemetry/metrics/metrics.ts'
import { createFleetMetrics } from '../src/daemon/telemetry/metrics/fleet-metrics.ts'
import { createHeartbeatMetrics } from '../src/daemon/telemetry/metrics/heartbeat-metrics.ts'
import { createStandbyMetrics } from '../src/daemon/telemetry/metrics/standby-metrics.ts'
import { createTreasuryMetrics } from '../src/daemon/telemetry/metrics/treasury-metrics.ts'
import { processMetrics } from '../src/daemon/telemetry/metrics/scrape.ts'

type Described = {
  readonly name: string
  readonly help: string
  readonly type: string
  readonly labelNames?: readonly string[]
}

const HEADING = `# The metrics

<!-- Written by \`node scripts/metrics-docs.ts\` from the registry that the daemon itself uses; a test compares. -->

\`GET /metrics\` answers in the Prometheus text format with all positions of the process; every series of theirs has
the label \`position\`. Positions that do not answer within 0.8 seconds are left out and counted. A gauge whose value is
not known has no series, never a series of zero.
Counters begin at zero with the process, the ledger does not: use \`mizani export\` to count fills over months.

[grafana/dashboards](../grafana/dashboards/mizani-overview.json) and
[grafana/alerts](../grafana/alerts/mizani.rules.yaml) use these metrics and no others.

| Metric | Kind | Labels | Meaning |
|---|---|---|---|
`

const OF_TREASURY = `
Of each position with a [treasury](treasury.md), as of its last reading; the others have none of these:

| Metric | Kind | Labels | Meaning |
|---|---|---|---|
`

const OF_PROCESS = `
Once a process, without that label, beside those of Node (\`process_*\`, \`nodejs_*\`):

| Metric | Kind | Labels | Meaning |
|---|---|---|---|
`

/** docs/metrics.md: every metric of a position and of the process, in the order in which it is registered. */
export function metricsReference(): string {
  const ofProcess = rowsOf(processMetrics().registry).filter((row) => row.startsWith('| `mizani_'))
  const ofServices = rowsOf(createHeartbeatMetrics().registry)
  const once = [...ofProcess, ...ofServices, ...rowsOf(createFleetMetrics().registry)]
  const ofShared = rowsOf(createStandbyMetrics().registry)
  const ofPosition = [...rowsOf(createMetrics('any').registry), ...ofShared].join('\n')
  const ofTreasury = rowsOf(createTreasuryMetrics().registry).join('\n')
  return `${HEADING}${ofPosition}\n${OF_TREASURY}${ofTreasury}\n${OF_PROCESS}${once.join('\n')}\n`
}

function rowsOf(registry: Registry): readonly string[] {
  return (registry.getMetricsAsArray() as unknown as readonly Described[]).map(
    ({ name, help, type, labelNames = [] }) =>
      `| \`${name}\` | ${type} | ${labelNames
        .filter((label) => label !== 'position')
        .map((label) => `\`${label}\``)
        .join(', ')} | ${help.replaceAll('|', '\\|')} |`,
  )
}
