import { describe, expect, test } from 'vitest'
import type { SandboxOptionsInput } from '../../../src/simulator/sandbox/options.ts'
import { createPartnerClient } from '../../../src/treasury/api/client.ts'
import { fundedUser, person, refusalOf, simulated, valueOf } from './place.ts'

// Each limit of the contract where the simulated venue enforces it: the last value that is taken, and the first that is not.

const PHONE = '255754000345'
const LIVE = 'svc_live_contract_suite'
const MINUTE = 60_000

const settings = (more: NonNullable<SandboxOptionsInput['partner']>['settings']) => ({
  partner: { settings: more },
})

describe('the least amount', () => {
  test('of a deposit is 500, of a withdrawal 5,000 net, of a till 500, of a merchant payment 100', async () => {
    const { client } = await simulated()
    const { id: userId } = await fundedUser(client, 100_000n)
    const deposit = (amountTzs: bigint) => client.createDeposit({ amountTzs, userId, phoneNumber: PHONE })
    const payout = (amountTzs: bigint) => client.quoteWithdrawal({ amountTzs, userId, phoneNumber: PHONE })
    const till = (amountTzs: bigint) =>
      client.quoteSpend({ amountTzs, userId, kind: 'lipa', payNumber: '512345' })
    const sale = (amountTzs: bigint) =>
      client.payMerchant({ payerUserId: userId, handle: 'sample-shop', amountTzs })
    for (const [ask, least] of [
      [deposit, 500n],
      [payout, 5_000n],
      [till, 500n],
      [sale, 100n],
    ] as const) {
      expect(refusalOf(await ask(least - 1n))).toMatchObject({ code: 'invalid_amount', retry: 'never' })
      expect((await ask(least)).kind).toBe('answered')
    }
  })
})

describe('the life', () => {
  test('of a payout’s quote is five minutes, of a ramp’s quote one', async () => {
    const { client, control } = await simulated()
    const { id: userId } = await fundedUser(client, 100_000n)
    const wanted = { amountTzs: 5_000n, userId, phoneNumber: PHONE }
    const payouts = [
      valueOf(await client.quoteWithdrawal(wanted)),
      valueOf(await client.quoteWithdrawal(wanted)),
    ]
    const ramps = [
      valueOf(await client.quoteRamp({ direction: 'onramp', tzsAmount: 50_000n })),
      valueOf(await client.quoteRamp({ direction: 'onramp', tzsAmount: 50_000n })),
    ]
    const ramp = (at: number) => client.onramp({ quoteId: ramps[at]?.quoteId ?? '', phoneNumber: PHONE })
    const payout = (at: number) => client.createWithdrawal({ ...wanted, quoteId: payouts[at]?.quoteId ?? '' })
    await control('advance', { ms: MINUTE - 1_000 })
    expect((await ramp(0)).kind).toBe('answered')
    await control('advance', { ms: 1_000 })
    expect(refusalOf(await ramp(1)).code).toBe('invalid_quote')
    await control('advance', { ms: 4 * MINUTE - 1_000 })
    expect((await payout(0)).kind).toBe('answered')
    await control('advance', { ms: 1_000 })
    expect(refusalOf(await payout(1)).code).toBe('invalid_quote')
  })

  test('of a duplicate is five minutes, of a bank reference 72 hours', async () => {
    const { client, control } = await simulated(settings({ paysInstructions: false }))
    const { id: userId } = await fundedUser(client, 100_000n)
    const bank = { amountTzs: 40_000_000n, userId, paymentMethod: 'bank_transfer' } as const
    const { id } = valueOf(await client.createDeposit(bank))
    const pay = async () => {
      const wanted = { amountTzs: 5_000n, userId, phoneNumber: PHONE }
      const { quoteId } = valueOf(await client.quoteWithdrawal(wanted))
      return client.createWithdrawal({ ...wanted, quoteId: quoteId ?? '' })
    }
    valueOf(await pay())
    await control('advance', { ms: 5 * MINUTE - 1_000 })
    expect(refusalOf(await pay()).code).toBe('duplicate_withdrawal')
    await control('advance', { ms: 1_000 })
    expect((await pay()).kind).toBe('answered')
    await control('advance', { ms: 72 * 60 * MINUTE - 6 * MINUTE })
    expect(valueOf(await client.readDeposit({ id })).status).toBe('submitted')
    await control('advance', { ms: 2 * MINUTE })
    expect(valueOf(await client.readDeposit({ id })).status).toBe('failed')
  })

  test('of an attested verification is 365 days', async () => {
    const { client } = await simulated()
    const attest = async (ageDays: number) => {
      const { externalId, email, nidaNumber } = person()
      const { id } = valueOf(await client.createUser({ externalId, email, country: 'KE' }))
      return client.attestKyc({
        id,
        decision: 'approved',
        country: 'KE',
        idType: 'PASSPORT',
        idNumber: nidaNumber.slice(0, 9),
        fullName: 'Grace Otieno',
        reference: 'case',
        verifiedBy: 'desk',
        verifiedAt: new Date(Date.now() - ageDays * 86_400_000).toISOString(),
      })
    }
    expect((await attest(364)).kind).toBe('answered')
    expect(refusalOf(await attest(366)).code).toBe('verified_at_stale')
  })
})

describe('the most', () => {
  test('of a key is 255 characters, of an external reference 128, of the key of a merchant’s transfer 128', async () => {
    const { client } = await simulated()
    const { id: userId } = await fundedUser(client, 100_000n)
    const deposit = (key: string) =>
      client.createDeposit({ amountTzs: 500n, userId, phoneNumber: PHONE }, { key })
    expect((await deposit('k'.repeat(255))).kind).toBe('answered')
    expect(refusalOf(await deposit('k'.repeat(256))).code).toBe('other(not_sent)')
    const sale = (externalReference: string) =>
      client.payMerchant({ payerUserId: userId, handle: 'sample-shop', amountTzs: 100n, externalReference })
    expect((await sale('r'.repeat(128))).kind).toBe('answered')
    expect(refusalOf(await sale('r'.repeat(129))).code).toBe('invalid_external_reference')
  })

  test('of a swap’s slippage is 500 bps', async () => {
    const { client } = await simulated({ speed: 10 })
    const { id: userId } = await fundedUser(client, 100_000n)
    const swap = (slippageBps: number) =>
      client.swap({ userId, fromToken: 'TZS_TOKEN', toToken: 'USDC', amount: 50_000_000_000n, slippageBps })
    expect(refusalOf(await swap(501)).code).toBe('invalid_amount')
    expect((await swap(500)).kind).toBe('answered')
  })

  test('of the platform wallet before KYB is 100,000 in and 100,000 out, with what is used in the refusal', async () => {
    const { client } = await simulated({
      partner: { platformNtzs: '500000', settings: { kyb: 'pending' } },
    })
    const endUser = { reference: 'intent' }
    const deposit = (amountTzs: bigint) => client.createDeposit({ amountTzs, phoneNumber: PHONE, endUser })
    valueOf(await deposit(100_000n))
    expect(refusalOf(await deposit(500n))).toMatchObject({
      status: 403,
      code: 'kyb_required',
      retry: 'never',
      details: { allowanceTzs: 100_000, usedTzs: 100_000 },
    })
    const wanted = { amountTzs: 100_000n, fromTreasury: true, phoneNumber: PHONE }
    const { quoteId } = valueOf(await client.quoteWithdrawal(wanted))
    const refused = await client.createWithdrawal({ ...wanted, quoteId: quoteId ?? '', endUser })
    expect(refusalOf(refused)).toMatchObject({ code: 'kyb_required', details: { allowanceTzs: 100_000 } })
  })

  test('of lookups with a live key is 30 names of phones and 60 of tills a minute, and Retry-After is reported', async () => {
    const { client } = await simulated({ partner: { liveKey: LIVE } }, LIVE)
    const limited = async (ask: () => Promise<object>, times: number) => {
      for (let at = 0; at < times; at++) expect(await ask()).toMatchObject({ kind: 'answered' })
      expect(await ask()).toMatchObject({ kind: 'refused', code: 'rate_limited', retry: 'backoff' })
      expect(await ask()).toHaveProperty('retryAfterMs', expect.any(Number))
    }
    await limited(() => client.lookupRecipient({ phoneNumber: PHONE }), 30)
    await limited(() => client.lookupMerchant({ kind: 'lipa', payNumber: '512345' }), 60)
  })

  test('of a bank payout and of a bill is below 1,000,000, of a float 1,000,000 at once', async () => {
    const { client, control } = await simulated()
    const { id: userId } = await fundedUser(client, 3_000_000n)
    const bank = (amountTzs: bigint) =>
      client.quoteWithdrawal({ amountTzs, userId, bankCode: 'CRDB', accountNumber: '0150123456' })
    expect((await bank(999_999n)).kind).toBe('answered')
    expect(refusalOf(await bank(1_000_000n)).code).toBe('bank_amount_unsupported')
    const { id: subWalletId, address } = valueOf(await client.createSubWallet({ label: 'bot' }))
    await control('partner/fund', { address, asset: 'NTZS', amount: '3000000' })
    const wanted = { amountTzs: 1_000_000n, subWalletId, phoneNumber: PHONE }
    const { quoteId } = valueOf(await client.quoteWithdrawal(wanted))
    const refused = refusalOf(await client.createWithdrawal({ ...wanted, quoteId: quoteId ?? '' }))
    expect(refused.details).toMatchObject({ limit: 1_000_000 })
  })

  test('of a float is 2,000,000 in 24 hours, and 100 participants are all', async () => {
    const { client, control } = await simulated()
    const { id: subWalletId, address } = valueOf(await client.createSubWallet({ label: 'bot' }))
    await control('partner/fund', { address, asset: 'NTZS', amount: '7000000' })
    const pay = async (amountTzs: bigint) => {
      const wanted = { amountTzs, subWalletId, phoneNumber: PHONE }
      const { quoteId } = valueOf(await client.quoteWithdrawal(wanted))
      return client.createWithdrawal({ ...wanted, quoteId: quoteId ?? '' })
    }
    for (const amountTzs of [985_000n, 985_001n]) valueOf(await pay(amountTzs))
    expect(refusalOf(await pay(985_002n)).details).toMatchObject({ limit: 2_000_000 })
    // A day later as much may leave again, so that 30 days hold 60,000,000 and no more.
    await control('advance', { ms: 24 * 60 * MINUTE })
    valueOf(await pay(985_002n))
    for (let float = 2; float < 100; float++) valueOf(await client.createSubWallet({ label: `bot ${float}` }))
    expect(refusalOf(await client.createSubWallet({ label: 'one too many' })).details).toMatchObject({
      limit: 100,
    })
  })

  test('of a page of collections is 50', async () => {
    const { client, control } = await simulated({ partner: { liveKey: LIVE } }, LIVE)
    const owner = valueOf(await client.createUser(person()))
    await control('partner/fund', { address: owner.walletAddress ?? '', asset: 'NTZS', amount: '100000' })
    const activation = {
      userId: owner.id,
      email: 'duka@example.com',
      businessName: 'Duka',
      settlementPhone: PHONE,
    }
    const { merchantId, handle } = valueOf(await client.activateMerchant(activation))
    for (let sale = 0; sale < 51; sale++)
      valueOf(await client.payMerchant({ payerUserId: owner.id, handle: handle ?? '', amountTzs: 100n }))
    const page = valueOf(await client.listCollections({ merchantId, limit: 99 }))
    expect(page.collections).toHaveLength(50)
    expect(page.nextCursor).not.toBeNull()
  })

  test('of public swap rates is 60 a minute, and a longer Retry-After than the deadline is reported at once', async () => {
    const { box } = await simulated()
    const client = createPartnerClient({ baseUrl: box.url, requestTimeoutMs: 1_000 }, { apiKey: '' })
    const ask = () => client.swapRate({ from: 'USDC', to: 'TZS_TOKEN', amount: 1_000_000n })
    for (let at = 0; at < 60; at++) expect((await ask()).kind).toBe('answered')
    const refused = refusalOf(await ask())
    await client.close()
    expect(refused).toMatchObject({ status: 429, retry: 'backoff' })
    expect(refused.retryAfterMs).toBeGreaterThanOrEqual(1_000)
  })
})
