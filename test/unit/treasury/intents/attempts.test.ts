import { describe, expect, test } from 'vitest'
import {
  TRANSFER,
  TZS,
  REFILL,
  TreasuryHarness,
  MID,
  PAYOUT,
  PAYOUT_ORDER,
  SWAP,
} from '../../../support/treasury-harness.ts'

const ID = 'f'.repeat(32)
function sent(
  step = TRANSFER,
  change: ConstructorParameters<typeof TreasuryHarness>[0] = {},
): TreasuryHarness {
  const harness = new TreasuryHarness(change)
  harness.sendLeg(ID, step)
  harness.take('transmit')
  return harness
}

function priced(quote: { readonly quoteId?: string } = {}): TreasuryHarness {
  const harness = new TreasuryHarness({ approval: { people: 1, coolOffMs: 0 } })
  harness.order(PAYOUT_ORDER, 'anna', { id: ID, step: PAYOUT })
  harness.quote(ID, 0, { spend: 503_000n * TZS, receive: 500_000n * TZS, ...quote })
  return harness
}

describe('attempts', () => {
  test('a sending that certainly never left is sent again for the first time, with the same key and bytes', () => {
    const harness = sent()
    const [before] = structuredClone(harness.intent(ID).legs[0]?.attempts ?? [])
    harness.silence(ID, 0, { sent: 'no' })
    expect(harness.state.books.reserved).toEqual({})
    expect(harness.intent(ID).legs[0]?.stage).toBe('planned')
    harness.pass(6_000)
    expect(harness.take('transmit')).toEqual([{ type: 'transmit', intent: ID, leg: 0, n: 1 }])
    expect(harness.intent(ID).legs[0]?.attempts).toMatchObject([
      { key: before?.key, body: before?.body, sendings: 1 },
    ])
  })

  test('that a replay never left proves nothing of the first sending', () => {
    const harness = sent(TRANSFER, { keysHonoured: ['POST /transfers'] })
    harness.silence(ID, 0)
    harness.pass(6_000)
    harness.silence(ID, 0, { sent: 'no' })
    harness.refuse(ID, 0)
    expect(harness.intent(ID).legs[0]).toMatchObject({ stage: 'silent', attempts: [{ sendings: 2 }] })
    expect(harness.state.books.reserved).toHaveProperty(`${ID}:0`)
  })

  test('a refusal that asks to verify is no refusal', () => {
    const harness = sent(REFILL)
    harness.refuse(ID, 0, { code: 'initiation_uncertain', retry: 'verify' })
    expect(harness.intent(ID).legs[0]?.stage).toBe('silent')
  })

  test('five refusals for certain are the end of the leg', () => {
    const harness = priced()
    for (let n = 1; n <= 5; n++) {
      harness.prepare(ID, 0, n)
      harness.refuse(ID, 0, { n, code: 'token_paused', retry: 'backoff' })
      harness.pass(400_000)
      if (n < 5)
        harness.quote(ID, 0, { quoteId: `quote-${n}`, spend: 503_000n * TZS, receive: 500_000n * TZS })
    }
    expect(harness.intent(ID)).toMatchObject({ stage: 'refused', endedAt: expect.any(Number) as number })
    expect(harness.state.capUses).toEqual([])
    expect(harness.state.books.accounts['treasury']?.NTZS).toBe(60_000_000n * TZS)
  })

  test('attempts whose price expired unsent do not count as refusals of the leg', () => {
    const harness = priced()
    for (let n = 1; n <= 5; n++) {
      harness.prepare(ID, 0, n)
      harness.silence(ID, 0, { n, sent: 'no' })
      // The price expires before the attempt may be sent again.
      harness.now += 300_000
      harness.pass(0)
      harness.quote(ID, 0, { quoteId: `quote-${n}`, spend: 503_000n * TZS, receive: 500_000n * TZS })
    }
    harness.prepare(ID, 0, 6)
    harness.refuse(ID, 0, { n: 6, code: 'token_paused', retry: 'backoff' })
    expect(harness.intent(ID).legs[0]).toMatchObject({ stage: 'planned', attempts: { length: 6 } })
  })

  test('an answer that comes after the claim resolves it', () => {
    const harness = sent()
    harness.silence(ID, 0)
    harness.pass(3_700_000)
    harness.findNothing(ID)
    expect(harness.intent(ID).stage).toBe('claim')
    harness.answer(ID, 0)
    expect(harness.intent(ID).stage).toBe('settled')
  })

  test('what the chain shows settles a silent transfer with what arrived', () => {
    const harness = sent()
    harness.silence(ID, 0)
    const found = { reference: '0xfeed', received: 39_999_000n * TZS }
    harness.give({ type: 'findingSeen', intent: ID, leg: 0, n: 1, found, words: 'in block 7' })
    expect(harness.intent(ID).legs[0]).toMatchObject({ stage: 'settled', reference: '0xfeed' })
    expect(harness.state.books.accounts['railCosts']?.NTZS).toBe(1_000n * TZS)
  })

  test('a payout that a webhook named can be read from then on, so that its return is seen', () => {
    const harness = sent()
    harness.silence(ID, 0)
    const found = { reference: 'w1', received: 40_000_000n * TZS, resourceId: 'w1' }
    harness.give({ type: 'findingSeen', intent: ID, leg: 0, n: 1, found, words: 'a webhook names it' })
    expect(harness.intent(ID).legs[0]).toMatchObject({ stage: 'settled', resourceId: 'w1' })
  })

  test('a finding of another attempt is ignored', () => {
    const harness = sent()
    harness.silence(ID, 0)
    const found = { reference: '0xbad', received: 1n }
    harness.give({ type: 'findingSeen', intent: ID, leg: 0, n: 2, found, words: 'of another' })
    expect(harness.intent(ID).legs[0]?.stage).toBe('silent')
  })

  test('a key that another attempt has is not taken', () => {
    const harness = sent()
    harness.plan('second', { ...REFILL, rule: 'manual' })
    const key = harness.intent(ID).legs[0]?.attempts[0]?.key ?? ''
    harness.give({ type: 'attemptPrepared', intent: 'second', leg: 0, n: 1, key, body: '{}', block: null })
    expect(harness.intent('second').legs[0]?.attempts).toEqual([])
    expect(harness.take('transmit')).toEqual([])
  })

  test('a body with a price of the past is not sent', () => {
    const harness = priced()
    harness.give({
      type: 'attemptPrepared',
      intent: ID,
      leg: 0,
      n: 1,
      key: 'a-key',
      body: '{"quoteId":"an-older-one"}',
      block: null,
    })
    expect(harness.take('transmit')).toEqual([])
  })

  test.each(['\u001c', 'a "quoted" \\ name', '\ud800', '˟ɥˌȆǷ\n'])(
    'a price with a name that JSON escapes is sent once, and its attempt is not asked for again and again: %j',
    (quoteId) => {
      const harness = priced({ quoteId })
      harness.prepare(ID, 0)
      expect(harness.take('transmit')).toHaveLength(1)
      expect(harness.take('prepare')).toHaveLength(1)
    },
  )

  test('a webhook is a hint: the resource is read, by its id or by the reference of a lost answer', () => {
    const harness = sent(REFILL)
    const hook = { event: 'deposit.completed', status: 'completed', hash: 'h', body: '{}' }
    harness.silence(ID, 0)
    harness.give({ type: 'webhookSeen', ...hook, resourceId: 'dep-1', reference: ID })
    expect(harness.take('read')).toEqual([{ type: 'read', intent: ID, leg: 0 }])
    harness.give({ type: 'webhookSeen', ...hook, resourceId: 'dep-2', reference: ID })
    expect(harness.take('read')).toEqual([])
    expect(harness.intent(ID).legs[0]).toMatchObject({ stage: 'silent', resourceId: 'dep-1' })
    harness.silence(ID, 0, { named: 'dep-3' })
    expect(harness.intent(ID).legs[0]?.evidence).toBeUndefined()
    harness.see(ID, 0, { by: 'webhook' })
    expect(harness.intent(ID).legs[0]?.stage).toBe('settled')
    harness.give({ type: 'webhookSeen', ...hook, resourceId: 'unknown', reference: null })
    expect(harness.take('read')).toEqual([])
  })

  test('a route that fails twice rests, and its steps are refused once in words', () => {
    const harness = new TreasuryHarness()
    for (const id of ['one', 'two']) {
      harness.sendLeg(id, TRANSFER)
      harness.refuse(id, 0)
    }
    for (let plans = 0; plans < 3; plans++)
      harness.give({ type: 'planned', steps: [{ id: 'three', step: TRANSFER }] })
    expect(harness.state.intents).not.toHaveProperty('three')
    const codes = harness.observations.flatMap((one) => (one.type === 'treasuryAlert' ? [one.code] : []))
    expect(codes.filter((code) => code === 'treasury-step-refused')).toHaveLength(1)
    expect(codes).toContain('treasury-rail-rested')
    expect(harness.state.refusedSteps).toEqual({ 'refill NTZS in': 'rebalance rests after failures' })
    const rail = harness.treasury.planInput(harness.now)?.rails.find(({ route }) => route === 'rebalance')
    expect(rail).toMatchObject({ tries: 2, failures: 2, restedUntil: harness.now + 3_600_000 })
    harness.pass(3_600_000)
    expect(harness.plan('three', TRANSFER).stage).toBe('approved')
  })

  test('the scoreboard learns time and cost from what arrived', () => {
    const harness = sent()
    harness.pass(60_000)
    harness.answer(ID, 0, { received: 39_996_000n * TZS })
    const rail = harness.treasury.planInput(harness.now)?.rails.find(({ route }) => route === 'rebalance')
    expect(rail).toMatchObject({ tries: 1, failures: 0, medianMs: 60_000, p95Ms: 60_000, costBps: 1 })
  })

  test('a price that had expired when it came is asked for again after a pause', () => {
    const harness = TreasuryHarness.planned('an-intent', PAYOUT)
    harness.approve('an-intent', 'anna')
    harness.approve('an-intent', 'bertha')
    harness.take('quote')
    harness.quote('an-intent', 0, {
      spend: 501_700n * TZS,
      receive: 500_000n * TZS,
      expiresAt: harness.now - 1,
    })
    expect(harness.take('quote')).toEqual([])
    expect(harness.intent('an-intent').legs[0]?.why).toContain('compare our clock')
    harness.pass(60_000)
    expect(harness.take('quote')).toHaveLength(1)
  })

  test('a price outside of the envelope goes back to people, with an envelope that it fits in', () => {
    const harness = new TreasuryHarness({ approval: { people: 1, coolOffMs: 0 } })
    harness.order(PAYOUT_ORDER, 'anna', { id: ID, step: PAYOUT })
    harness.quote(ID, 0, { spend: 506_000n * TZS, receive: 500_000n * TZS })
    expect(harness.intent(ID)).toMatchObject({
      stage: 'awaiting_approval',
      envelope: { mostSpent: 506_000n * TZS, leastReceived: 500_000n * TZS },
    })
    harness.take('quote')
    expect(harness.approve(ID, 'anna')).toBe('yes: approved')
    expect(harness.take('quote')).toHaveLength(1)
  })

  test('a price outside of the envelope cancels what needed no one and has not begun', () => {
    const harness = TreasuryHarness.planned(ID, SWAP)
    harness.quote(ID, 0, { quoteId: null, spend: 10n ** 9n, receive: 2_399_999n * TZS })
    expect(harness.intent(ID).stage).toBe('cancelled')
    expect(harness.take('prepare')).toEqual([])
  })

  test('ended intents are kept for the history within bounds, claims without', () => {
    const harness = new TreasuryHarness()
    for (let count = 0; count < 600; count++) {
      const id = `intent-${count}`
      harness.sendLeg(id, TRANSFER)
      harness.answer(id, 0)
      harness.now += 1_000
    }
    expect(Object.keys(harness.state.intents)).toHaveLength(600)
    harness.now += 16 * 86_400_000
    harness.look(undefined, MID)
    expect(Object.keys(harness.state.intents)).toHaveLength(500)
    expect(harness.state.books.reserved).toEqual({})
  })
})
