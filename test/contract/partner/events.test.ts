import { afterEach, describe, expect, test } from 'vitest'
import { SAMPLE_SHOP } from '../../../src/simulator/sandbox/partner/commerce/accounts.ts'
import { readDelivery, type WebhookDelivery } from '../../../src/treasury/webhooks/delivery.ts'
import {
  WEBHOOK_SIGNATURE_HEADER,
  TIMESTAMP_HEADER,
  verifyWebhookSignature,
} from '../../../src/treasury/webhooks/signature.ts'
import { receivingServer, type Received, type ReceivingServer } from '../../support/receiving-server.ts'
import { fundedUser, person, simulated, valueOf } from './place.ts'

// Each event of the contract as the simulated venue really posts it, and what the client learns of the same resource by
// reading: an event brings the news sooner, and the reading is the truth.

const SECRET = 'whsec_test_sandbox'
const PHONE = '255754000345'
let receiver: ReceivingServer | null = null
let arrived = () => {}

afterEach(async () => {
  await receiver?.close()
  receiver = null
})

async function listening() {
  const server = await receivingServer()
  receiver = server
  server.respond = (response) => {
    response.end('ok')
    arrived()
  }
  const venue = await simulated({ partner: { webhookUrl: server.url } })
  return { ...venue, event: (type: string, times = 1) => eventually(server, type, times) }
}

/** The last event of a type, once so many have arrived, after its signature was verified. */
async function eventually(
  server: ReceivingServer,
  type: string,
  times: number,
): Promise<WebhookDelivery & { readonly data: unknown }> {
  const ofType = () => server.received.filter(({ body }) => readDelivery(Buffer.from(body)).event === type)
  while (ofType().length < times) await new Promise<void>((resolve) => (arrived = resolve))
  const one = ofType().at(-1) as Received
  expect(
    verifyWebhookSignature(signedDelivery(one), { secrets: [SECRET], toleranceMs: 300_000, now: Date.now() }),
  ).toEqual({
    ok: true,
    value: 0,
  })
  return { ...readDelivery(Buffer.from(one.body)), data: (JSON.parse(one.body) as { data: unknown }).data }
}

function signedDelivery({ headers, body }: Received) {
  const values = (name: string) => [headers[name] ?? []].flat()
  return {
    headers: {
      [WEBHOOK_SIGNATURE_HEADER]: values(WEBHOOK_SIGNATURE_HEADER),
      [TIMESTAMP_HEADER]: values(TIMESTAMP_HEADER),
    },
    rawBody: Buffer.from(body),
  }
}

describe('an event', () => {
  test('deposit.completed names the deposit that readDeposit shows as completed, and echoes the reference', async () => {
    const { client, event } = await listening()
    const wanted = { amountTzs: 25_000n, phoneNumber: PHONE, endUser: { reference: 'intent-1' } }
    const { id } = valueOf(await client.createDeposit(wanted))
    valueOf(await client.advance({}))
    expect(await event('deposit.completed')).toMatchObject({
      resourceId: id,
      reference: 'intent-1',
      data: { depositId: id, amountTzs: 25_000, livemode: false, endUser: { reference: 'intent-1' } },
    })
    expect(valueOf(await client.readDeposit({ id })).status).toBe('completed')
  })

  test.each([
    [PHONE, 'completed'],
    ['255754000313', 'reverted'],
    ['255754000302', 'reconcile_required'],
  ])(
    'withdrawal.updated of a payout to %s is %s, as readWithdrawal shows it',
    async (phoneNumber, payoutStatus) => {
      const { client, event } = await listening()
      const { id: userId } = await fundedUser(client, 90_000n)
      const wanted = { amountTzs: 50_000n, userId, phoneNumber }
      const { quoteId } = valueOf(await client.quoteWithdrawal(wanted))
      const { id } = valueOf(await client.createWithdrawal({ ...wanted, quoteId: quoteId ?? '' }))
      valueOf(await client.advance({}))
      expect(await event('withdrawal.updated')).toMatchObject({
        resourceId: id,
        data: { withdrawalId: id, payoutStatus },
      })
      expect(valueOf(await client.readWithdrawal({ id })).payoutStatus).toBe(payoutStatus)
    },
  )

  test('spend.updated comes a second time with the voucher that readSpend shows', async () => {
    const { client, event } = await listening()
    const { id: userId } = await fundedUser(client, 90_000n)
    const bill = { kind: 'bill', utilityCode: 'LUKU', utilityRef: '01425367485' } as const
    const wanted = { amountTzs: 20_000n, userId, ...bill }
    const { quoteId } = valueOf(await client.quoteSpend(wanted))
    const { id } = valueOf(await client.createSpend({ ...wanted, quoteId: quoteId ?? '' }))
    valueOf(await client.advance({}))
    expect(await event('spend.updated')).toMatchObject({
      resourceId: id,
      data: { spendId: id, status: 'completed' },
    })
    valueOf(await client.advance({}))
    const { utilityToken } = valueOf(await client.readSpend({ id }))
    expect((await event('spend.updated', 2)).data).toMatchObject({ spendId: id, utilityToken })
  })

  test('kyc.updated names the user by externalId, and createUser then shows the wallet', async () => {
    const { client, event } = await listening()
    const wanted = person('0000202')
    const { id } = valueOf(await client.createUser(wanted))
    valueOf(await client.approveUser({ userId: id }))
    expect(await event('kyc.updated')).toMatchObject({
      data: { externalId: wanted.externalId, kycStatus: 'approved' },
    })
    expect(valueOf(await client.createUser(wanted)).walletAddress).toMatch(/^0x/)
  })

  test('merchant.sale.completed names the collection of the sale that payMerchant answered', async () => {
    const { client, event } = await listening()
    const { id: payerUserId } = await fundedUser(client, 10_000n)
    const sale = valueOf(await client.payMerchant({ payerUserId, handle: SAMPLE_SHOP, amountTzs: 2_500n }))
    expect(await event('merchant.sale.completed')).toMatchObject({
      data: { collectionId: sale.collectionId, amountTzs: 2_500, paymentMethod: 'svc_balance' },
    })
  })

  test('ramp.settlement.completed and ramp.settlement.failed name the settlement that readSettlement shows', async () => {
    const { client, event } = await listening()
    const on = valueOf(await client.quoteRamp({ direction: 'onramp', tzsAmount: 100_000n }))
    const paid = valueOf(await client.onramp({ quoteId: on.quoteId, phoneNumber: PHONE }))
    const to = '255754000313'
    const off = valueOf(await client.quoteRamp({ direction: 'offramp', tzsAmount: 80_000n, phoneNumber: to }))
    const failing = valueOf(await client.offramp({ quoteId: off.quoteId, phoneNumber: to }))
    valueOf(await client.advance({}))
    expect(await event('ramp.settlement.completed')).toMatchObject({
      data: { settlementId: paid.settlementId },
    })
    const failed = await event('ramp.settlement.failed')
    const { settlementAddress } = valueOf(await client.rampBalance({}))
    expect(failed.data).toMatchObject({
      settlementId: failing.settlementId,
      returnedAsTokenTo: settlementAddress,
    })
    expect(valueOf(await client.readSettlement({ id: failing.settlementId })).status).toBe('failed')
  })
})
