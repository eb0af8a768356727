import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { CORE_ALERTS, coreAlert, type CoreAlert } from '../../../src/core/alerts/core-alerts.ts'
import { POSITION_NOTICES } from '../../../src/core/alerts/position-notices.ts'
import { RISK_RULE_NAMES } from '../../../src/core/alerts/risk-rules.ts'
import { TREASURY_ALERTS } from '../../../src/core/alerts/treasury-alerts.ts'
import { commandProblem } from '../../support/command-problem.ts'
import { dashboards, rules } from '../../support/grafana-uses.ts'

const ROOT = join(import.meta.dirname, '../../..')
const RUNBOOK = readFileSync(join(ROOT, 'docs/runbook.md'), 'utf8')

type Entry = { readonly name: string; readonly text: string }

function entriesOf(page: string): readonly Entry[] {
  const [, ...sections] = page.split(/^### /m)
  return sections.map((section) => {
    const [name = '', ...lines] = section.split('\n')
    return { name, text: lines.join('\n').split(/^# /m)[0] ?? '' }
  })
}

/** Every code that the core and the shell raise, and that asks for something or tells of its end. */
function raisedCodes(): readonly string[] {
  const alerts = (Object.keys(CORE_ALERTS) as CoreAlert[]).map((name) => coreAlert(name).code)
  return [...new Set([...alerts, ...Object.keys(POSITION_NOTICES), ...Object.keys(TREASURY_ALERTS)])]
}

const entries = entriesOf(RUNBOOK)
const names = entries.map(({ name }) => name)

describe('the runbook', () => {
  test('has an entry for every alert rule, and its link leads there', () => {
    for (const { alert, annotations } of rules()) {
      const [page, anchor = ''] = annotations.runbook_url.split('#')
      expect([alert, page]).toEqual([alert, 'docs/runbook.md'])
      const targets = anchor === '{{ $labels.code }}' ? raisedCodes() : [anchor]
      const missing = targets.filter((one) => !names.some((name) => name.toLowerCase() === one))
      expect([alert, missing]).toEqual([alert, []])
      expect(names).toContain(alert)
    }
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

  test('says in each entry, in four lines, what it means, what to look at, what to do and when it lifts', () => {
    for (const { name, text } of entries) {
      const lines = text.trim().split('\n')
      expect([name, lines.map((line) => /^- \*\*(\w+)\*\* \S.*\.$/.exec(line)?.[1])]).toEqual([
        name,
        ['Means', 'Look', 'Do', 'Lifts'],
      ])
    }
  })

  test('says of each alert rule how grave it is, as the rule does', () => {
    for (const { alert, labels } of rules()) {
      const means = entries.find(({ name }) => name === alert)?.text.split('\n')[1] ?? ''
      expect([alert, means.toLowerCase()]).toEqual([alert, expect.stringMatching(`\\b${labels.severity}\\b`)])
    }
  })

  test('names only commands and options that exist', () => {
    const calls = [...RUNBOOK.matchAll(/`mizani ([a-z][^`]*)`/g)].map(([, call = '']) => call)
    expect(calls.length).toBeGreaterThan(50)
    expect(calls.map(commandProblem).filter((problem) => problem !== null)).toEqual([])
  })

  test('names only panels that are on a dashboard', () => {
    const titles = new Set(dashboards().flatMap(({ panels }) => panels.map(({ title }) => title)))
    const body = entries.map(({ text }) => text.replaceAll(/\*\*\w+\*\*/g, '')).join('\n')
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
