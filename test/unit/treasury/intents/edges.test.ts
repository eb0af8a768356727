import { describe, expect, test } from 'vitest'
import { legAt } from '../../../../src/treasury/intents/moves.ts'
import {
  TRANSFER,
  REFILL,
  plannedStep,
  TreasuryHarness,
  SWAP,
  plannedLeg,
  holdingsOf,
  USD,
  PAYOUT,
  TZS,
  PAYOUT_ORDER,
} from '../../../support/treasury-harness.ts'

const ID = 'a'
const MILLION = 1_000_000n * TZS
const ONE_PERSON = { approval: { people: 1, coolOffMs: 0 } } as const
const PRICE = { spend: 503_000n * TZS, receive: 500_000n * TZS }
const alerts = (harness: TreasuryHarness) =>
  harness.observations.flatMap((one) => (one.type === 'treasuryAlert' ? [`${one.code}: ${one.message}`] : []))

function approvedPayout(): TreasuryHarness {
  const harness = TreasuryHarness.planned(ID, PAYOUT, ONE_PERSON)
  harness.approve(ID, 'anna')
  return harness
}

function sent(step = TRANSFER): TreasuryHarness {
  const harness = TreasuryHarness.sending(ID, step)
  return harness
}

describe('what a lot hands on', () => {
  test('is what it brought itself: the surplus of another lot stays where it arrived', () => {
    const lots = [20n * MILLION, 19n * MILLION] as const
    const step = plannedStep(
      lots.flatMap((amount) => [
        plannedLeg({ kind: 'deposit', from: 'bank', to: 'treasury', amount }),
        plannedLeg({ kind: 'transfer', from: 'treasury', to: 'lpWallet', amount }),
      ]),
      { mostSpent: 39n * MILLION },
    )
    for (const order of [
      [0, 2],
      [2, 0],
    ]) {
      const harness = TreasuryHarness.planned(ID, step)
      for (const leg of order) {
        harness.prepare(ID, leg)
        harness.answer(ID, leg, { status: 'waiting_for_payer' })
      }
      for (const leg of order) harness.see(ID, leg, { received: leg === 0 ? 25n * MILLION : 14n * MILLION })
      expect(harness.intent(ID).legs.map(({ amount }) => amount / MILLION)).toEqual([20n, 20n, 19n, 14n])
    }
  })

  test('is less by what the lot has taken from there before', () => {
    const amount = 10n * MILLION
    const steps = [
      plannedLeg({ kind: 'deposit', from: 'bank', to: 'treasury' }),
      plannedLeg({ kind: 'transfer', from: 'treasury', to: 'float', amount }),
      plannedLeg({ kind: 'transfer', from: 'float', to: 'treasury', amount: amount - TZS }),
      plannedLeg({ kind: 'transfer', from: 'treasury', to: 'lpWallet' }),
    ]
    const harness = TreasuryHarness.planned(ID, plannedStep(steps))
    for (const [leg, received] of [35n * MILLION, amount, amount - TZS].entries()) {
      harness.prepare(ID, leg)
      harness.answer(ID, leg, { received })
    }
    expect(harness.intent(ID).legs[3]).toMatchObject({
      amount: 35n * MILLION - TZS,
      leastReceived: 35n * MILLION - TZS,
    })
  })
})

describe('the end of an intent', () => {
  test('that was cancelled after its first step is cancelled, though that step arrived', () => {
    const harness = sent(REFILL)
    harness.answer(ID, 0)
    harness.order({ name: 'cancel', intent: ID, why: 'enough' })
    expect(harness.intent(ID)).toMatchObject({ stage: 'cancelled', endedAt: harness.now })
    expect(harness.stages(ID)).toEqual(['settled', 'cancelled', 'cancelled'])
  })

  test('that came back is reported as failed, and a late end moves the intent too', () => {
    const harness = sent()
    harness.answer(ID, 0, { status: 'failed', words: 'came back' })
    expect(alerts(harness)).toContainEqual(
      expect.stringMatching(/^treasury-intent-failed: reverted, .* lpWallet/),
    )
    expect(harness.observations).toContainEqual(
      expect.objectContaining({ type: 'booked', reason: 'transfer came back' }),
    )
  })

  test('a leg that an intent does not have is an error', () => {
    const harness = sent()
    expect(legAt(harness.intent(ID), 0).kind).toBe('transfer')
    expect(() => legAt(harness.intent(ID), 9)).toThrow('an intent has no leg 9')
  })
})

describe('the caps', () => {
  test.each<[string, (harness: TreasuryHarness) => void, number]>([
    ['arrived', (harness) => harness.answer(ID, 0), 1],
    ['came back', (harness) => harness.answer(ID, 0, { status: 'failed' }), 1],
    ['was refused', (harness) => harness.refuse(ID, 0), 0],
  ])('count what %s', (_, ends, uses) => {
    const harness = sent(plannedStep([...TRANSFER.legs, ...REFILL.legs.slice(2)]))
    ends(harness)
    expect(harness.state.capUses).toHaveLength(uses)
  })

  test('count an intent of which a later step was refused', () => {
    const harness = sent(REFILL)
    harness.answer(ID, 0)
    harness.prepare(ID, 1)
    harness.refuse(ID, 1)
    expect(harness.intent(ID).endedAt).toBe(harness.now)
    expect(harness.state.capUses).toHaveLength(1)
  })
})

describe('an attempt', () => {
  const prepared = { type: 'attemptPrepared', intent: ID, leg: 0, key: 'k', body: '{}', block: 7n } as const

  test('is sent with the block it was prepared at, and counts from its first sending', () => {
    const harness = TreasuryHarness.planned(ID, TRANSFER)
    harness.give({ ...prepared, n: 1 })
    const { now } = harness
    const times = { preparedAt: now, firstSentAt: now, lastSentAt: now }
    expect(harness.intent(ID).legs[0]?.attempts).toMatchObject([
      { n: 1, key: 'k', body: '{}', block: 7n, ...times, sendings: 1, outcome: 'sending', words: null },
    ])
    expect(harness.intent(ID).legs[0]).toMatchObject({ sentAt: harness.now, endedAt: null })
  })

  test('that was not asked for, is not the next one, or is of no leg is never sent', () => {
    const harness = TreasuryHarness.planned(ID, TRANSFER)
    harness.give({ ...prepared, n: 2 })
    expect(harness.intent(ID).legs[0]).toMatchObject({ attempts: [], stage: 'planned' })
    expect(harness.take('prepare')).toHaveLength(2)
    harness.give({ ...prepared, n: 1, leg: 4 })
    harness.give({ ...prepared, n: 1, intent: 'other' })
    expect(harness.take('transmit')).toEqual([])
  })

  test('whose price has expired meanwhile, or was never quoted, is not sent', () => {
    const harness = approvedPayout()
    harness.quote(ID, 0, PRICE)
    harness.now += 300_000
    harness.prepare(ID, 0)
    expect(harness.take('transmit')).toEqual([])
    expect(harness.intent(ID).legs[0]?.attempts).toEqual([])
  })

  test('with the key of another one is drawn anew after a pause, and says why', () => {
    const harness = sent(REFILL)
    harness.plan('b', { ...TRANSFER, rule: 'manual' })
    harness.take('prepare')
    harness.give({ ...prepared, intent: 'b', n: 1, key: harness.intent(ID).legs[0]!.attempts[0]!.key })
    expect(harness.intent('b').legs[0]).toMatchObject({
      why: 'its key belongs to another attempt: a fresh one is drawn',
      failures: 1,
      dueAt: harness.now + 5_000,
    })
    harness.take('transmit')
    harness.give({ ...prepared, intent: 'b', n: 1, key: 'unasked' })
    expect(harness.take('transmit')).toEqual([])
    harness.pass(5_000)
    expect(harness.take('prepare')).toEqual([{ type: 'prepare', intent: 'b', leg: 0 }])
  })

  test('keeps what its answer names, and what a later answer does not name', () => {
    const harness = sent()
    harness.answer(ID, 0, { status: 'in_transit', reference: 'ref', instructions: 'do', words: 'ok' })
    expect(harness.intent(ID).legs[0]?.attempts[0]).toMatchObject({ outcome: 'answered', words: 'ok' })
    expect(harness.intent(ID).legs[0]).toMatchObject({ reference: 'ref', instructions: 'do' })
    const silent = sent()
    silent.silence(ID, 0)
    silent.answer(ID, 0, { status: 'in_transit', reference: 'ref' })
    expect(silent.intent(ID).legs[0]).toMatchObject({ reference: 'ref', stage: 'in_transit' })
  })

  test('that is answered, refused or silent under another number, or of nothing, changes nothing', () => {
    const harness = sent()
    const before = structuredClone(harness.intent(ID))
    harness.answer(ID, 0, { n: 2 })
    harness.refuse(ID, 0, { n: 2 })
    harness.silence(ID, 0, { n: 2 })
    for (const place of ['other', ID]) {
      harness.answer(place, 3)
      harness.refuse(place, 3)
      harness.silence(place, 3)
    }
    expect(harness.intent(ID)).toEqual(before)
  })

  test('whose leg has ended, or is a claim, learns of no refusal and no silence', () => {
    const harness = sent()
    harness.answer(ID, 0, { status: 'reconcile_required', words: 'unclear' })
    harness.refuse(ID, 0)
    harness.silence(ID, 0, { sent: 'no' })
    expect(harness.intent(ID)).toMatchObject({ stage: 'claim', why: 'unclear' })
    const settled = sent()
    settled.answer(ID, 0)
    settled.refuse(ID, 0)
    settled.answer(ID, 0, { status: 'failed' })
    expect(settled.intent(ID).stage).toBe('settled')
  })

  test('that was on the wire when the process ended says so, and is due at once', () => {
    const harness = sent()
    harness.give({ type: 'restarted', version: '2', isRestored: false })
    expect(harness.intent(ID).legs[0]).toMatchObject({
      stage: 'silent',
      why: 'the process ended before an answer came',
      attempts: [{ words: expect.stringContaining('process ended') }],
    })
  })

  test('that certainly never left is booked back with its reason, and no one has agreed any longer', () => {
    const harness = approvedPayout()
    harness.quote(ID, 0, PRICE)
    harness.prepare(ID, 0)
    expect(harness.intent(ID).agreed).not.toBeNull()
    harness.silence(ID, 0, { sent: 'no', words: 'no route' })
    expect(harness.observations.findLast(({ type }) => type === 'booked')).toMatchObject({
      reason: 'withdrawal never left',
    })
    expect(harness.intent(ID)).toMatchObject({ agreed: null, stage: 'quoted' })
  })
})

describe('the envelope', () => {
  const asked = {
    approval: { people: 1, coolOffMs: 0, freeRefill: { NTZS: 0n, USDC: 0n, USDT: 0n } },
  } as const

  test('of a swap that people agreed to is lowered by exactly what the price brings less', () => {
    const harness = TreasuryHarness.planned(ID, SWAP, asked)
    harness.approve(ID, 'anna')
    harness.quote(ID, 0, { quoteId: null, spend: 999n * USD, receive: 2_399_000n * TZS })
    expect(harness.intent(ID)).toMatchObject({
      stage: 'awaiting_approval',
      why: 'the price left the envelope: 999 USDC for 2399000 NTZS',
      envelope: { mostSpent: 1_000n * USD, leastReceived: 2_399_000n * TZS },
      legs: [{ amount: 1_000n * USD, leastReceived: 2_399_000n * TZS }],
    })
    harness.approve(ID, 'anna')
    harness.quote(ID, 0, { quoteId: null, spend: 1_001n * USD, receive: 2_500_000n * TZS })
    expect(harness.intent(ID).envelope).toMatchObject({
      mostSpent: 1_001n * USD,
      leastReceived: 2_399_000n * TZS,
    })
  })

  test('waits for people with its figures and its reason', () => {
    const harness = TreasuryHarness.planned(ID, SWAP, asked)
    expect(alerts(harness)).toContainEqual(
      expect.stringMatching(/^treasury-approval-waiting: swap .* 1000 USDC /),
    )
    const free = TreasuryHarness.planned(ID, SWAP)
    expect(alerts(free).filter((line) => line.startsWith('treasury-approval-waiting'))).toEqual([])
  })

  test('of an ordered payout has the agreement of the person who ordered it', () => {
    const harness = new TreasuryHarness()
    harness.order(PAYOUT_ORDER, 'anna', { id: ID, step: PAYOUT })
    expect(harness.intent(ID)).toMatchObject({ orderedBy: 'anna', needsApproval: true })
    expect(harness.intent(ID).approvals).toEqual([expect.objectContaining({ by: 'anna', at: harness.now })])
  })

  test('takes no step of which one leg moves nothing', () => {
    const harness = new TreasuryHarness()
    const nothing = plannedLeg({ kind: 'transfer', from: 'treasury', to: 'float', amount: 0n })
    const legs = [REFILL.legs[0]!, nothing]
    harness.give({ type: 'planned', steps: [{ id: ID, step: { ...REFILL, legs } }] })
    expect(alerts(harness).at(-1)).toMatch(/^treasury-step-refused: .* moves nothing$/)
  })
})

describe('a leg that lacks funds', () => {
  const poor = holdingsOf({ treasury: { NTZS: 499_999n * TZS, USDC: 999n * USD, USDT: 0n } })

  function short(step = PAYOUT): TreasuryHarness {
    const harness = new TreasuryHarness(ONE_PERSON)
    for (let minutes = 0; minutes < 60; minutes++) {
      harness.now += 60_000
      harness.look(poor)
    }
    harness.plan(ID, step)
    if (harness.intent(ID).needsApproval) harness.approve(ID, 'anna')
    return harness
  }

  test('waits for exactly what will leave: of a payout what arrives, of a swap its amount', () => {
    expect(short().intent(ID)).toMatchObject({
      stage: 'waiting_for_funds',
      legs: [{ waitsFor: { needs: 500_000n * TZS, isByVenue: false } }],
    })
    const swap = short(SWAP)
    expect(swap.intent(ID).legs[0]?.waitsFor).toEqual({
      needs: 1_000n * USD,
      isByVenue: false,
      since: swap.now,
    })
  })

  test('waits for what the venue names once it cannot pay, and for no less than will leave', () => {
    const harness = short()
    harness.now += 1_000
    harness.quote(ID, 0, { quoteId: null, spend: 503_000n * TZS, receive: 500_000n * TZS })
    expect(harness.intent(ID).legs[0]?.waitsFor).toEqual({
      needs: 503_000n * TZS,
      isByVenue: true,
      since: harness.now,
    })
    for (const kind of ['withdrawal', 'spend'] as const) {
      const rich = TreasuryHarness.planned(
        ID,
        { ...PAYOUT, legs: [{ ...PAYOUT.legs[0]!, kind }] },
        ONE_PERSON,
      )
      rich.approve(ID, 'anna')
      rich.quote(ID, 0, { quoteId: null, spend: 1n, receive: 500_000n * TZS })
      expect(rich.intent(ID).legs[0]).toMatchObject({
        waitsFor: { needs: 500_000n * TZS, isByVenue: true },
        why: 'waiting for funds: treasury cannot pay it, according to the venue; this step needs 500000 NTZS',
      })
    }
  })
})
