import { describe, expect, test } from 'vitest'
import { createBook } from '../../../../../src/core/ledger/book/book.ts'
import type { ReconciliationAction } from '../../../../../src/core/ledger/reconciliation/actions.ts'
import { detectForeignLoss, foreignText } from '../../../../../src/core/ledger/reconciliation/foreign-loss.ts'
import {
  createReconciliation,
  type ReconciliationTerms,
} from '../../../../../src/core/ledger/reconciliation/state.ts'
import type { Amounts } from '../../../../../src/base/money/asset.ts'
import { MID, NTZS, RATE, USD } from './harness.ts'

const none = { NTZS: 0n, USDC: 0n, USDT: 0n, 'USDT.bnb': 0n }

const termsOf = (over: Partial<ReconciliationTerms> = {}): ReconciliationTerms => ({
  t: 0,
  sentAt: 0,
  posted: [],
  accounts: createBook().accounts,
  settings: { confirmations: 2, graceMs: 0, dustUnits: none },
  unknownWithdrawals: [],
  feeRates: [],
  mids: [MID],
  busy: false,
  isSweepUnclear: false,
  ...over,
})

/** Whether a reading with these differences at its prefixes is a foreign loss. */
function isForeign(found: readonly Partial<Amounts>[], over: Partial<ReconciliationTerms> = {}): boolean {
  const state = createReconciliation()
  const out: ReconciliationAction[] = []
  detectForeignLoss(state, termsOf(over), found, found[0] ?? {}, out)
  expect(out.length === 1).toBe(state.foreign !== null)
  return state.foreign !== null
}

describe('a loss that no fill could have made', () => {
  test('is more than a dollar and more than 600 bps of what is gone, and neither at its limit', () => {
    expect(isForeign([{ USDC: -USD }])).toBe(false)
    expect(isForeign([{ USDC: -USD - 1n }])).toBe(true)
    expect(isForeign([{ 'USDT.bnb': -(10n ** 18n) - 1n }])).toBe(true)
    expect(isForeign([{ NTZS: -2_500n * NTZS }])).toBe(false)
    expect(isForeign([{ NTZS: -2_500n * NTZS - 1n }])).toBe(true)
    // 100 dollars gone: 94 came for them is a fill at 600 bps, one unit less is none.
    expect(isForeign([{ USDC: -100n * USD, NTZS: 94n * 2_500n * NTZS }])).toBe(false)
    expect(isForeign([{ USDC: -100n * USD, NTZS: 94n * 2_500n * NTZS - 1n }])).toBe(true)
    expect(isForeign([{ USDC: 100n * USD }])).toBe(false)
  })

  test('is one at every prefix of the rows and at every recent mid, otherwise there is no loss', () => {
    expect(isForeign([{ USDC: -100n * USD }, { USDC: -1n }])).toBe(false)
    expect(isForeign([{ USDC: -100n * USD }, { USDC: -50n * USD }])).toBe(true)
    const fill = { USDC: -100n * USD, NTZS: 230_000n * NTZS }
    expect(isForeign([fill])).toBe(true)
    expect(isForeign([fill], { mids: [MID, 2_300n * RATE] })).toBe(false)
    expect(isForeign([{ USDC: -100n * USD }], { mids: [] })).toBe(false)
  })

  test('is not what a withdrawal of ours without an answer may have taken: it is valued as if it had gone out', () => {
    const lost = [{ USDC: -100n * USD }]
    const withdrawal = { asset: 'USDC', amount: 60n * USD } as const
    expect(isForeign(lost, { unknownWithdrawals: [withdrawal, { ...withdrawal, amount: 39n * USD }] })).toBe(
      false,
    )
    expect(isForeign(lost, { unknownWithdrawals: [withdrawal] })).toBe(true)
    const dollars = (amount: bigint) => ({ unknownWithdrawals: [{ asset: 'USDT' as const, amount }] })
    expect(isForeign(lost, dollars(94n * USD))).toBe(false)
    expect(isForeign(lost, dollars(94n * USD - 1n))).toBe(true)
  })

  test('is reported once in a row, counted, and forgotten with the first reading that has none', () => {
    const state = createReconciliation()
    const out: ReconciliationAction[] = []
    const lost = { USDC: -100n * USD, NTZS: 0n }
    const more = { USDC: -101n * USD }
    detectForeignLoss(state, termsOf(), [lost], lost, out)
    detectForeignLoss(state, termsOf(), [more], more, out)
    expect(state.foreign).toEqual({ readings: 2, difference: more })
    expect(out).toEqual([{ do: 'alertForeignLoss', message: foreignText(lost) }])
    detectForeignLoss(state, termsOf(), [{}], {}, out)
    expect(state.foreign).toBeNull()
    detectForeignLoss(state, termsOf(), [lost], lost, out)
    expect(out).toHaveLength(2)
  })

  test('a foreign loss is reported in one sentence with every amount that moved', () => {
    expect(foreignText({ NTZS: 5n * NTZS, USDC: (-3n * USD) / 2n, USDT: 0n })).toBe(
      'balances changed by 5 NTZS, -1.5 USDC, which no fill at our quotes can explain: someone else, or the venue, is moving funds with this key',
    )
  })
})
