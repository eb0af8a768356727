import { expect, test } from 'vitest'
import { encodeJson } from '../../../src/base/codec.ts'
import { DAY_MS, MINUTE_MS, type Ms } from '../../../src/base/time.ts'
import type { Fill } from '../../../src/core/ledger/fills/fill.ts'
import { createNoticeMapper } from '../../../src/daemon/notify/notice.ts'
import { notificationLog } from '../../../src/daemon/runtime/host/notifications/channels.ts'
import { createRecentNotices } from '../../../src/daemon/runtime/history/recent-notices.ts'
import { createLog } from '../../../src/daemon/telemetry/log/log.ts'
import { createMetrics } from '../../../src/daemon/telemetry/metrics/metrics.ts'
import { createObserver } from '../../../src/daemon/telemetry/observer.ts'
import { RARE_POLLS } from '../../support/core-config.ts'
import { coreHarness, type Harness } from '../../support/core-harness.ts'
import { metricsText } from '../../unit/daemon/telemetry/metrics-text.ts'
import { failureOf } from '../../support/failure-of.ts'

const START: Ms = Date.UTC(2026, 8, 7)
const DAYS = 30
/** More within ten days than the 2,000 that the core remembers. */
const FILLS_A_DAY = 240
const UNIT = 10n ** 18n

const BUSY = failureOf('server', { code: 'BUSY', status: 503, retriable: true, outcome: 'failed' })

/** A taker of 100 dollars, whom the venue books. */
function fillOne({ venue, now }: Harness, nth: number): void {
  const isAsk = nth % 2 === 0
  const [dollars, shillings] = [100n * UNIT, (isAsk ? 249_000n : 251_000n) * UNIT]
  const legs = isAsk
    ? ({ side: 'ask', inAsset: 'USDC', amountIn: dollars, outAsset: 'NTZS', amountOut: shillings } as const)
    : ({ side: 'bid', inAsset: 'NTZS', amountIn: shillings, outAsset: 'USDC', amountOut: dollars } as const)
  const fill: Fill = {
    id: `f-${nth}`,
    ...legs,
    fee: 0n,
    earnedText: null,
    txHash: null,
    createdAt: now,
    raw: '{}',
  }
  venue.fills.push(fill)
  venue.amounts.USDC += isAsk ? dollars : -dollars
  venue.amounts.NTZS += isAsk ? -shillings : shillings
}

/** Fills, an outage of a few minutes, a step of the mid, and a stop by a person. */
function liveADay(desk: Harness, day: number): void {
  const { venue } = desk
  const end = START + (day + 1) * DAY_MS
  for (let nth = 0; nth < FILLS_A_DAY; nth += 1) {
    fillOne(desk, day * FILLS_A_DAY + nth)
    if (nth === 60) venue.answers.readRate = () => BUSY
    if (nth === 62) delete venue.answers.readRate
    if (nth === 120) venue.mid += (day % 2 === 0 ? 4n : -4n) * UNIT
    if (nth === 180) desk.order({ name: 'pause' })
    if (nth === 182) desk.order({ name: 'resume' })
    desk.run(2 * MINUTE_MS)
  }
  desk.run(end - desk.now)
  venue.fills.splice(0, venue.fills.length - 10)
}

test(
  'a month of fills and alerts leaves no more rows in memory than its first days',
  { timeout: 120_000 },
  async () => {
    const desk = coreHarness({ start: START, config: { pacing: RARE_POLLS } })
    const metrics = createMetrics('desk-1')
    const lines: string[] = []
    const log = createLog({
      position: 'desk-1',
      level: 'fatal',
      to: { write: (line) => void lines.push(line) },
    })
    const [observe, noticeOf, notices] = [
      createObserver(log, metrics),
      createNoticeMapper(),
      createRecentNotices(),
    ]
    const told = notificationLog(
      createLog({ position: null, level: 'warn', to: { write: (line) => void lines.push(line) } }),
    )
    const firstId = '0.0'
    const days: { state: number; series: number; notices: number; lines: number }[] = []
    let [seq, calls] = [0, 0]
    for (let day = 0; day < DAYS; day += 1) {
      liveADay(desk, day)
      for (const observation of desk.observations) {
        seq += 1
        observe(observation)
        notices.add(seq, [observation])
        const notice = noticeOf(observation)
        if (notice === null) continue
        calls += 1
        told('telegram', 'retry', 1, `it answered 429: wait ${calls} s`)
      }
      for (const list of [desk.observations, desk.effects, desk.journal, desk.keyed]) list.length = 0
      days.push({
        state: encodeJson(desk.state()).length,
        series: (await metricsText(metrics)).split('\n').length,
        notices: notices.since(firstId).length,
        lines: lines.length,
      })
    }
    const aSide = (DAYS * FILLS_A_DAY) / 2
    // The first one is in the balances that the books open with.
    expect(desk.state().flow.count).toEqual({ bid: aSide, ask: aSide - 1 })
    const [tenth, last] = [days[9], days[DAYS - 1]]
    expect(last).toMatchObject({ series: tenth?.series, notices: 500, lines: 20 })
    expect((last?.state ?? 0) / (tenth?.state ?? 1)).toBeLessThan(1.02)
  },
)
