import { describe, expect, test } from 'vitest'
import { createBook } from '../../../../../src/core/ledger/book/book.ts'
import { createFeeLearning, type PostedFill } from '../../../../../src/core/ledger/fills/fees.ts'
import {
  createReconciliation,
  isBalanced,
  ledgerAt,
  recordProof,
  type PendingSnapshot,
  presentDifference,
  restoreReconciliation,
} from '../../../../../src/core/ledger/reconciliation/state.ts'
import {
  countSkipped,
  discardSnapshots,
  reconfirmDifference,
  restartAfterBooking,
  restartAfterSweep,
  setStatus,
} from '../../../../../src/core/ledger/reconciliation/status.ts'
import { recordUnreadable } from '../../../../../src/core/ledger/reconciliation/unreadable.ts'
import type { ReconciliationAction } from '../../../../../src/core/ledger/reconciliation/actions.ts'

const READING: PendingSnapshot = { sentAt: 1, t: 2, amounts: { USDC: 5n }, where: 'pool', since: 0, base: 0 }

/** A state in which everything waits and nothing is proven. */
function waiting() {
  const state = createReconciliation()
  return Object.assign(state, {
    opened: true,
    snapshot: READING,
    pending: [READING],
    explainedInRow: 3,
    candidates: [{ USDC: 5n }],
    run: 2,
    quiet: false,
    unprovenSince: 7,
    isOverdue: true,
    foreign: { readings: 1, difference: { USDC: -5n } },
    unreconciled: { USDC: -5n },
  })
}

const DISCARDED = { snapshot: null, pending: [], explainedInRow: 0, candidates: [], run: 0, quiet: true }
const PROVEN = { unprovenSince: null, isOverdue: false, foreign: null }
const UNPROVEN = { unprovenSince: 7, isOverdue: true, foreign: { readings: 1 } }

describe('the status', () => {
  test('is reported where it or the difference changed; reconciled means that nothing is unproven', () => {
    const state = waiting()
    const out: ReconciliationAction[] = []
    setStatus(state, out, 'break', 'one', { USDC: -5n })
    expect(state).toMatchObject({ state: 'break', why: 'one', ...UNPROVEN })
    setStatus(state, out, 'break', 'two', { USDC: -5n, NTZS: 0n })
    setStatus(state, out, 'break', 'three', { USDC: -6n })
    setStatus(state, out, 'reconciled', 'four', {})
    expect(state).toMatchObject({ state: 'reconciled', why: 'four', unreconciled: {}, ...PROVEN })
    expect(out).toEqual([
      { do: 'setStatus', state: 'break', why: 'one', unreconciled: { USDC: -5n } },
      { do: 'setStatus', state: 'break', why: 'three', unreconciled: { USDC: -6n } },
      { do: 'setStatus', state: 'reconciled', why: 'four', unreconciled: {} },
    ])
  })

  test('of a new reconciliation is pending until the opening is known', () => {
    expect(createReconciliation()).toMatchObject({
      state: 'pending',
      why: 'the opening is not known yet',
      opened: false,
      sweepPending: false,
      quiet: true,
      isOverdue: false,
      fees: { model: 'from-position' },
    })
  })
})

describe('a figure that cannot be read', () => {
  test('keeps the status from reconciled, and from no break', () => {
    const state = createReconciliation()
    expect(isBalanced(state)).toBe(false)
    recordUnreadable(state, 'rate', 'the rate', 5)
    const statuses = (['reconciled', 'break', 'pending'] as const).map((wanted) => {
      setStatus(state, [], wanted, 'why', {})
      return [state.state, state.why, isBalanced(state)]
    })
    expect(statuses).toEqual([
      ['pending', 'the rate', true],
      ['break', 'why', false],
      ['pending', 'why', false],
    ])
  })
})

test('a proof covers the tokens of the latest reading', () => {
  const state = createReconciliation()
  const { unreadable } = state
  recordProof(state, { ...READING, t: 5 })
  expect([state.matchedAt, unreadable.covers]).toEqual([5, ['USDC']])
  recordProof(state, { ...READING, t: 4, amounts: { NTZS: 1n } })
  expect([state.matchedAt, unreadable.covers]).toEqual([5, ['USDC']])
  recordProof(state, { ...READING, t: 5, amounts: { NTZS: 1n, USDT: 0n } })
  expect([state.matchedAt, unreadable.covers]).toEqual([5, ['NTZS', 'USDT']])
})

test('the present difference is the latest candidate, else what was confirmed, and none where reconciled', () => {
  const state = waiting()
  expect(presentDifference(state)).toEqual({ USDC: 5n })
  expect(presentDifference({ ...state, candidates: [] })).toEqual({ USDC: -5n })
  expect(presentDifference({ ...state, state: 'reconciled' })).toEqual({})
})

describe('what waits', () => {
  test('is dropped by a move of our own; what is unproven stays so', () => {
    const state = waiting()
    discardSnapshots(state, 99)
    expect(state).toMatchObject({ ...DISCARDED, voidBefore: 99, ...UNPROVEN })
  })

  test('is dropped by a sweep, after which tokens may come into sight unless it was partial', () => {
    for (const partial of [true, false]) {
      const state = waiting()
      restartAfterSweep(state, 99, partial)
      expect(state).toMatchObject({ ...DISCARDED, voidBefore: 99, sweepPending: !partial })
    }
  })

  test('after a deactivation of fine figures may be short in the pool, until the sweep is read', () => {
    const state = waiting()
    restartAfterSweep(state, 99, false, true)
    expect(state.returnUnread).toBe(false)
    restartAfterSweep(Object.assign(state, { isFine: true }), 99, false, true)
    restartAfterSweep(state, 99, false)
    expect(state.returnUnread).toBe(true)
    restartAfterSweep(Object.assign(state, { sweepPending: false }), 99, false)
    expect(state.returnUnread).toBe(false)
  })

  test("is dropped by an operator's booking, which makes nothing unproven and asks for balances", () => {
    const state = waiting()
    expect(restartAfterBooking(state, 99, 'booked')).toEqual([
      { do: 'setStatus', state: 'pending', why: 'booked', unreconciled: {} },
      { do: 'poll', what: 'balances', why: 'booked' },
    ])
    expect(state).toMatchObject({ ...DISCARDED, voidBefore: 99, ...PROVEN, state: 'pending' })
  })

  test('stays where a difference is to be confirmed anew', () => {
    const state = waiting()
    expect(reconfirmDifference(state, 'late fills')).toEqual([
      { do: 'setStatus', state: 'pending', why: 'late fills', unreconciled: {} },
      { do: 'poll', what: 'balances', why: 'late fills' },
    ])
    expect(state).toMatchObject({ candidates: [], run: 0, pending: [READING], snapshot: READING })
  })
})

describe('balances that cannot be compared', () => {
  test('five times in a row are a break, which keeps the difference that is known', () => {
    const state = waiting()
    for (let n = 1; n < 5; n++) expect(countSkipped(state, 'unclear')).toEqual([])
    expect(countSkipped(state, 'unclear')).toEqual([
      {
        do: 'setStatus',
        state: 'break',
        why: 'balances cannot be compared with the ledger: unclear',
        unreconciled: { USDC: -5n },
      },
    ])
    expect(state.skipped).toBe(5)
  })

  test('are no break before the opening', () => {
    const state = createReconciliation()
    for (let n = 0; n < 9; n++) expect(countSkipped(state, 'unclear')).toEqual([])
    expect(state).toMatchObject({ state: 'pending', skipped: 9 })
  })
})

describe('a state that is restored', () => {
  test('continues with what it waits for', () => {
    const { fees: _, ...rest } = waiting()
    const undecided: PostedFill[] = []
    const known = { ...rest, fees: { ...createFeeLearning('none'), undecided } }
    expect(restoreReconciliation(known)).toEqual(known)
  })

  test('of a version without pending readings continues from its ledger, and asks for readings anew', () => {
    const { pending: _, fees, ...rest } = waiting()
    const { words: __, nets: ___, ...oldFees } = fees
    const restored = restoreReconciliation({ ...rest, fees: oldFees as typeof fees })
    expect(restored).toMatchObject({ ...rest, polls: [], snapshot: null, pending: [] })
    expect(restored.fees).toEqual(createFeeLearning('from-position'))
  })
})

test('a wallet is compared with all that is ours, and the pool alone with itself', () => {
  const { accounts } = createBook()
  Object.assign(accounts.pool, { USDC: 3n, NTZS: 1n })
  Object.assign(accounts.wallet, { USDC: 4n })
  expect(ledgerAt('pool', accounts)).toMatchObject({ USDC: 3n, NTZS: 1n })
  expect(ledgerAt('wallet', accounts)).toMatchObject({ USDC: 7n, NTZS: 1n })
  expect(accounts.wallet.USDC).toBe(4n)
})
