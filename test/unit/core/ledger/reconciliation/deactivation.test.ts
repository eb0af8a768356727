import { describe, expect, it } from 'vitest'
import { type Amounts, zeroAmounts } from '../../../../../src/base/money/asset.ts'
import { createBook } from '../../../../../src/core/ledger/book/book.ts'
import { recordFee } from '../../../../../src/core/ledger/fills/fees.ts'
import type { ReconciliationAction } from '../../../../../src/core/ledger/reconciliation/actions.ts'
import {
  beginDeactivation,
  endDeactivation,
  forgetReturned,
  isHalfSwept,
  recordFillsInCall,
  recordReturnedAmounts,
  openUnstated,
  settleVoidFills,
  withReturned,
} from '../../../../../src/core/ledger/reconciliation/deactivation.ts'
import { createReconciliation, type FillInCall } from '../../../../../src/core/ledger/reconciliation/state.ts'

const ONE = 10n ** 18n
/** One unit of USDC and USDT. */
const UNIT = 10n ** 12n

/** A bid of so many dollars at 2,500, with a fee of a tenth of a dollar. */
const bid = (id: string, dollars: bigint, over: Partial<FillInCall> = {}): FillInCall => ({
  id,
  inAsset: 'NTZS',
  amountIn: 2_500n * dollars * ONE,
  outAsset: 'USDC',
  amountOut: dollars * ONE,
  fee: ONE / 10n,
  word: ONE / 10n,
  computed: false,
  at: null,
  ...over,
})

const reading = (amounts: Partial<Amounts> = {}, where: 'wallet' | 'pool' = 'wallet') =>
  ({ sentAt: 90, t: 95, amounts, where }) as const

function terms(wallet: Amounts) {
  const dust = { NTZS: 5n, USDC: 5n, USDT: 5n, 'USDT.bnb': 5n }
  return {
    t: 100,
    sentAt: 99,
    posted: [],
    accounts: { ...createBook().accounts, wallet },
    settings: { confirmations: 2, graceMs: 0, dustUnits: dust },
    unknownWithdrawals: [],
    feeRates: [],
    mids: [],
    busy: false,
    isSweepUnclear: false,
  }
}

describe('fills that come during a deactivation', () => {
  const HELD = { ...zeroAmounts(), NTZS: 9_000_000n * ONE, USDC: 9_000n * ONE }

  type Given = { off?: Partial<Amounts>; isRounded?: boolean; model?: 'none'; where?: 'pool'; only?: 'USDC' }

  /** The ledger has all of the fills; the wallet has all but those of `isVoid`, and differs by `off`. */
  function settle(fills: readonly FillInCall[], isVoid: readonly number[], given: Given = {}) {
    const { off = {}, isRounded = false, model = 'from-position', where = 'wallet', only } = given
    const venue: Amounts = { ...HELD }
    for (const { amountIn, amountOut, fee } of isVoid.map((n) => fills[n]!)) {
      venue.NTZS -= amountIn
      venue.USDC += amountOut + (model === 'none' ? 0n : fee)
    }
    for (const asset of ['NTZS', 'USDC'] as const) venue[asset] += off[asset] ?? 0n
    const state = createReconciliation(model)
    Object.assign(state, {
      state: 'reconciled',
      sweepPending: isRounded,
      foreign: { readings: 1, difference: {} },
    })
    for (const fill of fills) recordFee(state.fees, fill)
    beginDeactivation(state)
    recordFillsInCall(state, fills)
    const out: ReconciliationAction[] = []
    const stated = only === undefined ? venue : { [only]: venue[only] }
    const isSettled = settleVoidFills(state, reading({}, where), terms(HELD), stated, out)
    return { isSettled, out, state, kept: state.deactivation?.fills.map(({ id }) => id) }
  }

  const three = [bid('a', 40n), bid('b', 70n), bid('c', 35n)]
  const many = Array.from({ length: 13 }, (_, n) => bid(`${n}`, 2n ** BigInt(n)))

  it.each<[string, readonly FillInCall[], readonly number[], Given, readonly string[]]>([
    ['the latest', three, [1, 2], {}, ['a']],
    ['any of a dozen', many.slice(1), [0, 3, 11], {}, ['2', '3', '5', '6', '7', '8', '9', '10', '11']],
    ['the latest of more', many, [12], {}, many.slice(0, 12).map(({ id }) => id)],
    ['the latest of equal ones', [bid('a', 40n), bid('b', 70n), bid('c', 40n)], [0], {}, ['a', 'b']],
    ['one of equal ones', [bid('a', 40n), bid('b', 40n), bid('c', 30n)], [1], {}, ['b', 'c']],
    ['without fees', three, [0, 2], { model: 'none' }, ['b']],
    ['less than a unit short', three, [0], { isRounded: true, off: { USDC: 1n - UNIT } }, ['b', 'c']],
    ['by the tokens that are stated', three, [0], { only: 'USDC' }, ['b', 'c']],
  ])('are void where the wallet is the ledger without them: %s', (_, fills, isVoid, given, kept) => {
    expect(settle(fills, isVoid, given)).toMatchObject({ isSettled: true, kept })
  })

  it.each<[string, readonly FillInCall[], readonly number[], Given]>([
    ['none', three, [], {}],
    ['none came', [], [], { off: { USDC: 1n } }],
    ['an older one of more than a dozen', many, [0], {}],
    ['a unit more', three, [0], { isRounded: true, off: { USDC: 1n } }],
    ['a whole unit less', three, [0], { isRounded: true, off: { USDC: -UNIT } }],
    ['less than a unit short without a sweep', three, [0], { off: { USDC: -1n } }],
    ['the pool', three, [0], { where: 'pool' }],
    [
      'of different amounts that the wallet does not state',
      [bid('a', 40n), bid('b', 40n, { amountIn: 7n }), bid('c', 30n)],
      [0],
      { only: 'USDC' },
    ],
  ])('are void for nothing less: %s', (_, fills, isVoid, given) => {
    expect(settle(fills, isVoid, given)).toMatchObject({ isSettled: false, out: [], state: { foreign: {} } })
  })

  it('are booked back with their fees, named, and the rest is compared again', () => {
    const { out, state } = settle(three, [0, 2])
    const reason = 'the deactivation did not pay out fills that came during it: a, c'
    const book = { do: 'book', kind: 'void', where: 'wallet', reason }
    expect(out).toEqual([
      { ...book, asset: 'NTZS', amount: -187_500n * ONE },
      { ...book, asset: 'USDC', amount: 75n * ONE + ONE / 5n },
      { do: 'alertVoidFills', message: `${reason} (187500 NTZS, -75.2 USDC); they are reversed` },
      { do: 'setStatus', state: 'pending', why: 'fills during the deactivation are void', unreconciled: {} },
      { do: 'poll', what: 'balances', why: 'the rest is compared again' },
    ])
    expect(state).toMatchObject({ foreign: null, voidBefore: 100, fees: { counts: { USDC: 0 } } })
  })

  it('are remembered while it lasts, the latest 64', () => {
    const state = createReconciliation()
    recordFillsInCall(state, three)
    expect(state.deactivation).toBeNull()
    beginDeactivation(state)
    recordFillsInCall(
      state,
      Array.from({ length: 64 }, (_, n) => bid(`${n}`, 1n)),
    )
    beginDeactivation(state)
    recordFillsInCall(state, [bid('last', 1n)])
    expect(state.deactivation?.fills).toHaveLength(64)
    expect(state.deactivation?.fills[0]?.id).toBe('1')
    expect(state.deactivation?.fills.at(-1)?.id).toBe('last')
    endDeactivation(state)
    expect(state.deactivation).toBeNull()
  })
})

describe('the amounts that a deactivation returned', () => {
  it('stand for the tokens that a reading of the wallet does not state, until a transfer of our own', () => {
    const state = createReconciliation()
    const wallet = { ...zeroAmounts(), NTZS: 3n, USDC: 10n }
    const read = (where: 'wallet' | 'pool' = 'wallet') => withReturned(state, reading({ NTZS: 1n }, where))
    recordReturnedAmounts(state, { USDC: 5n }, wallet)
    expect(read()).toEqual(reading({ NTZS: 1n }))
    beginDeactivation(state)
    recordReturnedAmounts(state, { NTZS: 4n, USDC: 5n }, wallet)
    recordReturnedAmounts(state, { USDC: 7n }, wallet)
    expect(read()).toEqual(reading({ NTZS: 1n, USDC: 22n }))
    expect(read('pool')).toEqual(reading({ NTZS: 1n }, 'pool'))
    forgetReturned(state)
    expect(read()).toEqual(reading({ NTZS: 1n }))
  })
})

describe('an activation without a clear answer', () => {
  const wallet = { ...zeroAmounts(), NTZS: 100n, USDC: 200n }
  it.each<[string, Partial<Amounts>, boolean]>([
    ['left all tokens', { NTZS: 100n, USDC: 200n }, true],
    ['took one but for dust', { NTZS: 5n, USDC: 200n }, true],
    ['took one that is not stated', { USDC: 200n }, true],
    ['took a part of one', { NTZS: 6n, USDC: 200n }, false],
    ['left more than there was', { NTZS: 101n }, false],
    ['left less than nothing', { NTZS: -1n }, false],
  ])('has swept some tokens and left the others whole: it %s', (_, venue, isHalf) => {
    const given = { ...terms(wallet), isSweepUnclear: true }
    expect(isHalfSwept(reading(), given, venue)).toBe(isHalf)
    expect(isHalfSwept(reading(), terms(wallet), venue)).toBe(false)
    expect(isHalfSwept(reading({}, 'pool'), given, venue)).toBe(false)
  })

  it('opens the tokens it names that no balances have stated, once, after the opening', () => {
    const state = createReconciliation()
    expect(openUnstated(state, { USDT: 5n })).toBeNull()
    Object.assign(state, { opened: true, mentioned: { USDC: true } })
    const opened = { do: 'open', amounts: { USDT: 5n }, where: 'pool' }
    expect(openUnstated(state, { USDC: 7n, USDT: 5n })).toEqual(opened)
    expect(openUnstated(state, { USDC: 7n, USDT: 5n })).toBeNull()
  })
})
