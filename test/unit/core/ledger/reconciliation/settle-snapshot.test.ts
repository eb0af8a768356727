import { describe, expect, it } from 'vitest'
import { type Amounts, ASSETS, zeroAmounts } from '../../../../../src/base/money/asset.ts'
import { createBook } from '../../../../../src/core/ledger/book/book.ts'
import { type FeeRate, recordFee, type PostedFill } from '../../../../../src/core/ledger/fills/fees.ts'
import { postedElsewhere } from '../../../../../src/core/ledger/fills/other-chain.ts'
import type { ReconciliationAction } from '../../../../../src/core/ledger/reconciliation/actions.ts'
import { beginDeactivation } from '../../../../../src/core/ledger/reconciliation/deactivation.ts'
import { reconcileSnapshot } from '../../../../../src/core/ledger/reconciliation/reconcile-snapshot.ts'
import {
  createReconciliation,
  type ReconciliationState,
  type ReconciliationTerms,
} from '../../../../../src/core/ledger/reconciliation/state.ts'

const ONE = 10n ** 18n
const HELD: Amounts = { NTZS: 9_000n * ONE, USDC: 900n * ONE, USDT: 900n * ONE, 'USDT.bnb': 900n * ONE }

/** 25 shillings for a cent; the row names a fee of 0.00001. */
const bid = (out: 'USDC' | 'USDT', over: Partial<PostedFill> = {}): PostedFill => ({
  inAsset: 'NTZS',
  amountIn: 25n * ONE,
  outAsset: out,
  amountOut: ONE / 100n - ONE / 100_000n,
  fee: ONE / 100_000n,
  word: ONE / 100_000n,
  computed: false,
  at: null,
  ...over,
})

/** The same of USDT by a row that names no chain. */
const bare = (id: string) => {
  const elsewhere = { id, fee: ONE / 100_000n, word: ONE / 100_000n, mid: null }
  return { ...bid('USDT', { elsewhere }), elsewhere }
}

/** Reconciled; these fills came with the poll after the reading. */
function stateWith(fills: readonly PostedFill[], over: Partial<ReconciliationState> = {}) {
  const state = createReconciliation()
  for (const fill of fills) recordFee(state.fees, fill)
  const polls = [
    { t: 1, fresh: 0, fills: [] },
    { t: 10, fresh: fills.length, fills },
  ]
  const mentioned = Object.fromEntries(ASSETS.map((asset) => [asset, true]))
  const rows = [...fills]
  const known = { polls, mentioned, rows, postedRows: rows.length }
  return Object.assign(state, { opened: true, state: 'reconciled', ...known, ...over })
}

function read(
  state: ReconciliationState,
  amounts: Partial<Amounts>,
  {
    where = 'pool',
    ledger = HELD,
    ...over
  }: Partial<ReconciliationTerms & { where: 'pool' | 'wallet'; ledger: Amounts }> = {},
) {
  const out: ReconciliationAction[] = []
  const none = zeroAmounts()
  const terms = {
    t: 10,
    sentAt: 7,
    posted: [],
    accounts: { ...createBook().accounts, [where]: ledger },
    settings: { confirmations: 1, graceMs: 0, dustUnits: none },
    unknownWithdrawals: [],
    feeRates: [],
    mids: [],
    busy: false,
    isSweepUnclear: false,
    ...over,
  }
  const difference = reconcileSnapshot(state, { sentAt: 5, t: 6, amounts, where }, terms, out)
  return { out, difference }
}

/** The ledger with this fill in it. */
function after(held: Amounts, { inAsset, amountIn, outAsset, amountOut, fee }: PostedFill): Amounts {
  const ledger = { ...held }
  ledger[inAsset] += amountIn
  ledger[outAsset] -= amountOut + fee
  return ledger
}

describe('a fill that the balances show on the other chain', () => {
  it.each<[string, PostedFill, string, string]>([
    ['a payout', bare('a'), '0.00999 USDT.bnb out', '0.00999 USDT out'],
    [
      'what came in',
      { ...bare('a'), inAsset: 'USDT', amountIn: ONE, outAsset: 'NTZS' },
      '1 USDT.bnb in',
      '1 USDT in',
    ],
  ])('is moved there, with the rows that are kept: %s', (_, booked, there, here) => {
    const other = bid('USDC')
    const state = stateWith([booked, other])
    const shown = postedElsewhere({ ...booked, elsewhere: booked.elsewhere! })
    const { out } = read(state, after(after(HELD, shown), other), {
      ledger: after(after(HELD, booked), other),
    })
    const reason = `the balances show ${there}, but ${here} was booked for a row that names no chain`
    expect(out).toEqual([
      { do: 'correctChain', booked, shown, model: 'from-position', where: 'pool', reason },
    ])
    expect(state.rows).toEqual([shown, other])
    expect(state.polls.map(({ t, fills }) => [t, fills])).toEqual([
      [1, []],
      [10, [shown, other]],
    ])
    expect(state).toMatchObject({ bareChain: 'USDT.bnb', voidBefore: 10 })
  })

  it.each([
    ['stays undecided by a reading without its symbol', { NTZS: HELD.NTZS }, 1],
    ['is decided by a reading of one of its chains', { USDT: HELD.USDT }, 0],
  ])('%s', (_, amounts, undecided) => {
    const state = stateWith([])
    recordFee(state.fees, bare('a'))
    expect(read(state, amounts).out).toEqual([])
    expect(state.fees.undecided).toHaveLength(undecided)
  })

  it('is no late token that the venue mentions for the first time', () => {
    const booked = bare('a')
    const shown = postedElsewhere(booked)
    const ledger = { ...after(HELD, booked), 'USDT.bnb': 0n }
    const venue = after({ ...HELD, 'USDT.bnb': 0n }, shown)
    const known = { NTZS: true, USDC: true, USDT: true } as const
    const state = stateWith([booked], { mentioned: { ...known } })
    expect(read(state, venue, { ledger }).out).toMatchObject([{ do: 'correctChain' }])
    expect(state.mentioned['USDT.bnb']).toBe(true)
    // Without such a fill it waits until no fill comes around its first figure.
    const late = stateWith([bid('USDT')], { mentioned: { ...known } })
    expect(read(late, { ...after(HELD, bid('USDT')) }, { ledger: after(HELD, bid('USDT')) }).out).toEqual([])
    expect(late.mentioned['USDT.bnb']).toBeUndefined()
  })
})

describe('a protocol fee that the balances show', () => {
  const earlier = bid('USDT')
  const later = bare('b')
  // 20 bps of a cent, where 10 were posted for both fills.
  const dearer = ONE / 50_000n
  const shown = after(HELD, { ...earlier, fee: dearer })
  const ledger = after(after(HELD, earlier), later)

  it('is put right for every fill, and the later ones count at it from then on', () => {
    const state = stateWith([earlier, later])
    const why = 'the balances show a protocol fee of 20 bps instead of the fee in the rows (20 bps)'
    expect(read(state, shown, { ledger, feeRates: [20] }).out).toEqual([
      { do: 'setFeeModel', model: 'from-position', why },
      { do: 'correctFee', asset: 'USDT', amount: ONE / 50_000n, where: 'pool', reason: why },
    ])
    const { fees, computed, counts, rate, undecided } = state.fees
    expect(rate).toEqual({ bps: 20, of: 'gross' })
    expect([fees.USDT, computed.USDT, counts.USDT]).toEqual([dearer, 1, 1])
    expect(undecided).toMatchObject([
      { fee: dearer, elsewhere: { id: 'b', fee: dearer, word: ONE / 100_000n } },
    ])
    expect(state.voidBefore).toBe(10)
  })

  it('is the fee in the rows again where that fits', () => {
    const rate: FeeRate = { bps: 20, of: 'gross' }
    const posted = [earlier, later].map((fill) => ({ ...fill, fee: dearer }))
    const state = stateWith(posted)
    state.fees.rate = rate
    const at = after(after(HELD, posted[0]!), posted[1]!)
    const why = 'the balances show a protocol fee of the fee in the rows instead of 20 bps'
    expect(read(state, after(HELD, earlier), { ledger: at }).out[0]).toMatchObject({ do: 'setFeeModel', why })
    expect(state.fees).toMatchObject({ rate: null, computed: { USDT: 0 } })
    expect([state.fees.fees.USDT, state.fees.undecided[0]?.elsewhere?.fee]).toEqual([later.word, later.word])
  })
})

describe('a reading of the wallet', () => {
  it.each(['pool', 'wallet'] as const)(
    'ends a deactivation that it explains, and one of the pool does not: %s',
    (where) => {
      const state = stateWith([])
      beginDeactivation(state)
      read(state, HELD, { where })
      expect(state.deactivation === null).toBe(where === 'wallet')
      const booked = stateWith([])
      beginDeactivation(booked)
      const withdrawals = [{ asset: 'USDC', amount: 7n }] as const
      read(booked, { ...HELD, USDC: HELD.USDC - 7n }, { where, unknownWithdrawals: withdrawals })
      expect(booked.deactivation === null).toBe(where === 'wallet')
      expect(booked.matchedAt).toBe(6)
    },
  )

  it('without the tokens of an activation whose outcome is unknown waits for it to be repeated', () => {
    const state = stateWith([], { foreign: { readings: 1, difference: {} } })
    const half = { ...HELD, NTZS: 0n }
    const why =
      'tokens that left the wallet are assumed to be in the pool until the activation, which had no clear answer, is repeated'
    expect(read(state, half, { where: 'wallet', isSweepUnclear: true })).toEqual({
      out: [{ do: 'setStatus', state: 'pending', why, unreconciled: {} }],
      difference: null,
    })
    expect(state).toMatchObject({ foreign: null, pending: [] })
    expect(read(stateWith([]), half, { where: 'wallet' }).difference).toEqual({ NTZS: -HELD.NTZS })
  })
})

describe('an outflow', () => {
  it.each([
    ['of the amount and token of a withdrawal without an answer is that one', 'USDC', 7n, 'withdrawal'],
    ['of another amount is not booked', 'USDC', 8n, null],
    ['of another token is not booked', 'USDT', 7n, null],
  ] as const)('%s', (_, asset, amount, kind) => {
    const state = stateWith([])
    const unknownWithdrawals = [{ asset, amount }]
    const { out } = read(state, { ...HELD, USDC: HELD.USDC - 7n }, { unknownWithdrawals })
    const booked = out.filter((one) => one.do === 'book')
    const reason = 'a withdrawal without an answer was executed'
    const entry = { do: 'book', kind, reason, asset: 'USDC', amount: 7n, where: 'pool' }
    expect(booked).toEqual(kind === null ? [] : [entry])
  })

  it('that the ledger was before its latest rows is an old answer, and no theft', () => {
    const fill = bid('USDC', { amountOut: 500n * ONE })
    const mids = [2_500n * ONE]
    const old = { ...HELD }
    const ledger = after(HELD, {
      ...fill,
      inAsset: 'USDC',
      amountIn: 1_000n * ONE,
      outAsset: 'NTZS',
      amountOut: 0n,
    })
    const theft = stateWith([])
    read(theft, old, { ledger, mids })
    expect(theft.foreign).toMatchObject({ readings: 1, difference: { USDC: -1_000n * ONE } })
    const cached = stateWith([])
    cached.rows = [{ ...fill, inAsset: 'USDC', amountIn: 1_000n * ONE, outAsset: 'NTZS', amountOut: 0n }]
    read(cached, old, { ledger, mids })
    expect(cached.foreign).toBeNull()
  })
})
