import { describe, expect, test } from 'vitest'
import { createTreasury } from '../../../../src/treasury/core/treasury.ts'
import { wholeIdentity } from '../../../../src/treasury/books/identity.ts'
import {
  MID,
  PAYOUT,
  REFILL,
  START,
  TreasuryHarness,
  TZS,
  VENUE,
  PAYOUT_ORDER,
} from '../../../support/treasury-harness.ts'

const ID = 'a'.repeat(32)

describe('the walk of an intent', () => {
  test('a refill walks from the bank over the treasury and the LP wallet into the pool, each step after the one before it', () => {
    const harness = new TreasuryHarness()
    expect(harness.plan(ID, REFILL).stage).toBe('approved')
    expect(harness.take('prepare')).toEqual([{ type: 'prepare', intent: ID, leg: 0 }])
    harness.prepare(ID, 0)
    expect(harness.take('transmit')).toEqual([{ type: 'transmit', intent: ID, leg: 0, n: 1 }])
    harness.answer(ID, 0, {
      status: 'waiting_for_payer',
      reference: 'REF-ABC123',
      instructions: 'pay 40,000,000',
    })
    expect(harness.intent(ID).stage).toBe('known')
    expect(harness.take('prepare')).toEqual([])
    harness.pass(31_000)
    expect(harness.take('read')).toEqual([{ type: 'read', intent: ID, leg: 0 }])
    harness.see(ID, 0, { received: 40_000_000n * TZS })
    expect(harness.take('prepare')).toEqual([{ type: 'prepare', intent: ID, leg: 1 }])
    harness.prepare(ID, 1)
    harness.answer(ID, 1, { resourceId: 'transfer', reference: '0xabc', received: 40_000_000n * TZS })
    expect(harness.take('position')).toEqual([
      { type: 'position', intent: ID, leg: 2, n: 1, order: { name: 'activate' } },
    ])
    harness.answer(ID, 2, { resourceId: null })
    expect(harness.intent(ID)).toMatchObject({ stage: 'settled', endedAt: harness.now })
    const { accounts, reserved } = harness.state.books
    expect(accounts['pool']?.NTZS).toBe(50_000_000n * TZS)
    expect(accounts['bank']?.NTZS).toBe(-40_000_000n * TZS)
    expect(reserved).toEqual({})
    expect(wholeIdentity(harness.state.books, MID)).toMatchObject({
      tzs: { residual: 0n, flows: 40_000_000n * TZS * TZS, costs: 0n },
      usd: { residual: 0n },
    })
  })

  test('a payout waits for two people, is priced, and its fee is a cost of the rail', () => {
    const harness = new TreasuryHarness()
    expect(harness.order(PAYOUT_ORDER, 'anna', { id: ID, step: PAYOUT })).toContain(`yes: ${ID} is planned`)
    expect(harness.take('quote')).toEqual([])
    expect(harness.approve(ID, 'anna')).toMatch(/^no: anna /)
    expect(harness.approve(ID, 'bertha')).toBe('yes: approved')
    expect(harness.take('quote')).toEqual([{ type: 'quote', intent: ID, leg: 0 }])
    harness.quote(ID, 0, { spend: 503_000n * TZS, receive: 500_000n * TZS })
    harness.prepare(ID, 0)
    expect(harness.state.books.accounts[`transit:${ID}`]?.NTZS).toBe(503_000n * TZS)
    harness.answer(ID, 0, { status: 'in_transit' })
    harness.see(ID, 0)
    expect(harness.intent(ID).stage).toBe('settled')
    expect(harness.state.books.accounts['railCosts']?.NTZS).toBe(3_000n * TZS)
    expect(harness.state.books.accounts).not.toHaveProperty(`transit:${ID}`)
  })

  test('a silent withdrawal on a route that honours keys is replayed for five minutes, then searched for, and a claim if not found', () => {
    const harness = new TreasuryHarness({
      approval: { people: 1, coolOffMs: 0 },
      keysHonoured: ['POST /withdrawals'],
    })
    harness.order(PAYOUT_ORDER, 'anna', { id: ID, step: PAYOUT })
    harness.quote(ID, 0, { spend: 503_000n * TZS, receive: 500_000n * TZS })
    harness.prepare(ID, 0)
    harness.take('transmit')
    harness.silence(ID, 0)
    harness.pass(299_000)
    const replays = harness.take('transmit')
    expect(replays.length).toBeGreaterThan(3)
    expect(new Set(replays.map(({ n }) => n))).toEqual(new Set([1]))
    harness.refuse(ID, 0, { isFirst: false, code: 'invalid_quote' })
    expect(harness.intent(ID).stage).toBe('silent')
    harness.pass(10_000)
    expect(harness.take('transmit')).toEqual([])
    expect(harness.take('find')).toEqual([{ type: 'find', intent: ID, leg: 0, n: 1 }])
    harness.give({ type: 'findingSeen', intent: ID, leg: 0, n: 1, found: null, words: 'no transfer' })
    expect(harness.intent(ID).stage).toBe('claim')
    expect(harness.state.books.accounts[`claim:${ID}`]?.NTZS).toBe(503_000n * TZS)
    expect(wholeIdentity(harness.state.books, MID)).toMatchObject({ tzs: { residual: 0n, costs: 0n } })
    harness.pass(86_400_000)
    expect(harness.take('transmit')).toEqual([])
  })

  test.each([
    ['looked for', undefined, 1],
    ['sent again where its route honours keys', ['POST /deposits'], 2],
  ])('what was on the wire when the process ended is silent, and is %s', (_what, keysHonoured, sendings) => {
    const harness = new TreasuryHarness(keysHonoured === undefined ? {} : { keysHonoured })
    harness.sendLeg(ID, REFILL)
    harness.take('transmit')
    harness.give({ type: 'restarted', version: '2.0.0', isRestored: false, venue: VENUE })
    const place = { intent: ID, leg: 0, n: 1 }
    expect(harness.take('transmit')).toEqual(sendings === 2 ? [{ type: 'transmit', ...place }] : [])
    expect(harness.take('find')).toEqual(sendings === 1 ? [{ type: 'find', ...place }] : [])
    expect(harness.intent(ID).legs[0]).toMatchObject({ stage: 'silent', attempts: [{ n: 1, sendings }] })
  })

  test('a refusal of the first sending proves that nothing moved: the reserve is free again and another attempt follows', () => {
    const harness = TreasuryHarness.payingOut(ID)
    harness.refuse(ID, 0, { code: 'quote_stale' })
    expect(harness.state.books.reserved).toEqual({})
    expect(harness.intent(ID).legs[0]).toMatchObject({ stage: 'planned', sentAt: null })
    harness.take('quote')
    harness.pass(6_000)
    expect(harness.take('quote')).toHaveLength(1)
  })

  test('equal events give equal effects and an equal state', () => {
    const harness = TreasuryHarness.sending(ID, REFILL)
    harness.silence(ID, 0)
    harness.pass(600_000)
    const again = createTreasury()
    for (const event of harness.events) again.process(event)
    expect(again.state()).toEqual(harness.state)
  })

  test('what comes before the configuration is ignored', () => {
    const treasury = createTreasury()
    expect(treasury.process({ type: 'tick', t: START })).toEqual({ effects: [], observations: [] })
    expect(treasury.state()).toBeNull()
    expect(treasury.planInput(START)).toBeNull()
  })
})
