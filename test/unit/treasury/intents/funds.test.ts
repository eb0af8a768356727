import { describe, expect, test } from 'vitest'
import {
  holdingsOf,
  PAYOUT,
  plannedLeg,
  plannedStep,
  TreasuryHarness,
  TZS,
  USD,
} from '../../../support/treasury-harness.ts'

const ID = 'b'.repeat(32)
const HOUR_MS = 3_600_000

const withTzs = (shillings: bigint) =>
  holdingsOf({ treasury: { NTZS: shillings * TZS, USDC: 5_000n * USD, USDT: 0n } })

/** Readings of the same balance every half minute for hours. */
function readFor(harness: TreasuryHarness, hours: number, shillings: bigint): void {
  for (let readings = 0; readings < hours * 120; readings++) {
    harness.pass(30_000)
    harness.look(withTzs(shillings))
  }
}

/** A payout of 500,000 net over at most 505,000, agreed to, while the treasury's wallet holds so much. */
function paying(shillings: bigint): TreasuryHarness {
  const harness = new TreasuryHarness({ approval: { people: 1, coolOffMs: 0 } })
  // The books follow a balance that lasts.
  readFor(harness, 1, shillings)
  harness.plan(ID, PAYOUT)
  harness.approve(ID, 'anna')
  return harness
}

const missing = (harness: TreasuryHarness) =>
  harness.observations.flatMap((one) =>
    one.type === 'treasuryAlert' && one.code === 'treasury-funds-missing' ? [one.message] : [],
  )

describe('a payout whose place holds too little', () => {
  test('asks for no price, says once what is missing, and continues with the reading that shows enough', () => {
    const poor = paying(400_000n)
    readFor(poor, 5, 400_000n)
    expect(poor.take('quote')).toEqual([])
    expect(poor.intent(ID)).toMatchObject({
      stage: 'waiting_for_funds',
      why: 'waiting for funds: treasury lacks 100000 NTZS; this step needs 500000 NTZS',
    })
    expect(missing(poor)).toEqual([
      'payout to landlord waits for funds: treasury lacks 100000 NTZS. It holds 400000 NTZS, and the step needs 500000 NTZS',
    ])
    poor.look(withTzs(500_000n))
    expect(poor.take('quote')).toEqual([{ type: 'quote', intent: ID, leg: 0 }])
    poor.quote(ID, 0, { spend: 500_000n * TZS, receive: 500_000n * TZS })
    expect(poor.intent(ID)).toMatchObject({ stage: 'quoted', legs: [{ waitsFor: null }] })
  })

  test('that the venue cannot pay waits for the figure of its quote, with fees', () => {
    const harness = paying(60_000_000n)
    harness.take('quote')
    harness.quote(ID, 0, { quoteId: null, spend: 503_000n * TZS, receive: 500_000n * TZS })
    harness.look(withTzs(502_999n))
    readFor(harness, 3, 502_999n)
    expect(harness.take('quote')).toEqual([])
    expect(harness.intent(ID).stage).toBe('waiting_for_funds')
    expect(missing(harness)).toHaveLength(1)
    harness.look(withTzs(503_000n))
    expect(harness.take('quote')).toHaveLength(1)
  })

  test('is asked about with growing pauses where the readings show enough and the venue still cannot pay', () => {
    const harness = paying(60_000_000n)
    let asked = 0
    for (let readings = 0; readings < 120; readings++) {
      harness.look(withTzs(60_000_000n))
      for (const _ of harness.take('quote')) {
        asked += 1
        harness.quote(ID, 0, { quoteId: null, spend: 503_000n * TZS, receive: 500_000n * TZS })
      }
      harness.pass(30_000)
    }
    expect(asked).toBeGreaterThan(3)
    expect(asked).toBeLessThan(25)
    expect(missing(harness)).toHaveLength(1)
  })

  test('waits through a restart, expires like any other, and can be cancelled', () => {
    const harness = paying(60_000_000n)
    harness.quote(ID, 0, { quoteId: null, spend: 60_001_000n * TZS, receive: 500_000n * TZS })
    harness.give({ type: 'restarted', version: '2', isRestored: false })
    expect(harness.intent(ID).stage).toBe('waiting_for_funds')
    harness.take('quote')
    expect(harness.order({ name: 'cancel', intent: ID, why: 'not needed' })).toBe('yes: cancelled')
    const other = paying(60_000_000n)
    other.quote(ID, 0, { quoteId: null, spend: 60_001_000n * TZS, receive: 500_000n * TZS })
    other.pass(25 * HOUR_MS)
    expect(other.intent(ID).stage).toBe('expired')
  })

  test('takes a price all the same: the venue knows its balances best, and an older journal has such prices', () => {
    const harness = paying(60_000_000n)
    harness.quote(ID, 0, { quoteId: null, spend: 60_001_000n * TZS, receive: 500_000n * TZS })
    harness.look(withTzs(1_000n))
    harness.quote(ID, 0, { spend: 503_000n * TZS, receive: 500_000n * TZS })
    expect(harness.intent(ID).stage).toBe('quoted')
    expect(harness.take('prepare')).toHaveLength(1)
  })
})

test('a payout after a withdrawal from the pool waits for no reading: the books know what arrived', () => {
  const amount = 500_000n * TZS
  const harness = new TreasuryHarness({ approval: { people: 1, coolOffMs: 0 } })
  const steps = [
    plannedLeg({ kind: 'lpWithdrawal', from: 'lpWallet', to: 'treasury', amount }),
    ...PAYOUT.legs,
  ]
  const none = { NTZS: 0n, USDC: 0n, USDT: 0n }
  for (let minutes = 0; minutes < 10; minutes++) {
    harness.now += 60_000
    harness.look(holdingsOf({ treasury: none }))
  }
  harness.plan(ID, plannedStep(steps, { rule: 'payout', direction: 'out', route: 'payout' }))
  harness.approve(ID, 'anna')
  harness.answer(ID, 0)
  harness.answer(ID, 1, { received: amount })
  harness.answer(ID, 3)
  harness.take('quote')
  harness.answer(ID, 2)
  expect(harness.take('quote')).toHaveLength(1)
  expect(missing(harness)).toEqual([])
})
