import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { fileURLToPath } from 'node:url'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { parse, stringify } from 'yaml'
import { dashboardFiles } from '../../../grafana/dashboard-files.ts'
import { createMetrics } from '../../../src/telemetry/metrics.ts'
import { createScrape } from '../../../src/telemetry/create-scrape.ts'
import { observeDecision } from '../../../src/telemetry/observe-decision.ts'
import { observeRequest } from '../../../src/telemetry/observe-request.ts'
import { setGauges } from '../../../src/telemetry/set-gauges.ts'
import { REQUEST_OUTCOMES, VENUE_ROUTES } from '../../../src/telemetry/vocabulary.ts'
import { needs } from '../../support/needs.ts'
import { exampleRfqView } from '../telemetry/example-rfq-view.ts'
import { exampleView } from '../telemetry/example-view.ts'

const GRAFANA = new URL('../../../grafana/', import.meta.url)
const RULES = fileURLToPath(new URL('alerts/mizani.rules.yaml', GRAFANA))

/** An expression and the texts beside it that name labels of its result. */
type Use = { readonly where: string; readonly expr: string; readonly texts: readonly string[] }
/** Label -> values, per metric. */
type Scraped = ReadonlyMap<string, ReadonlyMap<string, ReadonlySet<string>>>

const GIVEN_BY_PROMETHEUS = ['instance', 'job']

type Panel = {
  readonly title?: string
  readonly targets?: readonly { readonly expr: string; readonly legendFormat: string }[]
}
type Dashboard = { readonly title: string; readonly panels: readonly Panel[] }
type Rule = {
  readonly alert: string
  readonly expr: string
  readonly labels: { readonly severity: string }
  readonly annotations: { readonly summary: string; readonly description: string }
}

function dashboards(): readonly Dashboard[] {
  return dashboardFiles().map(({ text }) => JSON.parse(text) as Dashboard)
}

function rules(): readonly Rule[] {
  const file = parse(readFileSync(RULES, 'utf8')) as {
    readonly groups: readonly { readonly rules: readonly Rule[] }[]
  }
  return file.groups.flatMap((group) => group.rules)
}

function panelUses(): readonly Use[] {
  return dashboards().flatMap(({ panels }) =>
    panels.flatMap(({ title, targets }) =>
      (targets ?? []).map(({ expr, legendFormat }) => ({
        where: `panel ${title}`,
        expr,
        texts: [legendFormat],
      })),
    ),
  )
}

function ruleUses(): readonly Use[] {
  return rules().map(({ alert, expr, annotations }) => ({
    where: `alert ${alert}`,
    expr,
    texts: [annotations.summary, annotations.description],
  }))
}

async function scraped(): Promise<Scraped> {
  const metrics = createMetrics('desk-1')
  setGauges(metrics, exampleView({ rfq: exampleRfqView() }))
  observeDecision(metrics, 1e-5)
  metrics.tapeRecording.set(1)
  for (const route of VENUE_ROUTES)
    for (const outcome of REQUEST_OUTCOMES) observeRequest(metrics, route, outcome, 1)
  const { text } = await createScrape()([await metrics.registry.getMetricsAsJSON()])
  const found = new Map<string, Map<string, Set<string>>>()
  for (const line of text.split('\n')) {
    const [, name, labels = ''] = /^(\w+)(?:\{(.*)\})? \S+$/.exec(line) ?? []
    if (name === undefined) continue
    const known = found.get(name) ?? new Map<string, Set<string>>()
    for (const [, label = '', value = ''] of labels.matchAll(/(\w+)="([^"]*)"/g)) {
      known.set(label, (known.get(label) ?? new Set()).add(value))
    }
    found.set(name, known)
  }
  return found
}

/** Everything in the expression or beside it that no scrape has. */
function missing({ where, expr, texts }: Use, scrape: Scraped): readonly string[] {
  const problems: string[] = []
  const names = expr.replaceAll(/"[^"]*"/g, '""').match(/\b(mizani|process|nodejs)_\w+/g) ?? []
  if (names.length === 0) problems.push(`${where}: no metric at all`)
  for (const name of names) if (!scrape.has(name)) problems.push(`${where}: no metric ${name}`)
  const labels = new Map<string, Set<string>>()
  for (const name of names) {
    for (const [label, values] of scrape.get(name) ?? []) {
      labels.set(label, new Set([...(labels.get(label) ?? []), ...values]))
    }
  }
  const used = [
    ...[...expr.matchAll(/\b(?:by|on|without|ignoring)\s*\(([^)]*)\)/g)].flatMap(([, list = '']) =>
      list.split(','),
    ),
    ...texts.flatMap((text) =>
      [...text.matchAll(/\{\{\s*(?:\$labels\.)?(\w+)\s*\}\}/g)].map(([, label = '']) => label),
    ),
    ...[...expr.matchAll(/(\w+)\s*(?:=~|!~|!=|=)\s*"/g)].map(([, label = '']) => label),
  ].map((label) => label.trim())
  for (const label of used) {
    if (!labels.has(label) && !GIVEN_BY_PROMETHEUS.includes(label))
      problems.push(`${where}: no label ${label}`)
  }
  for (const [, label = '', value = ''] of expr.matchAll(/(\w+)\s*(?:=~|!~|!=|=)\s*"([^"]*)"/g)) {
    for (const one of value.split('|')) {
      if (!one.includes('$') && labels.has(label) && !labels.get(label)?.has(one)) {
        problems.push(`${where}: ${label} is never ${one}`)
      }
    }
  }
  return problems
}

let scrape: Scraped
beforeAll(async () => {
  scrape = await scraped()
})

describe('the dashboards', () => {
  test('as committed are what the generator makes', () => {
    expect(dashboardFiles().length).toBeGreaterThan(0)
    for (const { path, text } of dashboardFiles()) {
      const committed = readFileSync(new URL(path, GRAFANA), 'utf8')
      expect(committed === text ? path : `${path} differs: npm run grafana`).toBe(path)
    }
  })

  test('use only metrics, labels and label values that a real scrape has', () => {
    expect(panelUses().length).toBeGreaterThan(20)
    expect(panelUses().flatMap((use) => missing(use, scrape))).toEqual([])
  })

  test('say in every panel what it shows, fill rows of 24 columns and give every panel an id of its own', () => {
    for (const { panels } of dashboards()) {
      const shown = panels as readonly {
        id: number
        type: string
        description?: string
        gridPos: { x: number; y: number; w: number }
      }[]
      expect(new Set(shown.map(({ id }) => id)).size).toBe(shown.length)
      const widths = new Map<number, number>()
      for (const { type, description, gridPos } of shown) {
        if (type !== 'row') expect(description).toMatch(/\w.*\.$/)
        widths.set(gridPos.y, (widths.get(gridPos.y) ?? 0) + gridPos.w)
      }
      expect([...new Set(widths.values())]).toEqual([24])
    }
  })

  test('show every metric that the daemon has', () => {
    const shown = panelUses()
      .map(({ expr }) => expr)
      .join(' ')
    const families = [...scrape.keys()].filter(
      (name) => name.startsWith('mizani_') && !/_(sum|count)$/.test(name),
    )
    expect(families.filter((name) => !shown.includes(name))).toEqual([])
  })
})

describe('the alert rules', () => {
  test('use only metrics, labels and label values that a real scrape has', () => {
    expect(ruleUses().length).toBeGreaterThan(10)
    expect(ruleUses().flatMap((use) => missing(use, scrape))).toEqual([])
  })

  test('each have a severity, name the position, and say what to do', () => {
    for (const { alert, labels, annotations } of rules()) {
      expect([alert, labels.severity]).toEqual([alert, expect.stringMatching(/^(critical|warning)$/)])
      expect([alert, annotations.summary]).toEqual([alert, expect.stringContaining('{{ $labels.position }}')])
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
    ['a legend of a label that does not exist', 'mizani_mid_tzs', ['{{side}}'], 'no label side'],
    ['no metric', 'vector(1)', [], 'no metric at all'],
  ])('refuses %s', (_what, expr, texts, problem) => {
    expect(missing({ where: 'x', expr, texts }, scrape)).toEqual([`x: ${problem}`])
  })
})

describe('promtool', () => {
  test.skipIf(needs('promtool'))('accepts the alert rules', () => {
    expect(execFileSync('promtool', ['check', 'rules', RULES], { encoding: 'utf8' })).toContain('SUCCESS')
  })

  test.skipIf(needs('promtool'))("parses every panel's expression", () => {
    const folder = mkdtempSync(join(tmpdir(), 'panels-'))
    const file = join(folder, 'panels.rules.yaml')
    const asRules = panelUses().map(({ expr }, index) => ({
      record: `panel:number_${index}`,
      expr: expr.replaceAll('$__rate_interval', '1m').replaceAll('$position', '.*'),
    }))
    writeFileSync(file, stringify({ groups: [{ name: 'panels', rules: asRules }] }))
    try {
      expect(execFileSync('promtool', ['check', 'rules', file], { encoding: 'utf8' })).toContain(
        `SUCCESS: ${asRules.length} rules found`,
      )
    } finally {
      rmSync(folder, { recursive: true })
    }
  })

  test.skipIf(needs('promtool'))('finds nothing to blame in what GET /metrics answers', async () => {
    const metrics = createMetrics('desk-1')
    setGauges(metrics, exampleView())
    const { text } = await createScrape()([await metrics.registry.getMetricsAsJSON()])
    const run = () => execFileSync('promtool', ['check', 'metrics'], { input: text, encoding: 'utf8' })
    expect(run()).toBe('')
  })
})
