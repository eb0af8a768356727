import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { err, ok, type Result } from '../../../../src/base/result.ts'
import type { LoadedConfig } from '../../../../src/config/load/loaded-config.ts'
import type { Notice } from '../../../../src/notify/notice.ts'
import { reviewScorecard } from '../../../../src/runtime/review/review-scorecard.ts'
import { createMetrics } from '../../../../src/telemetry/metrics/metrics.ts'
import { exampleCard } from '../../view/example-scorecard.ts'

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
  const looks = { count: 0 }
  let wake = () => {}
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
      config: () => {
        looks.count += 1
        wake()
        return config
      },
      now: () => now,
      threads: {
        run: (_worker, job) => {
          asked.push(job as Asked)
          wake()
          return Promise.resolve(answers.length > 1 ? answers.shift() : answers[0]) as never
        },
      },
      log: { info: log, warn: log } as never,
      metrics,
      notify: (notice) => notices.push(notice),
      everyMs: 20,
      firstAfterMs: 1,
    })
  /** Resolves once so many runs have begun: each run begins after the one before it has ended. */
  const ran = async (runs: number) => {
    while (asked.length < runs) await new Promise<void>((resolve) => (wake = resolve))
  }
  /** Resolves once it has looked at its configuration so many more times, as it does before each run. */
  const looked = async (times: number) => {
    const last = looks.count + times
    while (looks.count < last) await new Promise<void>((resolve) => (wake = resolve))
  }
  return { open, ran, looked, asked, notices, logged, metrics, at: (t: number) => (now = t) }
}

describe('the scorecard of a daemon', () => {
  test('is compared again and again from the recording of its own position, and raises one alert', async () => {
    const outside = ok(exampleCard(START))
    const { open, ran, asked, notices, metrics } = harness([
      outside,
      outside,
      ok(exampleCard(START, { outside: [] })),
    ])
    const review = open()
    expect(review.view()).toBeNull()
    await ran(4)
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
    await first.ran(2)
    expect(first.notices).toHaveLength(1)
    expect(review.view()).toMatchObject({ outsideSince: START })
    review.close()
    const second = harness([ok(exampleCard(START, { outside: [] }))])
    const again = second.open()
    expect(again.view()).toMatchObject({ outsideSince: START })
    await second.ran(2)
    expect(second.notices.map(({ kind }) => kind)).toEqual(['lifted'])
    again.close()
  })

  test('logs one failure once, keeps the last card, and a damaged file begins anew', async () => {
    writeFileSync(join(folder, 'scorecard.json'), '{"at":')
    const failed = err('the tape cannot be read')
    const { open, ran, logged } = harness([ok(exampleCard(START)), failed])
    const review = open()
    expect(review.view()).toBeNull()
    await ran(4)
    expect(review.view()).toMatchObject({ problem: 'the tape cannot be read', card: { judged: 14 } })
    review.close()
    expect(logged.filter((text) => text.includes('the tape cannot be read'))).toHaveLength(1)
  })

  test('compares nothing without a calibration', async () => {
    const { open, looked, asked } = harness([], null)
    const review = open()
    await looked(3)
    expect([review.view(), asked]).toEqual([null, []])
    review.close()
  })
})
