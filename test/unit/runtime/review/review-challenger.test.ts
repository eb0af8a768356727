import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { err, ok, type Result } from '../../../../src/base/result.ts'
import type { LoadedConfig } from '../../../../src/config/load/loaded-config.ts'
import type { Notice } from '../../../../src/notify/notice.ts'
import { reviewChallenger } from '../../../../src/runtime/review/review-challenger.ts'
import { createMetrics } from '../../../../src/telemetry/metrics/metrics.ts'
import { exampleCompared } from '../../view/example-challenger.ts'

const START = Date.UTC(2026, 10, 20, 14)
const DAY_MS = 86_400_000
const root = mkdtempSync(join(tmpdir(), 'mizani-challenger-'))
let folder = ''

beforeEach(() => {
  folder = mkdtempSync(join(root, 'store-'))
  writeFileSync(join(folder, 'mine.ts'), 'one')
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

type Asked = { readonly window: { readonly from: number; readonly to: number } }

const RAN = ok({ compared: exampleCompared(START), suspension: null })

function harness(answer: () => Result<unknown, string>, now = START) {
  const asked: Asked[] = []
  const notices: Notice[] = []
  const logged: string[] = []
  const looks = { count: 0 }
  let wake = () => {}
  const config = {
    core: { name: 'desk-1', mode: 'live', calibration: null },
    challenger: { use: './mine.ts', params: { bps: 60 } } as LoadedConfig['challenger'],
    venue: { toleranceBps: 5 },
    backtest: {},
    record: { path: '/tapes' },
    store: { path: folder },
    file: join(folder, 'desk.yaml'),
    allowedCode: null,
  }
  const log = (_line: object, text: string) => void logged.push(text)
  const open = () =>
    reviewChallenger({
      config: () => {
        looks.count += 1
        wake()
        return config as unknown as LoadedConfig
      },
      now: () => now,
      threads: {
        run: (_worker, job) => {
          asked.push(job as Asked)
          wake()
          return Promise.resolve(answer()) as never
        },
      },
      log: { info: log, warn: log } as never,
      metrics: createMetrics('desk-1'),
      notify: (notice) => notices.push(notice),
      everyMs: 15,
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
  return { open, ran, looked, asked, notices, logged, config }
}

describe('the challenger of a daemon', () => {
  test('trades over the recording from when it was configured, and a restart continues from there', async () => {
    const first = harness(() => RAN)
    const review = first.open()
    await first.ran(2)
    review.close()
    expect(review.view()).toMatchObject({ use: './mine.ts', since: START, suspended: null })
    expect(first.asked[0]?.window).toEqual({ from: START, to: START })
    const second = harness(() => RAN, START + 3 * DAY_MS)
    const again = second.open()
    expect(again.view()).toMatchObject({ since: START })
    await second.ran(1)
    again.close()
    expect(second.asked[0]?.window).toEqual({ from: START, to: START + 3 * DAY_MS })
    // Of a long time the latest quarter counts.
    const late = harness(() => RAN, START + 300 * DAY_MS)
    const third = late.open()
    await late.ran(1)
    third.close()
    expect(late.asked[0]?.window.from).toBe(START + 210 * DAY_MS)
  })

  test('once suspended is not run again, also after a restart, until its file or its parameters change', async () => {
    const first = harness(() => err('the strategy did not come back within 10 s'))
    const review = first.open()
    await first.looked(4)
    review.close()
    expect(first.notices).toHaveLength(1)
    expect(first.asked).toHaveLength(1)
    expect(first.logged.filter((text) => text.includes('did not come back'))).toHaveLength(1)
    const second = harness(() => RAN, START + DAY_MS)
    const again = second.open()
    await second.looked(3)
    expect([second.asked, second.notices]).toEqual([[], []])
    expect(again.view()?.suspended?.why).toContain('did not come back')
    writeFileSync(join(folder, 'mine.ts'), 'two')
    await second.ran(2)
    expect(again.view()?.compared).not.toBeNull()
    expect(again.view()).toMatchObject({ since: START + DAY_MS, suspended: null })
    expect(second.notices.map(({ kind }) => kind)).toEqual(['lifted'])
    second.config.challenger = { use: './mine.ts', params: { bps: 70 } }
    await second.looked(2)
    expect(again.view()?.params).toEqual({ bps: 70 })
    second.config.challenger = null
    expect(again.view()).toBeNull()
    again.close()
  })

  test('a problem of the recording is logged once and tried again; a missing file reaches the thread', async () => {
    const { open, ran, logged, config } = harness(() => ok({ problem: 'the tape cannot be read' }))
    config.challenger = { use: './gone.ts', params: {} }
    const review = open()
    await ran(3)
    review.close()
    expect(logged.filter((text) => text.includes('the tape cannot be read'))).toHaveLength(1)
    expect(JSON.parse(readFileSync(join(folder, 'challenger.json'), 'utf8'))).toMatchObject({
      fingerprint: expect.stringContaining('there is no file ./gone.ts'),
    })
  })
})
