import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stringify } from 'yaml'
import { RULES_FILE } from '../../support/grafana-uses.ts'

/** Series -> values in promtool's notation, one a minute: `1x90` is 1 for an hour and a half. */
export type Market = Readonly<Record<string, string>>

/** What goes wrong, what differs for it from a healthy market, and the alerts that must fire for it, no others. */
export type Case = readonly [what: string, changes: Market, alerts: readonly string[]]

export const UP = 'up{job="mizani", instance="a:9464"}'

/** How many cases share a run, which needs 30 MB for each. */
const TOGETHER = 16

/** Where no process is known at all, the alert names none: such a case has Prometheus to itself. */
const isAlone = ([, changes]: Case): boolean => changes[UP]?.endsWith('stale') === true

/** What promtool finds wrong with each case at its end: nothing where exactly its alerts fire. */
export function findings(healthy: Market, cases: readonly Case[]): ReadonlyMap<Case, string> {
  return new Map(batchesOf(cases).flatMap((batch) => play(healthy, batch)))
}

/** Every alert that fires at the end of a case, as promtool prints it: its labels, then its texts filled in. */
export function firedAlerts(healthy: Market, cases: readonly Case[]): readonly string[] {
  return batchesOf(cases).flatMap((batch) => {
    const names = new Set(batch.flatMap(([, , alerts]) => alerts))
    // It prints only what it did not expect.
    const unexpected = [...names].map((alertname) => ({ eval_time: '90m', alertname, exp_alerts: [] }))
    const printed = promtool(healthy, batch, { alert_rule_test: unexpected })
    return printed.split(/^ +Labels:/m).slice(1)
  })
}

function batchesOf(cases: readonly Case[]): readonly (readonly Case[])[] {
  const together = cases.filter((one) => !isAlone(one))
  const batches = cases.filter(isAlone).map((one) => [one])
  for (let i = 0; i < together.length; i += TOGETHER) batches.push(together.slice(i, i + TOGETHER))
  return batches
}

function play(healthy: Market, cases: readonly Case[]): (readonly [Case, string])[] {
  const expressions = cases.map((one, index) =>
    isAlone(one)
      ? firing('')
      : `${firing(`position=~"${index}/.*"`)} or ${firing(`instance=~"${index}/.*"`)}`,
  )
  const expected = cases.map(([, , alerts], index) => sampled(expressions[index] ?? '', alerts))
  // An alert that names neither belongs to no case, so it must not fire.
  if (!cases.some(isAlone)) expected.push(sampled(firing('position="", instance=""'), []))
  const printed = promtool(healthy, cases, { promql_expr_test: expected })
  const failed = printed.split(/^ {4}expr: /m).slice(1)
  const isOf = (text: string, expr = '') => text.startsWith(`${JSON.stringify(expr)}, `)
  const ofNone = failed.filter((text) => !expressions.some((expr) => isOf(text, expr)))
  if (/^ {2}SUCCESS$/m.test(printed) !== (failed.length === 0) || ofNone.length > 0) throw new Error(printed)
  return cases.map((one, index) => [one, failed.filter((text) => isOf(text, expressions[index])).join('')])
}

const firing = (of: string): string => `group by (alertname) (ALERTS{alertstate="firing", ${of}})`

const sampled = (expr: string, alerts: readonly string[]) => ({
  expr,
  eval_time: '90m',
  exp_samples: alerts.map((alert) => ({ labels: `{alertname="${alert}"}`, value: 1 })),
})

/**
 * Lets promtool play the time of several cases at once, each with positions and processes of its own in one Prometheus.
 * Returns all that it prints, whether what is expected holds or not.
 */
function promtool(healthy: Market, cases: readonly Case[], expected: object): string {
  const series = cases.flatMap(([, changes], index) =>
    Object.entries({ ...healthy, ...changes }).map(([name, values]) => ({
      series: name.replaceAll(/(position|instance)="/g, `$1="${index}/`),
      values,
    })),
  )
  const tests = {
    rule_files: [RULES_FILE],
    evaluation_interval: '1m',
    tests: [{ interval: '1m', input_series: series, ...expected }],
  }
  const folder = mkdtempSync(join(tmpdir(), 'alerts-'))
  const file = join(folder, 'test.yaml')
  writeFileSync(file, stringify(tests, { lineWidth: 0 }))
  const { stdout, stderr, error } = spawnSync('promtool', ['test', 'rules', file], {
    encoding: 'utf8',
    // Half of what each run costs is the collection of garbage.
    env: { ...process.env, GOGC: 'off' },
  })
  rmSync(folder, { recursive: true })
  if (error !== undefined) throw error
  return `${stdout}${stderr}`
}
