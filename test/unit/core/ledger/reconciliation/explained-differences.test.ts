import { describe, expect, test } from 'vitest'
import { postSweep, postTransfer } from '../../../../../src/core/ledger/book/post-transfer.ts'
import {
  restartAfterSweep,
  discardSnapshots,
  restartAfterBooking,
} from '../../../../../src/core/ledger/reconciliation/status.ts'
import { pnl } from '../../../../../src/core/ledger/book/pnl.ts'
import { A, fillOf, MID, NTZS, openDesk, OPENING, runningDesk, states, USD, venueAfter } from './harness.ts'

describe('what a rule explains', () => {
  test('a tiny inflow is dust and is booked as an adjustment; a tiny outflow never is', () => {
    const desk = runningDesk('from-position', 10n)
    desk.quietly(venueAfter([], 10n))
    const said = desk.quietly(venueAfter([], 10n))
    expect(said).toContainEqual({
      do: 'book',
      kind: 'adjustment',
      reason: 'dust',
      asset: 'NTZS',
      amount: 10n,
      where: 'pool',
    })
    expect(desk.state).toMatchObject({ state: 'reconciled', why: 'the difference was explained and booked' })
    expect(desk.quietly(venueAfter([], 10n))).toEqual([])
    desk.persistently(venueAfter([], 9n))
    expect(desk.state).toMatchObject({ state: 'break', unreconciled: { NTZS: -1n } })
  })

  test('an inflow one unit over the dust limit is no dust', () => {
    const desk = runningDesk('from-position', 10n)
    desk.persistently(venueAfter([], 11n))
    expect(desk.state.state).toBe('break')
  })

  test.each<[string, string, readonly bigint[], number]>([
    ['two quiet readings', '--', [10n, 10n], 2],
    ['four with fills around them', '++++', [10n, 10n, 10n, 10n], 4],
    ['four of which one had fills around it', '-+--', [10n, 10n, 10n, 10n], 4],
    ['two after it has changed', '+--', [9n, 10n, 10n], 3],
  ])('a difference is booked after %s (%s)', (_, flow, dust, booked) => {
    const desk = runningDesk('from-position', 10n)
    const fills: (typeof A)[] = []
    const isBooked = dust.map((amount, n) => {
      const fresh = flow[n] === '+' ? [fillOf(`f${n}`)] : []
      fills.push(...fresh)
      desk.poll([])
      desk.balances(venueAfter(fills, amount))
      desk.poll(fresh)
      return desk.entries.some(({ kind }) => kind === 'adjustment')
    })
    expect(isBooked).toEqual(dust.map((__, n) => n + 1 === booked))
  })

  test.each<[string, bigint, bigint, string[], object]>([
    ['is booked with a withdrawal that explains what went', 10n, -100n, ['adjustment', 'withdrawal'], {}],
    ['is booked beside an inflow that nothing explains', 10n, 11n, ['adjustment'], { USDC: 11n }],
    ['is no dust while something is missing', 10n, -99n, [], { NTZS: 10n, USDC: -99n }],
  ])('dust %s', (_, ntzs, usdc, kinds, unreconciled) => {
    const desk = runningDesk('from-position', 10n)
    desk.unknownWithdrawals.push({ asset: 'USDC', amount: 100n })
    const venue = venueAfter([], ntzs, usdc)
    for (let n = 0; n < 2; n += 1) desk.quietly(venue)
    expect(desk.entries.slice(1).map(({ kind }) => kind)).toEqual(kinds)
    expect(desk.state.pending).toHaveLength(kinds.length > 0 ? 0 : 2)
    desk.persistently(venue)
    expect(desk.state.unreconciled).toEqual(unreconciled)
  })

  test('nothing is compared while an activation is in flight', () => {
    const desk = runningDesk()
    for (let n = 0; n < 3; n++) {
      desk.poll([])
      desk.balances({ NTZS: 0n, USDC: 0n }, { busy: true })
      desk.poll([])
    }
    expect(desk.state.state).toBe('reconciled')
  })

  test('tokens that came into sight with a sweep are a deposit', () => {
    const desk = openDesk()
    desk.poll([])
    desk.balances(OPENING, { source: 'wallet', isActive: false })
    desk.poll([])
    postSweep(desk.book, 1, 'wallet', ['NTZS', 'USDC'], 'activated')
    restartAfterSweep(desk.state, desk.now(), false)
    desk.quietly(venueAfter([], 0n, 50n * USD))
    const said = desk.quietly(venueAfter([], 0n, 50n * USD))
    expect(said).toContainEqual({
      do: 'book',
      kind: 'deposit',
      reason: 'seen at the sweep',
      asset: 'USDC',
      amount: 50n * USD,
      where: 'pool',
    })
    expect(desk.state.state).toBe('reconciled')
    expect(pnl(desk.book)?.tzs.total).toBe(0n)
    desk.persistently(venueAfter([], 0n, 60n * USD))
    expect(desk.state.state).toBe('break')
  })

  test('once the balances have matched after a sweep, a later inflow is no deposit', () => {
    const desk = runningDesk()
    restartAfterSweep(desk.state, desk.now(), false)
    desk.quietly(OPENING)
    desk.persistently(venueAfter([], 5n))
    expect(desk.state).toMatchObject({ state: 'break', unreconciled: { NTZS: 5n } })
  })

  test('what goes missing with a sweep is never explained by it', () => {
    const desk = runningDesk()
    postSweep(desk.book, 1, 'pool', ['NTZS', 'USDC'], 'deactivated')
    restartAfterSweep(desk.state, desk.now(), false)
    for (let n = 0; n < 3; n++) {
      desk.poll([])
      desk.balances(venueAfter([], -5n, 5n), { source: 'wallet', isActive: false })
      desk.poll([])
    }
    expect(desk.state).toMatchObject({ state: 'break', unreconciled: { NTZS: -5n, USDC: 5n } })
    expect(desk.entries.some((entry) => entry.kind === 'deposit')).toBe(false)
  })

  test('a fill that is listed late is not taken for a top-up at the sweep', () => {
    const desk = runningDesk('from-position', 10n)
    restartAfterSweep(desk.state, desk.now(), false)
    for (let n = 0; n < 3; n++) desk.quietly(venueAfter([A]))
    expect(desk.state.state).toBe('break')
    desk.poll([A])
    desk.quietly(venueAfter([A]))
    expect(desk.state.state).toBe('reconciled')
    expect(desk.entries.map((entry) => entry.kind)).toEqual(['opening', 'fill'])
  })

  test('after a partial deactivation the pool is compared and what was returned is out of sight', () => {
    const desk = runningDesk()
    postSweep(desk.book, 1, 'pool', ['USDC'], 'returned')
    restartAfterSweep(desk.state, desk.now(), true)
    const open = desk.entries.length
    desk.persistently({ NTZS: 1_000_000n * NTZS, USDC: 3n })
    expect(desk.state).toMatchObject({ state: 'break', unreconciled: { USDC: 3n } })
    expect(desk.entries).toHaveLength(open)
    desk.quietly({ NTZS: 1_000_000n * NTZS, USDC: 0n })
    expect(states(desk.quietly({ NTZS: 1_000_000n * NTZS, USDC: 0n }))).toMatchObject([
      { state: 'reconciled' },
    ])
  })

  test('an outflow of exactly a withdrawal without an answer is that withdrawal', () => {
    const desk = runningDesk()
    desk.unknownWithdrawals.push({ asset: 'USDC', amount: 100n * USD })
    desk.quietly(venueAfter([], 0n, -100n * USD))
    desk.quietly(venueAfter([], 0n, -100n * USD))
    expect(desk.entries.at(-1)).toMatchObject({ kind: 'withdrawal' })
    expect(desk.state.state).toBe('reconciled')
    expect(pnl(desk.book)?.tzs.total).toBe(0n)
  })

  test('balances asked for before our own transfer was booked are void', () => {
    const desk = runningDesk()
    desk.poll([])
    const asked = desk.now() + 1
    postTransfer(desk.book, 2, 'withdrawal', 'USDC', USD, 'pool', 'own', MID)
    discardSnapshots(desk.state, asked + 1)
    desk.balances(OPENING, { sentAt: asked })
    desk.poll([])
    expect(desk.state.state).toBe('reconciled')
    expect(desk.quietly(venueAfter([], 0n, -USD))).toEqual([])
  })

  test("the operator's booking is proven by the next reading", () => {
    const desk = runningDesk()
    desk.persistently(venueAfter([], 0n, 3n))
    expect(desk.state.unreconciled).toEqual({ USDC: 3n })
    postTransfer(desk.book, 2, 'deposit', 'USDC', 3n, 'pool', 'operator', MID)
    const said = restartAfterBooking(desk.state, desk.now(), 'the operator booked it')
    expect(states(said)).toMatchObject([{ state: 'pending', unreconciled: {} }])
    expect(states(desk.quietly(venueAfter([], 0n, 3n)))).toMatchObject([{ state: 'reconciled' }])
  })
})
