import { describe, expect, test } from 'vitest'
import {
  currentIndex,
  isBad,
  isByPosition,
  isEnded,
  isQuoted,
  isUnderWay,
  isWaitingForFunds,
  lastAttempt,
  replayWindowOf,
  workingIndexes,
} from '../../../../src/treasury/intents/legs.ts'
import { arrivedFigure, returnedFigure } from '../../../../src/treasury/intents/provisional.ts'
import {
  hasLeft,
  type Intent,
  type Leg,
  type LegKind,
  type LegStage,
} from '../../../../src/treasury/model/intent.ts'
import {
  PAYOUT,
  plannedLeg,
  plannedStep,
  REFILL,
  TreasuryHarness,
  TZS,
  USD,
} from '../../../support/treasury-harness.ts'

const intent: Intent = new TreasuryHarness().plan('a', REFILL)
const [deposit, transfer] = intent.legs as [Leg, Leg, Leg]

const STAGES: readonly LegStage[] = [
  'planned',
  'quoted',
  'sending',
  'silent',
  'known',
  'in_transit',
  'settled',
  'reverted',
  'refused',
  'claim',
  'cancelled',
  'expired',
  'reversed',
]
const KINDS: readonly LegKind[] = [
  'deposit',
  'transfer',
  'withdrawal',
  'swap',
  'offramp',
  'onramp',
  'spend',
  'lpWithdrawal',
  'lpActivation',
  'lpDeactivation',
]
const stagesWhere = (is: (leg: Leg) => boolean) => STAGES.filter((stage) => is({ ...deposit, stage }))

/** An intent whose legs are of these kinds and stages. */
const withLegs = (...legs: readonly Partial<Leg>[]): Intent => ({
  ...intent,
  legs: legs.map((leg) => ({ ...transfer, ...leg })),
})

describe('the stages and kinds of legs', () => {
  test('each stage has ended, is under way, or is neither; a bad end ends the intent too', () => {
    expect(stagesWhere(isEnded)).toEqual(STAGES.slice(6))
    expect(stagesWhere(isUnderWay)).toEqual(['sending', 'silent', 'known', 'in_transit'])
    expect(stagesWhere(isBad)).toEqual(['reverted', 'refused', 'claim', 'expired', 'reversed'])
  })

  test('payouts, spending, swaps and ramps have a price, and orders to the position none', () => {
    expect(KINDS.filter(isQuoted)).toEqual(['withdrawal', 'swap', 'offramp', 'onramp', 'spend'])
    expect(KINDS.filter(isByPosition)).toEqual(['lpWithdrawal', 'lpActivation', 'lpDeactivation'])
  })

  test('payouts and spending may be replayed for five minutes, or less where the window is shorter', () => {
    expect(KINDS.filter((kind) => replayWindowOf(kind, 3_600_000) === 300_000)).toEqual([
      'withdrawal',
      'spend',
    ])
    expect(replayWindowOf('withdrawal', 60_000)).toBe(60_000)
    expect(replayWindowOf('transfer', 3_600_000)).toBe(3_600_000)
  })

  test('a leg waits for funds while it has a figure to wait for', () => {
    const waitsFor = { needs: 1n, isByVenue: false, since: 1 }
    expect(
      [deposit, { ...deposit, waitsFor: null }, { ...deposit, waitsFor }].map(isWaitingForFunds),
    ).toEqual([false, false, true])
  })

  test('the current leg is the first that has not ended; something has left once one was sent', () => {
    const settled = { stage: 'settled' } as const
    expect(currentIndex(withLegs(settled, {}, {}))).toBe(1)
    expect(currentIndex(withLegs(settled))).toBe(-1)
    expect(hasLeft(withLegs({}, { sentAt: 0 }))).toBe(true)
    expect(hasLeft(withLegs({}, {}))).toBe(false)
    expect(lastAttempt(deposit)).toBeUndefined()
  })

  test('a leg works after the one before it has ended, and a deposit at any time', () => {
    const settled = { stage: 'settled' } as const
    const lot = { kind: 'deposit' } as const
    expect(workingIndexes(withLegs({}, {}, lot, {}))).toEqual([0, 2])
    expect(workingIndexes(withLegs(settled, {}, { ...lot, ...settled }, {}))).toEqual([1, 3])
    expect(workingIndexes(withLegs({ stage: 'refused' }, {}))).toEqual([1])
  })
})

describe('a figure that the venue does not state', () => {
  const swap: Leg = {
    ...transfer,
    kind: 'swap',
    to: 'treasury',
    asset: 'USDC',
    amount: 1_000n * USD,
    receiveAsset: 'NTZS',
    leastReceived: 2_400_000n * TZS,
  }

  test('of a swap lies between its floor and five per cent above what was booked', () => {
    expect(arrivedFigure(swap, 2_450_000n * TZS)).toEqual({
      what: 'arrived',
      place: 'treasury',
      asset: 'NTZS',
      booked: 2_450_000n * TZS,
      least: 2_400_000n * TZS,
      most: 2_572_500n * TZS,
    })
    expect(arrivedFigure(swap, 2_300_000n * TZS)?.least).toBe(2_300_000n * TZS)
  })

  test('of a transfer lies between what was to arrive and what left', () => {
    const { amount } = transfer
    const leg = { ...transfer, leastReceived: amount - 5n }
    expect(arrivedFigure(leg, amount - 1n)).toMatchObject({
      least: amount - 5n,
      most: amount,
      booked: amount - 1n,
    })
    expect(arrivedFigure(leg, amount + 1n)).toMatchObject({ most: amount + 1n })
  })

  test('has no balance that shows it where it went outside, to a payee, or by the position', () => {
    expect(arrivedFigure({ ...swap, to: 'bank' }, 1n)).toBeNull()
    expect(arrivedFigure({ ...swap, payee: 'landlord' }, 1n)).toBeNull()
    expect(arrivedFigure({ ...swap, kind: 'lpActivation' }, 1n)).toBeNull()
  })

  test('of a return is between half and all of it, in the token that left', () => {
    const back = { asset: 'NTZS', amount: 9n } as Parameters<typeof returnedFigure>[1]
    expect(returnedFigure(transfer, back)).toEqual({
      what: 'returned',
      place: 'treasury',
      asset: 'NTZS',
      booked: 9n,
      least: 4n,
      most: 9n,
    })
    expect(returnedFigure({ ...transfer, from: 'bank' }, back)).toBeNull()
  })
})

describe('a new intent', () => {
  test('has legs that nothing was done for, and its envelope', () => {
    const harness = new TreasuryHarness()
    const planned = harness.plan('b', PAYOUT)
    expect(planned).toMatchObject({
      id: 'b',
      stage: 'awaiting_approval',
      plannedAt: harness.now,
      approvals: [],
      needsApproval: true,
      agreed: null,
      notBefore: harness.now,
      orderedBy: null,
      isHeld: false,
      isLate: false,
      endedAt: null,
      expected: { cost: 0n },
    })
    expect(planned.legs).toEqual([
      {
        ...PAYOUT.legs[0],
        stage: 'planned',
        quote: null,
        attempts: [],
        resourceId: null,
        reference: null,
        instructions: null,
        received: null,
        fee: null,
        sentAt: null,
        endedAt: null,
        why: 'planned',
        asked: null,
        dueAt: harness.now,
        failures: 0,
      },
    ])
    expect(planned).not.toHaveProperty('naming')
    expect(harness.state.watched).toEqual(['b'])
  })

  test('that one person approves waits for a pause in which that person may cancel', () => {
    const harness = TreasuryHarness.planned('b', PAYOUT, { approval: { people: 1, coolOffMs: 600_000 } })
    harness.approve('b', 'anna')
    expect(harness.intent('b').notBefore).toBe(harness.now + 600_000)
    harness.take('quote')
    harness.pass(599_999)
    expect(harness.take('quote')).toEqual([])
    harness.pass(1)
    expect(harness.take('quote')).toHaveLength(1)
    const two = TreasuryHarness.planned('b', PAYOUT, { approval: { people: 2, coolOffMs: 600_000 } })
    two.approve('b', 'anna')
    two.approve('b', 'bertha')
    expect(two.intent('b').notBefore).toBe(two.now)
  })

  test('that needs no one has no pause, and several wait for each other in nothing', () => {
    const harness = new TreasuryHarness({ approval: { people: 1, coolOffMs: 600_000 } })
    const step = plannedStep([plannedLeg({ kind: 'transfer', from: 'treasury', to: 'lpWallet' })], {
      route: 'rebalance',
    })
    expect(harness.plan('b', step).notBefore).toBe(harness.now)
    expect(harness.take('prepare')).toHaveLength(1)
  })
})
