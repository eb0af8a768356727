import { describe, expect, it } from 'vitest'
import { fillsAnswer } from '../../../support/answers.ts'
import type { Fill } from '../../../../src/core/ledger/fills/fill.ts'
import { identityResidual } from '../../../../src/core/ledger/book/pnl.ts'
import { ledgerView } from '../../../../src/daemon/view/ledger-view.ts'
import { coreHarness, type Harness, runCore } from '../../../support/core-harness.ts'
import { failureOf } from '../../../support/failure-of.ts'
import { bringDollars, bringShillings, NTZS, USD } from '../../../support/taker.ts'

function desk(): Harness {
  return runCore(10_000)
}
const posted = (one: Harness) => one.observations.filter((seen) => seen.type === 'fillPosted')
const report = (one: Harness, fills: readonly Fill[], request = 0) =>
  one.give(fillsAnswer({ t: one.now, request, sentAt: one.now, fills, repeated: 1 }))

const buildPnl = (one: Harness) => ledgerView(one.state(), one.now).pnl

describe('a fill', () => {
  it('is posted once, however often and in whatever order it is reported', () => {
    const one = desk()
    const a = bringDollars(one.venue, 100n * USD)
    const b = bringShillings(one.venue, 100_000n * NTZS)
    report(one, [b, a])
    report(one, [a, b, a])
    one.run(60_000)
    expect(posted(one)).toHaveLength(2)
    expect(one.state().book.accounts.pool).toEqual(one.venue.amounts)
    expect(one.state().reconciliation.state).toBe('reconciled')
  })

  it('is explained by the formula of its side, from the mid and the spread that stood', () => {
    const one = desk()
    bringDollars(one.venue, 100n * USD)
    bringShillings(one.venue, 100_000n * NTZS)
    one.run(5_000)
    expect(posted(one).map((seen) => seen.type === 'fillPosted' && seen.formula)).toEqual(['ask', 'divide'])
    expect(one.alerts('fill-unexplained')).toEqual([])
  })

  it('whose row carries the fee is explained by the whole bps that its taker let go', () => {
    const one = desk()
    const fill = bringDollars(one.venue, 100n * USD)
    one.venue.fills.pop()
    report(one, [{ ...fill, amountOut: (fill.amountOut * 9_863n) / 10_000n }])
    expect(posted(one)).toMatchObject([{ formula: 'slippage-floor' }])
    // 137 bps of what the quote pays before the fee, shown inside of the spread.
    const gross = 100 * 2_500 * (1 - (one.state().quoting.confirmed?.askBps ?? 0) / 10_000)
    expect(Number(buildPnl(one)?.slippageTzs)).toBeCloseTo(gross * 0.0137, 6)
    expect(buildPnl(one)?.residual).toEqual({ tzs: '0', usd: '0' })
  })

  it('that no formula explains is posted all the same, and said out loud', () => {
    const one = desk()
    const fill = bringDollars(one.venue, 100n * USD)
    one.venue.fills.pop()
    report(one, [{ ...fill, amountOut: (fill.amountOut * 100_005n) / 100_000n }])
    expect(posted(one)).toMatchObject([{ formula: 'unexplained' }])
    expect(one.observations).toContainEqual(expect.objectContaining({ code: 'fill-unexplained' }))
  })

  it('at a mid that the public rate names within a minute raises no alert, and at no mid one after the minute', () => {
    const alerts = (one: Harness) => one.alerts('fill-unexplained').length
    for (const isNamed of [true, false]) {
      const one = runCore(10_000, { config: { publicRate: { quoteStable: 'USDC', unfilled: null } } })
      const before = one.venue.mid
      one.venue.mid = (before * 1_003n) / 1_000n
      const fill = bringDollars(one.venue, 100n * USD)
      if (!isNamed) one.venue.mid = before
      report(one, [fill])
      expect(posted(one)).toMatchObject([{ formula: 'unexplained' }])
      one.run(30_000)
      expect(alerts(one)).toBe(0)
      one.run(60_000)
      expect(alerts(one)).toBe(isNamed ? 0 : 1)
      one.run(120_000)
      expect(alerts(one)).toBe(isNamed ? 0 : 1)
    }
  })

  it('that changes after it was booked is kept apart and shown, not booked again', () => {
    const one = desk()
    const fill = bringDollars(one.venue, 100n * USD)
    report(one, [fill])
    report(one, [{ ...fill, amountOut: fill.amountOut + 1n }])
    expect(posted(one)).toHaveLength(1)
    expect(one.observations).toContainEqual(
      expect.objectContaining({ type: 'rowQuarantined', row: expect.objectContaining({ id: fill.id }) }),
    )
  })

  it('in the answer to a request that no one remembers counts as well', () => {
    const one = desk()
    const fill = bringDollars(one.venue, 100n * USD)
    report(one, [fill], 987_654)
    expect(posted(one)).toHaveLength(1)
  })

  it('that was reported while the core did not yet know its opening is in the opening, not on top of it', () => {
    const one = coreHarness()
    bringDollars(one.venue, 100n * USD)
    one.venue.answers.readBalances = () => 'silence'
    one.run(2_000)
    delete one.venue.answers.readBalances
    one.run(30_000)
    expect(posted(one)).toEqual([])
    expect(one.state().book.accounts.pool).toEqual(one.venue.amounts)
  })

  it('of an unknown token is kept whole in quarantine and the books say what is missing', () => {
    const one = desk()
    one.venue.amounts.NTZS -= 7n * NTZS
    one.give(
      fillsAnswer({
        t: one.now,
        request: 0,
        sentAt: one.now,
        quarantined: [{ id: 'x', reason: 'unknown token', raw: '{"token":"0x1"}' }],
        repeated: 1,
      }),
    )
    one.run(120_000)
    expect(one.observations).toContainEqual(
      expect.objectContaining({
        type: 'rowQuarantined',
        row: { id: 'x', reason: 'unknown token', raw: '{"token":"0x1"}' },
      }),
    )
    expect(one.state().reconciliation).toMatchObject({ state: 'break', unreconciled: { NTZS: -7n * NTZS } })
  })
})

describe('a restart', () => {
  it('in the middle of a busy day loses no fill and counts none twice', () => {
    const one = desk()
    for (let hour = 0; hour < 20; hour += 1) {
      bringDollars(one.venue, BigInt(hour + 1) * 10n * USD)
      if (hour % 3 === 0) bringShillings(one.venue, BigInt(hour + 1) * 10_000n * NTZS)
      one.run(700)
      if (hour % 4 === 0) one.restart()
    }
    one.run(60_000)
    expect(new Set(posted(one).map((seen) => seen.type === 'fillPosted' && seen.fill.id)).size).toBe(27)
    expect(posted(one)).toHaveLength(27)
    expect(one.state().book.accounts.pool).toEqual(one.venue.amounts)
    expect(one.state().reconciliation.state).toBe('reconciled')
    expect(identityResidual(one.state().book)).toEqual({ tzs: 0n, usd: 0n })
  })

  it('never sends more than the venue allows the key, whatever was sent before it', () => {
    const one = coreHarness()
    for (let restarts = 0; restarts < 40; restarts += 1) {
      one.run(1_000)
      one.restart()
    }
    one.run(60_000)
    expect(one.keyed.length).toBeGreaterThan(60)
    for (const [index, at] of one.keyed.entries()) {
      const minute = one.keyed.slice(index).filter((other) => other < at + 60_000)
      expect(minute.length).toBeLessThanOrEqual(60)
    }
  })
})

describe('a failed answer', () => {
  it('leaves the ledger untouched', () => {
    const one = desk()
    const before = JSON.stringify(one.state().book, (_, value: unknown) =>
      typeof value === 'bigint' ? `${value}` : value,
    )
    for (const kind of ['malformed', 'server', 'timeout', 'network', 'refused'] as const) {
      one.venue.answers.readFills = () => failureOf(kind)
      one.venue.answers.readBalances = () => failureOf(kind)
      one.run(20_000)
    }
    const after = JSON.stringify(one.state().book, (_, value: unknown) =>
      typeof value === 'bigint' ? `${value}` : value,
    )
    expect(after).toBe(before)
  })
})
