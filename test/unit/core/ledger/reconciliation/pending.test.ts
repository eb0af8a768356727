import { describe, expect, test } from 'vitest'
import type { PostedFill } from '../../../../../src/core/ledger/fills/fees.ts'
import {
  addPending,
  countAnsweredTime,
  detectBreak,
  dropExplained,
  keepRows,
  rowsInTime,
  smallestDifference,
} from '../../../../../src/core/ledger/reconciliation/pending.ts'
import {
  createReconciliation,
  KEPT_ROWS,
  KEPT_SNAPSHOTS,
  type PendingSnapshot,
  type ReconciliationTerms,
} from '../../../../../src/core/ledger/reconciliation/state.ts'
import type { ReconciliationAction } from '../../../../../src/core/ledger/reconciliation/actions.ts'
import type { Amounts } from '../../../../../src/base/money/asset.ts'
import { createBook } from '../../../../../src/core/ledger/book/book.ts'
import { MID, NTZS, USD } from './harness.ts'

const row = (at: number | null): PostedFill => ({
  inAsset: 'USDC',
  amountIn: 1n,
  outAsset: 'NTZS',
  amountOut: 1n,
  fee: 0n,
  word: 0n,
  computed: false,
  at,
})

const reading = (sentAt: number, since = 0): PendingSnapshot => ({
  sentAt,
  t: sentAt + 1,
  amounts: {},
  where: 'pool',
  since,
  base: 0,
})

const terms = (graceMs: number): ReconciliationTerms => ({
  t: 0,
  sentAt: 0,
  posted: [],
  accounts: createBook().accounts,
  settings: { confirmations: 2, graceMs, dustUnits: { NTZS: 0n, USDC: 0n, USDT: 0n, 'USDT.bnb': 0n } },
  unknownWithdrawals: [],
  feeRates: [],
  mids: [],
  busy: false,
  isSweepUnclear: false,
})

describe('the time that the venue answered', () => {
  test('runs from answer to answer, at most fifteen seconds of it, never backwards, and not while we move', () => {
    const state = createReconciliation()
    countAnsweredTime(state, 5_000, false)
    expect(state).toMatchObject({ answeredMs: 0, answeredAt: 5_000 })
    countAnsweredTime(state, 15_000, false)
    expect(state.answeredMs).toBe(10_000)
    countAnsweredTime(state, 35_000, false)
    expect(state.answeredMs).toBe(25_000)
    countAnsweredTime(state, 30_000, false)
    expect(state).toMatchObject({ answeredMs: 25_000, answeredAt: 30_000 })
    countAnsweredTime(state, 31_000, true)
    expect(state).toMatchObject({ answeredMs: 25_000, answeredAt: 31_000 })
    countAnsweredTime(state, 32_000, false)
    expect(state.answeredMs).toBe(26_000)
  })
})

describe('the rows that are kept', () => {
  test('the latest 400 are kept, and all are counted', () => {
    const state = createReconciliation()
    keepRows(
      state,
      Array.from({ length: KEPT_ROWS }, (_, n) => row(n)),
    )
    expect(state.rows).toHaveLength(KEPT_ROWS)
    keepRows(state, [row(1_000), row(1_001)])
    expect(state).toMatchObject({ postedRows: KEPT_ROWS + 2 })
    expect(state.rows.map(({ at }) => at).slice(0, 1)).toEqual([2])
    expect(state.rows).toHaveLength(KEPT_ROWS)
  })

  test('rows in another order than they were executed are put into it, from the base on', () => {
    const state = createReconciliation()
    keepRows(state, [row(9), row(30), row(20), row(25)])
    expect(rowsInTime(state, 1)?.map(({ at }) => at)).toEqual([20, 25, 30])
    expect(rowsInTime(state, 0)?.map(({ at }) => at)).toEqual([9, 20, 25, 30])
    expect(rowsInTime(state, 2)).toBeNull()
    expect(state.rows.map(({ at }) => at)).toEqual([9, 30, 20, 25])
  })

  test('equal moments are in order, and a row without one, or one no longer kept, gives no other order', () => {
    const state = createReconciliation()
    keepRows(state, [row(5), row(5)])
    expect(rowsInTime(state, 0)).toBeNull()
    const undated = createReconciliation()
    keepRows(undated, [row(5), row(null), row(7)])
    expect(rowsInTime(undated, 0)).toBeNull()
    const dropped = createReconciliation()
    keepRows(
      dropped,
      Array.from({ length: KEPT_ROWS + 2 }, (_, n) => row(-n)),
    )
    expect(rowsInTime(dropped, 0)).toBeNull()
    expect(rowsInTime(dropped, 2)).toHaveLength(KEPT_ROWS)
  })
})

describe('readings that wait for the row that explains them', () => {
  test('of more than sixteen the oldest stay and the newest replaces the one before it', () => {
    const state = createReconciliation()
    state.answeredMs = 7
    state.explainedInRow = 3
    for (let n = 0; n < KEPT_SNAPSHOTS + 2; n++) addPending(state, reading(n))
    const sent = state.pending.map(({ sentAt }) => sentAt)
    expect(sent).toEqual([...Array.from({ length: KEPT_SNAPSHOTS - 1 }, (_, n) => n), KEPT_SNAPSHOTS + 1])
    expect(state).toMatchObject({ explainedInRow: 0, unprovenSince: 7 })
    state.answeredMs = 9
    addPending(state, reading(99))
    expect(state.unprovenSince).toBe(7)
  })

  test('the first explained reading drops itself, and the second one in a row those before it too', () => {
    const state = createReconciliation()
    for (const sentAt of [10, 20, 30]) addPending(state, reading(sentAt, sentAt))
    state.unprovenSince = 1
    dropExplained(state, 20)
    expect(state.pending.map(({ sentAt }) => sentAt)).toEqual([10, 30])
    expect(state.unprovenSince).toBe(1)
    dropExplained(state, 25)
    expect(state.pending.map(({ sentAt }) => sentAt)).toEqual([30])
    expect(state.unprovenSince).toBe(30)
    dropExplained(state, 30)
    expect(state).toMatchObject({ pending: [], unprovenSince: null, explainedInRow: 3 })
  })
})

describe('a break', () => {
  const waiting = (graceMs: number, sinces: readonly number[], answeredMs: number) => {
    const state = createReconciliation()
    Object.assign(state, { opened: true, answeredMs })
    for (const since of sinces) addPending(state, reading(since, since))
    Object.assign(state, { unprovenSince: null })
    const out: ReconciliationAction[] = []
    const detect = (difference: Partial<Amounts> | null = { NTZS: -7n }) =>
      detectBreak(state, terms(graceMs), difference, out)
    return { state, out, detect }
  }

  test('is called when three readings wait and the oldest has waited for the grace', () => {
    const two = waiting(1_000, [0, 1], 5_000)
    two.detect()
    expect(two.out).toEqual([])
    const early = waiting(1_000, [5, 6, 7], 1_004)
    early.detect()
    expect(early.out).toEqual([])
    const due = waiting(1_000, [5, 6, 7], 1_005)
    due.detect()
    expect(due.out).toEqual([
      {
        do: 'setStatus',
        state: 'break',
        why: 'balances and ledger differ and nothing explains it',
        unreconciled: { NTZS: -7n },
      },
    ])
    expect(due.state.isOverdue).toBe(false)
    due.detect({ NTZS: -9n })
    expect(due.out).toHaveLength(1)
  })

  test('names the protocol fee that would explain it, and a known candidate where no difference is at hand', () => {
    const { state, out, detect } = waiting(0, [0, 1, 2], 0)
    state.fittedFeeBps = 12.5
    state.candidates = [{ USDC: 3n }]
    detect(null)
    expect(out).toMatchObject([
      {
        why: 'balances and ledger differ and nothing explains it; a protocol fee of 12.5 bps would, but no source names that fee',
        unreconciled: { USDC: 3n },
      },
    ])
  })

  test('is not called without a difference, nor before the opening', () => {
    const empty = waiting(0, [0, 1, 2], 0)
    empty.detect(null)
    empty.detect({})
    expect(empty.out).toEqual([])
    const closed = waiting(0, [0, 1, 2], 0)
    closed.state.opened = false
    closed.detect()
    expect(closed.out).toEqual([])
  })

  test('is called where the books were unproven for 90 seconds, or three graces if that is longer', () => {
    for (const [graceMs, most] of [
      [1_000, 90_000],
      [60_000, 180_000],
    ] as const) {
      const { state, out, detect } = waiting(graceMs, [], most + 4)
      state.unprovenSince = 5
      detect()
      expect([out.length, state.isOverdue]).toEqual([0, false])
      state.answeredMs = most + 5
      detect()
      expect([out.length, state.isOverdue, state.state]).toEqual([1, true, 'break'])
    }
  })

  test('that names a difference is not called again, and one that names none is', () => {
    const named = waiting(0, [0, 1, 2], 90_000)
    Object.assign(named.state, { state: 'break', unreconciled: { NTZS: -1n }, unprovenSince: 0 })
    named.detect()
    expect([named.out.length, named.state.isOverdue]).toEqual([0, true])
    const unnamed = waiting(0, [0, 1, 2], 0)
    Object.assign(unnamed.state, { state: 'break' })
    unnamed.detect()
    expect(unnamed.out).toHaveLength(1)
  })
})

describe('the smallest of the differences', () => {
  test('is the one of the least value at the mid, each amount counted without its sign', () => {
    const dollars = { USDC: -2n * USD }
    const shillings = { NTZS: 4_999n * NTZS }
    expect(smallestDifference([dollars, shillings], MID)).toBe(shillings)
    expect(smallestDifference([dollars, { NTZS: 5_001n * NTZS }], MID)).toBe(dollars)
    const [mixed, small] = [
      { USDC: 1n, USDT: -2n },
      { USDC: 1n, USDT: 1n },
    ]
    expect(smallestDifference([mixed, small], MID)).toBe(small)
    expect(smallestDifference([{ USDC: 2n }, { 'USDT.bnb': 1n }], MID)).toEqual({ 'USDT.bnb': 1n })
  })

  test('is the first of equal ones; without a mid a dollar counts as a shilling; of none none exists', () => {
    const first = { NTZS: 5n }
    expect(smallestDifference([first, { NTZS: -5n }], MID)).toBe(first)
    expect(smallestDifference([{ NTZS: 2n * NTZS }, { USDC: USD }], null)).toEqual({ USDC: USD })
    expect(smallestDifference([], MID)).toBeNull()
  })
})
