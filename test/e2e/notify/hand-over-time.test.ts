import { expect, test } from 'vitest'
import { createNotifier } from '../../../src/daemon/notify/delivery/notifier.ts'
import { exampleNotice } from '../../unit/daemon/notify/example-message.ts'

test('while a receiver hangs, handing over a notification takes microseconds, so that trading is not held up', async () => {
  const channel = { send: () => new Promise<never>(() => undefined), close: () => Promise.resolve() }
  const notifier = createNotifier({
    position: 'desk-1',
    mode: 'live',
    channels: [{ name: 'webhook', channel, minSeverity: 'warning', maxPerHour: 30, summary: true }],
    groupMs: 60,
    quietHours: null,
    timezone: 'UTC',
    configFile: '/etc/mizani/live.yaml',
    runbookUrl: 'docs/runbook.md',
    consoleUrl: null,
    onOutcome: () => undefined,
  })
  const times = Array.from({ length: 20 }, () => {
    const began = performance.now()
    for (let i = 0; i < 1_000; i += 1) notifier.tell(exampleNotice({ code: `code-${i % 50}` }))
    return (performance.now() - began) / 1_000
  })
  // The best of twenty: a busy machine holds up some of them, a wait inside would hold up all.
  expect(Math.min(...times)).toBeLessThan(0.1)
  await notifier.close(0)
})
