import { expect, test } from 'vitest'
import {
  upcastGlossaryNames,
  upcastPacingAndOrderNames,
} from '../../../../../src/core/engine/upcast/state.ts'

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
  expect(upcastPacingAndOrderNames(written)).toEqual({
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
  expect(upcastPacingAndOrderNames({ seq: 1 })).toEqual({ seq: 1 })
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
    upcastGlossaryNames({ now: 7, stance: target, quoting, heard: received, fairShift, orders, strategy }),
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
