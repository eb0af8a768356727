import { describe, expect, test } from 'vitest'
import { zeroAmounts } from '../../../../../../src/base/money/asset.ts'
import { conservationGap } from '../../../../../support/conservation-gap.ts'
import { partnerClient, type PartnerClient, type PartnerReply } from '../partner-client.ts'

const LIVE = 'svc_live_sandbox'

type Shop = {
  readonly client: PartnerClient
  readonly merchantId: string
  readonly ownerId: string
  readonly ask: (method: string, path: string, body?: unknown, merchantId?: string) => PartnerReply
  readonly sell: (amountTzs: number, more?: object) => PartnerReply
}

/** A live key's owner with shillings, and a merchant of that owner. */
function openShop(): Shop {
  const client = partnerClient({ partner: { liveKey: LIVE, owner: { NTZS: '5000000' } } })
  const ownerId = client.model.partner.partners.get(LIVE)?.ownerId ?? ''
  const account = {
    userId: ownerId,
    email: 'a@b.example',
    businessName: 'Mama Lishe!',
    settlementPhone: '0754000123',
  }
  const { status, json } = client.ask('POST', '/commerce/accounts', account, { key: LIVE })
  expect(status).toBe(201)
  const merchantId = json['merchantId'] as string
  return {
    client,
    merchantId,
    ownerId,
    ask: (method, path, body, id = merchantId) =>
      client.ask(method, `/commerce/${path}`, body, { key: LIVE, merchantId: id }),
    sell: (amountTzs, more = {}) =>
      client.ask(
        'POST',
        '/merchant/pay',
        { payerUserId: ownerId, handle: json['handle'], amountTzs, ...more },
        { key: LIVE },
      ),
  }
}

const held = ({ ask }: Shop) => ask('GET', 'wallet').json['balanceTzs']
const expectConserved = ({ client: { model, ask } }: Shop) => {
  expect(conservationGap(model.book())).toEqual(zeroAmounts())
  expect(ask('GET', '/reconcile').json).toMatchObject({ difference: 0 })
}

describe('commerce', () => {
  test('activates a merchant once for a user or an email, and a taken handle gets a free variant', () => {
    const { client, merchantId, ownerId } = openShop()
    const activate = (userId: string, email: string) =>
      client.ask(
        'POST',
        '/commerce/accounts',
        { userId, email, businessName: 'Mama Lishe', settlementPhone: '0754000123' },
        { key: LIVE },
      )
    expect(activate(ownerId, 'a@b.example')).toMatchObject({
      status: 200,
      json: { merchantId, handle: 'mama-lishe', alreadyExists: true },
    })
    expect(activate('none', 'c@d.example')).toMatchObject({ status: 404, json: { error: 'user_not_found' } })
    const created = client.ask(
      'POST',
      '/users',
      {
        externalId: 'second',
        email: 'c@d.example',
        nidaNumber: '19900101141210000226',
        phone: '0754000777',
      },
      { key: LIVE },
    )
    expect(activate(created.json['id'] as string, 'c@d.example')).toMatchObject({
      status: 201,
      json: { handle: 'mama-lishe-2' },
    })
  })

  test('names its merchant in a header, and one of another key is not found', () => {
    const shop = openShop()
    const bare = shop.client.ask('GET', '/commerce/links', undefined, { key: LIVE })
    expect(bare).toMatchObject({ status: 400, json: { error: 'missing_required_fields' } })
    expect(shop.ask('GET', 'links', undefined, '00000000-0000-4000-a000-0000000000a1').status).toBe(404)
  })

  test('makes, lists and deletes links, and a payment by a link must have its amount', () => {
    const shop = openShop()
    const fixed = shop.ask('POST', 'links', { amountTzs: 2_000, label: 'Lunch' }).json
    const open = shop.ask('POST', 'links', { label: 'Any' }).json
    expect(fixed).toMatchObject({ amountTzs: 2_000, label: 'Lunch' })
    expect(open).toMatchObject({ amountTzs: null })
    expect(shop.ask('GET', 'links').json['links']).toEqual([fixed, open])
    expect(shop.sell(1_999, { linkId: fixed['id'] }).status).toBe(400)
    expect(shop.sell(2_000, { linkId: fixed['id'] }).status).toBe(201)
    expect(shop.sell(777, { linkId: open['id'] }).status).toBe(201)
    expect(shop.ask('DELETE', `links?linkId=${fixed['id'] as string}`).status).toBe(200)
    expect(shop.ask('DELETE', 'links', { id: fixed['id'] }).status).toBe(404)
    expect(shop.ask('DELETE', 'links').status).toBe(400)
    expect(shop.sell(2_000, { linkId: fixed['id'] }).status).toBe(404)
    expect(shop.ask('POST', 'links', { amountTzs: 99, label: 'x' }).json).toMatchObject({
      error: 'invalid_amount',
    })
  })

  test('lists its sales newest first, fifty a page at most, with a cursor that leads through all of them', () => {
    const shop = openShop()
    for (let i = 0; i < 120; i++) shop.sell(1_000 + i, { externalReference: `order ${i}` })
    expect(shop.ask('GET', 'collections').json['collections']).toHaveLength(20)
    const seen: string[] = []
    let cursor: string | null = null
    for (let page = 0; page < 3; page++) {
      const query = cursor === null ? '' : `&cursor=${cursor}`
      const { json } = shop.ask('GET', `collections?limit=500${query}`)
      seen.push(
        ...(json['collections'] as { externalReference: string }[]).map((sale) => sale.externalReference),
      )
      cursor = json['nextCursor'] as string | null
    }
    expect(cursor).toBeNull()
    expect(seen).toEqual(Array.from({ length: 120 }, (_, i) => `order ${119 - i}`))
    for (const query of ['limit=0', 'limit=x', 'cursor=none'])
      expect(shop.ask('GET', `collections?${query}`).status).toBe(400)
    expect(shop.ask('GET', 'stats').json).toMatchObject({ today: { count: 120 }, thisMonth: { count: 120 } })
    expectConserved(shop)
  })

  test('settles the share of each sale that the merchant asks for to its phone at once', () => {
    const shop = openShop()
    expect(
      shop.ask('PATCH', 'settlement', { autoSettlePercent: 30, payoutPhone: '0754000999' }).json,
    ).toEqual({
      autoSettlePercent: 30,
      payoutPhone: '255754000999',
      lenderControlled: false,
    })
    shop.sell(10_000)
    expect(held(shop)).toBe(7_000)
    expect(shop.ask('PATCH', 'settlement', { autoSettlePercent: 101 }).status).toBe(400)
    expect(shop.ask('PATCH', 'settlement', { payoutPhone: '1' }).json).toMatchObject({
      error: 'invalid_phone',
    })
    expect(shop.ask('GET', 'settlement').json['autoSettlePercent']).toBe(30)
    expectConserved(shop)
  })

  test('withdraws 5,000 or more net of fees to the phone', () => {
    const shop = openShop()
    shop.sell(20_000)
    expect(shop.ask('POST', 'withdraw', { amountTzs: 4_999 }).json).toMatchObject({ error: 'invalid_amount' })
    expect(shop.ask('POST', 'withdraw', { amountTzs: 19_600 }).json).toMatchObject({
      error: 'insufficient_balance',
    })
    expect(shop.ask('POST', 'withdraw', { amountTzs: 5_000 })).toMatchObject({
      status: 201,
      json: { status: 'burned', receiveAmountTzs: 5_000, totalFeeTzs: 500 },
    })
    expect(held(shop)).toBe(14_500)
    shop.client.wait(3_000)
    expectConserved(shop)
  })

  test("transfers to the owner's wallet one at a time, each key once, without a fee", () => {
    const shop = openShop()
    shop.sell(20_000)
    const move = (idempotencyKey: unknown, amountTzs = 4_000) =>
      shop.ask('POST', 'transfer-to-wallet', { amountTzs, idempotencyKey })
    for (const key of [undefined, '', 7, 'x'.repeat(129)])
      expect(move(key)).toMatchObject({ status: 400, json: { error: 'invalid_idempotency_key' } })
    expect(move('x'.repeat(128)).status).toBe(201)
    expect(move('b')).toMatchObject({ status: 409, json: { error: 'transfer_in_flight' } })
    shop.client.wait(3_000)
    expect(move('x'.repeat(128))).toMatchObject({ status: 409, json: { error: 'idempotency_key_used' } })
    expect(move('b').status).toBe(201)
    expect(held(shop)).toBe(12_000)
    shop.client.wait(3_000)
    expect(move('c', 99_999).json).toMatchObject({ error: 'insufficient_balance' })
    expect(move('c', 0.5).json).toMatchObject({ error: 'invalid_amount' })
    expectConserved(shop)
  })

  test('draws on its facility, and until sales have repaid it the lender holds the controls', () => {
    const shop = openShop()
    expect(shop.ask('GET', 'financing/status').json).toEqual({
      facility: 500_000,
      drawn: 0,
      available: 500_000,
    })
    expect(shop.ask('POST', 'financing/withdraw', { amountTzs: 500_001 }).json).toMatchObject({
      error: 'amount_too_large',
    })
    expect(shop.ask('POST', 'financing/withdraw', { amountTzs: 10_000 }).status).toBe(201)
    expect(held(shop)).toBe(10_000)
    for (const [method, path, body] of [
      ['POST', 'withdraw', { amountTzs: 5_000 }],
      ['POST', 'transfer-to-wallet', { amountTzs: 1, idempotencyKey: 'a' }],
      ['PATCH', 'settlement', { autoSettlePercent: 1 }],
    ] as const)
      expect(shop.ask(method, path, body)).toMatchObject({
        status: 403,
        json: { error: 'lender_controls_settlement' },
      })
    shop.sell(12_000)
    expect(shop.ask('GET', 'financing/status').json).toMatchObject({ drawn: 4_000 })
    shop.sell(12_000)
    expect(shop.ask('GET', 'financing/status').json).toMatchObject({ drawn: 0 })
    expect(held(shop)).toBe(10_000 + 24_000 - 10_000)
    expect(shop.ask('POST', 'withdraw', { amountTzs: 5_000 }).status).toBe(201)
    expectConserved(shop)
  })

  test('reports a sale to the key that has activated the merchant', () => {
    const shop = openShop()
    shop.sell(1_000)
    const last = shop.client.model.partner.outbox.at(-1)
    expect(last?.type).toBe('merchant.sale.completed')
    expect(JSON.parse(last?.text ?? '')).toMatchObject({
      data: { merchantId: shop.merchantId, livemode: true },
    })
  })

  test('a test key that pays a merchant of a live key is debited, and the merchant sees nothing', () => {
    const shop = openShop()
    const { client } = shop
    const handle = 'mama-lishe'
    const body = { payerUserId: client.ownerId, handle, amountTzs: 1_000 }
    expect(client.ask('POST', '/merchant/pay', body)).toMatchObject({
      status: 201,
      json: { merchant: { handle }, livemode: false },
    })
    expect(held(shop)).toBe(0)
    expect(shop.ask('GET', 'collections').json['collections']).toEqual([])
    expectConserved(shop)
  })
})
