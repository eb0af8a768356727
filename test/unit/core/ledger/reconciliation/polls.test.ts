import { describe, expect, test } from 'vitest'
import { type BookState, createBook } from '../../../../../src/core/ledger/book/book.ts'
import { postOpening } from '../../../../../src/core/ledger/book/post-transfer.ts'
import type { ReconciliationAction } from '../../../../../src/core/ledger/reconciliation/actions.ts'
import { applyAction } from '../../../../../src/core/ledger/reconciliation/actions.ts'
import { reconcileAtBlock } from '../../../../../src/core/ledger/reconciliation/reconcile.ts'
import {
  createReconciliation,
  KEPT_POLLS,
  type ReconciliationState,
  type ReconciliationTerms,
} from '../../../../../src/core/ledger/reconciliation/state.ts'
import {
  A,
  asks,
  fillOf,
  MID,
  NTZS,
  openDesk,
  OPENING,
  runningDesk,
  states,
  USD,
  venueAfter,
} from './harness.ts'

const whys = (said: readonly ReconciliationAction[]) =>
  said.flatMap((one) => (one.do === 'poll' ? [one.why] : []))

describe('a poll of the fills', () => {
  test('that shows no known row in a full window is a hole, before the opening without a word about the state', () => {
    const early = openDesk()
    early.poll([])
    expect(early.poll([A], { windowFull: true }).said).toEqual([
      { do: 'poll', what: 'balances', why: 'only the balances can show whether fills were missed' },
    ])
    const { said } = runningDesk().poll([A], { windowFull: true })
    expect(states(said)).toMatchObject([
      { state: 'break', why: 'fills may have been missed: no row is known' },
    ])
  })

  test('is the first one that there is: a full window is then no hole', () => {
    const desk = openDesk()
    expect(whys(desk.poll([A], { windowFull: true }).said)).toEqual([expect.stringContaining('opening')])
  })

  test('is remembered among the last eight, and its rows among those that may explain a reading', () => {
    const desk = runningDesk()
    for (let n = 0; n < 20; n++) desk.poll([fillOf(`f${n}`)])
    expect(desk.state.polls).toHaveLength(KEPT_POLLS)
    expect(desk.state.polls.at(-1)).toMatchObject({ t: desk.now(), fresh: 1 })
    expect(desk.state).toMatchObject({ postedRows: 20 })
    expect(desk.state.rows).toHaveLength(20)
  })

  test('counts the time that the venue answers, as balances do', () => {
    const desk = runningDesk()
    const before = desk.state.answeredMs
    desk.poll([])
    desk.balances(OPENING)
    expect(desk.state.answeredMs - before).toBe(4)
    desk.balances(OPENING, { busy: true })
    expect(desk.state).toMatchObject({ answeredMs: before + 4, answeredAt: desk.now() })
  })

  test('without a reading asks for one while the state is pending, and for none once it is reconciled', () => {
    const desk = runningDesk()
    expect(desk.poll([]).said).toEqual([])
    desk.quietly(venueAfter([], 5n))
    expect(whys(desk.poll([]).said)).toEqual(['balances and ledger differ; reading again'])
  })
})

describe('a reading of the balances', () => {
  test('that equals a reconciled ledger waits without asking for fills; any other one asks', () => {
    const desk = runningDesk()
    expect(desk.balances(OPENING)).toEqual([])
    expect(desk.balances({ USDC: 400n * USD })).toEqual([])
    const why = 'a fills poll after the balances shows what they must equal'
    expect(desk.balances({ USDC: 400n * USD, NTZS: 1n })).toEqual([{ do: 'poll', what: 'fills', why }])
    const early = openDesk()
    early.poll([])
    expect(whys(early.balances({}))).toEqual([why])
    const pending = runningDesk()
    pending.quietly(venueAfter([], 5n))
    expect(whys(pending.balances(OPENING))).toEqual([why])
  })

  test('is not kept where a move is under way or where it was asked for before one', () => {
    const desk = runningDesk()
    expect(desk.balances(venueAfter([], 5n), { busy: true })).toEqual([])
    expect(desk.state.snapshot).toBeNull()
    desk.state.voidBefore = desk.now() + 1
    expect(desk.balances(venueAfter([], 5n), { sentAt: desk.now() })).toEqual([])
    expect(desk.state.snapshot).toBeNull()
    const sentAt = desk.now() + 3
    desk.state.voidBefore = sentAt
    desk.balances(OPENING, { sentAt })
    expect(desk.state.snapshot).toMatchObject({ sentAt, where: 'pool' })
  })

  test('of a place that the account contradicts asks for the account; without an account its own word counts', () => {
    const desk = runningDesk()
    const why = 'it is not clear whether the position is active'
    expect(desk.balances(OPENING, { source: 'wallet' })).toEqual([{ do: 'poll', what: 'account', why }])
    desk.balances(OPENING, { source: 'wallet', isActive: null })
    expect(desk.state.snapshot).toMatchObject({ where: 'wallet' })
  })

  test('may be asked for at the very moment of the poll before it', () => {
    const desk = openDesk()
    desk.poll([])
    expect(asks(desk.balances(OPENING, { sentAt: desk.now() }))).toEqual(['fills'])
    expect(desk.state.snapshot).not.toBeNull()
    const early = openDesk()
    const asked = early.now()
    early.poll([])
    expect(whys(early.balances(OPENING, { sentAt: asked }))).toEqual([
      'balances can be compared only after a fills poll',
    ])
  })

  test('that came after the poll was sent waits for the next poll', () => {
    const desk = runningDesk()
    desk.balances(venueAfter([], 5n))
    expect(whys(desk.poll([], { sentAt: desk.now() - 1 }).said)).toEqual([
      'the balances were read after this poll was sent',
    ])
    expect(desk.state.snapshot).not.toBeNull()
  })
})

describe('a wallet and its fills at one block', () => {
  const none = { NTZS: 0n, USDC: 0n, USDT: 0n, 'USDT.bnb': 0n }

  function desk() {
    const book: BookState = createBook()
    const state: ReconciliationState = createReconciliation('none')
    const said: ReconciliationAction[] = []
    let t = 100
    const read = (amounts: ReconciliationTerms['accounts']['wallet'] | Record<string, bigint>) => {
      t += 10
      const settings = { confirmations: 1, graceMs: 0, dustUnits: none }
      const common = { unknownWithdrawals: [], feeRates: [], mids: [MID], busy: false, isSweepUnclear: false }
      const terms = { t, sentAt: t, posted: [], accounts: book.accounts, settings, ...common }
      reconcileAtBlock(state, terms, amounts, (actions) => {
        said.push(...actions)
        for (const action of actions) applyAction(book, t, action, MID)
      })
    }
    return { book, state, said, read }
  }

  test('open the books with the first reading and reconcile with each one after it', () => {
    const one = desk()
    one.read({ NTZS: 5n * NTZS, USDC: 7n })
    expect(one.said).toContainEqual({ do: 'open', amounts: { NTZS: 5n * NTZS, USDC: 7n }, where: 'wallet' })
    expect(one.book.accounts.wallet).toMatchObject({ NTZS: 5n * NTZS, USDC: 7n })
    one.read({ NTZS: 5n * NTZS, USDC: 7n })
    expect(one.state).toMatchObject({ state: 'reconciled', matchedAt: 120, pending: [] })
    one.read({ NTZS: 5n * NTZS, USDC: 8n })
    expect(one.state).toMatchObject({ state: 'pending' })
    expect(one.state.pending).toHaveLength(1)
    postOpening(one.book, 1, { USDC: 1n }, 'wallet', MID)
    one.read({ NTZS: 5n * NTZS, USDC: 8n })
    one.read({ NTZS: 5n * NTZS, USDC: 8n })
    expect(one.state).toMatchObject({ state: 'reconciled', matchedAt: 150 })
  })
})
