import { describe, expect, test } from 'vitest'
import { zeroAmounts } from '../../../../../../src/base/money/asset.ts'
import { conservationGap } from '../../../../../support/conservation-gap.ts'
import {
  CLOSED_SHOP,
  SAMPLE_LINK,
  SAMPLE_SHOP,
} from '../../../../../../src/simulator/sandbox/partner/commerce/accounts.ts'
import { partnerClient, type PartnerClient } from '../partner-client.ts'

const venue = () => partnerClient({ partner: { owner: { NTZS: '100000' } } })

const pay = ({ ask, ownerId }: PartnerClient, more: object = {}, idempotencyKey?: string) =>
  ask(
    'POST',
    '/merchant/pay',
    { payerUserId: ownerId, handle: SAMPLE_SHOP, amountTzs: 1_500, ...more },
    idempotencyKey === undefined ? {} : { idempotencyKey },
  )

const sales = ({ model }: PartnerClient) =>
  model.partner.outbox.map(({ text }) => JSON.parse(text) as { type: string; data: Record<string, unknown> })

describe('a payment from a balance', () => {
  test('is final at once, costs no fee and echoes the reference of its payer', () => {
    const client = venue()
    const { status, json } = pay(client, { externalReference: 'order 9', payerName: 'Asha' })
    expect(status).toBe(201)
    expect(json).toMatchObject({
      status: 'completed',
      paymentMethod: 'svc_balance',
      amountTzs: 1_500,
      merchant: { handle: SAMPLE_SHOP, businessName: 'Sample shop' },
      payerUserId: client.ownerId,
      externalReference: 'order 9',
      livemode: false,
      txHash: expect.stringMatching(/^0x/),
    })
    expect(client.ask('GET', `/users/${client.ownerId}`).json['balanceTzs']).toBe(98_500)
    expect(client.ask('GET', `/api/pay/status?id=${json['id'] as string}`).json).toEqual({
      status: 'success',
    })
    expect(sales(client)).toEqual([
      {
        type: 'merchant.sale.completed',
        data: expect.objectContaining({
          collectionId: json['collectionId'],
          amountTzs: 1_500,
          livemode: false,
        }),
      },
    ])
    expect(conservationGap(client.model.book())).toEqual(zeroAmounts())
    expect(client.ask('GET', '/reconcile').json).toMatchObject({ difference: 0, isReconciled: true })
  })

  test.each([
    [{ amountTzs: 99 }, 400, 'invalid_amount'],
    [{ amountTzs: 100_001 }, 400, 'insufficient_balance'],
    [{ handle: 'nobody' }, 404, 'not_found'],
    [{ handle: CLOSED_SHOP }, 403, 'merchant_unavailable'],
    [{ linkId: 'none' }, 404, 'not_found'],
    [{ linkId: SAMPLE_LINK }, 400, 'invalid_amount'],
    [{ externalReference: 7 }, 400, 'invalid_external_reference'],
    [{ externalReference: 'a\nb' }, 400, 'invalid_external_reference'],
    [{ externalReference: 'x'.repeat(129) }, 400, 'invalid_external_reference'],
    [{ payerUserId: 'none' }, 404, 'user_not_found'],
    [{ payerUserId: '' }, 400, 'missing_required_fields'],
    [{ handle: '' }, 400, 'missing_required_fields'],
  ])('with %j is refused', (more, status, error) => {
    const client = venue()
    expect(pay(client, more)).toMatchObject({ status, json: { error } })
    expect(client.ask('GET', `/users/${client.ownerId}`).json['balanceTzs']).toBe(100_000)
  })

  test('by a link takes the amount of the link, and a reference of 128 characters', () => {
    const more = { linkId: SAMPLE_LINK, amountTzs: 25_000, externalReference: 'x'.repeat(128) }
    expect(pay(venue(), more).status).toBe(201)
  })

  test('replayed under its key is one payment, and another one under it is refused', () => {
    const client = venue()
    expect(pay(client, {}, 'k').json).toEqual(pay(client, {}, 'k').json)
    expect(pay(client, { amountTzs: 200 }, 'k')).toMatchObject({
      status: 409,
      json: { error: 'idempotency_key_used' },
    })
    expect(client.ask('GET', `/users/${client.ownerId}`).json['balanceTzs']).toBe(98_500)
  })
})

describe('a payment from a phone', () => {
  const prompt = (client: PartnerClient, amountTzs: number) =>
    client.ask('POST', '/api/merchant/pay', { handle: SAMPLE_SHOP, amountTzs, payerPhone: '0754000123' })

  test('closes when the phone has paid', () => {
    const client = venue()
    const { status, json } = prompt(client, 5_000)
    expect({ status, json }).toMatchObject({ status: 202, json: { paymentMethod: 'mobile_money' } })
    const state = () => client.ask('GET', `/api/pay/status?id=${json['id'] as string}`).json['status']
    expect(state()).toBe('pending')
    client.wait(3_000)
    expect(state()).toBe('success')
    expect(sales(client).at(-1)?.data).toMatchObject({ payerPhone: '255754000123', payerUserId: null })
    expect(conservationGap(client.model.book())).toEqual(zeroAmounts())
    expect(client.ask('GET', '/reconcile').json).toMatchObject({ difference: 0 })
  })

  test('of an amount ending in 13 fails, and one ending in 99 stays pending', () => {
    const client = venue()
    const [failing, waiting] = [5_013, 5_099].map(
      (amountTzs) => prompt(client, amountTzs).json['id'] as string,
    )
    client.wait(86_400_000)
    const state = (id = '') => client.ask('GET', `/api/pay/status?id=${id}`)
    expect(state(failing).json).toEqual({ status: 'failed' })
    expect(state(waiting).json).toEqual({ status: 'pending' })
    expect(state('none').status).toBe(404)
    expect(state().status).toBe(400)
  })

  test('needs a phone', () => {
    const body = { handle: SAMPLE_SHOP, amountTzs: 5_000 }
    expect(venue().ask('POST', '/api/merchant/pay', body).json).toMatchObject({ error: 'invalid_phone' })
  })
})
