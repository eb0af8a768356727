import { expect, test } from 'vitest'
import type { PartnerClient } from '../../../src/treasury/api/client.ts'
import { person, refusalOf, simulated, valueOf } from './place.ts'

const LIVE = 'svc_live_contract_suite'

/** A live key of the simulated venue with a merchant, and a buyer who has shillings. */
async function shop(): Promise<{
  readonly client: PartnerClient
  readonly merchantId: string
  readonly handle: string
  readonly buyer: string
  readonly owner: string
}> {
  const { client, control } = await simulated({ partner: { liveKey: LIVE } }, LIVE)
  const owner = valueOf(await client.createUser(person()))
  const buyer = valueOf(await client.createUser(person()))
  await control('partner/fund', { address: buyer.walletAddress ?? '', asset: 'NTZS', amount: '500000' })
  const activation = {
    userId: owner.id,
    email: 'duka@example.com',
    businessName: 'Duka la Mama',
    settlementPhone: '255754000345',
  }
  const merchant = valueOf(await client.activateMerchant(activation))
  expect(merchant.alreadyExists).not.toBe(true)
  expect(valueOf(await client.activateMerchant(activation))).toMatchObject({
    merchantId: merchant.merchantId,
    alreadyExists: true,
  })
  return {
    client,
    merchantId: merchant.merchantId,
    handle: merchant.handle ?? '',
    buyer: buyer.id,
    owner: owner.id,
  }
}

test('createLink, listLinks and deleteLink keep the payment links of a merchant', async () => {
  const { client, merchantId } = await shop()
  const link = valueOf(await client.createLink({ merchantId, amountTzs: 2_500n, label: 'Chai' }))
  expect(link).toMatchObject({ amountTzs: 2_500, label: 'Chai' })
  expect(valueOf(await client.listLinks({ merchantId }))).toMatchObject({ links: [{ id: link['id'] }] })
  valueOf(await client.deleteLink({ merchantId, linkId: String(link['id']) }))
  expect(valueOf(await client.listLinks({ merchantId }))).toMatchObject({ links: [] })
})

test('listCollections shows sales a page at a time, merchantStats and merchantWallet their sum', async () => {
  const { client, merchantId, handle, buyer } = await shop()
  for (const amountTzs of [1_000n, 2_000n, 3_000n])
    valueOf(
      await client.payMerchant({
        payerUserId: buyer,
        handle,
        amountTzs,
        externalReference: `order ${amountTzs}`,
      }),
    )
  const first = valueOf(await client.listCollections({ merchantId, limit: 2 }))
  expect(first.collections.map((row) => row['externalReference'])).toEqual(['order 3000', 'order 2000'])
  const rest = valueOf(await client.listCollections({ merchantId, limit: 2, cursor: first.nextCursor ?? '' }))
  expect(rest).toMatchObject({ collections: [{ externalReference: 'order 1000' }], nextCursor: null })
  expect(valueOf(await client.merchantStats({ merchantId }))).toMatchObject({
    today: { count: 3, amountTzs: 6_000 },
  })
  expect(valueOf(await client.merchantWallet({ merchantId }))).toMatchObject({ balanceTzs: 6_000 })
})

test('merchantWithdraw pays out, and merchantTransfer moves to the owner once a key', async () => {
  const { client, merchantId, handle, buyer, owner } = await shop()
  valueOf(await client.payMerchant({ payerUserId: buyer, handle, amountTzs: 100_000n }))
  expect(refusalOf(await client.merchantWithdraw({ merchantId, amountTzs: 4_999n })).code).toBe(
    'invalid_amount',
  )
  expect(valueOf(await client.merchantWithdraw({ merchantId, amountTzs: 10_000n }))).toMatchObject({
    status: 'burned',
  })
  const transfer = { merchantId, amountTzs: 5_000n, idempotencyKey: 'once' }
  expect(valueOf(await client.merchantTransfer(transfer))).toMatchObject({ status: 'completed' })
  expect(refusalOf(await client.merchantTransfer(transfer))).toMatchObject({
    code: 'idempotency_key_used',
    retry: 'verify',
  })
  const next = await client.merchantTransfer({ ...transfer, idempotencyKey: 'twice' })
  expect(refusalOf(next)).toMatchObject({ code: 'transfer_in_flight', retry: 'backoff' })
  const long = await client.merchantTransfer({ ...transfer, idempotencyKey: 'k'.repeat(129) })
  expect(refusalOf(long).code).toBe('invalid_idempotency_key')
  expect(valueOf(await client.readUser({ id: owner })).balanceTzs).toBe(5_000n)
})

test('changeMerchantSettlement is read back, until a lender who funds the merchant holds the controls', async () => {
  const { client, merchantId } = await shop()
  valueOf(
    await client.changeMerchantSettlement({ merchantId, autoSettlePercent: 50, payoutPhone: '255754000346' }),
  )
  expect(valueOf(await client.readMerchantSettlement({ merchantId }))).toMatchObject({
    autoSettlePercent: 50,
    payoutPhone: '255754000346',
  })
  const before = valueOf(await client.financingStatus({ merchantId }))
  expect(before).toMatchObject({ drawn: 0, facility: before['available'] })
  valueOf(await client.financingWithdraw({ merchantId, amountTzs: 100_000n }))
  expect(valueOf(await client.financingStatus({ merchantId }))).toMatchObject({ drawn: 100_000 })
  const changed = await client.changeMerchantSettlement({ merchantId, autoSettlePercent: 0 })
  expect(refusalOf(changed)).toMatchObject({ status: 403, code: 'lender_controls_settlement' })
})

test('commerce answers a test key with 501, and the merchant of another key with 404', async () => {
  const { client } = await simulated({ partner: { liveKey: LIVE } })
  expect(refusalOf(await client.merchantWallet({ merchantId: 'm_1' }))).toMatchObject({
    status: 501,
    code: 'not_available_in_test_mode',
    retry: 'never',
  })
  const live = await simulated({ partner: { liveKey: LIVE } }, LIVE)
  expect(refusalOf(await live.client.merchantWallet({ merchantId: 'm_1' })).status).toBe(404)
  expect(refusalOf(await live.client.advance({})).code).toBe('test_mode_only')
})
