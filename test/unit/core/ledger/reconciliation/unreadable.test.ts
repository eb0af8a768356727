import { describe, expect, it } from 'vitest'
import { zeroAmounts } from '../../../../../src/base/money/asset.ts'
import { setStatus } from '../../../../../src/core/ledger/reconciliation/status.ts'
import { createReconciliation } from '../../../../../src/core/ledger/reconciliation/state.ts'
import {
  acceptRow,
  acceptUnreadable,
  clearUnreadable,
  countUnreadable,
  forgetNamelessRows,
  longestUnreadable,
  recordStated,
  recordUnreadable,
  rowSource,
  unreadableTexts,
} from '../../../../../src/core/ledger/reconciliation/unreadable.ts'

function reconciled() {
  const state = { ...createReconciliation(), opened: true }
  setStatus(state, [], 'reconciled', 'a match', {})
  return state
}

describe('the time that a figure has been unreadable', () => {
  it('passes with answers, at most 15 s with each, and not in silence', () => {
    const state = reconciled()
    recordUnreadable(state, 'rate', 'GET /rate: midRateTZS', 1_000)
    countUnreadable(state, 3_000)
    expect(longestUnreadable(state, 3_000)).toMatchObject({ ms: 2_000, expectedMs: 2_000 })
    expect(longestUnreadable(state, 1_000_000)).toMatchObject({ ms: 2_000, expectedMs: 17_000 })
    countUnreadable(state, 1_000_000)
    expect(longestUnreadable(state, 1_000_000)).toMatchObject({ ms: 17_000 })
  })

  it('is that of the oldest figure, and begins anew when a person has looked', () => {
    const state = reconciled()
    recordUnreadable(state, 'rate', 'the rate', 0)
    countUnreadable(state, 5_000)
    recordUnreadable(state, 'quoteBid', 'the quote', 6_000)
    countUnreadable(state, 9_000)
    expect(longestUnreadable(state, 9_000)).toMatchObject({ why: 'the rate; the quote', ms: 9_000 })
    acceptUnreadable(state)
    expect(longestUnreadable(state, 9_000)).toMatchObject({ ms: 0 })
  })
})

describe('a figure that cannot be read', () => {
  it('ends reconciled and is reported once, and an accepted row is not', () => {
    const state = reconciled()
    expect(recordUnreadable(state, 'rate', 'the rate', 0)).toEqual([
      { do: 'alertUnreadable', message: 'the rate' },
      { do: 'setStatus', state: 'pending', why: 'the rate', unreconciled: {} },
    ])
    expect(recordUnreadable(state, 'rate', 'the rate again', 5)).toEqual([])
    expect(recordUnreadable(state, 'quote', 'the quote', 5)).toEqual([
      { do: 'alertUnreadable', message: 'the quote' },
    ])
    acceptRow(state.unreadable, 'row #1')
    expect(recordUnreadable(state, 'row #1', 'a row', 5)).toEqual([])
    expect(unreadableTexts(state)).toEqual(['the rate', 'the quote'])
  })

  it('leaves a break a break', () => {
    const state = { ...reconciled(), state: 'break' as const }
    expect(recordUnreadable(state, 'rate', 'the rate', 0)).toEqual([
      { do: 'alertUnreadable', message: 'the rate' },
    ])
    expect(state.state).toBe('break')
  })

  it('is counted with each answer, and what is not there is not', () => {
    const state = reconciled()
    expect([unreadableTexts(state), acceptUnreadable(state)]).toEqual([[], { rows: [], actions: [] }])
    expect([countUnreadable(state, 5), longestUnreadable(state, 5)]).toEqual([null, null])
    recordUnreadable(state, 'rate', 'the rate', 1_000)
    expect(countUnreadable(state, 3_000)).toEqual({ before: 0, now: 2_000 })
    // The clock of the machine was set back.
    expect(countUnreadable(state, 2_000)).toEqual({ before: 2_000, now: 2_000 })
    expect(countUnreadable(state, 2_500)).toEqual({ before: 2_000, now: 2_500 })
  })
})

describe('a token that a reading does not state', () => {
  const HELD = { ...zeroAmounts(), NTZS: 5n, USDC: 5n, USDT: 0n }
  const read = (state: ReturnType<typeof reconciled>, amounts: object, where: 'pool' | 'wallet' = 'pool') =>
    recordStated(state, { amounts, where, t: 7 }, HELD)

  it.each([
    ['was stated at another source', { NTZS: 1n, USDC: 1n }, 'wallet', []],
    ['is not held', { NTZS: 1n, USDC: 1n, USDT: 1n }, 'pool', ['balances USDC']],
    ['was never stated', { NTZS: 1n }, 'pool', []],
  ] as const)(
    'is unreadable where it was stated and is held, and not where it %s',
    (_, before, where, found) => {
      const state = reconciled()
      expect(read(state, before, where)).toEqual([])
      read(state, { NTZS: 1n })
      expect(Object.keys(state.unreadable.figures)).toEqual(found)
    },
  )

  it('is named with its source, and is readable once it is stated again', () => {
    const state = reconciled()
    read(state, { NTZS: 1n, USDC: 1n })
    const why = 'GET /balances: USDC is no longer stated, but the ledger holds some in the pool'
    expect(read(state, { NTZS: 1n })[0]).toEqual({ do: 'alertUnreadable', message: why })
    expect(read(state, { NTZS: 1n })).toEqual([])
    recordUnreadable(state, 'balances', 'no figure', 8)
    recordUnreadable(state, 'rate', 'the rate', 8)
    expect(read(state, { USDC: 1n })).toEqual([
      { do: 'poll', what: 'balances', why: 'unreadable figures can be read again' },
      expect.objectContaining({ do: 'alertUnreadable', message: expect.stringContaining('NTZS') }),
    ])
    expect(Object.keys(state.unreadable.figures)).toEqual(['rate', 'balances NTZS'])
    read(state, {})
    expect(read(state, {})).toEqual([])
    expect(state.unreadable.stated).toEqual({ pool: ['NTZS', 'USDC'] })
    expect(state.unreadable.isMatched).toBe(false)
  })
})

describe('what could not be read and can be read again', () => {
  it('brings reconciled back at once where the balances were never in doubt', () => {
    const state = reconciled()
    recordUnreadable(state, 'rate', 'the rate', 0)
    expect(state.state).toBe('pending')
    expect(clearUnreadable(state, (source) => source === 'fills')).toEqual([])
    expect(clearUnreadable(state, (source) => source === 'rate')).toEqual([
      { do: 'setStatus', state: 'reconciled', why: 'every figure can be read again', unreconciled: {} },
    ])
    expect(clearUnreadable(reconciled(), () => true)).toEqual([])
  })

  it.each(['balances', 'balances USDC', 'fills', 'row #1'])('of %s asks for the balances first', (source) => {
    const state = reconciled()
    recordUnreadable(state, source, 'a figure', 0)
    expect(clearUnreadable(state, () => true)).toMatchObject([{ do: 'poll', what: 'balances' }])
    expect(state.state).toBe('pending')
  })

  it('after the balances matched asks for them again, where one of it puts the books in doubt', () => {
    const state = reconciled()
    for (const source of ['rate', 'fills']) recordUnreadable(state, source, source, 0)
    setStatus(state, [], 'reconciled', 'a match', {})
    expect(clearUnreadable(state, () => true)).toMatchObject([{ do: 'poll', what: 'balances' }])
    expect(state.state).toBe('pending')
  })
})

describe('rows that cannot be read', () => {
  it('are known by their id, or by a hash of their text', () => {
    expect(rowSource({ id: 'a', raw: '1' })).toBe('row #a')
    // FNV-1a with 64 bits of "a".
    expect(rowSource({ id: null, raw: 'a' })).toBe('row af63dc4c8601ec8c')
    expect(rowSource({ id: null, raw: '10' })).toBe('row 07f89207b4ba08a4')
  })

  it.each<[string, readonly string[], readonly string[], readonly string[]]>([
    ['stop counting once an answer has none', ['row 1', 'row #2'], [], ['row #2']],
    ['count while an answer has one', ['row 1'], ['row 3'], ['row 1']],
    ['stop counting beside an accepted one', ['row 1'], ['row a'], []],
    ['stop counting beside one with an id', ['row 1'], ['row #2'], []],
    ['count as many while an answer has any', ['row 1', 'row of many'], ['row #2'], ['row of many']],
    ['are no figures of another kind', ['balances USDC', 'row of many'], [], ['balances USDC']],
  ])('without an id %s, where the balances match', (_, known, bad, left) => {
    const state = reconciled()
    for (const source of known) recordUnreadable(state, source, source, 0)
    acceptRow(state.unreadable, 'row a')
    expect(forgetNamelessRows(state, bad)).toEqual([])
    expect(Object.keys(state.unreadable.figures)).toEqual(known)
    setStatus(state, [], 'reconciled', 'a match', {})
    forgetNamelessRows(state, bad)
    expect(Object.keys(state.unreadable.figures)).toEqual(left)
    expect(state.unreadable.isMatched).toBe(true)
  })

  it('are accepted two hundred at a time, each once, and the oldest make room', () => {
    const state = reconciled().unreadable
    for (let n = 0; n < 200; n += 1) acceptRow(state, `row ${n}`)
    acceptRow(state, 'row 5')
    expect(state.accepted).toHaveLength(200)
    acceptRow(state, 'row 200')
    expect([state.accepted.length, state.accepted[0], state.accepted[199]]).toEqual([200, 'row 1', 'row 200'])
  })

  it('beyond two hundred count as one more, which a person accepts with the others', () => {
    const state = reconciled()
    recordUnreadable(state, 'rate', 'the rate', 0)
    const alerts = Array.from({ length: 300 }, (_, n) => recordUnreadable(state, `row #${n}`, `row ${n}`, 0))
    expect(unreadableTexts(state)).toHaveLength(202)
    expect(recordUnreadable(state, 'row #0', 'row 0', 0)).toEqual([])
    expect(alerts.filter((out) => out.length > 0)).toHaveLength(201)
    expect(recordUnreadable(state, 'fills', 'the fills', 0)).toHaveLength(1)
    expect(acceptUnreadable(state)).toEqual({ rows: [], actions: [] })
    // A reading after the rows equals the ledger.
    setStatus(state, [], 'reconciled', 'a match', {})
    expect(state.state).toBe('pending')
    expect(acceptUnreadable(state).rows).toHaveLength(201)
    expect([state.state, unreadableTexts(state)]).toEqual(['pending', ['the rate', 'the fills']])
    expect(state.unreadable.accepted).toContain('row #7')
  })
})
