import { describe, expect, it } from 'vitest'
import { setStatus } from '../../../../../src/core/ledger/reconciliation/status.ts'
import { createReconciliation } from '../../../../../src/core/ledger/reconciliation/state.ts'
import {
  acceptUnreadable,
  clearUnreadable,
  countUnreadable,
  longestUnreadable,
  noteUnreadable,
  rowSource,
  unreadableTexts,
} from '../../../../../src/core/ledger/reconciliation/unreadable.ts'

const reconciled = () => ({ ...createReconciliation(), state: 'reconciled' as const, opened: true })

describe('the time that a figure has been unreadable', () => {
  it('passes with answers, at most 15 s with each, and not in silence', () => {
    const state = reconciled()
    noteUnreadable(state, 'rate', 'GET /rate: midRateTZS', 1_000)
    countUnreadable(state, 3_000)
    expect(longestUnreadable(state, 3_000)).toMatchObject({ ms: 2_000, expectedMs: 2_000 })
    expect(longestUnreadable(state, 1_000_000)).toMatchObject({ ms: 2_000, expectedMs: 17_000 })
    countUnreadable(state, 1_000_000)
    expect(longestUnreadable(state, 1_000_000)).toMatchObject({ ms: 17_000 })
  })

  it('is that of the oldest figure, and begins anew when a person has looked', () => {
    const state = reconciled()
    noteUnreadable(state, 'rate', 'the rate', 0)
    countUnreadable(state, 5_000)
    noteUnreadable(state, 'quoteBid', 'the quote', 5_000)
    countUnreadable(state, 9_000)
    expect(longestUnreadable(state, 9_000)).toMatchObject({ why: 'the rate; the quote', ms: 9_000 })
    acceptUnreadable(state)
    expect(longestUnreadable(state, 9_000)).toMatchObject({ ms: 0 })
  })
})

describe('what could not be read and can be read again', () => {
  it('brings reconciled back at once where the balances were never in doubt', () => {
    const state = reconciled()
    noteUnreadable(state, 'rate', 'the rate', 0)
    expect(state.state).toBe('pending')
    expect(clearUnreadable(state, (source) => source === 'rate')).toMatchObject([
      { do: 'setStatus', state: 'reconciled' },
    ])
  })

  it.each(['balances', 'balances USDC', 'fills', 'row #1'])('of %s asks for the balances first', (source) => {
    const state = reconciled()
    noteUnreadable(state, source, 'a figure', 0)
    expect(clearUnreadable(state, () => true)).toMatchObject([{ do: 'poll', what: 'balances' }])
    expect(state.state).toBe('pending')
  })
})

describe('rows that cannot be read', () => {
  it('are known by their id, or by a hash of their text', () => {
    expect(rowSource({ id: 'a', raw: '1' })).toBe('row #a')
    // FNV-1a with 64 bits of "a".
    expect(rowSource({ id: null, raw: 'a' })).toBe('row af63dc4c8601ec8c')
  })

  it('beyond two hundred count as one more, which a person accepts with the others', () => {
    const state = reconciled()
    const alerts = Array.from({ length: 300 }, (_, n) => noteUnreadable(state, `row #${n}`, `row ${n}`, 0))
    expect(unreadableTexts(state)).toHaveLength(201)
    expect(alerts.filter((out) => out.length > 0)).toHaveLength(201)
    expect(acceptUnreadable(state).rows).toEqual([])
    // A reading after the rows equals the ledger.
    setStatus(state, [], 'reconciled', 'a match', {})
    expect(state.state).toBe('pending')
    expect(acceptUnreadable(state).rows).toHaveLength(201)
    expect([state.state, unreadableTexts(state)]).toEqual(['reconciled', []])
  })
})
