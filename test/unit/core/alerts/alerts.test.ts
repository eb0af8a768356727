import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import {
  CORE_ALERTS,
  coreAlert,
  raisedCodes,
  type CoreAlert,
} from '../../../../src/core/alerts/core-alerts.ts'
import { readRunbook, runbookCodes } from '../../../../src/base/text/runbook.ts'
import { adviceFor, POSITION_NOTICES } from '../../../../src/core/alerts/position-notices.ts'
import { isHalting, isRiskRule, RISK_RULE_NAMES, RISK_RULES } from '../../../../src/core/alerts/risk-rules.ts'

const ROOT = join(import.meta.dirname, '../../../..')
const ALERTS = Object.keys(CORE_ALERTS) as CoreAlert[]

function sources(...rooms: readonly string[]): readonly { readonly path: string; readonly text: string }[] {
  return rooms.flatMap((room) =>
    readdirSync(join(ROOT, 'src', room), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
      .map((entry) => join(entry.parentPath, entry.name))
      .map((path) => ({ path, text: readFileSync(path, 'utf8') })),
  )
}

/** The severities under which each code can be told: an alert, a rule or a notice has exactly one. */
function severities(): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, Set<string>>()
  const add = (code: string, severity: string) =>
    found.set(code, (found.get(code) ?? new Set()).add(severity))
  for (const name of ALERTS) add(name, CORE_ALERTS[name].severity)
  // A rule that halts is notified as `halted`; `operator` is the code of a command too.
  for (const rule of RISK_RULE_NAMES) if (!isHalting(rule)) add(rule, RISK_RULES[rule].severity)
  for (const [code, { severity }] of Object.entries(POSITION_NOTICES)) add(code, severity)
  return new Map([...found].map(([code, all]) => [code, [...all]]))
}

describe('the catalogue of alerts', () => {
  test('gives every alert, rule and notice exactly one severity', () => {
    expect([...severities()].filter(([, all]) => all.length !== 1)).toEqual([])
  })

  test('has no alert that the core never raises, and the core no halt that is not a rule', () => {
    const engine = sources('core/engine')
      .map(({ text }) => text)
      .join('\n')
    expect(ALERTS.length).toBeGreaterThan(25)
    expect(ALERTS.filter((name) => !engine.includes(`'${name}'`))).toEqual([])
    const risk = sources('core/risk')
      .map(({ text }) => text)
      .join('\n')
    const halting = [...risk.matchAll(/\bhalts\(\s*'([a-z-]+)'/g)].map(([, rule = '']) => rule)
    expect(halting.length).toBeGreaterThan(3)
    expect(halting.filter((rule) => !isRiskRule(rule))).toEqual([])
    // `foreign-hand` halts as well, but only at the second reading: people learn of it at the first one.
    const told = RISK_RULE_NAMES.filter((rule) => isHalting(rule) && rule !== 'operator')
    expect(new Set(told)).toEqual(new Set(halting))
  })

  test('counts every alert and every halt by a code, and by the severity of its entry alone', () => {
    const codes = raisedCodes()
    for (const name of ALERTS) expect(codes.get(coreAlert(name).code)).toContain(coreAlert(name).severity)
    for (const rule of RISK_RULE_NAMES) if (isHalting(rule)) expect(codes.has(rule)).toBe(rule !== 'operator')
    const twice = [...codes].filter(([, all]) => all.length > 1).map(([code]) => code)
    expect(twice.toSorted()).toEqual(['fill-price', 'foreign-write', 'order-rejected'])
  })

  test('is the only place that knows how grave an alert is: no call names a severity beside a code', () => {
    const found = sources('core/engine', 'core/risk', 'daemon/runtime').filter(({ text }) =>
      /(alert|positionNotice|raisedNotice)\(\s*'(info|warning|critical)'|severity: '(warning|critical)',\s*code:/.test(
        text.replace("log.warn({ event: 'alert', severity: 'warning', code: 'tape' }", ''),
      ),
    )
    expect(found.map(({ path }) => path)).toEqual([])
  })

  test('has advice for every alert that is no rule, and for every warning', () => {
    const alerts = ALERTS.map((name) => coreAlert(name).code).filter((code) => !isRiskRule(code))
    const rules = RISK_RULE_NAMES.filter((rule) => RISK_RULES[rule].severity === 'warning')
    const codes = [...alerts, ...rules, 'halted']
    expect(codes.filter((code) => adviceFor(code) === null)).toEqual([])
    expect(adviceFor('constructor')).toBeNull()
  })

  test('has an entry of the runbook for every code, where the link of its message leads to', () => {
    const headings = runbookCodes(readRunbook())
    const codes = [
      ...ALERTS.map((name) => coreAlert(name).code),
      ...RISK_RULE_NAMES,
      ...Object.keys(POSITION_NOTICES),
    ]
    expect(codes.filter((code) => !headings.includes(code))).toEqual([])
  })
})
