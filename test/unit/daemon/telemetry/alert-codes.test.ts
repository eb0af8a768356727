import { Writable } from 'node:stream'
import { describe, expect, test } from 'vitest'
import type { Severity } from '../../../../src/core/alerts/entry.ts'
import { createLog } from '../../../../src/daemon/telemetry/log/log.ts'
import { createMetrics } from '../../../../src/daemon/telemetry/metrics/metrics.ts'
import { createObserver } from '../../../../src/daemon/telemetry/observer.ts'
import { metricsText } from './metrics-text.ts'

async function counted(alerts: readonly (readonly [Severity, string])[]): Promise<readonly string[]> {
  const metrics = createMetrics('p')
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() })
  const observe = createObserver(createLog({ position: 'p', level: 'info', to: nowhere }), metrics)
  for (const [severity, code] of alerts) observe({ type: 'alert', t: 1, severity, code, message: 'look' })
  return (await metricsText(metrics))
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
})
