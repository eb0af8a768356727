import { expect, test } from 'vitest'
import { TREASURY_ALERTS } from '../../../../../src/core/alerts/treasury-alerts.ts'
import type { Notice } from '../../../../../src/daemon/notify/notice.ts'
import {
  seedAlertCounters,
  reportAlert,
  reportObservation,
  type TellParts,
} from '../../../../../src/daemon/runtime/treasury/report-observation.ts'
import { createMetrics } from '../../../../../src/daemon/telemetry/metrics/metrics.ts'

function told() {
  const metrics = createMetrics('desk-1')
  const notices: Notice[] = []
  const lines: string[] = []
  const write = (level: string) => (_fields: object, text: string) => void lines.push(`${level} ${text}`)
  const log = { info: write('info'), warn: write('warn'), error: write('error') }
  const parts = {
    log,
    metrics,
    notify: (notice: Notice) => void notices.push(notice),
  } as unknown as TellParts
  const counts = async () =>
    Object.fromEntries(
      (await metrics.alerts.get()).values
        .filter(({ labels }) => String(labels.code).startsWith('treasury-'))
        .map(({ labels, value }) => [`${String(labels.severity)} ${String(labels.code)}`, value]),
    )
  return { parts, notices, lines, counts, metrics }
}

test('an alert of the treasury is logged, sent to people and counted under its code and severity', async () => {
  const { parts, notices, lines, counts } = told()
  reportAlert(parts, 7, 'treasury-claim-open', 'no one knows where it is')
  expect(await counts()).toEqual({ 'critical treasury-claim-open': 1 })
  expect(lines).toEqual(['error no one knows where it is'])
  expect(notices).toMatchObject([{ t: 7, code: 'treasury-claim-open', severity: 'critical', kind: 'raised' }])
})

test('every code is counted from zero, so that its first alert is an increase; without a treasury none is there', async () => {
  const { counts, metrics } = told()
  expect(await counts()).toEqual({})
  seedAlertCounters(metrics)
  const seeded = await counts()
  expect(Object.keys(seeded)).toHaveLength(Object.keys(TREASURY_ALERTS).length)
  expect(new Set(Object.values(seeded))).toEqual(new Set([0]))
})

test('a movement of an intent is a line of the log and no one is called', async () => {
  const { parts, notices, lines, counts } = told()
  reportObservation(parts, {
    t: 1,
    type: 'intentMoved',
    intent: 'i1',
    leg: null,
    from: 'planned',
    to: 'approved',
    why: 'agreed',
  })
  expect([lines, notices, await counts()]).toEqual([['info i1: planned -> approved: agreed'], [], {}])
})
