import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parse } from 'yaml'
import { dashboardFiles } from '../../grafana/dashboard-files.ts'

export const RULES_FILE: string = fileURLToPath(
  new URL('../../grafana/alerts/mizani.rules.yaml', import.meta.url),
)

/** An expression and the texts beside it that name labels of its result. */
export type Use = { readonly where: string; readonly expr: string; readonly texts: readonly string[] }

/** Label -> values, per metric. */
export type Scraped = ReadonlyMap<string, ReadonlyMap<string, ReadonlySet<string>>>

export type Panel = {
  readonly id: number
  readonly type: string
  readonly title?: string
  readonly description?: string
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number }
  readonly targets?: readonly { readonly expr: string; readonly legendFormat: string }[]
}

export type Dashboard = {
  readonly uid: string
  readonly title: string
  readonly panels: readonly Panel[]
  readonly templating: {
    readonly list: readonly {
      readonly name: string
      readonly type: string
      readonly multi?: boolean
      readonly includeAll?: boolean
      readonly current?: unknown
      readonly query?: unknown
    }[]
  }
  readonly annotations: {
    readonly list: readonly {
      readonly name: string
      readonly expr: string
      readonly titleFormat: string
      readonly textFormat: string
    }[]
  }
}

export type Rule = {
  readonly alert: string
  readonly expr: string
  readonly for?: string
  readonly labels: { readonly severity: string }
  readonly annotations: {
    readonly summary: string
    readonly live: string
    readonly done: string
    readonly description: string
    readonly runbook_url: string
  }
}

/** What Prometheus adds itself: labels of every target, and its own series. */
const GIVEN_LABELS = ['instance', 'job']
const GIVEN_SERIES: Readonly<Record<string, readonly string[]>> = {
  up: [],
  ALERTS: ['alertname', 'alertstate', 'severity', 'position'],
}

export function dashboards(): readonly Dashboard[] {
  return dashboardFiles().map(({ text }) => JSON.parse(text) as Dashboard)
}

export function rules(): readonly Rule[] {
  const file = parse(readFileSync(RULES_FILE, 'utf8')) as {
    readonly groups: readonly { readonly rules: readonly Rule[] }[]
  }
  return file.groups.flatMap((group) => group.rules)
}

/** The queries of every panel and every annotation of every dashboard. */
export function dashboardUses(): readonly Use[] {
  return dashboards().flatMap(({ title: dashboard, panels, annotations }) => [
    ...panels.flatMap(({ title, targets }) =>
      (targets ?? []).map(({ expr, legendFormat }) => ({
        where: `${dashboard}, panel ${title}`,
        expr,
        texts: [legendFormat],
      })),
    ),
    ...annotations.list.map(({ name, expr, titleFormat, textFormat }) => ({
      where: `${dashboard}, annotation ${name}`,
      expr,
      texts: [titleFormat, textFormat],
    })),
  ])
}

export function ruleUses(): readonly Use[] {
  return rules().flatMap(({ alert, expr, annotations: { live, ...texts } }) => [
    { where: `alert ${alert}`, expr, texts: Object.values(texts) },
    // What the line asks Prometheus for when the alert fires.
    ...[...live.matchAll(/printf "([^"]+)"/g)].map(([, query = '']) => ({
      where: `alert ${alert}, what is live`,
      expr: query.replaceAll('%q', '"desk-1"'),
      texts: [],
    })),
  ])
}

/** An expression of a dashboard as Prometheus itself can be asked it. */
export function asked(expr: string): string {
  return expr.replaceAll(/\$__(rate_interval|range)/g, '1m').replaceAll('$position', '.*')
}

/** What is in the text of GET /metrics. */
export function parseScrape(text: string): Scraped {
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
export function missing({ where, expr, texts }: Use, scrape: Scraped): readonly string[] {
  const problems: string[] = []
  const given = Object.keys(GIVEN_SERIES).filter((name) => new RegExp(`\\b${name}\\b`).test(bare(expr)))
  const names = metricsOf(expr)
  if (names.length + given.length === 0) problems.push(`${where}: no metric at all`)
  for (const name of names) if (!scrape.has(name)) problems.push(`${where}: no metric ${name}`)
  const labels = labelsOf(names, scrape)
  const known = [...labels.keys(), ...GIVEN_LABELS, ...given.flatMap((name) => GIVEN_SERIES[name] ?? [])]
  for (const label of labelsUsed(expr, texts)) {
    if (!known.includes(label)) problems.push(`${where}: no label ${label}`)
  }
  for (const [, label = '', value = ''] of expr.matchAll(/(\w+)\s*(?:!=|=)\s*"([^"]*)"/g)) {
    const values = labels.get(label)
    if (values !== undefined && !value.includes('$') && !values.has(value))
      problems.push(`${where}: ${label} is never ${value}`)
  }
  for (const [, label = '', value = ''] of expr.matchAll(/(\w+)\s*(?:=~|!~)\s*"([^"]*)"/g)) {
    const values = labels.get(label)
    if (values === undefined || value.includes('$')) continue
    for (const one of value.split('|')) {
      const pattern = new RegExp(`^(?:${one})$`)
      if (![...values].some((each) => pattern.test(each))) problems.push(`${where}: ${label} is never ${one}`)
    }
  }
  return problems
}

/** The names of mizani's and the process's metrics in an expression. */
export function metricsOf(expr: string): readonly string[] {
  return bare(expr).match(/\b(mizani|process|nodejs)_\w+/g) ?? []
}

function bare(expr: string): string {
  return expr.replaceAll(/"[^"]*"/g, '""')
}

function labelsOf(names: readonly string[], scrape: Scraped): ReadonlyMap<string, ReadonlySet<string>> {
  const labels = new Map<string, Set<string>>()
  for (const name of names) {
    for (const [label, values] of scrape.get(name) ?? []) {
      labels.set(label, new Set([...(labels.get(label) ?? []), ...values]))
    }
  }
  return labels
}

function labelsUsed(expr: string, texts: readonly string[]): readonly string[] {
  return [
    ...[...expr.matchAll(/\b(?:by|on|without|ignoring)\s*\(([^)]*)\)/g)].flatMap(([, list = '']) =>
      list.split(','),
    ),
    ...texts.flatMap((text) =>
      [...text.matchAll(/\{\{\s*(?:\$labels\.)?(\w+)\s*\}\}/g)].map(([, label = '']) => label),
    ),
    ...[...expr.matchAll(/(\w+)\s*(?:=~|!~|!=|=)\s*"/g)].map(([, label = '']) => label),
  ].map((label) => label.trim())
}
