import { expect, test } from 'vitest'
import {
  RECONCILIATION_CHANGED,
  upcastReconciliationNames,
} from '../../../../../src/core/engine/upcast/reconciliation-names.ts'

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
  expect(upcastReconciliationNames(written)).toEqual({
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
  expect(
    RECONCILIATION_CHANGED.upcast({
      type: 'completenessChanged',
      t: 1,
      state: 'complete',
      why: '',
      unexplained: {},
    }),
  ).toEqual({ type: 'reconciliationChanged', t: 1, state: 'reconciled', why: '', unreconciled: {} })
})
