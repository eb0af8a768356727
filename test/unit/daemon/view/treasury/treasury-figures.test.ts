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
  PAYOUT_ORDER,
} from '../../../../support/treasury-harness.ts'

const ID = 'a'.repeat(32)
const BAND = { target: 90_000_000n * TZS, refillBelow: 50_000_000n * TZS, skimAbove: 120_000_000n * TZS }

const figuresOf = ({ reading }: TreasuryHarness) => treasuryFigures(reading)

type Figures = ReturnType<typeof figuresOf>
const tokenOf = ({ holdings }: Figures, asset: string) => holdings.tokens.find((one) => one.asset === asset)
const shillings = (figures: Figures) => tokenOf(figures, 'NTZS')
const heldAt = ({ holdings }: Figures, place: string) =>
  holdings.places.find((one) => one.place === place)?.onHand

describe('the figures of a treasury', () => {
  test('have every unit at its place, and of a quiet one nothing that a person has to look at', () => {
    const harness = new TreasuryHarness({ policy: { bands: { NTZS: BAND } } })
    const figures = figuresOf(harness)
    expect(figures).toMatchObject({
      isStopped: false,
      holdings: { at: harness.now },
      open: [],
      claims: 0,
      residualTzs: '0',
      supply: { alarm: null, difference: null, reconciledAt: null, at: null },
      webhooks: null,
    })
    expect(heldAt(figures, 'treasury')).toMatchObject({ NTZS: '60000000' })
    expect(heldAt(figures, 'pool')).toMatchObject({ USDC: '20000' })
    expect(shillings(figures)?.band).toEqual({
      counted: '70000000',
      refillBelow: '50000000',
      target: '90000000',
      skimAbove: '120000000',
    })
    expect(tokenOf(figures, 'USDT')?.band).toBeNull()
    expect(figures.rails.every(({ failures, restedUntil }) => failures + (restedUntil ?? 0) === 0)).toBe(true)
    // From 23 November 2026 to the end of 2027.
    expect(figures.calendarDaysLeft).toBe(403)
  })

  test('count a place that cannot be read as unknown, never as empty', () => {
    const harness = new TreasuryHarness({ policy: { bands: { NTZS: BAND } } })
    harness.look(holdingsOf({ lpWallet: null }))
    expect(heldAt(figuresOf(harness), 'lpWallet')).toBeNull()
  })

  test('say since when the oldest approval waits, and when an intent is late', () => {
    const harness = new TreasuryHarness()
    harness.order(PAYOUT_ORDER, 'anna', { id: ID, step: PAYOUT })
    harness.now = START + 90_000
    const waiting = { stage: 'awaiting_approval', plannedAt: START }
    expect(figuresOf(harness).open).toEqual([{ ...waiting, isLate: false }])
    expect(shillings(figuresOf(harness))?.reserved).toBe('505000')
    harness.now = PAYOUT.latestAt + 1
    expect(figuresOf(harness).open).toEqual([{ ...waiting, isLate: true }])
  })

  test('count what was sent as in transit, and what no one finds as a claim', () => {
    const harness = TreasuryHarness.payingOut(ID)
    expect(shillings(figuresOf(harness))).toMatchObject({ inTransit: '503000', reserved: '0', claims: '0' })
    harness.answer(ID, 0, { status: 'reconcile_required', words: 'reconcile_required' })
    const figures = figuresOf(harness)
    expect(shillings(figures)).toMatchObject({ inTransit: '0', claims: '503000' })
    expect(figures.claims).toBe(1)
    expect(figures.residualTzs).toBe('0')
    expect(figures.open).toEqual([])
  })

  test('show a route that failed twice as resting, and a stop by a person as a stop', () => {
    const harness = new TreasuryHarness()
    for (const id of ['b'.repeat(32), 'c'.repeat(32)]) {
      harness.plan(id, REFILL)
      harness.prepare(id, 0)
      harness.refuse(id, 0)
    }
    harness.order({ name: 'stop', why: 'a test' })
    const { rails, isStopped, now } = figuresOf(harness)
    const rail = rails.find(({ route }) => route === 'bank-deposit')
    expect(rail?.failures).toBe(2)
    expect(rail?.restedUntil).toBeGreaterThan(now)
    expect(isStopped).toBe(true)
  })

  test('have the moment at which the forecast sees a token run dry', () => {
    const harness = new TreasuryHarness({ policy: { bands: { NTZS: BAND } } })
    const { state, now, treasury } = harness
    const input = treasury.planInput(now)
    const made = input === null ? null : plan(input)
    if (made?.forecast.NTZS == null) throw new Error('no forecast')
    const forecast = { ...made.forecast, NTZS: { ...made.forecast.NTZS, runsDryAt: now + 60_000 } }
    const reading = { now, state, plan: { ...made, forecast }, webhooks: null, bankFormats: {} }
    expect(treasuryFigures(reading).runsDry).toContainEqual({ asset: 'NTZS', at: now + 60_000 })
    const unplanned = treasuryFigures({ ...reading, plan: null })
    expect(unplanned.runsDry.every(({ at }) => at === null)).toBe(true)
  })

  test('have the difference of the supply with its age', () => {
    const harness = new TreasuryHarness()
    harness.give({ type: 'reconcileSeen', difference: -5n * TZS, isReconciled: true })
    harness.give({ type: 'reconcileSeen', difference: -7n * TZS, isReconciled: true })
    const { supply } = figuresOf(harness)
    expect(supply).toMatchObject({ difference: '-7', reconciledAt: START })
    expect(supply.alarm).not.toBeNull()
  })
})
