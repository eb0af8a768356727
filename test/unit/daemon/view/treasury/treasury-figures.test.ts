import { describe, expect, test } from 'vitest'
import { plan } from '../../../../../src/treasury/policy/plan.ts'
import { treasuryFigures } from '../../../../../src/daemon/view/treasury/treasury-figures.ts'
import {
  holdingsOf,
  PAYOUT,
  REFILL,
  START,
  TreasuryHarness,
  TZS,
} from '../../../../support/treasury-harness.ts'

const ID = 'a'.repeat(32)
const RENT = {
  name: 'payout',
  payee: 'landlord',
  asset: 'NTZS',
  amount: 500_000n * TZS,
  why: 'rent',
} as const
const BAND = { target: 90_000_000n * TZS, refillBelow: 50_000_000n * TZS, skimAbove: 120_000_000n * TZS }

function figuresOf({ state, now, treasury }: TreasuryHarness) {
  const input = treasury.planInput(now)
  return treasuryFigures({
    now,
    state,
    plan: input === null ? null : plan(input),
    webhooks: null,
    bankFormats: {},
  })
}

const shillings = ({ tokens }: ReturnType<typeof figuresOf>) => tokens.find(({ token }) => token === 'NTZS')

describe('the figures of a treasury', () => {
  test('have every unit at its place, and of a quiet one nothing that a person has to look at', () => {
    const harness = new TreasuryHarness({ policy: { bands: { NTZS: BAND } } })
    const figures = figuresOf(harness)
    expect(figures).toMatchObject({
      isStopped: false,
      readingAgeSeconds: 0,
      late: 0,
      claims: 0,
      approvals: { waiting: 0, oldestSeconds: null },
      residualTzs: 0,
      supply: { isAlarm: false, differenceTzs: null, reconciledAgeSeconds: null, ageSeconds: null },
      webhooks: null,
    })
    expect(figures.onHand).toContainEqual({ place: 'treasury', token: 'NTZS', held: 60_000_000 })
    expect(figures.onHand).toContainEqual({ place: 'pool', token: 'USDC', held: 20_000 })
    expect(shillings(figures)).toMatchObject({
      counted: 70_000_000,
      band: { refillBelow: 50_000_000, target: 90_000_000, skimAbove: 120_000_000 },
    })
    expect(figures.tokens.find(({ token }) => token === 'USDT')).toMatchObject({ counted: null, band: null })
    expect(figures.rails.every(({ failures, isRested }) => failures === 0 && !isRested)).toBe(true)
    // From 23 November 2026 to the end of 2027.
    expect(figures.calendarDaysLeft).toBe(403)
  })

  test('count a place that cannot be read as unknown, never as empty', () => {
    const harness = new TreasuryHarness({ policy: { bands: { NTZS: BAND } } })
    harness.look(holdingsOf({ lpWallet: null }))
    const figures = figuresOf(harness)
    expect(figures.onHand.some(({ place }) => place === 'lpWallet')).toBe(false)
    expect(shillings(figures)?.counted).toBeNull()
  })

  test('say since when the oldest approval waits, and when an intent is late', () => {
    const harness = new TreasuryHarness()
    harness.order(RENT, 'anna', { id: ID, step: PAYOUT })
    harness.now = START + 90_000
    expect(figuresOf(harness)).toMatchObject({
      approvals: { waiting: 1, oldestSeconds: 90 },
      readingAgeSeconds: 90,
      late: 0,
    })
    expect(figuresOf(harness).openByStage.awaiting_approval).toBe(1)
    expect(shillings(figuresOf(harness))?.reserved).toBe(505_000)
    harness.now = PAYOUT.latestAt + 1
    expect(figuresOf(harness).late).toBe(1)
  })

  test('count what was sent as in transit, and what no one finds as a claim', () => {
    const harness = new TreasuryHarness({ approval: { people: 1, coolOffMs: 0 } })
    harness.order(RENT, 'anna', { id: ID, step: PAYOUT })
    harness.quote(ID, 0, { spend: 503_000n * TZS, receive: 500_000n * TZS })
    harness.prepare(ID, 0)
    expect(shillings(figuresOf(harness))).toMatchObject({ inTransit: 503_000, reserved: 0, claimed: 0 })
    harness.answer(ID, 0, { status: 'reconcile_required', words: 'reconcile_required' })
    const figures = figuresOf(harness)
    expect(shillings(figures)).toMatchObject({ inTransit: 0, claimed: 503_000 })
    expect(figures.claims).toBe(1)
    expect(figures.residualTzs).toBe(0)
    expect(Object.values(figures.openByStage).every((count) => count === 0)).toBe(true)
  })

  test('show a route that failed twice as resting, and a stop by a person as a stop', () => {
    const harness = new TreasuryHarness()
    for (const id of ['b'.repeat(32), 'c'.repeat(32)]) {
      harness.plan(id, REFILL)
      harness.prepare(id, 0)
      harness.refuse(id, 0)
    }
    harness.order({ name: 'stop', why: 'a test' })
    const { rails, isStopped } = figuresOf(harness)
    expect(rails.find(({ route }) => route === 'bank-deposit')).toMatchObject({ failures: 2, isRested: true })
    expect(isStopped).toBe(true)
  })

  test('take the time until a token runs dry from the forecast, and nothing below zero', () => {
    const harness = new TreasuryHarness({ policy: { bands: { NTZS: BAND } } })
    const { state, now, treasury } = harness
    const input = treasury.planInput(now)
    if (input === null) throw new Error('nothing was read')
    const made = plan(input)
    const dryAt = (runsDryAt: number | null) => {
      const { NTZS } = made.forecast
      if (NTZS === null) throw new Error('no forecast')
      const forecast = { ...made.forecast, NTZS: { ...NTZS, runsDryAt } }
      return shillings(
        treasuryFigures({ now, state, plan: { ...made, forecast }, webhooks: null, bankFormats: {} }),
      )?.dryInSeconds
    }
    expect([dryAt(now + 60_000), dryAt(now - 1), dryAt(null)]).toEqual([60, 0, null])
    expect(
      shillings(treasuryFigures({ now, state, plan: null, webhooks: null, bankFormats: {} }))?.dryInSeconds,
    ).toBeNull()
  })

  test('have the difference of the supply with its age', () => {
    const harness = new TreasuryHarness()
    harness.give({ type: 'reconcileSeen', difference: -5n * TZS, isReconciled: true })
    harness.give({ type: 'reconcileSeen', difference: -7n * TZS, isReconciled: true })
    harness.now = START + 30_000
    expect(figuresOf(harness).supply).toMatchObject({
      isAlarm: true,
      differenceTzs: -7,
      reconciledAgeSeconds: 30,
    })
  })
})
