import { describe, expect, test } from 'vitest'
import { SAMPLE_SHOP } from '../../../src/simulator/sandbox/partner/commerce/accounts.ts'
import { writeMerchantQr } from '../../support/write-merchant-qr.ts'
import { funded, fundedUser, PLACES, refusalOf, simulated, valueOf } from './place.ts'

const METER = '01425367485'

describe.each(PLACES)('bills and tills, against $name', ({ open }) => {
  test('listBillers names each biller with the form of its reference', async () => {
    const client = await open()
    const { categories, unreadable } = valueOf(await client.listBillers({}))
    const billers = categories.flatMap((category) => category.billers)
    expect(unreadable).toBe(0)
    expect(billers.length).toBeGreaterThan(0)
    for (const { code, referenceMinLength, referenceMaxLength } of billers) {
      expect(code).not.toBe('')
      expect(referenceMinLength ?? 0).toBeLessThanOrEqual(referenceMaxLength ?? 0)
    }
  })

  test('quoteSpend and createSpend pay a till; the fees are on top of what arrives', async () => {
    const { client, userId } = await funded(open, 100_000n)
    const wanted = { amountTzs: 20_000n, userId, kind: 'lipa', payNumber: '512345' } as const
    const quote = valueOf(await client.quoteSpend(wanted))
    expect(quote.principalTzs).toBe(20_000n)
    expect(quote.burnAmountTzs).toBe(20_000n + (quote.fees?.totalFeeTzs ?? 0n))
    const { id, status } = valueOf(await client.createSpend({ ...wanted, quoteId: quote.quoteId ?? '' }))
    expect(status).toBe('burned')
    valueOf(await client.advance({}))
    expect(valueOf(await client.readSpend({ id }))).toMatchObject({
      id,
      payoutStatus: 'completed',
      principalTzs: 20_000n,
    })
    expect(valueOf(await client.readUser({ id: userId })).balanceTzs).toBe(100_000n - quote.burnAmountTzs)
  })

  test('a till whose network is unknown is to be verified, and is paid with its network named', async () => {
    const { client, userId } = await funded(open, 100_000n)
    const wanted = { amountTzs: 20_000n, userId, kind: 'lipa', payNumber: '912345' } as const
    const quoteId = valueOf(await client.quoteSpend(wanted)).quoteId ?? ''
    const refused = await client.createSpend({ ...wanted, quoteId })
    expect(refusalOf(refused)).toMatchObject({ status: 502, code: 'till_network_required', retry: 'verify' })
    expect(valueOf(await client.readUser({ id: userId })).balanceTzs).toBe(100_000n)
    const named = { ...wanted, network: 'vodacom' }
    const again = valueOf(await client.quoteSpend(named)).quoteId ?? ''
    expect(valueOf(await client.createSpend({ ...named, quoteId: again })).status).toBe('burned')
  })

  test('refuses an unknown biller, a reference of another form, no quote, and a burn from 1,000,000', async () => {
    const { client, userId } = await funded(open, 2_000_000n)
    const bill = { amountTzs: 20_000n, userId, kind: 'bill', utilityCode: 'LUKU', utilityRef: METER } as const
    expect(refusalOf(await client.quoteSpend({ ...bill, utilityCode: 'NOBODY' })).code).toBe('unknown_biller')
    expect(refusalOf(await client.quoteSpend({ ...bill, utilityRef: '7' })).code).toBe('invalid_utility_ref')
    expect(refusalOf(await client.createSpend({ ...bill, quoteId: 'made-up' })).code).toBe('invalid_quote')
    expect(refusalOf(await client.quoteSpend({ ...bill, amountTzs: 1_000_000n })).code).toBe(
      'amount_too_large',
    )
  })
})

test('the voucher of a bill arrives after the payment, once, in the simulated venue', async () => {
  const { client } = await simulated()
  const { id: userId } = await fundedUser(client, 100_000n)
  const wanted = { amountTzs: 20_000n, userId, kind: 'bill', utilityCode: 'LUKU', utilityRef: METER } as const
  const quoteId = valueOf(await client.quoteSpend(wanted)).quoteId ?? ''
  const { id, utilityToken } = valueOf(await client.createSpend({ ...wanted, quoteId }))
  expect(utilityToken).toBeNull()
  valueOf(await client.advance({}))
  valueOf(await client.advance({}))
  const spend = valueOf(await client.readSpend({ id }))
  expect(spend.utilityToken).toMatch(/^\d{4}( \d{4}){4}$/)
  expect(valueOf(await client.readSpend({ id }))).toEqual(spend)
})

describe.each(PLACES)('lookups, against $name', ({ open }) => {
  test('lookupRecipient names who a phone is registered for; a null name is an answer', async () => {
    const client = await open()
    const named = valueOf(await client.lookupRecipient({ phoneNumber: '0754000345' }))
    expect(named).toMatchObject({ phone: '255754000345', network: 'vodacom', name: expect.any(String) })
    expect(valueOf(await client.lookupRecipient({ phoneNumber: '255754000300' })).name).toBeNull()
    expect(refusalOf(await client.lookupRecipient({ phoneNumber: '12' })).code).toBe('invalid_phone')
  })

  test('lookupMerchant names a till or an account, with a reason only where there is no name', async () => {
    const client = await open()
    const till = valueOf(await client.lookupMerchant({ kind: 'lipa', payNumber: '512345' }))
    expect(till).toMatchObject({ kind: 'lipa', target: 'lipa:512345', reason: null })
    const bill = { kind: 'bill', utilityCode: 'LUKU', utilityRef: METER } as const
    expect(valueOf(await client.lookupMerchant(bill))).toMatchObject({ kind: 'bill', utilityRef: METER })
    const nameless = valueOf(await client.lookupMerchant({ kind: 'lipa', payNumber: '512300' }))
    expect(nameless.name).toBeNull()
    expect(nameless.reason).toEqual(expect.any(String))
    const unknown = await client.lookupMerchant({ ...bill, utilityCode: 'NOBODY' })
    expect(refusalOf(unknown)).toMatchObject({ status: 400, code: 'unknown_biller' })
  })

  test('lookupQr reads a code, and refuses one whose checksum was altered', async () => {
    const client = await open()
    const payload = writeMerchantQr({ payNumbers: ['512345'], name: 'MUSHI SOKO', amountTzs: 12_500n })
    const read = valueOf(await client.lookupQr({ payload }))
    expect(read.amountTzs).toBe(12_500n)
    expect(['resolved', 'unresolved', 'ambiguous']).toContain(read.resolution)
    const altered = `${payload.slice(0, -1)}${payload.endsWith('0') ? '1' : '0'}`
    expect(refusalOf(await client.lookupQr({ payload: altered }))).toMatchObject({
      status: 400,
      retry: 'never',
    })
  })
})

describe('merchant payments in the simulated venue', () => {
  test('payMerchant is final, adds up, and payStatus confirms it', async () => {
    const { client } = await simulated()
    const { id: payerUserId } = await fundedUser(client, 10_000n)
    const sale = valueOf(
      await client.payMerchant({
        payerUserId,
        handle: SAMPLE_SHOP,
        amountTzs: 2_500n,
        externalReference: 'order 7',
      }),
    )
    expect(sale).toMatchObject({
      status: 'completed',
      amountTzs: 2_500n,
      externalReference: 'order 7',
      livemode: false,
    })
    expect(valueOf(await client.payStatus({ id: sale.id }))).toEqual({ status: 'success' })
    expect(valueOf(await client.readUser({ id: payerUserId })).balanceTzs).toBe(7_500n)
    const unknown = await client.payMerchant({ payerUserId, handle: 'nobody', amountTzs: 2_500n })
    expect(refusalOf(unknown)).toMatchObject({ status: 404, retry: 'never' })
    const closed = await client.payMerchant({ payerUserId, handle: 'closed-shop', amountTzs: 2_500n })
    expect(refusalOf(closed).code).toBe('merchant_unavailable')
  })

  test('payMobileMoney prompts a phone, and payStatus is pending until it has paid', async () => {
    const { client } = await simulated()
    const prompt = { handle: SAMPLE_SHOP, amountTzs: 2_500n, payerPhone: '255754000345' }
    const { id, status } = valueOf(await client.payMobileMoney(prompt))
    expect(status).toBe('pending')
    expect(valueOf(await client.payStatus({ id: id ?? '' })).status).toBe('pending')
    valueOf(await client.advance({}))
    expect(valueOf(await client.payStatus({ id: id ?? '' })).status).toBe('success')
  })
})
