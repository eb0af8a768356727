import { describe, expect, test } from 'vitest'
import { decodeJson, encodeJson } from '../../../../src/base/codec.ts'
import { wholeIdentity } from '../../../../src/treasury/books/identity.ts'
import { createTreasury } from '../../../../src/treasury/core/treasury.ts'
import type { TreasuryEvent } from '../../../../src/treasury/model/event.ts'
import type { Holdings } from '../../../../src/treasury/model/place.ts'
import {
  holdingsOf,
  MID,
  PAYOUT,
  plannedLeg,
  plannedStep,
  TreasuryHarness,
  TZS,
  USD,
  PAYOUT_ORDER,
} from '../../../support/treasury-harness.ts'

const ID = 'a'.repeat(32)
const OTHER = 'b'.repeat(32)
const SENT = 7_000n * TZS

/** The treasury's wallet, with so much more or less than at the beginning, and the LP wallet. */
function holding(treasury: bigint, lpWallet = 0n): Holdings {
  return holdingsOf({
    treasury: { NTZS: 60_000_000n * TZS + treasury, USDC: 5_000n * USD, USDT: 0n },
    lpWallet: { NTZS: lpWallet, USDC: 0n, USDT: 0n },
  })
}

/** A transfer into the LP wallet whose answer was lost, and that no finder found. */
function claimed(harness = new TreasuryHarness(), id = ID, amount = SENT): TreasuryHarness {
  const leg = plannedLeg({ kind: 'transfer', from: 'treasury', to: 'lpWallet', amount })
  harness.plan(id, plannedStep([leg], { route: 'rebalance', rule: id === ID ? 'manual' : 'refill' }))
  harness.prepare(id, 0)
  harness.silence(id, 0)
  harness.pass(3_700_000)
  harness.findNothing(id)
  expect(harness.intent(id).stage).toBe('claim')
  return harness
}

function evidence(harness: TreasuryHarness, id = ID) {
  const { evidence = [] } = harness.intent(id).legs[0] ?? {}
  return evidence.map(({ by, suggests, amount }) => [by, suggests, amount])
}

function readOften(harness: TreasuryHarness, holdings: Holdings): void {
  for (let reading = 0; reading < 30; reading++) {
    harness.pass(30_000)
    harness.look(holdings)
  }
}

describe('what the balances show of a claim', () => {
  test('that never left is its exact amount still there, and that arrived its exact amount at the other end', () => {
    const stayed = claimed()
    stayed.look(holding(0n))
    expect(evidence(stayed)).toEqual([['balances', 'returned', SENT]])
    const arrived = claimed()
    arrived.look(holding(-SENT, SENT))
    expect(evidence(arrived)).toEqual([['balances', 'arrived', SENT]])
  })

  test('is nothing where the difference is a unit more or less, and nothing where the balances are as booked', () => {
    for (const more of [1n, -1n]) {
      const harness = claimed()
      harness.look(holding(more))
      expect(evidence(harness)).toEqual([])
    }
    const harness = claimed()
    harness.look(holding(-SENT))
    expect(evidence(harness)).toEqual([])
  })

  test('counts without the movements of others that are known: a payout that arrived meanwhile changes nothing', () => {
    const harness = claimed()
    harness.order(PAYOUT_ORDER, 'anna', { id: OTHER, step: PAYOUT })
    harness.approve(OTHER, 'bertha')
    harness.quote(OTHER, 0, { spend: 503_000n * TZS, receive: 500_000n * TZS })
    harness.prepare(OTHER, 0)
    harness.answer(OTHER, 0, { received: 500_000n * TZS })
    harness.look(holding(-503_000n * TZS))
    expect(evidence(harness)).toEqual([['balances', 'returned', SENT]])
  })

  test('counts without what the place held beyond the books before it was sent', () => {
    const harness = new TreasuryHarness()
    const gift = 123n * TZS
    harness.look(holding(gift))
    claimed(harness)
    harness.look(holding(gift))
    expect(evidence(harness)).toEqual([['balances', 'returned', SENT]])
    readOften(harness, holding(gift))
    // The gift is booked by itself, and the claim's value is not a second gain.
    expect(harness.state.books.accounts['unreconciled']?.NTZS).toBe(-gift)
    expect(evidence(harness)).toEqual([['balances', 'returned', SENT]])
    expect(wholeIdentity(harness.state.books, MID)?.tzs.residual).toBe(0n)
  })

  test('is a transfer that arrived less a fee within its bound, where one claim alone can be it', () => {
    const fee = 35n * TZS
    const harness = claimed()
    harness.look(holding(-SENT, SENT - fee))
    expect(evidence(harness)).toEqual([['balances', 'arrived', SENT - fee]])
    const beyond = claimed()
    beyond.look(holding(-SENT, SENT - 71n * TZS))
    expect(evidence(beyond)).toEqual([])
    const two = claimed(claimed(), OTHER, SENT - TZS)
    two.look(holding(-SENT - SENT + TZS, SENT - fee))
    expect([evidence(two), evidence(two, OTHER)]).toEqual([[], []])
  })

  test('is withdrawn once the balances no longer show it, and stays if they could not be read', () => {
    const harness = claimed()
    harness.look(holding(0n))
    harness.look({ ...holding(0n), treasury: null })
    expect(evidence(harness)).toHaveLength(1)
    harness.look(holding(-SENT))
    expect(evidence(harness)).toEqual([])
  })

  test('sends nothing and ends nothing: a person resolves the claim, and books and balances agree then', () => {
    const harness = claimed()
    harness.effects = []
    readOften(harness, holding(0n))
    expect(harness.intent(ID).stage).toBe('claim')
    expect(harness.effects.filter(({ type }) => type === 'transmit' || type === 'prepare')).toEqual([])
    const order = { name: 'resolveClaim', intent: ID, as: 'returned', received: SENT, why: 'seen' } as const
    expect(harness.order(order)).toMatch(/^yes/)
    harness.look(holding(0n))
    expect(harness.state.books.accounts['treasury']?.NTZS).toBe(60_000_000n * TZS)
    expect(harness.state.books.accounts['unreconciled']?.NTZS).toBe(0n)
  })

  test('is the same after a restart: the state is the fold of the events', () => {
    const harness = claimed()
    harness.look(holding(0n))
    const folded = createTreasury()
    for (const event of decodeJson(encodeJson(harness.events)) as TreasuryEvent[]) folded.process(event)
    expect(encodeJson(folded.state())).toBe(encodeJson(harness.state))
  })
})

describe('what the chain shows of a claim', () => {
  const HASH = `0x${'7'.repeat(64)}`
  const candidates = [
    { by: 'chain', reference: HASH, received: 6_990n * TZS },
    { by: 'chain', reference: `0x${'8'.repeat(64)}`, received: 6_980n * TZS },
  ] as const

  test('where more than one transfer fits is evidence of each, and the claim stays', () => {
    const harness = claimed()
    const finding = { type: 'findingSeen', intent: ID, leg: 0, n: 1, found: null, words: 'two fit' } as const
    harness.give({ ...finding, candidates })
    expect(evidence(harness)).toEqual([
      ['chain', 'arrived', 6_990n * TZS],
      ['chain', 'arrived', 6_980n * TZS],
    ])
    expect(harness.intent(ID).stage).toBe('claim')
    harness.look(holding(-SENT))
    expect(evidence(harness)).toHaveLength(2)
    harness.order({ name: 'resolveClaim', intent: ID, as: 'arrived', received: 6_990n * TZS, why: 'seen' })
    expect(harness.intent(ID).legs[0]).toMatchObject({ stage: 'settled', reference: HASH })
  })
})

describe('a claim', () => {
  const HOUR = 3_600_000

  test('is searched for every hour of its first day and every day after that, and is never sent again', () => {
    const harness = claimed()
    harness.effects = []
    harness.pass(HOUR - 1)
    expect(harness.take('find')).toEqual([])
    harness.pass(1)
    expect(harness.take('find')).toEqual([{ type: 'find', intent: ID, leg: 0, n: 1 }])
    harness.pass(23 * HOUR)
    expect(harness.take('find')).toHaveLength(23)
    harness.pass(10 * 24 * HOUR)
    expect(harness.take('find')).toHaveLength(10)
    expect(harness.intent(ID).stage).toBe('claim')
    expect([...harness.take('transmit'), ...harness.take('prepare')]).toEqual([])
  })

  test('whose resource is known is read instead, and what the venue reports of it ends the claim', () => {
    const harness = new TreasuryHarness()
    const leg = plannedLeg({ kind: 'transfer', from: 'treasury', to: 'lpWallet', amount: SENT })
    harness.plan(ID, plannedStep([leg], { route: 'rebalance', rule: 'manual' }))
    harness.prepare(ID, 0)
    harness.answer(ID, 0, { status: 'reconcile_required' })
    harness.effects = []
    harness.pass(HOUR)
    expect([harness.take('read').length, harness.take('find').length]).toEqual([1, 0])
    harness.see(ID, 0, { status: 'reconcile_required' })
    harness.pass(HOUR - 1)
    expect(harness.take('read')).toEqual([])
    harness.pass(1)
    expect(harness.take('read')).toHaveLength(1)
    harness.see(ID, 0, { received: SENT })
    expect(harness.intent(ID).stage).toBe('settled')
    harness.pass(48 * HOUR)
    expect(harness.take('read')).toEqual([])
  })

  test('that is resolved is no longer searched for', () => {
    const harness = claimed()
    harness.order({ name: 'resolveClaim', intent: ID, as: 'lost', received: 0n, why: 'gone' })
    harness.effects = []
    harness.pass(48 * HOUR)
    expect(harness.take('find')).toEqual([])
  })
})
