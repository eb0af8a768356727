import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { describe, expect, test } from 'vitest'
import type { Severity } from '../../../src/engine/model/observation.ts'
import { ALERT_CODES } from '../../../src/telemetry/alert-codes.ts'
import { createLog } from '../../../src/telemetry/log/log.ts'
import { createMetrics } from '../../../src/telemetry/metrics/metrics.ts'
import { createObserver } from '../../../src/telemetry/create-observer.ts'
import { RISK_RULES } from '../../../src/telemetry/metrics/metric-labels.ts'

const SOURCES = join(import.meta.dirname, '../../../src')

function sourcesOf(room: string): string {
  const folder = join(SOURCES, room)
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'))
    .join('\n')
}

async function counted(alerts: readonly (readonly [Severity, string])[]): Promise<readonly string[]> {
  const metrics = createMetrics('p')
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() })
  const observe = createObserver(createLog({ position: 'p', level: 'info', to: nowhere }), metrics)
  for (const [severity, code] of alerts) observe({ type: 'alert', t: 1, severity, code, message: 'look' })
  return (await metrics.registry.metrics())
    .split('\n')
    .filter((line) => line.startsWith('mizani_alerts_total{') && !line.endsWith(' 0'))
}

describe('the alerts that a position raises', () => {
  test('are counted by severity and code, good news is not, and an unknown code makes no series of its own', async () => {
    expect(
      await counted([
        ['critical', 'quote-stuck'],
        ['critical', 'quote-stuck'],
        ['warning', 'order-rejected'],
        ['info', 'mid-age'],
        ['warning', 'made-up-1'],
        ['warning', 'made-up-2'],
      ]),
    ).toEqual([
      'mizani_alerts_total{severity="critical",code="quote-stuck",position="p"} 2',
      'mizani_alerts_total{severity="warning",code="order-rejected",position="p"} 1',
      'mizani_alerts_total{severity="warning",code="other",position="p"} 2',
    ])
  })

  test('have the codes that the core uses, those of the rules that halt, and no others', () => {
    const raised = [...sourcesOf('engine').matchAll(/severity(: '\w+')?,\s*code: '([a-z-]+)'/g)]
      .filter(([, severity]) => severity !== ": 'info'")
      .map(([, , code = '']) => code)
    const halting = [
      ...sourcesOf('risk').matchAll(/(?:rule: '([a-z-]+)',\s*effect: 'halt'|\bhalt\(\s*'([a-z-]+)')/g),
    ].map(([, rule, other]) => rule ?? other ?? '')
    expect(raised.length).toBeGreaterThan(10)
    expect(halting.length).toBeGreaterThan(3)
    expect(halting.filter((rule) => !RISK_RULES.some((known) => known === rule))).toEqual([])
    expect(new Set(Object.keys(ALERT_CODES))).toEqual(new Set([...raised, ...halting]))
  })
})
