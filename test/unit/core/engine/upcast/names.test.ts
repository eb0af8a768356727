import { expect, test } from 'vitest'
import { encodeJson } from '../../../../../src/base/codec.ts'
import { renameState } from '../../../../../src/core/engine/upcast/names.ts'
import { readObservation } from '../../../../../src/core/engine/upcast/written.ts'

test('a snapshot of 0.1.0 keeps the values of its budgets, polls and open orders under the names of today', () => {
  const written = {
    seq: 7,
    pacing: {
      key: { limit: 48, silentUntil: 5 },
      public: { limit: 24, silentUntil: 0 },
      unplanned: { times: [1, 2], head: 0 },
      polls: { fills: { dueAt: 3, demanded: true }, rate: { dueAt: 4, demanded: false } },
    },
    rfq: { lastSalt: 9n, owed: { '9': { phase: 'open' } } },
  }
  expect(renameState(2, written)).toEqual({
    seq: 7,
    pacing: {
      key: { limit: 48, blockedUntil: 5 },
      public: { limit: 24, blockedUntil: 0 },
      onDemand: { times: [1, 2], head: 0 },
      polls: { fills: { dueAt: 3, expedited: true }, rate: { dueAt: 4, expedited: false } },
    },
    rfq: { lastSalt: 9n, openOrders: { '9': { phase: 'open' } } },
  })
})

test('a snapshot without pacing or orders gets none', () => {
  expect(renameState(2, { seq: 1 })).toEqual({ seq: 1 })
})

test('a snapshot of version 3 keeps its values under the names of the glossary', () => {
  const target = { kind: 'quote', bidBps: 60, askBps: 80 }
  const quoting = { belief: 'differs', failures: 1 }
  const received = { account: true, rate: true, balances: false, fills: false }
  const readings = [{ name: 'board', t: 1, bps: 2, isTaken: true }]
  const fairShift = { t: 1, heard: readings }
  const strategy = { wanted: { bidBps: 60, because: ['a test'] } }
  const orders = { doomed: [9n], isOverPromised: true, blocked: null }
  expect(
    renameState(4, { now: 7, stance: target, quoting, heard: received, fairShift, orders, strategy }),
  ).toEqual({
    now: 7,
    approvedTarget: target,
    quoting: { status: 'mismatch', failures: 1 },
    received,
    fairShift: { t: 1, readings },
    strategy: { wanted: { bidBps: 60, reasons: ['a test'] } },
    orders: { cancelRequested: [9n], isOvercommitted: true, blocked: null },
  })
})

const terms = { opening: 1n, flows: 2n, costs: 3n }

test('a snapshot of 0.1.0 keeps its reconciliation and its PnL under the names of today', () => {
  const written = {
    now: 7,
    completeness: {
      state: 'gap',
      why: 'x',
      unexplained: { NTZS: -5n },
      suspects: [{}],
      reading: null,
      run: 2,
    },
    completenessSince: 3,
    gapSince: 4,
    book: {
      entries: 9,
      pnl: {
        mark: 2_500n,
        tzs: { ...terms, unexplained: 4n },
        usd: { ...terms, unexplained: 5n },
        byStable: { USDC: { postedSpread: 6n, staleMid: 7n } },
        unvalued: { classes: { unexplained: { NTZS: 1n } }, traded: {} },
      },
    },
  }
  expect(renameState(2, written)).toEqual({
    now: 7,
    reconciliation: {
      state: 'break',
      why: 'x',
      unreconciled: { NTZS: -5n },
      candidates: [{}],
      snapshot: null,
      run: 2,
    },
    reconciliationSince: 3,
    breakSince: 4,
    book: {
      entries: 9,
      pnl: {
        mark: 2_500n,
        tzs: { ...terms, unreconciled: 4n },
        usd: { ...terms, unreconciled: 5n },
        byStable: { USDC: { spreadCapture: 6n, staleMid: 7n } },
        unvalued: { classes: { unreconciled: { NTZS: 1n } }, traded: {} },
      },
    },
  })
})

test('a notice of 0.1.0 that the books were complete is one that they are reconciled', () => {
  const written = { type: 'completenessChanged', t: 1, state: 'complete', why: '', unexplained: {} }
  const state = { state: 'reconciled', why: '', unreconciled: {} }
  expect(readObservation(encodeJson(written))).toEqual({ type: 'reconciliationChanged', t: 1, ...state })
})
