import { describe, expect, test } from 'vitest'
import {
  TRANSFER,
  REFILL,
  TreasuryHarness,
  plannedStep,
  SWAP,
  plannedLeg,
  USD,
  PAYOUT,
  TZS,
  PAYOUT_ORDER,
} from '../../../support/treasury-harness.ts'

const ID = 'a'
const ONE_PERSON = {
  approval: { people: 1, coolOffMs: 0 },
  keysHonoured: ['POST /withdrawals'],
} as const
const MILLION = 1_000_000n * TZS
const PRICE = { spend: 503_000n * TZS, receive: 500_000n * TZS }

/** What people are shown of an intent, in order: its moves, those of its legs with the reason, alerts, and bookings. */
function storyOf(harness: TreasuryHarness): readonly string[] {
  const lines = harness.observations.flatMap((one) => {
    if (one.type === 'intentMoved') {
      const move = `${one.from} -> ${one.to}`
      return [one.leg === null ? `intent ${move}` : `leg ${one.leg} ${move}: ${one.why}`]
    }
    if (one.type === 'treasuryAlert') return [`${one.code}: ${one.message}`]
    return one.type === 'booked' ? [`booked: ${one.reason}`] : []
  })
  return lines.slice(lines.findIndex((line) => line.startsWith('intent planned -> planned')) + 1)
}

function ordered(): TreasuryHarness {
  const harness = new TreasuryHarness(ONE_PERSON)
  harness.order(PAYOUT_ORDER, 'anna', { id: ID, step: PAYOUT })
  return harness
}

/** A payout whose answer was lost: within its five minutes it is replayed, then looked for. */
function lost(): TreasuryHarness {
  const harness = ordered()
  harness.quote(ID, 0, PRICE)
  harness.prepare(ID, 0)
  harness.silence(ID, 0)
  return harness
}

describe('the story of a refill', () => {
  test('that arrives names each step, what a person has to do, and what the venue reviews', () => {
    const harness = TreasuryHarness.sending(ID, REFILL)
    harness.answer(ID, 0, { status: 'waiting_for_payer', instructions: 'pay 40 M', words: 'open' })
    harness.see(ID, 0, { status: 'waiting_for_payer', words: 'open' })
    harness.see(ID, 0, { status: 'queued', words: 'queued' })
    harness.see(ID, 0, { status: 'review', words: 'reviewed' })
    harness.see(ID, 0, { status: 'review', words: 'reviewed' })
    harness.see(ID, 0, { status: 'in_transit', words: 'on its way' })
    harness.see(ID, 0, { received: 40n * MILLION })
    harness.prepare(ID, 1)
    harness.silence(ID, 1)
    harness.answer(ID, 1, { received: 40n * MILLION - TZS })
    harness.answer(ID, 2)
    expect(storyOf(harness)).toEqual([
      'intent planned -> approved',
      'leg 0 planned -> sending: deposit: attempt 1 is sent',
      'intent approved -> sending',
      'treasury-payment-expected: pay 40 M',
      'leg 0 sending -> known: open',
      'intent sending -> known',
      'treasury-venue-review: the venue holds it for review: queued',
      'leg 0 known -> in_transit: queued',
      'intent known -> in_transit',
      'booked: the venue holds it',
      'treasury-venue-review: the venue holds it for review: reviewed',
      'booked: deposit arrived',
      'leg 0 in_transit -> settled: completed',
      'intent in_transit -> planned',
      'booked: transfer is sent',
      'leg 1 planned -> sending: transfer: attempt 1 is sent',
      'intent planned -> sending',
      'leg 1 sending -> silent: timed out',
      'intent sending -> silent',
      'booked: transfer arrived',
      'leg 1 silent -> settled: completed',
      'intent silent -> planned',
      'booked: lpActivation is sent',
      'leg 2 planned -> sending: lpActivation: attempt 1 is sent',
      'intent planned -> sending',
      'booked: lpActivation arrived',
      'leg 2 sending -> settled: completed',
      'intent sending -> settled',
    ])
    expect(harness.intent(ID).legs[0]).toMatchObject({
      received: 40n * MILLION,
      fee: null,
      provisional: null,
      instructions: 'pay 40 M',
      endedAt: harness.now,
      asked: null,
      failures: 0,
    })
  })

  test('whose second step is refused ends there, and says why the rest is cancelled', () => {
    const harness = TreasuryHarness.sending(ID, REFILL, 1)
    harness.refuse(ID, 1)
    expect(storyOf(harness).slice(-5)).toEqual([
      'booked: transfer refused',
      'leg 1 sending -> refused: invalid_amount: refused',
      'leg 2 planned -> cancelled: an earlier step ended: invalid_amount: refused',
      'intent sending -> refused',
      'treasury-intent-failed: refused, bank-deposit to pool: invalid_amount: refused',
    ])
    expect(harness.take('plan')).toHaveLength(1)
    expect(harness.state.books.reserved).toEqual({})
  })

  test('that takes longer than 19 in 20 is reported once', () => {
    const harness = TreasuryHarness.sending(ID, REFILL)
    harness.answer(ID, 0, { status: 'in_transit', words: 'on its way' })
    const { latestAt } = harness.intent(ID).expected
    const late = 'treasury-intent-late: bank-deposit to pool should have arrived: on its way'
    harness.pass(latestAt - 1 - harness.now)
    expect(storyOf(harness)).not.toContain(late)
    harness.pass(1)
    harness.pass(7_200_000)
    expect(storyOf(harness).filter((line) => line === late)).toHaveLength(1)
  })
})

describe('the story of a payout', () => {
  test('whose answer is lost and not found is a claim; what is learned later is booked all the same', () => {
    const harness = lost()
    harness.pass(301_000)
    harness.give({ type: 'findingSeen', intent: ID, leg: 0, n: 1, found: null, words: 'no transfer' })
    harness.see(ID, 0, { received: 500_000n * TZS, fee: 3_000n * TZS })
    harness.see(ID, 0, { status: 'reverted', words: 'returned' })
    const nothing = 'no finder found it, which proves nothing: no transfer'
    expect(storyOf(harness)).toEqual([
      'intent planned -> approved',
      'leg 0 planned -> quoted: the price is within the envelope',
      'intent approved -> quoted',
      'booked: withdrawal is sent',
      'leg 0 quoted -> sending: withdrawal: attempt 1 is sent',
      'intent quoted -> sending',
      'leg 0 sending -> silent: timed out',
      'intent sending -> silent',
      'booked: a claim',
      `leg 0 silent -> claim: ${nothing}`,
      'intent silent -> claim',
      `treasury-claim-open: payout to landlord: ${nothing}`,
      'booked: withdrawal arrived',
      'leg 0 claim -> settled: completed',
      'intent claim -> settled',
      'booked: withdrawal came back late',
      'leg 0 settled -> reversed: returned',
      'intent settled -> reversed',
      'treasury-intent-reversed: withdrawal came back after it had arrived: returned',
    ])
  })

  test('of which no one answers is silent after five minutes, replayed, and looked for', () => {
    const harness = ordered()
    harness.quote(ID, 0, PRICE)
    harness.prepare(ID, 0)
    harness.pass(299_999)
    expect(harness.intent(ID).stage).toBe('sending')
    harness.pass(1)
    expect(storyOf(harness).slice(-2)).toEqual([
      'leg 0 sending -> silent: no answer came in time',
      'intent sending -> silent',
    ])
    expect(harness.take('find')).toEqual([{ type: 'find', intent: ID, leg: 0, n: 1 }])
  })

  test('is replayed after 5, 10, 20 and 40 seconds, then each minute, until its window has passed', () => {
    const harness = lost()
    const began = harness.now
    harness.take('transmit')
    const replays: number[] = []
    for (let seconds = 0; seconds < 320; seconds += 5) {
      harness.pass(5_000)
      for (const _ of harness.take('transmit')) replays.push((harness.now - began) / 1_000)
    }
    expect(replays).toEqual([5, 15, 35, 75, 135, 195, 255])
    expect(harness.intent(ID).legs[0]?.attempts[0]).toMatchObject({
      sendings: 8,
      lastSentAt: began + 255_000,
    })
  })

  test('whose refusal is not clear is silent with the words of the venue; a clear one is tried again or ends', () => {
    const unclear = lost()
    unclear.refuse(ID, 0, { isFirst: false, code: 'key_unknown', words: 'who are you' })
    expect(unclear.intent(ID)).toMatchObject({ stage: 'silent', why: 'not clear: key_unknown: who are you' })
    const again = ordered()
    again.quote(ID, 0, PRICE)
    again.prepare(ID, 0)
    again.refuse(ID, 0, { code: 'SLIPPAGE_EXCEEDED', words: 'moved' })
    expect(storyOf(again).slice(-3)).toEqual([
      'booked: withdrawal refused',
      'leg 0 sending -> planned: tried again after a refusal: SLIPPAGE_EXCEEDED: moved',
      'intent sending -> approved',
    ])
    expect(again.intent(ID)).toMatchObject({
      agreed: null,
      legs: [{ quote: null, sentAt: null, failures: 1, attempts: [{ outcome: 'refused' }] }],
    })
  })

  test('for which no price comes is asked for again, and refused where it never will', () => {
    const harness = ordered()
    const failed = { type: 'quoteFailed', intent: ID, leg: 0 } as const
    harness.give({ ...failed, code: 'busy', words: 'slow down', isFinal: false })
    expect(harness.intent(ID).legs[0]).toMatchObject({ stage: 'planned', why: 'no price: busy: slow down' })
    harness.take('quote')
    harness.pass(4_999)
    expect(harness.take('quote')).toEqual([])
    harness.pass(1)
    expect(harness.take('quote')).toHaveLength(1)
    harness.give({ ...failed, code: 'none', words: 'never', isFinal: true })
    expect(storyOf(harness).slice(-3)).toEqual([
      'leg 0 planned -> refused: no price: none: never',
      'intent approved -> refused',
      'treasury-intent-failed: refused, payout to landlord: no price: none: never',
    ])
  })

  test('that is not sent within its time expires, and nothing has left', () => {
    const harness = ordered()
    const { expiresAt } = harness.intent(ID).envelope
    harness.pass(expiresAt - 1 - harness.now)
    expect(harness.intent(ID).endedAt).toBeNull()
    harness.pass(1)
    const why = 'its approval, or the time to send it, ran out; nothing has left'
    expect(harness.intent(ID)).toMatchObject({
      stage: 'expired',
      endedAt: harness.now,
      legs: [{ stage: 'expired', why, endedAt: harness.now, asked: null }],
    })
    expect(storyOf(harness)).toContain(`treasury-intent-failed: expired, payout to landlord: ${why}`)
  })

  test('that certainly never left twenty times is refused', () => {
    const harness = ordered()
    for (let n = 1; n <= 20; n++) {
      harness.quote(ID, 0, { quoteId: `q${n}`, ...PRICE })
      harness.prepare(ID, 0, n)
      harness.silence(ID, 0, { n, sent: 'no', words: 'no route' })
      if (n < 20) expect(harness.intent(ID).legs[0]).toMatchObject({ stage: 'quoted', why: 'no route' })
      // Its price expires before it can be sent again.
      harness.now += 600_000
      harness.give({ type: 'tick' })
    }
    expect(harness.intent(ID)).toMatchObject({ stage: 'refused', why: 'nothing could be sent: no route' })
    expect(harness.intent(ID).legs[0]?.attempts.at(-1)).toMatchObject({
      outcome: 'unsent',
      sendings: 0,
      firstSentAt: null,
      lastSentAt: null,
      words: 'no route',
    })
    expect(harness.intent(ID).legs[0]?.attempts[0]?.outcome).toBe('refused')
  })
})

describe('the story of a withdrawal from the pool', () => {
  const STEPS = plannedStep(
    [
      plannedLeg({ kind: 'lpWithdrawal', from: 'lpWallet', to: 'treasury', amount: 600_000n * TZS }),
      ...PAYOUT.legs,
    ],
    { rule: 'payout', direction: 'out', route: 'payout' },
  )

  function begun(): TreasuryHarness {
    const harness = TreasuryHarness.planned(ID, STEPS, ONE_PERSON)
    harness.approve(ID, 'anna')
    return harness
  }

  test('takes the position out of the market first, with the orders that the position gets, and back at once', () => {
    const harness = begun()
    harness.answer(ID, 0)
    harness.answer(ID, 1, { received: 600_000n * TZS })
    const place = { type: 'position', intent: ID, n: 1 }
    expect(harness.take('position')).toEqual([
      { ...place, leg: 0, order: { name: 'deactivate' } },
      {
        ...place,
        leg: 1,
        order: {
          name: 'withdraw',
          asset: 'NTZS',
          amount: 600_000n * TZS,
          key: `${ID}-1-1`,
          approvedBy: ['anna'],
        },
      },
      { ...place, leg: 2, order: { name: 'activate' } },
    ])
    const { legs } = harness.intent(ID)
    expect(legs.map(({ kind, from, to, amount, payee }) => [kind, from, to, amount, payee])).toEqual([
      ['lpDeactivation', 'pool', 'lpWallet', 0n, null],
      ['lpWithdrawal', 'lpWallet', 'treasury', 600_000n * TZS, null],
      ['lpActivation', 'lpWallet', 'pool', 0n, null],
      ['withdrawal', 'treasury', 'bank', 505_000n * TZS, 'landlord'],
    ])
    expect(legs[1]?.attempts).toMatchObject([{ body: '', block: null }])
  })

  test('that is refused brings the position back to the market, and ends with the refusal', () => {
    const harness = begun()
    harness.answer(ID, 0)
    harness.refuse(ID, 1)
    expect(harness.stages(ID)).toEqual(['settled', 'refused', 'sending', 'cancelled'])
    harness.answer(ID, 2)
    expect(harness.intent(ID)).toMatchObject({ stage: 'refused', endedAt: harness.now })
  })

  test('whose second withdrawal is refused brings the position back, although it came back after the first', () => {
    const harness = new TreasuryHarness(ONE_PERSON)
    const [first] = STEPS.legs
    if (first === undefined) throw new Error('no leg')
    harness.plan(ID, { ...STEPS, legs: [first, first] })
    harness.approve(ID, 'anna')
    harness.answer(ID, 0)
    harness.answer(ID, 1, { received: 600_000n * TZS })
    harness.answer(ID, 2)
    harness.answer(ID, 3)
    harness.refuse(ID, 4)
    expect(harness.intent(ID).legs.at(-1)).toMatchObject({ kind: 'lpActivation', stage: 'sending' })
  })

  test('whose first step is refused leaves the position where it is', () => {
    const harness = begun()
    harness.refuse(ID, 0)
    expect(harness.stages(ID)).toEqual(['refused', 'cancelled', 'cancelled', 'cancelled'])
    // Nothing was reserved for it, so that nothing is booked back.
    expect(storyOf(harness)).not.toContain('booked: lpDeactivation refused')
  })
})

describe('a step of a plan is refused in words:', () => {
  const refusalOf = (step: typeof TRANSFER, harness = new TreasuryHarness()) => {
    harness.give({ type: 'planned', steps: [{ id: 'new', step }] })
    expect(harness.state.intents).not.toHaveProperty('new')
    return harness.observations.findLast(({ type }) => type === 'treasuryAlert')
  }
  const named = (step: typeof TRANSFER, why: string) => ({
    code: 'treasury-step-refused',
    message: `${step.rule} ${step.asset} ${step.direction}: ${why}`,
  })

  test('it moves nothing', () => {
    for (const step of [
      { ...TRANSFER, legs: [] },
      { ...TRANSFER, mostSpent: 0n },
      plannedStep([plannedLeg({ kind: 'transfer', from: 'treasury', to: 'lpWallet', amount: 0n })], {
        route: 'rebalance',
        mostSpent: TZS,
      }),
    ])
      expect(refusalOf(step)).toMatchObject(named(step, 'it moves nothing'))
  })

  test('its route is not configured', () => {
    const harness = new TreasuryHarness({ policy: { routes: ['bank-deposit'] } })
    expect(refusalOf(TRANSFER, harness)).toMatchObject(
      named(TRANSFER, 'rebalance is not among treasury.policy.routes'),
    )
  })

  test('one of the same rule, asset and direction is active, and another one is not', () => {
    const harness = TreasuryHarness.planned('old', TRANSFER)
    expect(refusalOf(TRANSFER, harness)).toMatchObject(
      named(TRANSFER, 'there is already an active refill of NTZS in'),
    )
    expect(harness.plan('other', { ...TRANSFER, rule: 'manual' }).stage).toBe('approved')
    expect(harness.plan('out', { ...TRANSFER, direction: 'out' }).id).toBe('out')
    expect(harness.plan('usd', { ...TRANSFER, asset: 'USDC' }).id).toBe('usd')
  })

  test('its place cannot be read; a bank and a phone are never read', () => {
    const harness = new TreasuryHarness()
    harness.look({ ...harness.state.holdings!, treasury: null })
    expect(refusalOf(TRANSFER, harness)).toMatchObject(named(TRANSFER, 'treasury cannot be read'))
    const deposit = plannedStep([plannedLeg({ kind: 'deposit', from: 'bank', to: 'treasury' })])
    expect(harness.plan('bank', deposit).stage).toBe('approved')
  })

  test('its id belongs to another intent', () => {
    const harness = TreasuryHarness.planned('old', TRANSFER)
    harness.give({ type: 'planned', steps: [{ id: 'old', step: { ...TRANSFER, rule: 'manual' } }] })
    expect(harness.observations.findLast(({ type }) => type === 'treasuryAlert')).toMatchObject({
      message: 'manual NTZS in: the id old belongs to another intent',
    })
  })

  test('again only when the reason has changed', () => {
    const harness = TreasuryHarness.planned('old', { ...TRANSFER, rule: 'manual' })
    const step = { ...TRANSFER, mostSpent: 0n }
    const count = () => harness.observations.filter(({ type }) => type === 'treasuryAlert').length
    const before = count()
    for (let n = 0; n < 3; n++) harness.give({ type: 'planned', steps: [{ id: 'new', step }] })
    expect(count() - before).toBe(1)
    harness.give({ type: 'planned', steps: [{ id: 'old', step: TRANSFER }] })
    harness.give({ type: 'planned', steps: [{ id: 'new', step }] })
    expect(count() - before).toBe(3)
  })
})

describe('a price', () => {
  test('at the edge of the envelope is taken, and one unit beyond it is not', () => {
    const quoted = (spend: bigint, receive: bigint) => {
      const harness = TreasuryHarness.planned(ID, SWAP)
      harness.quote(ID, 0, { quoteId: null, spend, receive })
      return harness.intent(ID).stage
    }
    expect(quoted(1_000n * USD, 2_400_000n * TZS)).toBe('quoted')
    expect(quoted(1_000n * USD + 1n, 2_400_000n * TZS)).toBe('cancelled')
    expect(quoted(1_000n * USD, 2_400_000n * TZS - 1n)).toBe('cancelled')
  })

  test('of nothing, of another amount than was asked for, or of the past is asked for again', () => {
    const why = (quote: Parameters<TreasuryHarness['quote']>[2]) => {
      const harness = ordered()
      harness.quote(ID, 0, quote)
      expect(harness.intent(ID).legs[0]).toMatchObject({ quote: null, failures: 1, stage: 'planned' })
      return harness.intent(ID).legs[0]?.why
    }
    const nothing = 'the venue quotes nothing'
    expect(why({ spend: 0n, receive: 500_000n * TZS })).toBe(nothing)
    expect(why({ spend: 1n, receive: 0n })).toBe(nothing)
    const other = 'the venue quotes an amount that differs from the request'
    expect(why({ ...PRICE, receive: 500_001n * TZS })).toBe(other)
    const old = "the price had expired when it came: compare our clock with the venue's"
    expect(why({ ...PRICE, expiresAt: new TreasuryHarness().now })).toBe(old)
  })

  test('that no one has asked for is not taken', () => {
    const harness = ordered()
    harness.quote(ID, 0, PRICE)
    harness.quote(ID, 0, { ...PRICE, quoteId: 'second' })
    expect(harness.intent(ID).legs[0]?.quote?.quoteId).toBe('a-quote')
    harness.prepare(ID, 0)
    harness.quote(ID, 0, { ...PRICE, quoteId: 'third' })
    const never = { type: 'quoteFailed', leg: 0, code: 'none', words: 'never', isFinal: true } as const
    for (const intent of [ID, 'other']) harness.give({ ...never, intent })
    expect(harness.intent(ID).legs[0]).toMatchObject({ stage: 'sending', quote: { quoteId: 'a-quote' } })
  })

  test('beyond what was agreed widens the envelope by exactly that, and waits for people', () => {
    const harness = ordered()
    harness.quote(ID, 0, { spend: 506_000n * TZS, receive: 500_000n * TZS })
    expect(harness.intent(ID)).toMatchObject({
      stage: 'awaiting_approval',
      needsApproval: true,
      envelope: {
        mostSpent: 506_000n * TZS,
        leastReceived: 500_000n * TZS,
        expiresAt: harness.now + 86_400_000,
      },
      legs: [{ amount: 506_000n * TZS, leastReceived: 500_000n * TZS, quote: null }],
    })
    expect(storyOf(harness).slice(-2)).toEqual([
      'treasury-approval-waiting: a price of 506000 NTZS for 500000 NTZS is outside the approved envelope: it waits for approval again',
      'intent approved -> awaiting_approval',
    ])
  })

  test('is asked for again once it has expired, and the attempt that names it is never sent', () => {
    const harness = ordered()
    harness.quote(ID, 0, PRICE)
    expect(harness.take('prepare')).toHaveLength(1)
    harness.take('quote')
    harness.pass(300_000)
    expect(harness.take('quote')).toHaveLength(1)
    harness.prepare(ID, 0)
    expect(harness.take('transmit')).toEqual([])
  })
})
