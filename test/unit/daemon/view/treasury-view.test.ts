import { describe, expect, test } from 'vitest'
import { buildTreasuryView, treasuryViewSchema } from '../../../../src/daemon/view/treasury-view.ts'
import {
  PAYOUT,
  REFILL,
  START,
  TreasuryHarness,
  TZS,
  USD,
  PAYOUT_ORDER,
} from '../../../support/treasury-harness.ts'

const ID = 'a'.repeat(32)

function viewOf({ reading: { state, plan, now } }: TreasuryHarness) {
  const view = buildTreasuryView(state, plan, now)
  // Through JSON, as readers get it: no figure of it may be a bigint.
  expect(treasuryViewSchema.strict().parse(JSON.parse(JSON.stringify(view)))).toEqual(view)
  return view
}

describe('the view of a treasury', () => {
  test('shows who is registered for the account of a payout: while it is looked up, as it was seen, and what it was before', () => {
    const harness = new TreasuryHarness()
    harness.order(PAYOUT_ORDER, 'anna', { id: ID, step: PAYOUT, isNamed: true })
    const shown = () => {
      const { intents, payees } = viewOf(harness)
      return [intents[0]?.registered, payees[0]?.registered]
    }
    expect(shown()).toEqual([{ name: null, note: null, at: null, changedFrom: null }, null])
    harness.name(ID, null, 'timed out')
    const unknown = { name: null, note: 'timed out', at: START, changedFrom: null }
    expect(shown()).toEqual([unknown, unknown])
    harness.name(ID, 'JANE DOE')
    expect(viewOf(harness).intents[0]).toMatchObject({ recipientName: 'JANE DOE' })
    expect(viewOf(harness).intents[0]?.timeline).toContainEqual({
      at: START,
      step: null,
      what: 'looked up',
      text: 'registered as “JANE DOE”',
    })
    harness.name(ID, 'JOHN ROE')
    const changed = { name: 'JOHN ROE', note: null, at: START, changedFrom: 'JANE DOE' }
    expect(shown()).toEqual([changed, changed])
    // The look-up that no one answered hides nothing of the change.
    harness.name(ID, null, 'timed out')
    expect(shown()).toEqual([changed, changed])
  })

  test('shows of a payout for which no one was looked up what the venue named with its price', () => {
    const harness = new TreasuryHarness({ approval: { people: 1, coolOffMs: 0 } })
    harness.order(PAYOUT_ORDER, 'anna', { id: ID, step: PAYOUT })
    expect(viewOf(harness).intents[0]?.registered).toBeNull()
    harness.quote(ID, 0, { spend: 503_000n * TZS, receive: 500_000n * TZS, recipientName: 'JANE DOE' })
    expect(viewOf(harness).intents[0]?.registered).toMatchObject({ name: 'JANE DOE', note: null })
  })

  test('shows every place, and of what is there only what no open intent will take as available', () => {
    const harness = new TreasuryHarness()
    harness.order(PAYOUT_ORDER, 'anna', { id: ID, step: PAYOUT })
    const { holdings } = viewOf(harness)
    expect(holdings.at).toBe(START)
    expect(holdings.places.find(({ place }) => place === 'treasury')).toEqual({
      place: 'treasury',
      onHand: { NTZS: '60000000', USDC: '5000', USDT: '0' },
      booked: { NTZS: '60000000', USDC: '5000', USDT: '0' },
      reserved: { NTZS: '505000', USDC: '0', USDT: '0' },
      available: { NTZS: '59495000', USDC: '5000', USDT: '0' },
    })
    expect(holdings.tokens[0]).toMatchObject({
      asset: 'NTZS',
      onHand: '70000000',
      inTransit: '0',
      reserved: '505000',
      available: '69495000',
      band: null,
    })
  })

  test('counts what was sent as in transit and no longer as reserved, and what is silent for good as a claim', () => {
    const harness = TreasuryHarness.payingOut(ID, { recipientName: 'JANE DOE' })
    expect(viewOf(harness).holdings.tokens[0]).toMatchObject({
      inTransit: '503000',
      reserved: '0',
      available: '69497000',
      claims: '0',
    })
    harness.answer(ID, 0, { status: 'reconcile_required', words: 'reconcile_required' })
    const view = viewOf(harness)
    expect(view.holdings.tokens[0]).toMatchObject({ inTransit: '0', claims: '503000' })
    expect(view.intents).toEqual([])
    const [claim] = view.claims
    expect(claim).toMatchObject({ stage: 'claim', recipientName: 'JANE DOE' })
    expect(claim?.legs[0]?.attempts).toEqual([
      expect.objectContaining({
        key: 'key-1',
        body: expect.stringContaining('key-1'),
        sendings: 1,
        outcome: 'answered',
      }),
    ])
    expect(claim?.timeline.map(({ what }) => what)).toEqual(['planned', 'approved', 'sent', 'ended'])
    expect(view.identity?.tzs.residual).toBe('0')
    expect(view.identity?.usd.residual).toBe('0')
  })

  test('names how many tokens have to approve and which ones may not', () => {
    const harness = new TreasuryHarness()
    harness.order(PAYOUT_ORDER, 'anna', { id: ID, step: PAYOUT })
    const [intent] = viewOf(harness).intents
    expect(intent?.stage).toBe('awaiting_approval')
    expect(intent?.approval).toMatchObject({
      isNeeded: true,
      agreed: ['anna'],
      missing: 1,
      excluded: ['anna'],
    })
    expect(JSON.parse(intent?.envelope.text ?? '')).toMatchObject({
      destination: 'landlord',
      mostSpent: (505_000n * TZS).toString(),
    })
    harness.approve(ID, 'bertha')
    expect(viewOf(harness).intents[0]?.approval).toMatchObject({ agreed: ['anna', 'bertha'], missing: 0 })
  })

  test('shows a payment that a person has to make with its amount, reference and last moment, and when it is overdue', () => {
    const harness = new TreasuryHarness()
    harness.plan(ID, REFILL)
    harness.prepare(ID, 0)
    harness.answer(ID, 0, { status: 'waiting_for_payer', reference: 'REF-1', instructions: 'pay 40,000,000' })
    expect(viewOf(harness).expectedPayments).toEqual([
      {
        intent: ID,
        amount: { amount: '40000000', asset: 'NTZS' },
        reference: 'REF-1',
        instructions: 'pay 40,000,000',
        by: START + 7_200_000,
        isOverdue: false,
      },
    ])
    harness.pass(7_200_001)
    const late = viewOf(harness)
    expect(late.expectedPayments[0]?.isOverdue).toBe(true)
    expect(late.intents[0]?.expected.isLate).toBe(true)
  })

  test('shows what is used of each cap, and half of it as the limit where one person decides alone', () => {
    const cap = {
      route: 'payout',
      destination: null,
      asset: 'NTZS',
      perDay: 2_000_000n * TZS,
      perMonth: null,
    } as const
    const harness = new TreasuryHarness({ policy: { caps: [cap] }, approval: { people: 1 } })
    harness.order(PAYOUT_ORDER, 'anna', { id: ID, step: PAYOUT })
    expect(viewOf(harness).caps).toEqual([
      {
        route: 'payout',
        destination: null,
        asset: 'NTZS',
        day: { limit: '1000000', used: '505000' },
        month: null,
      },
    ])
  })

  test('shows from when a new payee may be paid, and a listed one since when any amount may be', () => {
    const { payees } = viewOf(new TreasuryHarness())
    expect(payees).toEqual([
      expect.objectContaining({
        name: 'landlord',
        account: 'CRDB 0150',
        admittedAt: START,
        payableFrom: START,
      }),
      expect.objectContaining({ name: 'newcomer', admittedAt: null, payableFrom: START + 86_400_000 }),
    ])
  })

  test('shows a forecast a token with a band, the rejected routes with their reasons, and Miller-Orr beside our levels', () => {
    const band = { target: 50_000_000n * TZS, refillBelow: 20_000_000n * TZS, skimAbove: 90_000_000n * TZS }
    const harness = new TreasuryHarness({ policy: { bands: { NTZS: band }, routes: ['payout'] } })
    for (let hour = 0; hour < 48; hour++) {
      harness.pass(3_600_000)
      const taken = hour % 2 === 0 ? -900_000n : -300_000n
      harness.give({ type: 'flowSeen', flow: { NTZS: taken * TZS, USDC: 100n * USD, USDT: 0n } })
    }
    harness.look({
      ...harness.state.holdings!,
      pool: { NTZS: 1_000_000n * TZS, USDC: 0n, USDT: 0n },
      treasury: { NTZS: 0n, USDC: 0n, USDT: 0n },
    })
    const { plan: shown, flow, holdings } = viewOf(harness)
    expect(flow).toHaveLength(48)
    expect(holdings.tokens[0]?.band).toEqual({
      target: '50000000',
      refillBelow: '20000000',
      skimAbove: '90000000',
      counted: '1000000',
    })
    const shillings = shown?.forecast.find(({ asset }) => asset === 'NTZS')
    expect(shillings?.runsDryAt).toBeGreaterThan(harness.now)
    expect(shillings?.hours[0]).toEqual({
      at: expect.any(Number),
      p50: expect.any(String),
      p95: expect.any(String),
    })
    expect(shown?.rejected.map(({ why }) => why).join()).not.toBe('')
    expect(shown?.benchmarks.map(({ asset }) => asset)).toEqual(['NTZS'])
  })

  test('shows who stopped it and why, and that nothing is sent', () => {
    const harness = new TreasuryHarness()
    harness.order({ name: 'stop', why: 'the bank called' }, 'anna')
    const view = viewOf(harness)
    expect(view.stop).toEqual({ by: 'anna', who: 'anna', at: START, why: 'the bank called' })
    expect(view.obstacle).toBe('stopped by anna: the bank called')
  })

  test('shows what could come home now, and counts what is in transit as waiting', () => {
    const harness = TreasuryHarness.payingOut(ID)
    expect(viewOf(harness).exit).toEqual({
      ours: '132500000',
      atHand: '72500000',
      fromPool: '60000000',
      waiting: '503000',
      homeBps: 10_000,
    })
  })

  test('shows nothing as unknown before balances were read', () => {
    const harness = new TreasuryHarness()
    const fresh = structuredClone(harness.state)
    Object.assign(fresh, { holdings: null, holdingsAt: null, mid: null })
    const view = buildTreasuryView(fresh, null, START)
    expect(view.holdings.places.every(({ onHand }) => onHand === null)).toBe(true)
    expect(view).toMatchObject({ plan: null, exit: null, mid: null })
  })
})
