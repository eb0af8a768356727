import { describe, expect, test } from 'vitest'
import type { LegKind } from '../../../../src/treasury/model/intent.ts'
import {
  PAYOUT,
  plannedLeg,
  plannedStep,
  REFILL,
  SWAP,
  treasuryConfig,
  TRANSFER,
  TreasuryHarness,
  TZS,
  USD,
  VENUE,
} from '../../../support/treasury-harness.ts'

const ID = 'c'.repeat(32)
const HOUR_MS = 3_600_000

type Leg = Parameters<typeof plannedLeg>[0]
const ramp = (leg: Leg, step: Parameters<typeof plannedStep>[1], amounts: Partial<Leg>) =>
  plannedStep([plannedLeg({ ...leg, ...amounts })], step)

/** One step of each kind that is a money call of the partner API, and the route that it goes to. */
const CALLS = [
  ['deposit', 'POST /deposits', REFILL],
  ['transfer', 'POST /transfers', TRANSFER],
  ['withdrawal', 'POST /withdrawals', PAYOUT],
  ['swap', 'POST /swap', SWAP],
  [
    'offramp',
    'POST /ramp/offramp',
    ramp(
      { kind: 'offramp', from: 'float', to: 'phone', payee: 'newcomer' },
      { rule: 'payout', asset: 'USDC', direction: 'out', route: 'offramp' },
      { asset: 'USDC', amount: 200n * USD, receiveAsset: 'NTZS', leastReceived: 500_000n * TZS },
    ),
  ],
  [
    'onramp',
    'POST /ramp/onramp',
    ramp(
      { kind: 'onramp', from: 'phone', to: 'treasury' },
      { route: 'onramp', asset: 'USDC' },
      { amount: 500_000n * TZS, receiveAsset: 'USDC', leastReceived: 190n * USD },
    ),
  ],
] as const

/** Everybody agrees, and the first step is put on the wire once. */
function sent(
  step: (typeof CALLS)[number][2],
  change: ConstructorParameters<typeof TreasuryHarness>[0] = {},
): TreasuryHarness {
  const payees = treasuryConfig().payees.map((payee) => ({ ...payee, isAdmitted: true }))
  const harness = TreasuryHarness.planned(ID, step, { payees, ...change })
  for (const by of ['anna', 'bertha'])
    if (harness.intent(ID).stage === 'awaiting_approval') harness.approve(ID, by)
  const [leg] = step.legs
  if (leg === undefined) throw new Error('a step has legs')
  if (harness.take('quote').length > 0)
    harness.quote(ID, 0, {
      spend: leg.amount,
      receive: leg.leastReceived,
      quoteId: leg.kind === 'swap' ? null : 'q',
    })
  harness.prepare(ID, 0)
  expect(harness.take('transmit')).toHaveLength(1)
  return harness
}

describe.each(CALLS)('a %s without a clear answer', (kind: LegKind, route, step) => {
  test.each([
    ['no answer comes', (harness: TreasuryHarness) => harness.pass(300_000)],
    ['the connection is lost after sending', (harness: TreasuryHarness) => harness.silence(ID, 0)],
    ['an answer decides nothing', (harness: TreasuryHarness) => harness.silence(ID, 0, { sent: 'yes' })],
    [
      'the venue refuses what it has seen before',
      (harness: TreasuryHarness) => harness.refuse(ID, 0, { retry: 'verify', code: 'duplicate_withdrawal' }),
    ],
    [
      'the process ends',
      (harness: TreasuryHarness) =>
        harness.give({ type: 'restarted', version: '2', isRestored: false, venue: VENUE }),
    ],
  ])('is never sent again, and is a claim after its window, where %s', (_what, happens) => {
    const harness = sent(step)
    happens(harness)
    let finds = 0
    for (let minutes = 0; minutes < 130; minutes++) {
      for (const { n } of harness.take('find')) {
        finds += 1
        harness.give({ type: 'findingSeen', intent: ID, leg: 0, n, found: null, words: 'nothing' })
      }
      harness.pass(60_000)
    }
    expect(harness.take('transmit')).toEqual([])
    expect(harness.intent(ID).legs[0]).toMatchObject({ kind, stage: 'claim', attempts: [{ sendings: 1 }] })
    expect(finds).toBeGreaterThan(5)
  })

  test('is sent again with the same key where the configuration names its route', () => {
    const harness = sent(step, { keysHonoured: [route] })
    harness.silence(ID, 0)
    harness.pass(20_000)
    expect(harness.take('transmit')).toHaveLength(2)
  })
})

describe('the evidence that a route honours keys', () => {
  const again = 'd'.repeat(32)
  /** Whether a second transfer, whose answer is lost, is sent again. */
  function isSentAgain(harness: TreasuryHarness): boolean {
    harness.plan(again, { ...TRANSFER, rule: 'manual' })
    harness.prepare(again, 0)
    harness.take('transmit')
    harness.silence(again, 0)
    harness.pass(20_000)
    return harness.take('transmit').length > 0
  }

  test('is an answer that the venue marks as a replay', () => {
    const harness = sent(TRANSFER)
    harness.answer(ID, 0, { replayed: true })
    expect(isSentAgain(harness)).toBe(true)
  })

  test('is one id for a key that was sent twice, though the step has settled by then', () => {
    const harness = sent(TRANSFER, { keysHonoured: ['POST /transfers'] })
    harness.silence(ID, 0)
    harness.pass(6_000)
    harness.answer(ID, 0, { resourceId: 't1' })
    harness.answer(ID, 0, { resourceId: 't1' })
    expect(harness.state.keys?.seen).toEqual({ [`${VENUE} live POST /transfers`]: 'honoured' })
    const told = expect.objectContaining({ code: 'treasury-key-ignored' })
    expect(harness.observations).not.toContainEqual(told)
  })

  test('is refuted by two ids for one key, which is a critical alert and outweighs the configuration', () => {
    const harness = sent(TRANSFER, { keysHonoured: ['POST /transfers'] })
    harness.silence(ID, 0)
    harness.pass(6_000)
    harness.answer(ID, 0, { resourceId: 't1' })
    harness.answer(ID, 0, { resourceId: 't2' })
    const message =
      'POST /transfers answered one key with two ids, t1 and t2: one of them is a second payment'
    const told = { type: 'treasuryAlert', code: 'treasury-key-ignored', message, intent: ID }
    expect(harness.observations).toContainEqual(expect.objectContaining(told))
    expect(isSentAgain(harness)).toBe(false)
  })

  test('is missing where the key was sent once, or where the answer names no resource', () => {
    const harness = sent(TRANSFER, { keysHonoured: ['POST /transfers'] })
    harness.answer(ID, 0, { resourceId: 't1' })
    harness.answer(ID, 0, { resourceId: 't1' })
    expect(harness.state.keys?.seen).toEqual({})
  })

  test.each<[string, readonly (string | null)[], string | null]>([
    ['no resource first', [null, 't1'], null],
    ['no resource then', ['t1', null], null],
    ['another one than a webhook', ['t1'], 't0'],
  ])('is missing where answers name %s', (_, answers, known) => {
    const harness = sent(TRANSFER, { keysHonoured: ['POST /transfers'] })
    harness.silence(ID, 0)
    harness.pass(6_000)
    if (known !== null) harness.hook(known, ID)
    for (const resourceId of answers) harness.answer(ID, 0, { resourceId })
    expect(harness.state.keys?.seen).toEqual({})
  })

  test('is missing for an order to the position, and while the mode of the key is not known', () => {
    const activation = plannedStep([plannedLeg({ kind: 'lpActivation', from: 'lpWallet', to: 'pool' })])
    const ordered = TreasuryHarness.planned(ID, activation)
    ordered.answer(ID, 0, { replayed: true })
    const moved = sent(TRANSFER)
    moved.give({ type: 'restarted', version: '2', isRestored: false, venue: 'https://other.example' })
    moved.answer(ID, 0, { replayed: true })
    expect([ordered.state.keys?.seen, moved.state.keys?.seen]).toEqual([{}, {}])
    moved.give({ type: 'modeSeen', isLive: false })
    expect(moved.state.keys?.mode).toBe('test')
  })

  test.each([
    ['another route', { venue: VENUE, isLive: true }, 'POST /deposits', false],
    ['the same place', { venue: VENUE, isLive: true }, 'POST /transfers', true],
    ['a live key, where it was learned with a test key', { venue: VENUE, isLive: true }, 'test', false],
    ['another venue', { venue: 'https://other.example', isLive: true }, 'POST /transfers', false],
    ['a key whose mode is not known', { venue: VENUE, isLive: null }, 'POST /transfers', false],
  ])('counts, or does not, for %s', (_where, { venue, isLive }, learned, isUsed) => {
    const harness = sent(learned === 'POST /deposits' ? REFILL : TRANSFER)
    if (learned === 'test') harness.give({ type: 'modeSeen', isLive: false })
    harness.answer(ID, 0, { replayed: true })
    harness.give({ type: 'restarted', version: '2', isRestored: false, venue })
    if (isLive !== null) harness.give({ type: 'modeSeen', isLive })
    expect(isSentAgain(harness)).toBe(isUsed)
  })
})

describe('a resource that an answer without a clear outcome named', () => {
  const [, , , , OFFRAMP] = CALLS.map(([, , step]) => step)
  function named(
    step = PAYOUT,
    change: ConstructorParameters<typeof TreasuryHarness>[0] = {},
  ): TreasuryHarness {
    const harness = sent(step, change)
    harness.silence(ID, 0, { sent: 'yes', words: '502', named: 'w1' })
    return harness
  }
  const seen = (not: string | null) =>
    ({ status: 'reverted', words: 'reverted', named: { id: 'w1', not } }) as const

  test.each([
    ['a venue that is not known', {}],
    ['a venue that honours keys', { keysHonoured: ['POST /withdrawals'] }],
  ])('is read at once at %s, and followed to its end where it is ours', (_venue, change) => {
    const harness = named(PAYOUT, change)
    expect(harness.take('read')).toEqual([{ type: 'read', intent: ID, leg: 0 }])
    harness.pass(60_000)
    expect(harness.take('transmit')).toEqual([])
    harness.see(ID, 0, seen(null))
    expect(harness.intent(ID).legs[0]).toMatchObject({ stage: 'reverted', resourceId: 'w1' })
    expect(harness.state.books.accounts['treasury']?.NTZS).toBe(60_000_000n * TZS)
  })

  test('is evidence where it is not ours, and the payment is looked for on', () => {
    const harness = named()
    harness.take('read')
    harness.see(ID, 0, seen('it is of 7 TZS'))
    expect(harness.intent(ID).legs[0]).toMatchObject({ stage: 'silent', resourceId: null })
    expect(harness.take('find')).toHaveLength(1)
    harness.pass(2 * HOUR_MS)
    harness.findNothing(ID)
    expect(harness.intent(ID).legs[0]).toMatchObject({
      stage: 'claim',
      evidence: [{ by: 'answer', reference: 'w1', words: expect.stringContaining('of 7 TZS') }],
    })
  })

  test('is read as long as the claim is open, which it ends once it shows to be ours', () => {
    const harness = named()
    harness.pass(2 * HOUR_MS)
    expect(harness.intent(ID).stage).toBe('claim')
    expect(harness.take('find')).toEqual([])
    harness.see(ID, 0, { status: 'completed', received: 500_000n * TZS, named: { id: 'w1', not: null } })
    expect(harness.intent(ID)).toMatchObject({ stage: 'settled', legs: [{ resourceId: 'w1' }] })
  })

  test('changes nothing where it was read for another one', () => {
    const harness = named(OFFRAMP)
    harness.see(ID, 0, { named: { id: 'w2', not: null } })
    expect(harness.intent(ID).legs[0]).toMatchObject({ stage: 'silent', resourceId: null, named: 'w1' })
  })

  test('of a transfer, which has no resource to read, is evidence alone', () => {
    const harness = named(TRANSFER)
    expect(harness.take('read')).toEqual([])
    harness.pass(6_000)
    expect(harness.take('find')).toHaveLength(1)
    expect(harness.intent(ID).legs[0]?.evidence).toMatchObject([{ by: 'answer', reference: 'w1' }])
  })
})

describe('a resource that a list names', () => {
  const listed = (harness: TreasuryHarness, named = 'w9') =>
    harness.give({ type: 'findingSeen', intent: ID, leg: 0, n: 1, found: null, words: 'a list', named })

  test('is read once, and followed where it is ours', () => {
    const harness = sent(PAYOUT)
    harness.silence(ID, 0)
    listed(harness)
    expect(harness.take('read')).toEqual([{ type: 'read', intent: ID, leg: 0 }])
    harness.see(ID, 0, { status: 'completed', named: { id: 'w9', not: 'it is of 7 TZS' } })
    expect(harness.intent(ID).legs[0]).toMatchObject({ stage: 'silent', evidence: [{ reference: 'w9' }] })
    listed(harness)
    expect(harness.intent(ID).legs[0]?.named).toBeUndefined()
    listed(harness, 'w8')
    harness.see(ID, 0, { status: 'completed', named: { id: 'w8', not: null } })
    expect(harness.intent(ID).legs[0]).toMatchObject({ stage: 'settled', resourceId: 'w8' })
  })

  test('is not read for a claim, nor where another one is known', () => {
    const claim = sent(PAYOUT)
    claim.answer(ID, 0, { status: 'reconcile_required', resourceId: null })
    const known = sent(PAYOUT)
    known.silence(ID, 0)
    known.hook('w1', ID)
    for (const harness of [claim, known]) {
      listed(harness)
      expect(harness.intent(ID).legs[0]?.named).toBeUndefined()
    }
  })
})

describe('a deposit after one that may still be payable', () => {
  const next = 'e'.repeat(32)
  const SHORT = { replayWindowMs: 1_000 }
  const nothing = { type: 'findingSeen', intent: ID, leg: 0, n: 1, found: null, words: 'nothing' } as const

  /** What the payer is shown of the next deposit. */
  function shown(harness: TreasuryHarness, instructions: string | null = 'pay'): string | null | undefined {
    harness.plan(next, { ...REFILL, rule: 'manual' })
    harness.prepare(next, 0)
    harness.answer(next, 0, { status: 'waiting_for_payer', instructions })
    harness.see(next, 0, { status: 'waiting_for_payer' })
    return harness.intent(next).legs[0]?.instructions
  }

  function claimed(step: (typeof CALLS)[number][2] = REFILL, reference?: string): TreasuryHarness {
    const harness = sent(step, SHORT)
    harness.silence(ID, 0)
    if (reference !== undefined) harness.hook(reference, ID)
    harness.pass(6_000)
    harness.give(nothing)
    expect(harness.intent(ID).stage).toBe('claim')
    return harness
  }

  test('names its resource, once, with or without instructions', () => {
    const why =
      'An earlier deposit of 40000000 NTZS with dep-1 may still be payable: pay only one of the two.'
    expect(shown(claimed(REFILL, 'dep-1'))).toBe(`pay\n${why}`)
    expect(shown(claimed(REFILL, 'dep-1'), null)).toBe(why)
  })

  const after = (harness: TreasuryHarness, act: (harness: TreasuryHarness) => void) => {
    act(harness)
    return harness
  }
  test.each<[string, () => TreasuryHarness]>([
    ['another kind', () => claimed(TRANSFER)],
    ['four days ago', () => after(claimed(), (harness) => (harness.now += 4 * 24 * HOUR_MS))],
    ['an answer', () => after(sent(REFILL), (one) => one.answer(ID, 0, { status: 'reconcile_required' }))],
    ['an arrival', () => after(claimed(), (harness) => harness.see(ID, 0))],
  ])('names none of %s', (_, before) => {
    expect(shown(before())).toBe('pay')
  })
})

test('a deposit that is requested anew after a claim shows both references, so that one is paid alone', () => {
  const harness = sent(REFILL, { replayWindowMs: 1_000 })
  harness.silence(ID, 0)
  harness.pass(6_000)
  harness.findNothing(ID)
  harness.order({ name: 'resolveClaim', intent: ID, as: 'returned', received: 0n, why: 'not paid' })
  const next = 'e'.repeat(32)
  harness.sendLeg(next, REFILL)
  harness.answer(next, 0, { status: 'waiting_for_payer', reference: 'REF-2', instructions: 'pay with REF-2' })
  const told = harness.intent(next).legs[0]?.instructions
  expect(told).toMatch(/^pay with REF-2\n.* 40000000 NTZS with a reference/)
  expect(harness.observations).toContainEqual(
    expect.objectContaining({ code: 'treasury-payment-expected', message: told }),
  )
})

describe('a claim', () => {
  test('keeps the policy from planning the same movement until a person has resolved it', () => {
    const harness = sent(REFILL, { replayWindowMs: 1_000 })
    harness.silence(ID, 0)
    harness.pass(6_000)
    harness.findNothing(ID)
    expect(harness.intent(ID).stage).toBe('claim')
    const next = 'e'.repeat(32)
    harness.give({ type: 'planned', steps: [{ id: next, step: TRANSFER }] })
    expect(harness.state.refusedSteps).toEqual({
      'refill NTZS in': `intent ${ID} is a claim, which a person has to resolve first`,
    })
    for (const other of [{ direction: 'out' }, { asset: 'USDC' }] as const)
      expect(harness.plan(JSON.stringify(other), { ...TRANSFER, ...other }).stage).toBe('approved')
    const order = {
      name: 'resolveClaim',
      intent: ID,
      as: 'returned',
      received: 40_000_000n * TZS,
      why: 'read',
    } as const
    expect(harness.order(order)).toMatch(/^yes/)
    expect(harness.plan(next, TRANSFER).stage).toBe('approved')
  })

  test('is made of a resource that a webhook named and that cannot be read', () => {
    const harness = sent(PAYOUT)
    harness.silence(ID, 0)
    const hook = { event: 'withdrawal.updated', status: 'x', hash: 'h', body: '{}' }
    harness.give({ type: 'webhookSeen', ...hook, resourceId: 'w1', reference: ID })
    harness.pass(HOUR_MS + 300_000)
    const why = 'its resource w1 could not be read'
    expect(harness.intent(ID).legs[0]).toMatchObject({ stage: 'claim', resourceId: 'w1', why })
  })
})

test('a journal from before keys were distrusted is folded as it was lived, and what is silent in it is not sent again', () => {
  const old = new TreasuryHarness()
  delete old.state.keys
  old.sendLeg(ID, TRANSFER)
  old.silence(ID, 0)
  old.take('transmit')
  old.pass(6_000)
  expect(old.take('transmit')).toHaveLength(1)
  old.give({ type: 'restarted', version: '2', isRestored: false, venue: VENUE })
  old.give({ type: 'modeSeen', isLive: false })
  old.pass(HOUR_MS)
  expect(old.take('transmit')).toEqual([])
  expect(old.intent(ID).legs[0]).toMatchObject({ attempts: [{ sendings: 2 }] })
})
