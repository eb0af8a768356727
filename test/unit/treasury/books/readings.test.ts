import { describe, expect, test } from 'vitest'
import { wholeIdentity } from '../../../../src/treasury/books/identity.ts'
import { balanceOf, createBooks, move, post } from '../../../../src/treasury/books/books.ts'
import type { ClaimTrace } from '../../../../src/treasury/books/claim-evidence.ts'
import type { OpenFigure } from '../../../../src/treasury/books/provisional.ts'
import { bookHoldings, type OpenValue } from '../../../../src/treasury/books/readings.ts'
import { createTreasury } from '../../../../src/treasury/core/treasury.ts'
import type { Leg } from '../../../../src/treasury/model/intent.ts'
import type { TreasuryPlace } from '../../../../src/treasury/model/place.ts'
import {
  START,
  treasuryConfig,
  holdingsOf,
  MID,
  plannedLeg,
  plannedStep,
  TreasuryHarness,
  TZS,
  USD,
} from '../../../support/treasury-harness.ts'

const NONE = { NTZS: 0n, USDC: 0n, USDT: 0n }
const UNIT = TZS * TZS
const ID = 'd'.repeat(32)

function differs(harness: TreasuryHarness): readonly string[] {
  return harness.observations.flatMap((one) =>
    one.type === 'treasuryAlert' && one.code === 'treasury-books-differ' ? [one.message] : [],
  )
}

/** Reads the same balances every two minutes for a quarter of an hour. */
function readOften(harness: TreasuryHarness, change: Parameters<typeof holdingsOf>[0]): void {
  for (let minutes = 0; minutes < 15; minutes += 2) {
    harness.now += 120_000
    harness.look(holdingsOf(change))
  }
}

describe('the books and the balances that are read', () => {
  test('have a token that came into sight late as opened, though takers moved it before, and no token twice', () => {
    const harness = new TreasuryHarness()
    const pool = { NTZS: 10_000_000n * TZS, USDC: 20_000n * USD, USDT: 3_900n * USD }
    const opened = { ...NONE, USDC: 20_000n * USD, USDT: 4_000n * USD }
    harness.give({ type: 'flowSeen', flow: { ...NONE, USDT: -100n * USD } })
    harness.give({ type: 'flowSeen', flow: NONE, opened })
    readOften(harness, { pool })
    expect(differs(harness)).toEqual([])
    const { books } = harness.state
    expect(balanceOf(books, 'pool', 'USDT')).toBe(3_900n * USD)
    expect(balanceOf(books, 'opening', 'USDT')).toBe(-4_000n * USD)
    expect(balanceOf(books, 'pool', 'USDC')).toBe(20_000n * USD)
  })

  test('the first reading opens the books, and the identity holds in both currencies', () => {
    const { state } = new TreasuryHarness()
    const value = (70_000_000n + 25_000n * 2_500n) * UNIT
    expect(wholeIdentity(state.books, MID)).toMatchObject({
      tzs: { opening: value, value, residual: 0n },
      usd: { residual: 0n },
    })
  })

  test('fills are trading, and a move of the mid is inventory', () => {
    const harness = new TreasuryHarness()
    harness.give({ type: 'flowSeen', flow: { NTZS: -2_600n * TZS, USDC: 1n * USD, USDT: 0n } })
    const pool = { NTZS: 9_997_400n * TZS, USDC: 20_001n * USD, USDT: 0n }
    harness.look(holdingsOf({ pool }), MID + 10n * TZS)
    expect(differs(harness)).toEqual([])
    const whole = wholeIdentity(harness.state.books, MID + 10n * TZS)
    expect(whole?.tzs).toMatchObject({ trading: -100n * UNIT, inventory: 25_001n * 10n * UNIT, residual: 0n })
    expect(whole?.usd.residual).toBe(0n)
  })

  test('a lasting difference is booked as unreconciled and reported, a passing one is not', () => {
    const harness = new TreasuryHarness()
    harness.look(holdingsOf({ treasury: { ...NONE, NTZS: 59_000_000n * TZS, USDC: 5_000n * USD } }))
    readOften(harness, {})
    expect(differs(harness)).toEqual([])
    readOften(harness, { treasury: { ...NONE, NTZS: 59_000_000n * TZS, USDC: 5_001n * USD } })
    expect(differs(harness)).toEqual([
      'treasury hold less by 1000000 NTZS, more by 1 USDC than the books had: booked as unreconciled',
    ])
    expect(wholeIdentity(harness.state.books, MID)?.tzs).toMatchObject({
      unreconciled: -(1_000_000n - 2_500n) * UNIT,
      residual: 0n,
    })
  })

  test('a sweep from the LP wallet into the pool is no difference', () => {
    const harness = new TreasuryHarness()
    const pool = { NTZS: 10_000_000n * TZS, USDC: 20_000n * USD, USDT: 0n }
    readOften(harness, { pool: NONE, lpWallet: pool })
    readOften(harness, { pool, lpWallet: NONE })
    expect(differs(harness)).toEqual([])
    expect(harness.state.books.accounts['pool']?.USDC).toBe(20_000n * USD)
  })

  test('while a leg is under way a difference at its places waits', () => {
    const harness = new TreasuryHarness()
    const leg = plannedLeg({ kind: 'transfer', from: 'treasury', to: 'lpWallet', amount: TZS })
    harness.plan(ID, plannedStep([leg], { route: 'rebalance' }))
    harness.prepare(ID, 0)
    readOften(harness, { treasury: { ...NONE, NTZS: 1n } })
    expect(differs(harness)).toEqual([])
  })

  test('a place that cannot be read is not compared', () => {
    const harness = new TreasuryHarness()
    readOften(harness, { treasury: null })
    expect(differs(harness)).toEqual([])
  })

  test('what was booked before the first mid is valued by it', () => {
    const treasury = createTreasury()
    const quote = { bidBps: null, askBps: null, isActive: true, isHalted: false }
    const at = { t: START, type: 'holdingsSeen', holdings: holdingsOf(), quote } as const
    const config = treasuryConfig()
    treasury.process({ t: START, type: 'configured', config, policyHash: 'hash-1', author: null })
    treasury.process({ ...at, mid: null })
    const state = treasury.state()
    if (state === null) throw new Error('not configured')
    expect(wholeIdentity(state.books, null)).toBeNull()
    treasury.process({ ...at, mid: MID })
    const value = (70_000_000n + 25_000n * 2_500n) * UNIT
    expect(wholeIdentity(state.books, MID)?.tzs).toMatchObject({
      opening: value,
      inventory: 0n,
      residual: 0n,
    })
  })

  test('a balance that holds the value of a claim is no gain, but evidence for its resolution', () => {
    const harness = new TreasuryHarness()
    const leg = plannedLeg({ kind: 'transfer', from: 'treasury', to: 'lpWallet', amount: 7_000n * TZS })
    harness.plan(ID, plannedStep([leg], { route: 'rebalance' }))
    harness.prepare(ID, 0)
    harness.silence(ID, 0)
    harness.pass(3_700_000)
    harness.findNothing(ID)
    readOften(harness, {})
    expect(differs(harness)).toEqual([])
    expect(harness.intent(ID).legs[0]?.evidence).toMatchObject([
      {
        by: 'balances',
        suggests: 'returned',
        amount: 7_000n * TZS,
        words:
          'treasury holds 60000000 NTZS and held 60000000 NTZS before it was sent, 7000 NTZS more than all other known movements explain; it seems not to have left',
      },
    ])
    expect(harness.intent(ID).stage).toBe('claim')
    expect(wholeIdentity(harness.state.books, MID)?.tzs).toMatchObject({ unreconciled: 0n, residual: 0n })
    harness.order({ name: 'resolveClaim', intent: ID, as: 'returned', received: 7_000n * TZS, why: 'seen' })
    readOften(harness, {})
    expect(differs(harness)).toEqual([])
    expect(harness.state.books.accounts['treasury']?.NTZS).toBe(60_000_000n * TZS)
  })
})

/** A figure of a swap into the treasury that is still open. */
function swapFigure(amounts: Pick<OpenFigure['figure'], 'booked' | 'least' | 'most'>): OpenFigure {
  const figure = { what: 'arrived', place: 'treasury', asset: 'NTZS', ...amounts } as const
  return { intent: 'swap', leg: {} as Leg, figure }
}

/** What lasting readings find of books that have `more` in the treasury than it holds, after `earlier` was unreconciled. */
function readFor(more: bigint, open: Partial<OpenValue>, earlier = 0n) {
  const books = createBooks()
  const all = { touched: new Set<TreasuryPlace>(), claims: [], figures: [], corrected: [], ...open }
  bookHoldings(books, holdingsOf(), MID, START, all)
  if (earlier !== 0n) books.unreconciled.push({ place: 'treasury', asset: 'NTZS', amount: earlier })
  post(books, move('external', 'treasury', 'NTZS', more))
  const found = []
  for (let minutes = 2; minutes < 16; minutes += 2)
    found.push(...bookHoldings(books, holdingsOf(), MID, START + minutes * 60_000, all).found)
  return { found, unreconciled: balanceOf(books, 'unreconciled', 'NTZS'), left: books.unreconciled }
}

describe('a difference that a figure of a swap or an open claim may be behind', () => {
  const PAYOUT = 309_700n * TZS
  const swap = swapFigure({
    booked: 13_000_000n * TZS,
    least: 12_900_000n * TZS,
    most: 13_400_000n * TZS,
  })
  const claim: ClaimTrace = {
    leg: { kind: 'withdrawal' } as Leg,
    place: 'treasury',
    asset: 'NTZS',
    amount: PAYOUT,
    least: PAYOUT,
    suggests: 'returned',
    before: null,
  }

  /** What lasting readings decide of books that have `less` in the treasury than it holds. */
  function decided(less: bigint, open: Partial<OpenValue>) {
    const { found, unreconciled } = readFor(-less, open)
    return { found: found.map(({ difference }) => difference), unreconciled }
  }

  test('is the figure’s where no claim is open', () => {
    const { found, unreconciled } = decided(PAYOUT - TZS / 8n, { figures: [swap] })
    expect([found[0], unreconciled]).toEqual([PAYOUT - TZS / 8n, 0n])
  })

  test('is neither attributed to the swap nor booked while a claim may explain a part of it', () => {
    const undecided = decided(PAYOUT - TZS / 8n, { figures: [swap], claims: [claim] })
    expect(undecided).toEqual({ found: [], unreconciled: 0n })
  })

  test('is the figure’s where the claim is too large to be behind it, and unreconciled beyond what both can be', () => {
    const large = { ...claim, amount: 40_000_000n * TZS, least: 40_000_000n * TZS }
    expect(decided(1_000n * TZS, { figures: [swap], claims: [large] }).found[0]).toBe(1_000n * TZS)
    const beyond = decided(900_000n * TZS, { figures: [swap], claims: [claim] })
    expect(beyond.unreconciled).toBe(-900_000n * TZS)
    expect(beyond.found.every((difference) => difference === 0n)).toBe(true)
  })
})

describe('a movement that the balances showed before its intent learned of it', () => {
  const RETURNED = 973_661n * TZS
  const swap = swapFigure({
    booked: 42_539_870n * TZS,
    least: 42_352_367n * TZS,
    most: 44_666_863n * TZS,
  })

  test('that was attributed to the figure of a swap is reversed, except for what balances do not show', () => {
    const corrected = [{ ...swap, difference: RETURNED - TZS / 2n }]
    const { found, unreconciled } = readFor(RETURNED, { corrected })
    expect(found).toEqual([{ ...corrected[0], difference: -RETURNED }])
    expect(unreconciled).toBe(0n)
    expect(readFor(RETURNED - TZS, { corrected }).found).toMatchObject([{ difference: TZS - RETURNED }])
    expect(readFor(RETURNED + TZS, { corrected })).toMatchObject({ found: [], unreconciled: RETURNED + TZS })
  })

  test('below the grain of a balance is no correction: an equally small later difference belongs to another figure', () => {
    const corrected = [{ ...swap, intent: 'earlier', difference: -TZS / 4n }]
    const { found } = readFor(-TZS / 2n, { corrected, figures: [swap] })
    expect(found.map(({ intent }) => intent)).not.toContain('earlier')
    expect(found[0]).toMatchObject({ intent: 'swap', difference: TZS / 2n })
  })

  test('that was booked as unreconciled is undone, and the rest corrects the figure of a swap', () => {
    const slippage = 172_460n * TZS
    const arrived = 41_264_305n * TZS
    const open = { figures: [swap] }
    const { found, unreconciled, left } = readFor(arrived - slippage, open, arrived)
    expect(found.map(({ difference }) => difference)).toContain(slippage)
    expect([unreconciled, left]).toEqual([arrived, []])
  })

  test('is not searched for if the figures explain the whole difference', () => {
    const { found, left } = readFor(-172_460n * TZS, { figures: [swap] }, 100n * TZS)
    expect(found[0]?.difference).toBe(172_460n * TZS)
    expect(left).toHaveLength(1)
  })
})
