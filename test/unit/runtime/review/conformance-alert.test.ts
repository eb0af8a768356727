import { expect, onTestFinished, test } from 'vitest'
import type { LoadedConfig } from '../../../../src/config/load/loaded-config.ts'
import type { Profile } from '../../../../src/conformance/profile.ts'
import { webhookChannel } from '../../../../src/notify/channels/webhook.ts'
import { createNotifier } from '../../../../src/notify/delivery/notifier.ts'
import { learnSince } from '../../../../src/runtime/review/learn-venue.ts'
import { reviewConformance } from '../../../../src/runtime/review/review-conformance.ts'
import { createReviewThreads } from '../../../../src/runtime/review/review-thread.ts'
import { conformanceFile } from '../../../../src/runtime/review/stored-reviews.ts'
import { createMetrics } from '../../../../src/telemetry/metrics/metrics.ts'
import { receivingServer } from '../../../support/receiving-server.ts'
import { keptFolder, recordDays, storeOf } from '../../close/close-fixture.ts'

test('a venue that does unlike was kept is found in the journal on disk and reaches a person with before and after', async () => {
  const folder = keptFolder()
  const place = await storeOf(recordDays(), folder)
  const learned = learnSince({ store: place, position: 'desk-1', from: 0 })
  if (!learned.ok || learned.value.to === null) throw new Error('nothing was learned')
  const { sandbox, evidence } = learned.value
  // As the venue was: one kind of answer in the other form.
  const [kind = ''] = Object.keys(evidence.dialects)
  const other = evidence.dialects[kind] === 'contract' ? 'observed' : 'contract'
  const before: Profile = {
    ...learned.value,
    sandbox,
    evidence: { ...evidence, dialects: { [kind]: other } },
  }
  await conformanceFile(folder).write({ at: 0, known: before, problem: null })

  const server = await receivingServer()
  const received = new Promise<string>((resolve) => {
    server.respond = (response, { body }) => {
      response.end('ok')
      resolve(body)
    }
  })
  const threads = createReviewThreads()
  const channel = webhookChannel({
    url: () => server.url,
    hmacKey: () => 'a-key-of-enough-characters',
    timezone: 'UTC',
    timeoutMs: 60_000,
  })
  const notifier = createNotifier({
    position: 'desk-1',
    mode: 'live',
    channels: [{ name: 'webhook', channel, minSeverity: 'warning', maxPerHour: 30, summary: true }],
    groupMs: 20,
    quietHours: null,
    timezone: 'UTC',
    configFile: '/etc/mizani/live.yaml',
    runbookUrl: 'docs/runbook.md',
    consoleUrl: null,
    onOutcome: () => undefined,
  })
  const end = learned.value.to
  const review = reviewConformance({
    config: () => ({ core: { name: 'desk-1' }, store: { path: folder, place } }) as unknown as LoadedConfig,
    now: () => end,
    threads,
    log: { info: () => undefined, warn: () => undefined } as never,
    metrics: createMetrics('desk-1'),
    notify: notifier.tell,
    everyMs: 3_600_000,
    firstAfterMs: 1,
  })
  onTestFinished(async () => {
    review.close()
    await Promise.all([threads.close(), notifier.close(0), server.close()])
  })
  expect(JSON.parse(await received)).toMatchObject({
    code: 'conformance',
    severity: 'warning',
    runbook: 'docs/runbook.md#conformance',
    what: expect.stringMatching(
      new RegExp(`dialect of the answers: .* \\(${kind}\\) before, .* \\(${kind}\\) now`),
    ) as string,
  })
})
