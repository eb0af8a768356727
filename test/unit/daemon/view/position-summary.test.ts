import { describe, expect, test } from 'vitest'
import { MINUTE_MS, SECOND_MS } from '../../../../src/base/time.ts'
import {
  absentSummary,
  positionSummary,
  summarisePosition,
} from '../../../../src/daemon/view/position-summary.ts'
import { buildView } from '../../../../src/daemon/view/position-view.ts'
import { coreConfig } from '../../../support/core-config.ts'
import { coreHarness, type Harness } from '../../../support/core-harness.ts'
import { orderHarness } from '../../../support/order-harness.ts'
import { bringDollars, USD } from '../../../support/taker.ts'

const START = 1_760_000_000_000

function runningPosition(options: Parameters<typeof coreHarness>[0] = {}): Harness {
  const core = coreHarness({ start: START, ...options })
  core.run(10_000)
  return core
}
const summaryOf = ({ state, now }: Harness, seq = 7) => summarisePosition(state(), now, seq)

test('pool and wallet are not shown while a fill after a deactivation leaves their shares unknown', () => {
  const core = runningPosition()
  const state = structuredClone(core.state())
  const view = () => buildView(state, core.now, { seq: 7, digest: '' })
  const before = view()
  expect(Object.keys(before.pool)).toContain('NTZS')
  const { pool, wallet } = state.book.accounts
  const swept = pool.NTZS + 1n
  pool.NTZS -= swept
  wallet.NTZS += swept
  expect(view()).toMatchObject({ pool: {}, wallet: {}, balances: before.balances })
  expect(Object.keys(view().pool)).toEqual([])
})

test('the summary of a position that an operator took out of the market names the command that returns it', () => {
  const core = runningPosition()
  core.order({ name: 'deactivate' })
  core.run(120_000)
  expect(summaryOf(core)).toMatchObject({
    tradingState: 'ACTIVE',
    why: ['the position is inactive until `mizani activate`'],
  })
})

describe('the summary of a position', () => {
  test('has the form of its schema, and nothing that a person has to look at while all is well', () => {
    const core = runningPosition()
    const summary = summaryOf(core)
    expect(positionSummary.strict().parse(summary)).toEqual(summary)
    expect(summary).toEqual({
      name: 'desk-1',
      mode: 'live',
      simulation: null,
      tradingState: 'ACTIVE',
      paused: false,
      answered: true,
      strategy: 'test',
      ready: true,
      why: [],
      severity: null,
      pnlTodayUsd: '0',
      pnlTotalUsd: '0',
      deployedUsd: '100000',
      outstandingUsd: '0',
      heldUsd: '100000',
      lossUsd: '0',
      lastFillAt: null,
      fillsToday: 0,
      bidBps: 60,
      askBps: 60,
      mid: '2500',
      midAgeMs: expect.any(Number) as number,
      seq: 7,
    })
  })

  test('shows the PnL and the holdings of the whole view, cut down to six places', () => {
    const core = runningPosition({ venue: { mid: 2_537n * 10n ** 18n } })
    bringDollars(core.venue, 123n * USD + 456_791n * 10n ** 12n)
    core.run(10_000)
    const summary = summaryOf(core)
    const view = buildView(core.state(), core.now, { seq: 7, digest: '' })
    const [whole = '', fraction = ''] = (view.pnl?.usd.total ?? '').split('.')
    expect(fraction.length).toBeGreaterThan(6)
    expect(summary.pnlTotalUsd).toBe(`${whole}.${fraction.slice(0, 6)}`.replace(/0+$/, ''))
    expect(summary.pnlTodayUsd).toBe(summary.pnlTotalUsd)
    expect(summary).toMatchObject({ fillsToday: 1, lastFillAt: view.fills.last[0]?.seenAt, lossUsd: '0' })
    const opening = 50_000 + 125_000_000 / 2_537
    expect(Number(summary.heldUsd)).toBeCloseTo(opening + Number(summary.pnlTotalUsd), 5)
  })

  test('counts a loss as the rule counts it, in TZS since the opening, and never lets it look smaller', () => {
    const core = runningPosition()
    core.venue.mid = (core.venue.mid * 99n) / 100n
    core.run(20_000)
    const { tzs } = buildView(core.state(), core.now, { seq: 7, digest: '' }).pnl ?? { tzs: { total: '0' } }
    expect(Number(tzs.total)).toBe(-1_250_000)
    expect(summaryOf(core).lossUsd).toBe('505.050506')
  })

  test('of a halted position is critical, with the halt as the first reason', () => {
    const core = runningPosition()
    core.order({ name: 'halt' })
    core.run(5_000)
    expect(summaryOf(core)).toMatchObject({ tradingState: 'HALTED', severity: 'critical' })
    expect(summaryOf(core).why[0]).toMatch(/^halted: /)
  })

  test('of a paused one names the pause, which no one has to act upon', () => {
    const core = runningPosition()
    core.order({ name: 'pause' })
    core.run(5_000)
    expect(summaryOf(core)).toMatchObject({ paused: true, severity: 'info' })
  })

  test('of a position that starts calls no one while it learns, and warns where it learns nothing', () => {
    const silence = () => 'silence' as const
    const answers = { readRate: silence, readBestQuote: silence }
    const core = coreHarness({ start: START, venue: { answers } })
    const unknown = { ready: false, mid: null, pnlTotalUsd: null, heldUsd: null, lossUsd: null }
    core.run(SECOND_MS)
    expect(summaryOf(core)).toMatchObject({ ...unknown, severity: 'info' })
    core.run(MINUTE_MS)
    expect(summaryOf(core)).toMatchObject({ ...unknown, severity: 'warning' })
    expect(summaryOf(core).why.length).toBeGreaterThan(0)
  })

  test('has at most three reasons, each once', () => {
    const core = runningPosition({ config: coreConfig() })
    const state = structuredClone(core.state())
    const message = 'the mid is old'
    state.decision = {
      at: core.now,
      tradingState: 'REDUCING',
      findings: ['mid-age', 'mid-age', 'review', 'fills-gap', 'shutdown'].map((rule) => ({
        rule: rule as 'mid-age',
        effect: 'safe',
        limit: '',
        actual: '',
        message,
      })),
    }
    const { why, severity } = summarisePosition(state, core.now, 1)
    expect(why).toEqual([`mid-age: ${message}`, `review: ${message}`, `fills-gap: ${message}`])
    expect(severity).toBe('warning')
  })

  test('in self-custody deploys what open orders commit, and counts them as outstanding until they end', () => {
    const world = orderHarness()
    world.run(10_000)
    const { deployedUsd, outstandingUsd, heldUsd, bidBps } = summaryOf(world.core)
    const orders = buildView(world.core.state(), world.core.now, { seq: 1, digest: '' }).rfq?.orders ?? []
    expect(orders).toHaveLength(2)
    const sum = orders.reduce((usd, { remainingUsd }) => usd + Number(remainingUsd), 0)
    expect(Number(outstandingUsd)).toBeCloseTo(sum, 5)
    expect(Number(deployedUsd)).toBeGreaterThan(0)
    expect(Number(deployedUsd)).toBeLessThan(Number(heldUsd))
    expect(bidBps).toBeNull()
  })

  test('is made within 30 microseconds of CPU time', () => {
    const core = runningPosition()
    const state = core.state()
    const rounds = 20_000
    for (let n = 0; n < rounds; n++) summarisePosition(state, core.now, n)
    const began = process.cpuUsage()
    for (let n = 0; n < rounds; n++) summarisePosition(state, core.now, n)
    const { user, system } = process.cpuUsage(began)
    expect((user + system) / rounds).toBeLessThan(30)
  })
})

describe('the summary of a position that does not answer', () => {
  test('is critical, has the cause as its reason, and the money that it showed last', () => {
    const last = summaryOf(runningPosition())
    const absent = absentSummary('desk-1', 'the position does not answer', last)
    expect(absent).toEqual({
      ...last,
      answered: false,
      ready: false,
      why: ['the position does not answer'],
      severity: 'critical',
    })
  })

  test('knows nothing of one that never ran, which is not zero', () => {
    const absent = absentSummary('desk-9', 'fleet/desk-9.yaml:3:5: unknown key', null)
    expect(positionSummary.strict().parse(absent)).toEqual(absent)
    expect(absent).toMatchObject({ name: 'desk-9', mode: null, tradingState: null, heldUsd: null })
  })
})
