import { describe, expect, test } from 'vitest'
import {
  TRANSFER,
  TZS,
  REFILL,
  TreasuryHarness,
  plannedStep,
  plannedLeg,
  PAYOUT,
} from '../../../support/treasury-harness.ts'

const ID = 'a'
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const DEPOSIT = plannedStep([plannedLeg({ kind: 'deposit', from: 'bank', to: 'treasury' })])
const HOOK = { event: 'x', status: 'completed', hash: 'h', body: '{}' }

/** A payout that the venue has answered for; one person agreed to it. */
function paid(change: Parameters<TreasuryHarness['answer']>[2] = {}): TreasuryHarness {
  const harness = TreasuryHarness.planned(ID, PAYOUT, { approval: { people: 1, coolOffMs: 0 } })
  harness.approve(ID, 'anna')
  harness.quote(ID, 0, { spend: 503_000n * TZS, receive: 500_000n * TZS })
  harness.prepare(ID, 0)
  harness.answer(ID, 0, change)
  harness.effects = []
  return harness
}

function sent(step = TRANSFER): TreasuryHarness {
  const harness = TreasuryHarness.sending(ID, step)
  harness.effects = []
  return harness
}

/** After how many hours it is looked at, for so many days. */
function looks(harness: TreasuryHarness, type: 'read' | 'find', days: number): readonly number[] {
  const hours: number[] = []
  for (let hour = 1; hour <= 24 * days; hour++) {
    harness.now += HOUR_MS
    harness.give({ type: 'tick' })
    for (const _ of harness.take(type)) hours.push(hour)
  }
  return hours
}

const FIRST_DAY = Array.from({ length: 24 }, (_, n) => n + 1)
const dayAfterDay = (days: number) => Array.from({ length: days - 1 }, (_, n) => 24 * (n + 2))

describe('what has arrived and may come back', () => {
  test('a payout is read each hour of its first day, then each day of fourteen, and never again', () => {
    expect(looks(paid(), 'read', 17)).toEqual([...FIRST_DAY, ...dayAfterDay(14).slice(0, -1)])
  })

  test.each([
    ['bank', null, HOUR_MS],
    ['phone', null, HOUR_MS],
    ['lpWallet', 'landlord', HOUR_MS],
    ['lpWallet', null, Infinity],
  ] as const)('what arrived in the %s of %s is read again after %d ms', (to, payee, after) => {
    const harness = TreasuryHarness.planned(
      ID,
      plannedStep([{ ...TRANSFER.legs[0]!, to, payee }], { route: 'rebalance' }),
      { approval: { people: 1, coolOffMs: 0 } },
    )
    harness.approve(ID, 'anna')
    harness.prepare(ID, 0)
    harness.answer(ID, 0)
    expect(harness.intent(ID).legs[0]?.dueAt).toBe(harness.now + after)
  })

  test('a payout without a resource, and what went to one of our own places, is not read', () => {
    expect(looks(paid({ resourceId: null }), 'read', 2)).toEqual([])
    const own = sent()
    own.answer(ID, 0)
    own.effects = []
    expect(looks(own, 'read', 2)).toEqual([])
  })

  test('what is read again and stands as it was is looked at in its turn, and one that failed is reversed', () => {
    const harness = paid()
    harness.see(ID, 0)
    expect(harness.intent(ID).legs[0]).toMatchObject({ stage: 'settled', dueAt: harness.now + HOUR_MS })
    harness.see(ID, 0, { status: 'failed', words: 'bounced', received: 400_000n * TZS })
    expect(harness.intent(ID).legs[0]).toMatchObject({ stage: 'reversed', why: 'bounced', provisional: null })
    expect(harness.state.books.accounts['treasury']?.NTZS).toBe(59_897_000n * TZS)
    harness.see(ID, 0)
    expect(harness.intent(ID).stage).toBe('reversed')
  })
})

describe('a deposit that was cancelled', () => {
  const cancelled = () => {
    const harness = sent(DEPOSIT)
    harness.answer(ID, 0, { status: 'waiting_for_payer' })
    harness.order({ name: 'cancel', intent: ID, why: 'enough' })
    harness.effects = []
    return harness
  }

  test('is read for four days, for it may be paid all the same', () => {
    expect(looks(cancelled(), 'read', 6)).toEqual([...FIRST_DAY, ...dayAfterDay(4).slice(0, -1)])
  })

  test('and that is paid has arrived', () => {
    const harness = cancelled()
    harness.see(ID, 0, { status: 'in_transit' })
    expect(harness.intent(ID).stage).toBe('cancelled')
    harness.see(ID, 0, { received: 40_000_000n * TZS })
    expect(harness.intent(ID).stage).toBe('settled')
    expect(harness.state.books.accounts['treasury']?.NTZS).toBe(100_000_000n * TZS)
  })
})

describe('a claim', () => {
  test('is read each hour of its first day and each day after that where it has a resource', () => {
    const harness = sent(DEPOSIT)
    harness.answer(ID, 0, { status: 'reconcile_required', words: 'unclear' })
    expect(harness.intent(ID)).toMatchObject({ stage: 'claim', why: 'unclear' })
    harness.see(ID, 0, { status: 'reconcile_required', words: 'unclear' })
    const booked = harness.observations.flatMap((one) => (one.type === 'booked' ? [one.reason] : []))
    expect(booked.slice(-2)).toEqual(['the venue holds it', 'a claim'])
    expect(looks(harness, 'read', 4)).toEqual([...FIRST_DAY, 48, 72, 96])
    harness.see(ID, 0, { status: 'in_transit' })
    expect(harness.intent(ID).legs[0]).toMatchObject({ stage: 'claim', dueAt: harness.now + DAY_MS })
  })

  test('is looked for by the finders where it has none', () => {
    const harness = sent()
    harness.silence(ID, 0)
    harness.pass(HOUR_MS)
    harness.findNothing(ID)
    harness.effects = []
    expect(looks(harness, 'find', 3)).toEqual([...FIRST_DAY, 48, 72])
    harness.see(ID, 0, { status: 'in_transit' })
    expect(harness.intent(ID).legs[0]?.attempts[0]?.outcome).toBe('silent')
    harness.pass(DAY_MS)
    expect(harness.take('find')).toEqual([{ type: 'find', intent: ID, leg: 0, n: 1 }])
    const found = { reference: '0xfeed', received: 40_000_000n * TZS }
    harness.give({ type: 'findingSeen', intent: ID, leg: 0, n: 1, found, words: 'in block 7' })
    expect(harness.intent(ID).stage).toBe('settled')
  })

  test('without a resource learns of one by a webhook with its reference', () => {
    const harness = sent()
    harness.answer(ID, 0, { status: 'reconcile_required', resourceId: null })
    harness.give({ type: 'webhookSeen', ...HOOK, resourceId: 'r1', reference: ID })
    expect(harness.take('read')).toEqual([{ type: 'read', intent: ID, leg: 0 }])
  })

  test('of an order to the position is not looked for: the position tells', () => {
    const harness = TreasuryHarness.planned(
      ID,
      plannedStep([plannedLeg({ kind: 'lpActivation', from: 'lpWallet', to: 'pool' })]),
    )
    harness.answer(ID, 0, { status: 'reconcile_required', resourceId: null })
    expect(harness.intent(ID).stage).toBe('claim')
    harness.effects = []
    expect(looks(harness, 'find', 2)).toEqual([])
  })
})

describe('a finding', () => {
  test('of nothing is followed by another after half of the time since the sending, 5 s to 5 min', () => {
    const harness = sent()
    harness.silence(ID, 0)
    const pauses = [5, 5, 5, 7.5, 11.25, 16.875, 300].map((seconds) => {
      harness.pass(seconds === 300 ? 700_000 : seconds * 1_000)
      expect(harness.take('find')).toContainEqual({ type: 'find', intent: ID, leg: 0, n: 1 })
      harness.findNothing(ID)
      return (harness.intent(ID).legs[0]!.dueAt - harness.now) / 1_000
    })
    expect(pauses).toEqual([5, 5, 7.5, 11.25, 16.875, 25.3125, 300])
  })

  test('that came without having been asked for makes no claim, and one of what is not silent changes nothing', () => {
    const harness = sent()
    const nothing = { type: 'findingSeen', intent: ID, leg: 0, n: 1, found: null, words: 'nothing' } as const
    harness.give(nothing)
    expect(harness.intent(ID).stage).toBe('sending')
    harness.silence(ID, 0)
    harness.give(nothing)
    expect(harness.intent(ID).stage).toBe('silent')
    harness.give({ ...nothing, intent: 'other' })
    harness.give({ ...nothing, leg: 7 })
    const found = { reference: '0xfeed', received: 39_000_000n * TZS, resourceId: 'r1' }
    harness.give({ ...nothing, found, words: 'in block 7' })
    expect(harness.intent(ID).legs[0]).toMatchObject({
      stage: 'settled',
      why: 'in block 7',
      reference: '0xfeed',
      resourceId: 'r1',
      received: 39_000_000n * TZS,
      fee: null,
      asked: null,
      attempts: [{ outcome: 'answered' }],
    })
  })
})

describe('a webhook', () => {
  const read = { type: 'read', intent: ID, leg: 0 }

  test('has the resource read that it names, by its id at any stage', () => {
    const harness = sent(REFILL)
    harness.answer(ID, 0, { status: 'in_transit', resourceId: 'dep-1' })
    harness.effects = []
    harness.give({ type: 'webhookSeen', ...HOOK, resourceId: 'dep-1', reference: null })
    expect(harness.take('read')).toEqual([read])
    expect(harness.intent(ID).legs[0]?.asked).toEqual({ what: 'read', at: harness.now })
    harness.give({ type: 'webhookSeen', ...HOOK, resourceId: null, reference: null })
    harness.give({ type: 'webhookSeen', ...HOOK, resourceId: 'dep-2', reference: ID })
    expect(harness.take('read')).toEqual([])
  })

  test('with the reference of a lost answer names its resource; without a resource nothing is read', () => {
    const harness = sent()
    harness.give({ type: 'webhookSeen', ...HOOK, resourceId: null, reference: ID })
    expect(harness.take('read')).toEqual([])
    harness.give({ type: 'webhookSeen', ...HOOK, resourceId: 'r1', reference: 'other' })
    expect(harness.take('read')).toEqual([])
    harness.give({ type: 'webhookSeen', ...HOOK, resourceId: 'r1', reference: ID })
    expect(harness.take('read')).toEqual([read])
    expect(harness.intent(ID).legs[0]?.resourceId).toBe('r1')
  })

  test('with the reference of what has not been sent names nothing', () => {
    const harness = TreasuryHarness.planned(ID, TRANSFER)
    harness.give({ type: 'webhookSeen', ...HOOK, resourceId: 'r1', reference: ID })
    expect(harness.take('read')).toEqual([])
    expect(harness.intent(ID).legs[0]?.resourceId).toBeNull()
  })
})

describe('a resource that is read', () => {
  test('of a leg that was never sent, or of no leg at all, changes nothing', () => {
    const harness = new TreasuryHarness()
    const before = structuredClone(harness.plan(ID, TRANSFER))
    harness.see(ID, 0)
    harness.see('other', 0)
    harness.see(ID, 9)
    expect(harness.intent(ID)).toEqual(before)
  })

  test('answers for the attempt whose answer was lost, and is asked for again at its interval', () => {
    const harness = sent()
    harness.silence(ID, 0)
    harness.see(ID, 0, { status: 'in_transit', words: 'on its way' })
    expect(harness.intent(ID).legs[0]).toMatchObject({
      stage: 'in_transit',
      why: 'on its way',
      dueAt: harness.now + 30_000,
      attempts: [{ outcome: 'answered' }],
    })
    harness.pass(29_999)
    expect(harness.take('read')).toEqual([])
    harness.pass(1)
    expect(harness.take('read')).toHaveLength(1)
    harness.pass(119_999)
    expect(harness.take('read')).toEqual([])
    harness.pass(1)
    expect(harness.take('read')).toHaveLength(1)
    harness.see(ID, 0, { status: 'in_transit', words: 'on its way' })
    expect(harness.intent(ID).legs[0]?.asked).toBeNull()
    const sending = sent()
    sending.see(ID, 0, { status: 'in_transit' })
    expect(sending.intent(ID).legs[0]?.attempts[0]?.outcome).toBe('answered')
  })

  test('whose figures the venue states is booked with them, else with what was quoted or sent', () => {
    const stated = paid({ received: 499_000n * TZS, fee: 4_000n * TZS })
    expect(stated.intent(ID).legs[0]).toMatchObject({
      received: 499_000n * TZS,
      fee: 4_000n * TZS,
      provisional: null,
    })
    expect(paid().intent(ID).legs[0]).toMatchObject({ received: 500_000n * TZS, fee: 0n, provisional: null })
    const transfer = sent()
    transfer.answer(ID, 0)
    expect(transfer.intent(ID).legs[0]).toMatchObject({
      received: 40_000_000n * TZS,
      fee: null,
      provisional: {
        what: 'arrived',
        place: 'lpWallet',
        asset: 'NTZS',
        booked: 40_000_000n * TZS,
        least: 40_000_000n * TZS,
        most: 40_000_000n * TZS,
      },
    })
  })

  test('that failed brings back what had left, as the venue states it or whole', () => {
    for (const [received, held] of [
      [null, 60_000_000n],
      [39_000_000n * TZS, 59_000_000n],
    ] as const) {
      const harness = sent()
      harness.answer(ID, 0, { status: 'failed', received, words: 'came back' })
      expect(harness.intent(ID)).toMatchObject({ stage: 'reverted', why: 'came back' })
      expect(harness.state.books.accounts['treasury']?.NTZS).toBe(held * TZS)
      expect(harness.intent(ID).legs[0]?.provisional?.what).toBe(received === null ? 'returned' : undefined)
    }
  })
})
