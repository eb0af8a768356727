import { afterEach, describe, expect, test } from 'vitest'
import type { SandboxOptionsInput } from '../../../../../../src/simulator/sandbox/options.ts'
import { payIn } from '../../../../../../src/simulator/sandbox/partner/control/control.ts'
import { mustConserve, partnerClient, type PartnerClient } from '../partner-client.ts'

const PHONE = '0754123456'
const HOUR_MS = 3_600_000
const opened: PartnerClient[] = []

function open(options: SandboxOptionsInput = {}) {
  const client = partnerClient(options)
  opened.push(client)
  const { ask, ownerId, model } = client
  return {
    ...client,
    deposit: (body: object, more = {}) =>
      ask('POST', '/deposits', { userId: ownerId, phoneNumber: PHONE, ...body }, more),
    read: (id: unknown) => ask('GET', `/deposits/${String(id)}`).json,
    balance: () => ask('GET', `/users/${ownerId}`).json['balanceTzs'],
    events: () => model.partner.outbox.map(({ text }) => JSON.parse(text) as { type: string; data: object }),
    pay: (body: object) => payIn(model.partner, body),
  }
}
afterEach(() => opened.splice(0).forEach(mustConserve))

describe('a deposit of mobile money', () => {
  test('is submitted, and minted about three seconds later with an event', () => {
    const { deposit, read, balance, events, wait, ownerId } = open()
    const { status, json } = deposit({ amountTzs: 40_000 })
    expect(status).toBe(201)
    expect(json).toMatchObject({
      status: 'submitted',
      amountTzs: 40_000,
      paymentMethod: 'mobile_money',
      instructions: expect.stringContaining('255754123456'),
    })
    wait(2_999)
    expect(read(json['id'])).toMatchObject({ status: 'submitted' })
    expect(events()).toEqual([])
    wait(1)
    expect(read(json['id'])).toMatchObject({ status: 'completed' })
    expect(read(json['id'])).not.toHaveProperty('instructions')
    expect(balance()).toBe(40_000)
    expect(events()).toMatchObject([
      {
        type: 'deposit.completed',
        data: { depositId: json['id'], userId: ownerId, amountTzs: 40_000, endUser: null, livemode: false },
      },
    ])
  })

  test.each([
    [40_013, 'failed', 0],
    [40_099, 'pending', 0],
    [40_002, 'completed', 40_002],
  ])('of %i ends as %s by its last digits', (amountTzs, status, minted) => {
    const { deposit, read, balance, ask, wait } = open()
    const { json } = deposit({ amountTzs })
    ask('POST', '/testmode/advance', {})
    expect(read(json['id'])).toMatchObject({ status })
    wait(100 * HOUR_MS)
    expect(read(json['id'])).toMatchObject({ status })
    expect(balance()).toBe(minted)
  })

  test('is settled by advance, once', () => {
    const { deposit, ask, balance, wait } = open()
    deposit({ amountTzs: 1_000 })
    expect(ask('POST', '/testmode/advance', {}).json).toEqual({ settled: 1 })
    expect(ask('POST', '/testmode/advance', {}).json).toEqual({ settled: 0 })
    wait(10_000)
    expect(balance()).toBe(1_000)
  })
})

describe('a bank transfer', () => {
  const byHand: SandboxOptionsInput = { partner: { settings: { paysInstructions: false } } }

  test('has instructions with a reference, and is paid by itself as in the operator’s sandbox', () => {
    const { deposit, wait, balance } = open()
    const { json } = deposit({ amountTzs: 40_000_000, paymentMethod: 'bank_transfer' })
    expect(json['reference']).toMatch(/^TZS-[A-Z0-9]{6}$/)
    expect(json['instructions']).toMatchObject({
      institution: expect.any(String),
      accountNumber: expect.any(String),
      reference: json['reference'],
      amountTzs: 40_000_000,
    })
    wait(3_000)
    expect(balance()).toBe(40_000_000)
  })

  test('waits for the payer where it is paid by hand, and completes with reference and amount right', () => {
    const { deposit, read, pay, wait, balance } = open(byHand)
    const { json } = deposit({ amountTzs: 5_000, paymentMethod: 'bank_transfer' })
    wait(60_000)
    expect(read(json['id'])).toMatchObject({ status: 'submitted' })
    expect(pay({ reference: json['reference'], amountTzs: 5_000 }).ok).toBe(true)
    expect(read(json['id'])).toMatchObject({ status: 'completed' })
    expect(balance()).toBe(5_000)
  })

  test.each(['amount', 'reference'])('with a wrong %s is under review, and the money is held', (wrong) => {
    const { deposit, read, pay, balance, model, wait } = open(byHand)
    const { json } = deposit({ amountTzs: 5_000, paymentMethod: 'bank_transfer' })
    const paid = wrong === 'amount' ? 4_900 : 5_000
    const reference = wrong === 'reference' ? 'TZS-NOBODY' : json['reference']
    expect(pay({ reference, amountTzs: paid }).ok).toBe(true)
    expect(read(json['id'])).toMatchObject({ status: 'review' })
    expect(model.book().accounts.get('rail:held')?.NTZS).toBe(BigInt(paid) * 10n ** 18n)
    wait(100 * HOUR_MS)
    expect(read(json['id'])).toMatchObject({ status: 'review' })
    expect(balance()).toBe(0)
  })

  test('is void after 72 hours, and what comes later is under review', () => {
    const { deposit, read, pay, wait } = open(byHand)
    const { json } = deposit({ amountTzs: 5_000, paymentMethod: 'bank_transfer' })
    wait(72 * HOUR_MS - 1)
    expect(read(json['id'])).toMatchObject({ status: 'submitted' })
    wait(1)
    expect(read(json['id'])).toMatchObject({ status: 'failed' })
    expect(pay({ reference: json['reference'], amountTzs: 5_000 }).ok).toBe(true)
    expect(read(json['id'])).toMatchObject({ status: 'review' })
  })

  test('that no one asked for is refused by the control route', () => {
    const { pay } = open(byHand)
    expect(pay({ reference: 'TZS-NOBODY', amountTzs: 5_000 })).toMatchObject({ error: { status: 404 } })
    expect(pay({ reference: 'TZS-NOBODY', amountTzs: -1 })).toMatchObject({ error: { status: 400 } })
  })
})

test('a till number is matched by phone and amount', () => {
  const { deposit, read, pay, balance } = open({ partner: { settings: { paysInstructions: false } } })
  const { json } = deposit({ amountTzs: 5_000, paymentMethod: 'lipa_namba' })
  expect(json['instructions']).toMatchObject({ lipaNamba: expect.any(String), payFromPhone: '255754123456' })
  pay({ payFromPhone: PHONE, amountTzs: 5_000 })
  expect(balance()).toBe(5_000)
  const other = deposit({ amountTzs: 6_000, paymentMethod: 'lipa_namba' })
  pay({ payFromPhone: '0754999999', amountTzs: 6_000 })
  expect(read(other.json['id'])).toMatchObject({ status: 'review' })
})

test('a card has a page to pay on, and needs two addresses to come back to', () => {
  const { deposit, wait, balance } = open()
  const card = { amountTzs: 5_000, paymentMethod: 'card', redirectUrl: 'https://a.example/ok' }
  expect(deposit(card)).toMatchObject({ status: 400, json: { error: 'missing_required_fields' } })
  const cancelUrl = 'https://a.example/no'
  expect(deposit({ ...card, cancelUrl: 'http://a.example/no' }).status).toBe(400)
  expect(deposit({ ...card, cancelUrl }).json).toMatchObject({ paymentUrl: expect.stringMatching(/^https:/) })
  wait(3_000)
  expect(balance()).toBe(5_000)
})

describe('a deposit into the platform wallet', () => {
  const collect = { userId: undefined, amountTzs: 60_000 }
  const endUser = { reference: 'intent-1', name: 'Amina' }

  test('names its end user, whom the event echoes', () => {
    const { deposit, wait, events, model, partner } = open()
    expect(deposit(collect)).toMatchObject({ status: 400, json: { error: 'end_user_required' } })
    expect(deposit({ ...collect, endUser }).status).toBe(201)
    wait(3_000)
    expect(events()).toMatchObject([
      { data: { userId: null, endUser: { reference: 'intent-1', name: 'Amina' } } },
    ])
    const platform = model.book().accounts.get(partner.platformAddress.toLowerCase())
    expect(platform?.NTZS).toBe(60_000n * 10n ** 18n)
  })

  test('keeps to the limits of the sandbox, which a user’s wallet does not have', () => {
    const { deposit, wait } = open()
    const large = { ...collect, endUser, amountTzs: 1_000_000 }
    expect(deposit({ ...large, amountTzs: 1_000_001 })).toMatchObject({
      status: 400,
      json: {
        error: 'amount_too_large',
        details: { limit: 1_000_000, requested: 1_000_001, usedInPeriod: 0 },
      },
    })
    deposit(large)
    deposit(large)
    expect(deposit({ ...large, amountTzs: 500 })).toMatchObject({
      json: { details: { limit: 2_000_000, usedInPeriod: 2_000_000 } },
    })
    wait(24 * HOUR_MS)
    expect(deposit(large).status).toBe(201)
  })

  test('needs the capability treasury', () => {
    const { deposit } = open({ partner: { settings: { capabilities: ['collections'] } } })
    expect(deposit({ ...collect, endUser })).toMatchObject({
      status: 403,
      json: { error: 'capability_required', details: { capability: 'treasury' } },
    })
  })
})

test.each([
  [{}, 400, { error: 'missing_required_fields' }],
  [{ amountTzs: 499 }, 400, { error: 'invalid_amount' }],
  [{ amountTzs: 500.5 }, 400, { error: 'invalid_amount' }],
  [{ amountTzs: 500, paymentMethod: 'cheque' }, 400, { error: 'missing_required_fields' }],
  [{ amountTzs: 500, phoneNumber: undefined }, 400, { code: 'phone_required' }],
  [{ amountTzs: 500, phoneNumber: '0812345678' }, 400, { error: 'invalid_phone' }],
  [{ amountTzs: 500, userId: 'nobody' }, 404, { error: 'user_not_found' }],
])('a deposit of %j is refused with %i', (body, status, json) => {
  const { deposit, partner } = open()
  expect(deposit(body)).toMatchObject({ status, json })
  expect(partner.deposits.size).toBe(0)
})

test('an uncertain initiation may have taken place: a replay of its key returns the deposit', () => {
  const { deposit, model, wait, balance } = open()
  model.partner.nextAnswers.push({
    route: 'POST /deposits',
    kind: 'refuse',
    code: 'initiation_uncertain',
    isTaken: true,
    count: 1,
    details: {},
  })
  const wish = { amountTzs: 7_000 }
  expect(deposit(wish, { idempotencyKey: 'k' })).toMatchObject({
    status: 502,
    json: { code: 'initiation_uncertain' },
  })
  expect(deposit(wish, { idempotencyKey: 'k' })).toMatchObject({ status: 201, json: { amountTzs: 7_000 } })
  wait(3_000)
  expect(balance()).toBe(7_000)
})

test('an event may leave before its request is answered', () => {
  const { deposit, events, balance } = open({ partner: { settings: { webhooks: { beforeAnswer: 1 } } } })
  const answered = deposit({ amountTzs: 7_000 })
  expect(answered).toMatchObject({ delayMs: 1_500, json: { status: 'submitted' } })
  expect(events()).toHaveLength(1)
  expect(balance()).toBe(7_000)
})
