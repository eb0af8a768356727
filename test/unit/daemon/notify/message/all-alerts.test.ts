import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import {
  CORE_ALERTS,
  coreAlert,
  type CoreAlert,
  raisedCodes,
} from '../../../../../src/core/alerts/core-alerts.ts'
import type { Severity } from '../../../../../src/core/alerts/entry.ts'
import { alertEntry, POSITION_NOTICES } from '../../../../../src/core/alerts/position-notices.ts'
import { isHalting, RISK_RULE_NAMES, RISK_RULES } from '../../../../../src/core/alerts/risk-rules.ts'
import { TREASURY_ALERTS } from '../../../../../src/core/alerts/treasury-alerts.ts'
import {
  composeMessage,
  type SeenPosition,
} from '../../../../../src/daemon/notify/message/compose-message.ts'
import { messageText } from '../../../../../src/daemon/notify/message/message-text.ts'
import { TREASURY_ALERT_CODES } from '../../../../../src/treasury/model/observation.ts'
import { commandProblem } from '../../../../support/command-problem.ts'
import { rules } from '../../../../support/grafana-uses.ts'
import { exampleView } from '../../telemetry/example-view.ts'
import { NOON } from '../example-message.ts'

const GOLDEN = join(import.meta.dirname, '../../../../golden/alerts.txt')
const PLACE = {
  position: 'desk-1',
  mode: 'live',
  configFile: '/etc/mizani/live.yaml',
  runbookUrl: null,
  consoleUrl: 'https://desk.example',
  linksAlerts: true,
} as const

type Alert = { readonly code: string; readonly severity: Severity; readonly rule?: string }

/** Every code with the severities under which people receive it; a halt once for each rule that halts. */
function alerts(): readonly Alert[] {
  const found = new Map<string, Alert>()
  const add = (alert: Alert) => found.set(`${alert.rule ?? ''} ${alert.code} ${alert.severity}`, alert)
  for (const name of Object.keys(CORE_ALERTS) as CoreAlert[]) add(coreAlert(name))
  // An operator's own halt is a halt without a rule.
  for (const rule of RISK_RULE_NAMES.filter((name) => name !== 'operator'))
    add(
      isHalting(rule)
        ? { code: 'halted', severity: 'critical', rule }
        : { code: rule, severity: RISK_RULES[rule].severity },
    )
  for (const [code, { severity }] of Object.entries({ ...POSITION_NOTICES, ...TREASURY_ALERTS }))
    add({ code, severity })
  return [...found.values()]
}

const { live: LIVE, quote: QUOTE } = exampleView()
const SAFE_TARGET = { ...QUOTE, target: { bidBps: 500, askBps: 500 } }
const STILL_QUOTED = { ...LIVE, stopped: false, text: '67/53 bps is still live' }
const CONFIRMED = { ...LIVE, stopped: true, text: '500/500 bps is live' }

/** The rule that binds where an alert of another code is raised. */
const BINDING: Readonly<Record<string, string>> = {
  'guard-lost': 'guard',
  'partial-deactivation': 'deactivating',
  'void-fills': 'deactivating',
  'not-left': 'deactivating',
  'exit-unconfirmed': 'shutdown',
  'daemon-stop': 'shutdown',
  mid: 'mid-step',
}
const CLOSES_A_SIDE = ['inventory-limit', 'volume-per-day', 'fills-per-minute']
/** Rules that refuse one request and leave the quote as it is. */
const BINDS_NOTHING = ['out-of-range', 'withdrawal', 'operator']
/** The position does not answer, or has not answered yet. */
const SILENT = ['daemon-gone', 'crash-loop', 'worker-crash', 'store']

/** The position in the state in which an alert is raised. */
function seenAt({ code, severity, rule }: Alert): SeenPosition {
  const seen = (changes: Parameters<typeof exampleView>[0]) => {
    const view = exampleView({ pendingMid: '2642.5', ...changes })
    return { now: SILENT.includes(code) ? null : view, before: view }
  }
  if (rule !== undefined || code === 'halted')
    return seen({
      tradingState: 'HALTED',
      reasons: [`halted: the limit of ${rule ?? 'an operator'} is exceeded`, 'fills-gap: late rows'],
      live: { ...STILL_QUOTED, refusal: { status: 401, message: '', at: 0 } },
    })
  const binding = BINDING[code] ?? code
  const isBinding =
    (RISK_RULE_NAMES as readonly string[]).includes(binding) && !BINDS_NOTHING.includes(binding)
  // Found at a start, of a time without polling, or at the first answer, these are news and bind nothing yet.
  const isNews = ['unreadable', 'foreign-write', 'fill-price'].includes(code) && severity === 'warning'
  if (code === 'not-active')
    return seen({
      isActive: false,
      live: { ...CONFIRMED, isActive: false, text: 'the position is inactive' },
    })
  if (!isBinding || isNews) return seen({ live: STILL_QUOTED })
  const reasons = [`${binding}: words and figures`]
  const isSide = CLOSES_A_SIDE.includes(binding)
  if (isSide) return seen({ tradingState: 'REDUCING', reasons })
  const live = severity === 'critical' ? STILL_QUOTED : CONFIRMED
  return seen({ tradingState: 'REDUCING', reasons, paused: binding === 'paused', live, quote: SAFE_TARGET })
}

function text(alert: Alert): string {
  const { code, severity, rule } = alert
  const isByGuard = code.startsWith('guard-') && code !== 'guard-lost'
  const received = { t: NOON, text: 'WORDS AND FIGURES (key 7c1e)' }
  const subject = {
    kind: 'raised',
    severity,
    code,
    count: 1,
    first: received,
    last: received,
    since: null,
  } as const
  const seen = isByGuard || code.startsWith('fleet-') ? null : seenAt(alert)
  return messageText(composeMessage(PLACE, rule === undefined ? subject : { ...subject, rule }, seen), 'UTC')
}

function ruleText({ annotations, labels }: ReturnType<typeof rules>[number]): string {
  const { summary, live, done, description, runbook_url } = annotations
  return [
    `${labels.severity.toUpperCase()} ${summary}`,
    `Live: ${live}`,
    `mizani: ${done}`,
    `Do: ${description} ${runbook_url}`,
  ].join('\n')
}

describe('every alert that a person receives', () => {
  test('is the text of the golden file, of the position, the treasury, the guard and Prometheus', async () => {
    const all = [...alerts().map(text), ...rules().map(ruleText)]
    expect(all.length).toBeGreaterThan(180)
    await expect(`${all.join('\n\n')}\n`).toMatchFileSnapshot(GOLDEN)
  })

  test('has an entry with a title, and a step where it is no information', () => {
    const codes = [...alerts().flatMap(({ code, rule = code }) => [code, rule]), ...raisedCodes().keys()]
    const known = [...codes, ...TREASURY_ALERT_CODES]
    expect(known.filter((code) => (alertEntry(code)?.title ?? '') === '')).toEqual([])
    const calls = alerts().filter(({ severity }) => severity !== 'info')
    expect(calls.filter(({ code, rule = code }) => (alertEntry(rule)?.advice ?? null) === null)).toEqual([])
    expect(alertEntry('constructor')).toBeNull()
  })

  test('has four lines, of which those with commands hold no invisible character', () => {
    for (const alert of alerts().filter(({ severity }) => severity !== 'info')) {
      const lines = text(alert).split('\n')
      expect([alert, lines.map((line) => line.split(' ')[0])]).toEqual([
        alert,
        [alert.severity.toUpperCase(), 'Live:', 'mizani:', 'Do:'],
      ])
      expect(lines.slice(1).join('\n')).not.toMatch(/[^\n\x20-\x7e]/)
      expect(lines[0]).toMatch(new RegExp(`\\(${alert.code}\\)$`))
    }
  })

  test('names whole commands only, each with the file of the position or its fleet', () => {
    const calls = alerts().flatMap((alert) => [...text(alert).matchAll(/`mizani ([^`]+)`/g)])
    const commands = calls.map(([, call = '']) => call)
    expect(commands.length).toBeGreaterThan(150)
    expect(commands.map(commandProblem).filter((problem) => problem !== null)).toEqual([])
    const ofFile = commands.filter((call) => !/ --fleet |^fleet /.test(call))
    expect(ofFile.filter((call) => !call.includes(' --config /etc/mizani/live.yaml'))).toEqual([])
  })

  test('has four annotations and whole commands in each rule of Prometheus, its name at the end', () => {
    for (const rule of rules()) {
      const lines = ruleText(rule).split('\n')
      expect([rule.alert, lines[0]]).toEqual([rule.alert, expect.stringMatching(`\\(${rule.alert}\\)$`)])
      expect([rule.alert, lines.length, lines.join().includes('undefined')]).toEqual([rule.alert, 4, false])
    }
    const calls = rules().flatMap(({ annotations }) => [
      ...annotations.description.matchAll(/`mizani ([^`]+)`/g),
    ])
    const commands = calls.map(([, call = '']) => call)
    expect(commands.length).toBeGreaterThan(40)
    expect(commands.map(commandProblem).filter((problem) => problem !== null)).toEqual([])
  })
})
