import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { err, ok, type Result } from '../../../../src/base/result.ts'
import type { LoadedConfig } from '../../../../src/config/load/loaded-config.ts'
import type { Notice } from '../../../../src/notify/notice.ts'
import { reviewScorecard } from '../../../../src/runtime/review/review-scorecard.ts'
import { createMetrics } from '../../../../src/telemetry/metrics/metrics.ts'
import { exampleCard } from '../../view/example-scorecard.ts'
import { until } from '../../../e2e/daemon/until.ts'

const HOUR_MS = 3_600_000
const START = Date.UTC(2026, 10, 20, 14)
const root = mkdtempSync(join(tmpdir(), 'mizani-review-'))
let folder = ''

beforeEach(() => {
  folder = mkdtempSync(join(root, 'store-'))
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

type Asked = { readonly to: number; readonly recorded: { readonly tapeFolder: string | null } }

/** A review whose comparisons the test answers, the last answer again and again, on a clock that the test sets. */
function harness(answers: Result<unknown, string>[], learned: object | null = { to: 0 }) {
  let now = START
  const asked: Asked[] = []
  const notices: Notice[] = []
  const logged: string[] = []
  const config = {
    core: { name: 'desk-1', mode: 'live', calibration: learned === null ? null : { learned } },
    venue: { toleranceBps: 5, protocolFeeBps: 0 },
    backtest: { fairValue: null, seed: 1 },
    record: { path: '/tapes', rotateMs: HOUR_MS },
    store: { path: folder, keepJournalDays: 30, place: folder },
  } as unknown as LoadedConfig
  const metrics = createMetrics('desk-1')
  const log = (_line: object, text: string) => void logged.push(text)
  const open = () =>
    reviewScorecard({
      config: () => config,
      now: () => now,
      threads: {
        run: (_worker, job) => {
          asked.push(job as Asked)
          return Promise.resolve(answers.length > 1 ? answers.shift() : answers[0]) as never
        },
      },
      log: { info: log, warn: log } as never,
      metrics,
      notify: (notice) => notices.push(notice),
      everyMs: 20,
      firstAfterMs: 1,
    })
  return { open, asked, notices, logged, metrics, at: (t: number) => (now = t) }
}

describe('the scorecard of a daemon', () => {
  test('is compared again and again from the recording of its own position, and raises one alert', async () => {
    const outside = ok(exampleCard(START))
    const { open, asked, notices, metrics } = harness([
      outside,
      outside,
      ok(exampleCard(START, { outside: [] })),
    ])
    const review = open()
    expect(review.view()).toBeNull()
    await until('three comparisons', () => notices.length === 2)
    review.close()
    expect(asked[0]).toMatchObject({
      to: START,
      recorded: { tapeFolder: '/tapes/desk-1', store: folder },
    })
    expect(notices.map(({ kind, code }) => [kind, code])).toEqual([
      ['raised', 'scorecard'],
      ['lifted', 'scorecard'],
    ])
    const counted = await metrics.alerts.get()
    expect(counted.values.filter(({ labels }) => labels.code === 'scorecard')).toMatchObject([{ value: 1 }])
  })

  test('survives a restart: the alert is not raised again, and nothing is compared before its hour', async () => {
    const first = harness([ok(exampleCard(START))])
    const review = first.open()
    await until('the alert', () => first.notices.length === 1)
    await until('it is kept', () => review.view()?.outsideSince === START)
    review.close()
    await vi.waitFor(() => expect(harness([]).open().view()?.outsideSince).toBe(START))
    const second = harness([ok(exampleCard(START, { outside: [] }))])
    const again = second.open()
    expect(again.view()).toMatchObject({ outsideSince: START })
    await until('the end of the alert', () => second.notices.length === 1)
    expect(second.notices[0]?.kind).toBe('lifted')
    again.close()
  })

  test('logs one failure once, keeps the last card, and a damaged file begins anew', async () => {
    writeFileSync(join(folder, 'scorecard.json'), '{"at":')
    const failed = err('the tape cannot be read')
    const { open, asked, logged } = harness([ok(exampleCard(START)), failed])
    const review = open()
    expect(review.view()).toBeNull()
    await until('the comparisons', () => asked.length >= 4)
    expect(review.view()).toMatchObject({ problem: 'the tape cannot be read', card: { judged: 14 } })
    review.close()
    expect(logged.filter((text) => text.includes('the tape cannot be read'))).toHaveLength(1)
  })

  test('is none without a calibration', async () => {
    const { open, asked } = harness([], null)
    const review = open()
    await new Promise((resolve) => setTimeout(resolve, 60))
    expect([review.view(), asked]).toEqual([null, []])
    review.close()
  })
})
