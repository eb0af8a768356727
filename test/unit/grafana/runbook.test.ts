import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { CORE_ALERTS, coreAlert, type CoreAlert } from '../../../src/core/alerts/core-alerts.ts'
import { POSITION_NOTICES } from '../../../src/core/alerts/position-notices.ts'
import { RISK_RULE_NAMES } from '../../../src/core/alerts/risk-rules.ts'
import { TREASURY_ALERTS } from '../../../src/core/alerts/treasury-alerts.ts'
import { readRunbook } from '../../../src/base/text/runbook.ts'
import { commandProblem } from '../../support/command-problem.ts'
import { dashboards, rules } from '../../support/grafana-uses.ts'

const ROOT = join(import.meta.dirname, '../../..')
const PAGES = readdirSync(join(ROOT, 'docs')).filter((name) => name.endsWith('runbook.md'))
const RUNBOOK = readRunbook()

type Entry = { readonly page: string; readonly name: string; readonly text: string }

function entriesOf(page: string): readonly Entry[] {
  const [, ...sections] = readFileSync(join(ROOT, 'docs', page), 'utf8').split(/^### /m)
  return sections.map((section) => {
    const [name = '', ...lines] = section.split('\n')
    return { page, name, text: lines.join('\n') }
  })
}

/** The entry that the link of an alert rule leads to. */
function entryOf({ alert, annotations }: ReturnType<typeof rules>[number]): Entry | undefined {
  const [page, anchor] = annotations.runbook_url.split('#')
  const isNamed = ({ name, text }: Entry) => name === alert || text.includes(`Prometheus: \`${alert}\``)
  return entries.find(
    (entry) => `docs/${entry.page}` === page && entry.name.toLowerCase() === anchor && isNamed(entry),
  )
}

/** Every code that the core and the shell raise, and that asks for something or tells of its end. */
function raisedCodes(): readonly string[] {
  const alerts = (Object.keys(CORE_ALERTS) as CoreAlert[]).map((name) => coreAlert(name).code)
  return [...new Set([...alerts, ...Object.keys(POSITION_NOTICES), ...Object.keys(TREASURY_ALERTS)])]
}

const entries = PAGES.flatMap(entriesOf)
const names = entries.map(({ name }) => name)

describe('the runbook', () => {
  test('has an entry for every alert rule, and its link leads there', () => {
    // The index has the anchor of every code.
    const all = rules()
    const byCode = all.filter(({ annotations }) => annotations.runbook_url.includes('{{'))
    expect(byCode.map(({ annotations }) => annotations.runbook_url)).toEqual([
      'docs/runbook.md#{{ $labels.code }}',
    ])
    const lost = all.filter((rule) => !byCode.includes(rule) && entryOf(rule) === undefined)
    expect(lost.map(({ alert }) => alert)).toEqual([])
    expect(names).toContain(byCode[0]?.alert)
  })

  test('has in its index, with an anchor, every entry and every alert rule', () => {
    const named = entries.flatMap(({ page, name, text }) => {
      const aliases = [...text.matchAll(/Prometheus: `(\w+)`/g)].map(([, alias = '']) => alias)
      const target = `${page}#${name.toLowerCase()}`
      return [name, ...aliases].map((one) => `<a id="${one.toLowerCase()}"></a>[${one}](${target})`)
    })
    const [, index = ''] = readFileSync(join(ROOT, 'docs/runbook.md'), 'utf8').split('\n# Index\n')
    const listed = index.match(/<a id="[^"]+"><\/a>\[[^\]]+\]\([^)]+\)/g) ?? []
    expect(listed.toSorted()).toEqual(named.toSorted())
  })

  test('has at most 1,500 words a page', () => {
    const long = PAGES.filter(
      (page) => readFileSync(join(ROOT, 'docs', page), 'utf8').split(/\s+/).length > 1_500,
    )
    expect(long).toEqual([])
  })

  test('has an entry for every code that can be raised and every rule of risk, and none twice', () => {
    const codes = new Set([...raisedCodes(), ...RISK_RULE_NAMES])
    expect(codes.size).toBeGreaterThan(45)
    expect([...codes].filter((code) => !names.includes(code))).toEqual([])
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([])
  })

  test('has no entry for what there is not', () => {
    const known = new Set([...raisedCodes(), ...RISK_RULE_NAMES, ...rules().map(({ alert }) => alert)])
    expect(names.filter((name) => !known.has(name))).toEqual([])
  })

  test('says in each entry, in four lines, what it means, what to check, what to do and when it lifts', () => {
    for (const { name, text } of entries) {
      const lines = text.trim().split('\n')
      expect([name, lines.map((line) => /^- \*\*(\w+)\*\* \S.*\.$/.exec(line)?.[1])]).toEqual([
        name,
        ['Means', 'Check', 'Do', 'Lifts'],
      ])
    }
  })

  test('says of each alert rule how grave it is, as the rule does', () => {
    for (const rule of rules()) {
      const { alert, labels } = rule
      const entry = entryOf(rule) ?? entries.find(({ name }) => name === alert)
      const means = entry?.text.split('\n')[1]?.toLowerCase() ?? ''
      expect([alert, means]).toEqual([alert, expect.stringMatching(`\\b${labels.severity}\\b`)])
    }
  })

  test('names only commands and options that exist', () => {
    const calls = [...RUNBOOK.matchAll(/`mizani ([a-z][^`]*)`/g)].map(([, call = '']) => call)
    expect(calls.length).toBeGreaterThan(50)
    expect(calls.map(commandProblem).filter((problem) => problem !== null)).toEqual([])
  })

  test('names only panels that are on a dashboard', () => {
    const titles = new Set(dashboards().flatMap(({ panels }) => panels.map(({ title }) => title)))
    const body = entries.map(({ text }) => text.replaceAll(/\*\*[^*]+\*\*/g, '')).join('\n')
    const named = [...body.matchAll(/\*([^*\n]+)\*/g)].map(([, title = '']) => title)
    // What `mizani status` prints.
    const others = ['why', 'unreconciled']
    expect(named.length).toBeGreaterThan(40)
    expect(named.filter((title) => !titles.has(title) && !others.includes(title))).toEqual([])
  })

  test('names only keys of the configuration that exist', () => {
    const reference = readFileSync(join(ROOT, 'docs/configuration.md'), 'utf8')
    const named = [...RUNBOOK.matchAll(/`([a-z]+)\.([A-Za-z.]+)`/g)]
    expect(named.length).toBeGreaterThan(20)
    const missing = named.filter(([, section, key]) => {
      const [, rest = ''] = reference.split(`\n## ${section}\n`)
      return !(rest.split('\n## ')[0] ?? '').includes(`| \`${key}\` |`)
    })
    expect(missing.map(([whole]) => whole)).toEqual([])
  })
})

describe('the check of commands', () => {
  test.each([
    ['statsu', 'no command statsu'],
    ['rfq', 'not a whole command'],
    ['rfq list --loud', 'no option --loud'],
  ])('refuses %s', (call, problem) => {
    expect(commandProblem(call)).toContain(problem)
  })
})
