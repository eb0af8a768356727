import { afterEach, describe, expect, test } from 'vitest'
import type { SandboxOptionsInput } from '../../../../../../src/simulator/sandbox/options.ts'
import { patchSettings, setState } from '../../../../../../src/simulator/sandbox/partner/control/control.ts'
import { mustConserve, partnerClient, type PartnerClient } from '../partner-client.ts'

const MINUTE_MS = 60_000
const PHONE = '0754123456'
const BANK = { phoneNumber: undefined, bankCode: 'CRDB', accountNumber: '0150123456789' }
const opened: PartnerClient[] = []

function open(options: SandboxOptionsInput = {}) {
  const owner = { NTZS: '3000000' }
  const client = partnerClient({
    ...options,
    partner: { owner, platformNtzs: '900000', ...options.partner },
  })
  opened.push(client)
  const { ask, ownerId, model } = client
  const wish = (body: object) => ({ userId: ownerId, phoneNumber: PHONE, amountTzs: 50_000, ...body })
  const quote = (body: object = {}) => ask('POST', '/withdrawals/quote', wish(body))
  const withdraw = (body: object, more = {}) => ask('POST', '/withdrawals', wish(body), more)
  return {
    ...client,
    quote,
    withdraw,
    /** Quoted and paid out. */
    payOut: (body: object = {}) => withdraw({ quoteId: quote(body).json['quoteId'], ...body }),
    read: (id: unknown) => ask('GET', `/withdrawals/${String(id)}`).json,
    balance: () => ask('GET', `/users/${ownerId}`).json['balanceTzs'],
    events: () => model.partner.outbox.map(({ text }) => JSON.parse(text) as { type: string; data: object }),
    set: (id: unknown, state: string, body?: object) =>
      setState(model.partner, { kind: 'withdrawal', id: String(id), state }, body),
  }
}
afterEach(() => opened.splice(0).forEach(mustConserve))

describe('a quote', () => {
  test('has what arrives, what is burned, every fee, and whom the number is registered for', () => {
    const { quote, model } = open()
    const { json } = quote()
    expect(json).toMatchObject({
      quoteId: expect.any(String),
      expiresAt: new Date(model.state.now + 5 * MINUTE_MS).toISOString(),
      recipientName: expect.any(String),
      receiveAmountTzs: 50_000,
      burnAmountTzs: 50_500,
      totalFeeTzs: 500,
      payoutRail: 'mobile_money',
      fees: { platformFeeTzs: 0, pspFeeTzs: 300, operatorFeeTzs: 200, totalFeeTzs: 500 },
      balance: { availableTzs: 3_000_000, sufficient: true },
      approval: { requiresApproval: false, secondApprovalThresholdTzs: 1_000_000 },
    })
    expect(quote({ ...BANK }).json).toMatchObject({
      bankCode: 'CRDB',
      bankName: expect.any(String),
      accountNumber: '0150123456789',
      totalFeeTzs: 1_700,
      payoutRail: 'bank',
    })
    expect(quote({ phoneNumber: '0754123400' }).json).toMatchObject({ recipientName: null })
  })

  test.each([
    [{ amountTzs: undefined }, 400, 'missing_required_fields'],
    [{ amountTzs: 4_999 }, 400, 'invalid_amount'],
    [{ userId: undefined }, 400, 'funding_source_required'],
    [{ fromTreasury: true }, 400, 'funding_source_required'],
    [{ userId: 'nobody' }, 404, 'user_not_found'],
    [{ phoneNumber: undefined }, 400, 'missing_required_fields'],
    [{ bankCode: 'CRDB', accountNumber: '0150123456789' }, 400, 'missing_required_fields'],
    [{ ...BANK, accountNumber: 'x' }, 400, 'missing_required_fields'],
    [{ phoneNumber: '123' }, 400, 'invalid_phone'],
    [{ ...BANK, amountTzs: 1_000_000 }, 400, 'bank_amount_unsupported'],
  ])('for %j is refused with %i %s', (body, status, error) => {
    const { quote } = open()
    expect(quote(body)).toMatchObject({ status, json: { error } })
  })
})

describe('a payout', () => {
  test('is burned at once, and paid about three seconds later with an event', () => {
    const { payOut, read, balance, events, wait, model } = open()
    const { status, json } = payOut()
    expect(status).toBe(201)
    expect(json).toMatchObject({ status: 'burned', payoutStatus: 'pending', receiveAmountTzs: 50_000 })
    expect(balance()).toBe(2_949_500)
    wait(3_000)
    expect(read(json['id'])).toMatchObject({
      status: 'paid',
      payoutStatus: 'completed',
      payoutReceipt: expect.any(String),
      confirmationMessage: expect.any(String),
    })
    expect(events()).toMatchObject([
      {
        type: 'withdrawal.updated',
        data: { withdrawalId: json['id'], status: 'paid', payoutStatus: 'completed', burnAmountTzs: 50_500 },
      },
    ])
    const { accounts } = model.book()
    expect(accounts.get('outside:phone:255754123456')?.NTZS).toBe(50_000n * 10n ** 18n)
    expect(accounts.get('rail:fees')?.NTZS).toBe(500n * 10n ** 18n)
  })

  test('to a bank completes, and a magic ending of the account works alike', () => {
    const { payOut, read, wait, model } = open()
    const paid = payOut(BANK)
    const failed = payOut({ ...BANK, accountNumber: '0150123456713' })
    wait(3_000)
    expect(read(paid.json['id'])).toMatchObject({ status: 'paid' })
    expect(read(failed.json['id'])).toMatchObject({ status: 'reverted' })
    expect(model.book().accounts.get('outside:bank:crdb:0150123456789')?.NTZS).toBe(50_000n * 10n ** 18n)
  })

  test('from 1,000,000 waits for the operator, with the funds held', () => {
    const { payOut, read, set, wait, balance } = open()
    const { json } = payOut({ amountTzs: 1_000_000 })
    expect(json).toMatchObject({ status: 'requested' })
    wait(60 * MINUTE_MS)
    expect(read(json['id'])).toMatchObject({ status: 'requested' })
    expect(balance()).toBe(3_000_000 - 1_005_200)
    expect(set(json['id'], 'paid')).toMatchObject({ error: { status: 409 } })
    expect(set(json['id'], 'burned').ok).toBe(true)
    wait(3_000)
    expect(read(json['id'])).toMatchObject({ status: 'paid' })
  })

  test('that was paid can bounce, whole or less what the rail keeps', () => {
    const { payOut, read, set, wait, balance, events } = open()
    const whole = payOut().json['id']
    const part = payOut({ amountTzs: 60_000 }).json['id']
    wait(3_000)
    expect(set(whole, 'reverted').ok).toBe(true)
    expect(balance()).toBe(3_000_000 - 60_500)
    expect(set(part, 'reverted', { refundTzs: 59_000 }).ok).toBe(true)
    expect(balance()).toBe(3_000_000 - 1_500)
    expect(read(part)).toMatchObject({ status: 'reverted', payoutStatus: 'reverted' })
    expect(set(part, 'reverted')).toMatchObject({ error: { status: 409 } })
    expect(events().at(-1)).toMatchObject({
      data: { payoutStatus: 'reverted', payoutError: expect.any(String) },
    })
  })

  test.each([
    ['paid', 2_949_500],
    ['reverted', 3_000_000],
  ])('that needs reconciliation is %s by the operator’s word, with a second event', (word, left) => {
    const { payOut, set, wait, balance, events } = open()
    const { json } = payOut({ phoneNumber: '0754123402' })
    wait(3_000)
    expect(set(json['id'], word).ok).toBe(true)
    expect(balance()).toBe(left)
    expect(events().map(({ data }) => (data as { payoutStatus: string }).payoutStatus)).toEqual([
      'reconcile_required',
      word === 'paid' ? 'completed' : 'reverted',
    ])
  })
})

test('the operator keeps to the order of states', () => {
  const { payOut, set, wait } = open()
  const unconfirmed = payOut({ phoneNumber: '0754123402' }).json['id']
  const paid = payOut({ amountTzs: 60_000 }).json['id']
  expect(set(paid, 'burned')).toMatchObject({ error: { status: 409 } })
  expect(set(paid, 'reverted', { refundTzs: 99_999_999 })).toMatchObject({ error: { status: 409 } })
  expect(set(paid, 'reverted', { refundTzs: -1 })).toMatchObject({ error: { status: 400 } })
  wait(3_000)
  for (const state of ['paid', 'pending', 'reconcile_required', 'burned', 'nonsense'])
    expect(set(paid, state)).toMatchObject({ error: { status: 409 } })
  for (const state of ['pending', 'reconcile_required', 'burned'])
    expect(set(unconfirmed, state)).toMatchObject({ error: { status: 409 } })
})

describe('the quote of a payout', () => {
  test('is needed, unless the migration window is open', () => {
    const { withdraw } = open()
    expect(withdraw({})).toMatchObject({ status: 400, json: { error: 'quote_required' } })
    const early = open({ partner: { owner: { NTZS: '3000000' }, settings: { quoteRequired: false } } })
    expect(early.withdraw({}).status).toBe(201)
  })

  test.each([
    { amountTzs: 50_001 },
    { phoneNumber: '0754123457' },
    BANK,
    { userId: undefined, fromTreasury: true, endUser: { reference: 'r' } },
  ])('is of another payout than %j', (other) => {
    const { quote, withdraw } = open()
    const { quoteId } = quote().json
    expect(withdraw({ quoteId, ...other })).toMatchObject({ status: 400, json: { error: 'quote_mismatch' } })
  })

  test('is stale once the pricing has moved', () => {
    const { quote, withdraw, model } = open()
    const { quoteId } = quote().json
    patchSettings(model.partner, { fees: { operatorTzs: 250 } })
    expect(withdraw({ quoteId })).toMatchObject({ status: 409, json: { error: 'quote_stale' } })
  })
})

describe('an identical payout', () => {
  test('within five minutes is refused while the first holds funds, unless it is forced', () => {
    const { payOut, wait, balance } = open()
    const first = payOut()
    expect(payOut()).toMatchObject({
      status: 409,
      json: { error: 'duplicate_withdrawal', details: { withdrawalId: first.json['id'] } },
    })
    expect(payOut({ amountTzs: 50_001 }).status).toBe(201)
    expect(payOut({ allowDuplicate: true }).status).toBe(201)
    wait(5 * MINUTE_MS)
    expect(payOut().status).toBe(201)
    expect(balance()).toBe(3_000_000 - 3 * 50_500 - 50_501)
  })

  test('after a reverted one does not count', () => {
    const { payOut, wait } = open()
    payOut({ phoneNumber: '0754123413' })
    wait(3_000)
    expect(payOut({ phoneNumber: '0754123413' }).status).toBe(201)
  })

  test('under a key that the venue has forgotten is refused as if nothing had moved', () => {
    const { quote, withdraw, wait } = open({
      partner: { owner: { NTZS: '3000000' }, settings: { keyLifeMs: MINUTE_MS } },
    })
    const { quoteId } = quote().json
    expect(withdraw({ quoteId }, { idempotencyKey: 'k' }).status).toBe(201)
    wait(6 * MINUTE_MS)
    expect(withdraw({ quoteId }, { idempotencyKey: 'k' })).toMatchObject({ json: { error: 'invalid_quote' } })
  })
})

test('a payout of the platform wallet names its end user, whom the event echoes, and keeps to its limits', () => {
  const { payOut, wait, events } = open()
  const platform = { userId: undefined, fromTreasury: true }
  expect(payOut(platform)).toMatchObject({ status: 400, json: { error: 'end_user_required' } })
  expect(payOut({ ...platform, endUser: { reference: 'intent-9' } }).status).toBe(201)
  wait(3_000)
  expect(events()).toMatchObject([{ data: { externalId: 'intent-9', endUser: { reference: 'intent-9' } } }])
  const early = open({ partner: { platformNtzs: '900000', settings: { kyb: 'pending' } } })
  expect(early.payOut({ ...platform, amountTzs: 100_000, endUser: { reference: 'r' } })).toMatchObject({
    status: 403,
    json: { error: 'kyb_required', details: { allowanceTzs: 100_000 } },
  })
})

test('the balance may be gone by the time of the payout', () => {
  const { quote, withdraw, ask, ownerId, model } = open()
  const { quoteId } = quote().json
  ask('POST', '/transfers', {
    fromUserId: ownerId,
    amountTzs: 2_960_000,
    toAddress: model.options.walletAddress,
  })
  expect(withdraw({ quoteId })).toMatchObject({
    status: 400,
    json: {
      error: 'insufficient_balance',
      details: { available: 40_000, requested: 50_500, shortfall: 10_500 },
    },
  })
})
