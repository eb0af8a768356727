import { describe, expect, test } from 'vitest'
import { zeroAmounts } from '../../../../../../src/base/money/asset.ts'
import { conservationGap } from '../../../../../support/conservation-gap.ts'
import type { SandboxOptionsInput } from '../../../../../../src/simulator/sandbox/options.ts'
import { partnerClient, type PartnerClient, type PartnerReply } from '../partner-client.ts'

const TILL = { kind: 'lipa', payNumber: '512345' }
const METER = { kind: 'bill', utilityCode: 'LUKU', utilityRef: '04123456780' }

function funded(partner: NonNullable<SandboxOptionsInput['partner']> = {}): PartnerClient {
  return partnerClient({ partner: { owner: { NTZS: '2000000' }, platformNtzs: '3000000', ...partner } })
}

function pay(client: PartnerClient, wish: object, amountTzs = 10_000, more: object = {}): PartnerReply {
  const body = { userId: client.ownerId, ...wish, amountTzs }
  const { json } = client.ask('POST', '/spend/quote', body)
  return client.ask('POST', '/spend', { ...body, quoteId: json['quoteId'], ...more })
}

function balance({ ask, ownerId }: PartnerClient): unknown {
  return ask('GET', `/users/${ownerId}`).json['balanceTzs']
}

function events({ model }: PartnerClient): Record<string, unknown>[] {
  return model.partner.outbox
    .map(({ text }) => JSON.parse(text) as { type: string; data: Record<string, unknown> })
    .filter(({ type }) => type === 'spend.updated')
    .map(({ data }) => data)
}

describe('a quote for a till or a bill', () => {
  test('adds fees to the exact principal, names the payee and is valid for five minutes', () => {
    const client = funded()
    const { status, json } = client.ask('POST', '/spend/quote', {
      userId: client.ownerId,
      ...TILL,
      amountTzs: 10_000,
    })
    expect(status).toBe(200)
    expect(json).toMatchObject({
      quoteId: expect.any(String),
      target: { payNumber: '512345', network: expect.any(String) },
      recipientName: expect.any(String),
      principalTzs: 10_000,
      burnAmountTzs: 10_400,
      fees: { railFeeTzs: 350, platformFeeTzs: 50, totalFeeTzs: 400 },
      balance: { availableTzs: 2_000_000, sufficient: true },
      expiresAt: new Date(client.model.state.now + 300_000).toISOString(),
    })
  })

  test('has no id where the balance does not cover it', () => {
    const client = partnerClient()
    const { json } = client.ask('POST', '/spend/quote', {
      userId: client.ownerId,
      ...TILL,
      amountTzs: 500,
    })
    expect(json).toMatchObject({ quoteId: null, balance: { availableTzs: 0, sufficient: false } })
  })

  test.each([
    [{ ...TILL, amountTzs: 499 }, 'invalid_amount'],
    [{ ...TILL, amountTzs: 500.5 }, 'invalid_amount'],
    [{ ...METER, amountTzs: 999 }, 'invalid_amount'],
    [{ ...TILL, amountTzs: 999_000 }, 'amount_too_large'],
    [{ kind: 'lipa', amountTzs: 500 }, 'missing_required_fields'],
    [{ ...TILL, network: 'none', amountTzs: 500 }, 'missing_required_fields'],
    [{ kind: 'cash', amountTzs: 500 }, 'missing_required_fields'],
    [{ ...METER, utilityCode: 'NONE', amountTzs: 5_000 }, 'unknown_biller'],
    [{ ...METER, utilityRef: '1', amountTzs: 5_000 }, 'invalid_utility_ref'],
    [{ ...TILL, amountTzs: 500, fromTreasury: true }, 'funding_source_required'],
  ])('refuses %j as %s', (wish, code) => {
    const client = funded()
    const answer = client.ask('POST', '/spend/quote', { userId: client.ownerId, ...wish })
    expect(answer).toMatchObject({ status: 400, json: { error: code } })
  })

  test('takes a principal whose burn is one shilling below a million, and no more', () => {
    const client = funded()
    // 992,031 costs 4,000 + 3,969 (40 bps, rounded up): 1,000,000 exactly.
    const quote = (amountTzs: number) =>
      client.ask('POST', '/spend/quote', { userId: client.ownerId, ...TILL, amountTzs })
    expect(quote(992_030).json['burnAmountTzs']).toBe(999_999)
    expect(quote(992_031)).toMatchObject({ status: 400, json: { error: 'amount_too_large' } })
  })
})

describe('a payment', () => {
  test('burns at once, completes a little later and reports it once', () => {
    const client = funded()
    const { status, json } = pay(client, TILL)
    expect(status).toBe(201)
    expect(json).toMatchObject({
      status: 'burned',
      payoutStatus: 'pending',
      principalTzs: 10_000,
      fees: { totalFeeTzs: 400 },
    })
    expect(json).not.toHaveProperty('utilityToken')
    expect(balance(client)).toBe(1_989_600)
    client.wait(3_000)
    expect(client.ask('GET', `/spend/${json['id'] as string}`).json).toMatchObject({
      payoutStatus: 'completed',
    })
    expect(events(client)).toEqual([
      expect.objectContaining({
        spendId: json['id'],
        status: 'completed',
        kind: 'lipa',
        burnAmountTzs: 10_400,
        actualChargesTzs: 400,
        livemode: false,
      }),
    ])
    expect(conservationGap(client.model.book())).toEqual(zeroAmounts())
  })

  test('to a number ending in 13 fails and everything burned comes back', () => {
    const client = funded()
    const { json } = pay(client, { kind: 'lipa', payNumber: '512313' })
    client.wait(3_000)
    expect(client.ask('GET', `/spend/${json['id'] as string}`).json).toMatchObject({
      status: 'reverted',
      payoutStatus: 'reverted',
    })
    expect(balance(client)).toBe(2_000_000)
    expect(events(client)).toEqual([expect.objectContaining({ status: 'reverted', actualChargesTzs: null })])
    expect(conservationGap(client.model.book())).toEqual(zeroAmounts())
  })

  test('to a number ending in 02 is unconfirmed without a refund, and one ending in 99 stays pending', () => {
    const client = funded()
    const unconfirmed = pay(client, { kind: 'lipa', payNumber: '512302' }).json['id'] as string
    const pending = pay(client, { kind: 'lipa', payNumber: '512399' }).json['id'] as string
    client.wait(86_400_000)
    expect(client.ask('GET', `/spend/${unconfirmed}`).json).toMatchObject({
      payoutStatus: 'reconcile_required',
    })
    expect(client.ask('GET', `/spend/${pending}`).json).toMatchObject({ payoutStatus: 'pending' })
    expect(balance(client)).toBe(2_000_000 - 2 * 10_400)
    expect(conservationGap(client.model.book())).toEqual(zeroAmounts())
  })

  test('to a till whose network is not registered needs it named, under the same quote', () => {
    const client = funded()
    const body = { userId: client.ownerId, kind: 'lipa', payNumber: '912345', amountTzs: 1_000 }
    const quote = client.ask('POST', '/spend/quote', body).json
    expect(quote['target']).toEqual({ payNumber: '912345', network: null })
    const paid = (more: object) =>
      client.ask('POST', '/spend', { ...body, quoteId: quote['quoteId'], ...more })
    expect(paid({})).toMatchObject({ status: 502, json: { error: 'till_network_required' } })
    expect(balance(client)).toBe(2_000_000)
    expect(paid({ network: 'airtel' }).status).toBe(201)
  })

  test('needs its own fresh quote', () => {
    const client = funded()
    const body = { userId: client.ownerId, ...TILL, amountTzs: 1_000 }
    const quote = () => client.ask('POST', '/spend/quote', body).json['quoteId']
    const refused = (more: object) => client.ask('POST', '/spend', { ...body, ...more }).json['error']
    expect(refused({})).toBe('quote_required')
    expect(refused({ quoteId: 'x' })).toBe('invalid_quote')
    expect(refused({ quoteId: quote(), amountTzs: 1_001 })).toBe('quote_mismatch')
    expect(refused({ quoteId: quote(), payNumber: '512346' })).toBe('quote_mismatch')
    const old = quote()
    client.wait(300_000)
    expect(refused({ quoteId: old })).toBe('invalid_quote')
    const priced = quote()
    client.model.partner.settings = { ...client.model.partner.settings, tariff: 2 }
    expect(client.ask('POST', '/spend', { ...body, quoteId: priced })).toMatchObject({
      status: 409,
      json: { error: 'quote_stale' },
    })
    const used = quote()
    expect(client.ask('POST', '/spend', { ...body, quoteId: used }).status).toBe(201)
    expect(refused({ quoteId: used })).toBe('invalid_quote')
  })

  test('from the platform wallet names its end user, who comes back in the event', () => {
    const client = funded()
    const body = { fromTreasury: true, ...TILL, amountTzs: 1_000 }
    const { quoteId } = client.ask('POST', '/spend/quote', body).json
    expect(client.ask('POST', '/spend', { ...body, quoteId }).json['error']).toBe('end_user_required')
    client.ask('POST', '/spend', { ...body, quoteId, endUser: { reference: 'intent-7', name: 'Asha' } })
    client.wait(3_000)
    expect(events(client)[0]).toMatchObject({
      externalId: 'intent-7',
      endUser: { reference: 'intent-7', name: 'Asha', phone: null },
    })
  })

  test('replayed under its key is the same payment', () => {
    const client = funded()
    const body = { userId: client.ownerId, ...TILL, amountTzs: 1_000 }
    const { quoteId } = client.ask('POST', '/spend/quote', body).json
    const send = () => client.ask('POST', '/spend', { ...body, quoteId }, { idempotencyKey: 'k' }).json
    expect(send()).toEqual(send())
    expect(client.partner.payments.spends.size).toBe(1)
  })
})

describe('the sandbox caps of the platform wallet', () => {
  test('count what was paid out in a day and leave the rest for the next one', () => {
    const client = funded()
    const body = { fromTreasury: true, ...TILL, amountTzs: 900_000, endUser: { reference: 'a' } }
    const send = () => {
      const { quoteId } = client.ask('POST', '/spend/quote', body).json
      return client.ask('POST', '/spend', { ...body, quoteId })
    }
    expect(send().status).toBe(201)
    expect(send().status).toBe(201)
    expect(send()).toMatchObject({
      status: 400,
      json: {
        error: 'amount_too_large',
        details: { limit: 2_000_000, requested: 907_600, usedInPeriod: 1_815_200 },
      },
    })
    client.wait(86_400_000)
    expect(send().status).toBe(201)
  })
})

test('the catalogue lists every biller with its reference and its fee note', () => {
  const { json } = partnerClient().ask('GET', '/spend/billers')
  expect(json['categories']).toEqual(
    expect.arrayContaining([
      expect.objectContaining({
        key: 'electricity',
        billers: [expect.objectContaining({ code: 'LUKU', referenceMinLength: 11, referenceMaxLength: 11 })],
      }),
    ]),
  )
})
