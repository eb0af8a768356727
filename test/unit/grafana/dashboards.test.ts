import { Registry } from 'prom-client'
import { existsSync, readFileSync } from 'node:fs'
import { beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { dashboardFiles } from '../../../grafana/dashboard-files.ts'
import { FLEET_LIMITS } from '../../../src/daemon/runtime/fleet/assess-limits.ts'
import { seedAlertCounters } from '../../../src/daemon/runtime/treasury/report-observation.ts'
import { SEND_OUTCOMES } from '../../../src/daemon/notify/delivery/channel-queue.ts'
import { renderMetrics } from '../../../src/daemon/telemetry/metrics/exposition.ts'
import { createFleetMetrics } from '../../../src/daemon/telemetry/metrics/fleet-metrics.ts'
import { createHeartbeatMetrics } from '../../../src/daemon/telemetry/metrics/heartbeat-metrics.ts'
import { createMetrics, observeRequest } from '../../../src/daemon/telemetry/metrics/metrics.ts'
import { registerMemoryGrowth } from '../../../src/daemon/telemetry/metrics/memory-growth.ts'
import { createScrape, registrySource } from '../../../src/daemon/telemetry/metrics/scrape.ts'
import {
  createStandbyMetrics,
  standbyMetricsSource,
} from '../../../src/daemon/telemetry/metrics/standby-metrics.ts'
import { createTreasuryMetrics } from '../../../src/daemon/telemetry/metrics/treasury-metrics.ts'
import { REQUEST_OUTCOMES } from '../../../src/daemon/telemetry/metrics/metric-labels.ts'
import {
  dashboards,
  dashboardUses,
  metricsOf,
  missing,
  parseScrape,
  rules,
  ruleUses,
  type Scraped,
} from '../../support/grafana-uses.ts'
import { exampleTreasury } from '../daemon/telemetry/example-treasury.ts'
import { exampleChallenger } from '../daemon/view/example-challenger.ts'
import { exampleScorecard } from '../daemon/view/example-scorecard.ts'
import { exampleRfqView } from '../daemon/telemetry/example-rfq-view.ts'
import { exampleView, TWO_FEEDS } from '../daemon/telemetry/example-view.ts'

const GRAFANA = new URL('../../../grafana/', import.meta.url)

/** A scrape with every label value that there can be: no single daemon meets all of them. */
async function scraped(): Promise<Scraped> {
  const metrics = createMetrics('desk-1')
  const bounds = { ...exampleView().bounds, inventory: { NTZS: { min: '1', max: '9' } } }
  const heartbeats = registrySource(createHeartbeatMetrics())
  const fleet = createFleetMetrics()
  for (const limit of FLEET_LIMITS) {
    fleet.limitUsd.set({ limit }, 2)
    fleet.usd.set({ limit }, 1)
  }
  for (const about of ['folder', 'defaults', 'file']) fleet.problems.set({ about }, 0)
  const view = exampleView({ bounds, rfq: exampleRfqView(), reference: TWO_FEEDS })
  metrics.showView({
    ...view,
    scorecard: exampleScorecard(view.now),
    challenger: exampleChallenger(view.now),
  })
  metrics.showSurroundings({ clockOffsetMs: { venue: 0, chain: 0 }, storeFreeBytes: 1 })
  metrics.decisionSeconds.observe(1e-5)
  metrics.tapeRecording.set(1)
  for (const outcome of SEND_OUTCOMES) metrics.notifications.inc({ channel: 'slack', outcome }, 1)
  metrics.notificationsPending.set({ channel: 'slack' }, 0)
  for (const route of [
    'chain read',
    'GET /rate',
    'GET /fills',
    'PATCH /spread',
    'POST /activate',
    'POST /withdraw',
  ])
    for (const outcome of REQUEST_OUTCOMES) observeRequest(metrics, route, outcome, 1)
  seedAlertCounters(metrics)
  const treasury = { ...createTreasuryMetrics(), position: 'desk-1' }
  treasury.show(exampleTreasury())
  const source = { positions: 1, read: () => renderMetrics([metrics, treasury]) }
  const standbys = standbyMetricsSource(createStandbyMetrics(), () => [{ name: 'desk-1', standsBy: false }])
  const grown = new Registry()
  registerMemoryGrowth(grown, () => 1)
  const process = { positions: 0, read: () => renderMetrics([{ registry: grown, position: null }]) }
  const sources = [process, source, registrySource(fleet), heartbeats, standbys]
  const { text } = await createScrape(() => sources)()
  return parseScrape(text)
}

let scrape: Scraped
beforeAll(async () => {
  scrape = await scraped()
})

describe('the dashboards', () => {
  test('are these, and as committed they are what the generator makes', () => {
    expect(dashboards().map(({ uid }) => uid)).toEqual(
      ['overview', 'position', 'venue', 'rfq', 'treasury', 'fleet'].map((name) => `mizani-${name}`),
    )
    for (const { path, text } of dashboardFiles()) {
      const committed = readFileSync(new URL(path, GRAFANA), 'utf8')
      expect(committed === text ? path : `${path} differs: npm run grafana`).toBe(path)
    }
  })

  test('use only metrics, labels and label values that a scrape has', () => {
    expect(dashboardUses().length).toBeGreaterThan(80)
    expect(dashboardUses().flatMap((use) => missing(use, scrape))).toEqual([])
  })

  test('can be pointed at another Prometheus and at chosen positions, and mark halts and reloads', () => {
    for (const { uid, templating, annotations, panels } of dashboards()) {
      const [datasource, position] = templating.list
      expect([uid, datasource?.type]).toEqual([uid, 'datasource'])
      const multi = uid !== 'mizani-position'
      expect([uid, position]).toEqual([uid, expect.objectContaining({ name: 'position', multi })])
      // The lines of hundreds of positions are no picture: only the fleet's own dashboard opens with all of them.
      const isFleet = uid === 'mizani-fleet'
      expect([uid, position?.includeAll, position?.current]).toEqual([
        uid,
        isFleet,
        isFleet ? { text: 'All', value: '$__all' } : undefined,
      ])
      expect(JSON.stringify(position?.query)).toMatch(/label_values\(mizani_build_info, position\)/)
      expect([uid, annotations.list.map(({ name }) => name)]).toEqual([uid, ['Halts', 'Reloads']])
      // Of all that is a position's and not the process's, nothing shows positions that were not chosen.
      const open = panels
        .flatMap(({ targets }) => targets ?? [])
        .flatMap(
          ({ expr }) =>
            expr.match(
              /\b(?!mizani_(?:scrape|fleet|heartbeats|memory)_)(?:mizani_\w+|ALERTS)\b(?!\{[^}]*position=~"\$position)/g,
            ) ?? [],
        )
      expect([uid, open]).toEqual([uid, []])
    }
  })

  test('say in every panel what it shows, fill rows of 24 columns and give every panel an id of its own', () => {
    for (const { panels } of dashboards()) {
      expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length)
      const widths = new Map<number, number>()
      for (const { type, description, gridPos } of panels) {
        if (type !== 'row') expect(description).toMatch(/\w.*\.$/)
        widths.set(gridPos.y, (widths.get(gridPos.y) ?? 0) + gridPos.w)
      }
      expect([...new Set(widths.values())]).toEqual([24])
    }
  })

  test('ask a question in every row but those that go into detail', () => {
    const rows = dashboards().flatMap(({ panels }) => panels.filter(({ type }) => type === 'row'))
    const questions = rows.filter(({ title }) => title?.endsWith('?'))
    expect(questions.length).toBeGreaterThan(rows.length / 2)
  })

  test('give bid and ask the same colours in every chart', () => {
    const charts = dashboards().flatMap(({ panels }) => panels.filter(({ type }) => type === 'timeseries'))
    const colours = charts.map((chart) => JSON.stringify((chart as { fieldConfig?: unknown }).fieldConfig))
    expect(charts.length).toBeGreaterThan(20)
    for (const text of colours) {
      expect(text).toMatch(/bid\)\$\/.{0,60}?"fixedColor":"blue"/)
      expect(text).toMatch(/ask\)\$\/.{0,60}?"fixedColor":"orange"/)
    }
  })

  test('show every metric that the daemon has', () => {
    const shown = new Set(dashboardUses().flatMap(({ expr }) => metricsOf(expr)))
    const families = [...scrape.keys()].filter(
      (name) => name.startsWith('mizani_') && !/_(sum|count)$/.test(name),
    )
    expect(families.filter((name) => !shown.has(name))).toEqual([])
  })

  test('lie where the provisioning looks for them, beside a Prometheus', () => {
    const read = (path: string) => parse(readFileSync(new URL(path, GRAFANA), 'utf8')) as object
    expect(read('provisioning/dashboards/mizani.yaml')).toMatchObject({
      providers: [{ type: 'file', options: { path: '/var/lib/grafana/dashboards/mizani' } }],
    })
    expect(read('provisioning/datasources/prometheus.yaml')).toMatchObject({
      datasources: [{ type: 'prometheus', isDefault: true }],
    })
    expect(existsSync(new URL('dashboards', GRAFANA))).toBe(true)
  })
})

describe('the alert rules', () => {
  test('use only metrics, labels and label values that a scrape has', () => {
    expect(ruleUses().length).toBeGreaterThan(20)
    expect(ruleUses().flatMap((use) => missing(use, scrape))).toEqual([])
  })

  test('each have a severity, name the position or the machine, and say what to do', () => {
    for (const { alert, labels, annotations } of rules()) {
      expect([alert, labels.severity]).toEqual([alert, expect.stringMatching(/^(critical|warning)$/)])
      expect([alert, annotations.summary]).toEqual([
        alert,
        expect.stringMatching(/\{\{ \$labels\.(position|instance) \}\}/),
      ])
      expect([alert, annotations.description.length > 60]).toEqual([alert, true])
    }
  })
})

describe('the check itself', () => {
  test.each([
    ['a metric that does not exist', 'mizani_quote_bp', [], 'no metric mizani_quote_bp'],
    ['a label that does not exist', 'sum by (sides) (mizani_quote_bps)', [], 'no label sides'],
    ['a matcher on a label that does not exist', 'mizani_mid_tzs{token="NTZS"}', [], 'no label token'],
    ['a value that no series has', 'mizani_trading_state{state="HALT"}', [], 'state is never HALT'],
    [
      'one of several values that no series has',
      'mizani_trading_state{state=~"ACTIVE|HALT"}',
      [],
      'state is never HALT',
    ],
    ['a legend of a label that does not exist', 'mizani_mid_tzs', ['{{side}}'], 'no label side'],
    ['no metric', 'vector(1)', [], 'no metric at all'],
  ])('refuses %s', (_what, expr, texts, problem) => {
    expect(missing({ where: 'x', expr, texts }, scrape)).toEqual([`x: ${problem}`])
  })
})
